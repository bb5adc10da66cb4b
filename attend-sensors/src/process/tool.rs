//! What a command is called: its tool and what that is to do, and nothing else of its words.

/// Programs that run a script, which is what their processes are known by.
const INTERPRETERS: [&str; 11] = [
    "bash", "dash", "sh", "zsh", "node", "nodejs", "python", "python3", "ruby", "perl", "php",
];

/// What the main thread of an interpreter may be called.
const MAIN_THREAD: &str = "MainThread";

/// Endings of scripts that are no part of their names.
const ENDINGS: [&str; 8] = [".js", ".cjs", ".mjs", ".ts", ".py", ".rb", ".sh", ".pl"];

/// Options before the word that says what to do, which take no value.
const PLAIN_OPTIONS: [&str; 16] = [
    "-q",
    "-s",
    "-k",
    "-v",
    "-vv",
    "-n",
    "-B",
    "-i",
    "--quiet",
    "--silent",
    "--verbose",
    "--offline",
    "--locked",
    "--frozen",
    "--keep-going",
    "--always-make",
];

/// Words that say what to do only with the next one.
const WITH_NEXT: [&str; 3] = ["run", "exec", "run-script"];

/// The longest word that is told, in bytes.
const MAX_WORD: usize = 32;

/// How long a name is that the system keeps of a process, in bytes.
const MAX_KEPT: usize = 15;

/// The tools that are told of.
#[derive(Clone, Debug)]
pub(super) struct Tools(Vec<String>);

impl Tools {
    pub(super) fn new(names: impl IntoIterator<Item = String>) -> Self {
        Self(names.into_iter().collect())
    }

    fn hold(&self, name: &str) -> bool {
        self.0.iter().any(|tool| tool == name)
    }

    /// Whether a process that the system calls `kept` may be a tool: its words tell.
    pub(super) fn may_be(&self, kept: &str) -> bool {
        let first = kept.split(' ').next().unwrap_or(kept);
        let is_tool = |tool: &String| is_kept(tool, first);
        kept == MAIN_THREAD || is_interpreter(first) || self.0.iter().any(is_tool)
    }

    /// What a process of these words is called, where it is a tool. They stand as the system
    /// gives them, each with a zero at its end; a program may have put one text in their place.
    pub(super) fn name(&self, words: &[u8]) -> Option<String> {
        let words = String::from_utf8_lossy(words);
        let words = words.trim_end_matches(['\0', ' ']);
        let words: Vec<&str> = if words.contains('\0') {
            words.split('\0').collect()
        } else {
            words.split_whitespace().collect()
        };
        let (first, mut rest) = words.split_first()?;
        let program = base(first);
        if self.hold(program) {
            return Some(called(program, rest));
        }
        if !is_interpreter(program) {
            return None;
        }
        while let Some((word, after)) = rest.split_first() {
            if *word == "-m" && program.starts_with("python") {
                let (module, after) = after.split_first()?;
                return self.hold(module).then(|| called(module, after));
            }
            // What follows is a program itself.
            if matches!(*word, "-c" | "-e") {
                return None;
            }
            if !word.starts_with('-') {
                let script = script(word);
                return self.hold(script).then(|| called(script, after));
            }
            rest = after;
        }
        None
    }
}

/// Whether the system, which keeps the beginning of a name, may call a process `kept` that is
/// called `name`.
pub(super) fn is_kept(name: &str, kept: &str) -> bool {
    name == kept || kept.len() == MAX_KEPT && name.starts_with(kept)
}

/// What a command of these words is called, whatever its tool is.
pub(super) fn command(program: &str, args: &[&str]) -> String {
    called(base(program), args)
}

fn called(tool: &str, args: &[&str]) -> String {
    let mut name: String = tool.chars().take(MAX_WORD).collect();
    let mut args = args.iter().skip_while(|word| {
        let jobs = word.strip_prefix("-j");
        PLAIN_OPTIONS.contains(word)
            || word.starts_with('+')
            || jobs.is_some_and(|jobs| jobs.bytes().all(|byte| byte.is_ascii_digit()))
    });
    while let Some(word) = args.next().filter(|word| is_plain(word)) {
        name.push(' ');
        name.push_str(word);
        if !WITH_NEXT.contains(word) {
            break;
        }
    }
    name
}

/// Whether a word says what to do: no option, path, assignment or anything else that may hold
/// what is nobody's business.
fn is_plain(word: &str) -> bool {
    let first = word.bytes().next();
    first.is_some_and(|byte| byte.is_ascii_alphabetic())
        && word.len() <= MAX_WORD
        && word
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b':' | b'.'))
}

fn is_interpreter(name: &str) -> bool {
    let plain = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    INTERPRETERS.contains(&name) || INTERPRETERS.contains(&plain)
}

fn script(path: &str) -> &str {
    let name = base(path);
    let name = ENDINGS.iter().find_map(|end| name.strip_suffix(end));
    let name = name.unwrap_or_else(|| base(path));
    name.strip_suffix("-cli").unwrap_or(name)
}

fn base(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tools() -> Tools {
        let names = ["cargo", "make", "npm", "pytest", "gradlew", "vite", "go"];
        Tools::new(names.map(str::to_owned))
    }

    fn name(words: &[&str]) -> Option<String> {
        let words = words.iter().flat_map(|word| [*word, "\0"]);
        tools().name(words.collect::<String>().as_bytes())
    }

    #[test]
    fn a_tool_is_called_by_its_name_and_what_it_is_to_do() {
        for (words, expected) in [
            (&["cargo", "build", "--release"][..], "cargo build"),
            (&["/usr/bin/make"], "make"),
            (&["make", "-j8", "test"], "make test"),
            (&["make", "-j", "test"], "make test"),
            (
                &["cargo", "+nightly", "--quiet", "test", "mine"],
                "cargo test",
            ),
            (
                &["node", "/usr/lib/npm-cli.js", "run", "build"],
                "npm run build",
            ),
            (&["python3.12", "-m", "pytest", "-x"], "pytest"),
            (
                &["python3", "-I", "/srv/api/.venv/bin/pytest", "tests"],
                "pytest tests",
            ),
            (&["sh", "./gradlew", "assemble"], "gradlew assemble"),
            (&["node", "node_modules/.bin/vite", "build"], "vite build"),
            (&["go", "build", "./..."], "go build"),
            // One text that the program put there.
            (&["npm run build"], "npm run build"),
        ] {
            assert_eq!(name(words).as_deref(), Some(expected), "{words:?}");
        }
    }

    #[test]
    fn nothing_else_of_its_words_is_told() {
        for words in [
            &["make", "TOKEN=hunter2", "test"][..],
            &["make", "--eval", "hunter2"],
            &["make", "-C", "hunter2"],
            &["make", "/srv/hunter2"],
            &["cargo", "--config", "hunter2", "build"],
        ] {
            let name = name(words).unwrap();
            assert!(name == "make" || name == "cargo", "{words:?}: {name}");
        }
        let long = "a".repeat(100);
        assert_eq!(name(&["make", &long]).as_deref(), Some("make"));
    }

    #[test]
    fn other_commands_are_no_tools() {
        for words in [
            &["bash"][..],
            &["bash", "-c", "make test"],
            &["python3", "-c", "import pytest"],
            &["python3", "server.py", "make"],
            &["vim", "make"],
            &["remake"],
            &[""],
            &[],
        ] {
            assert_eq!(name(words), None, "{words:?}");
        }
    }

    #[test]
    fn what_the_system_keeps_tells_what_may_be_one() {
        let tools = Tools::new(["cargo", "a-very-long-tool-name"].map(str::to_owned));
        for kept in [
            "cargo",
            "cargo build",
            "node",
            "python3.12",
            "MainThread",
            "a-very-long-too",
        ] {
            assert!(tools.may_be(kept), "{kept}");
        }
        for kept in ["rustc", "cargo-clippy", "a-very-long", "kworker/0:1"] {
            assert!(!tools.may_be(kept), "{kept}");
        }
    }
}
