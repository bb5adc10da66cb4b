//! Keeps out of an agent's shells what has no place there: the loop, whose lines nobody would see,
//! and the consent that only a person can give.

/// Words that run the command which follows them, behind options of their own.
const WRAPPERS: [&str; 36] = [
    "nohup",
    "exec",
    "time",
    "env",
    "sudo",
    "command",
    "setsid",
    "nice",
    "timeout",
    "stdbuf",
    "builtin",
    "xargs",
    "chrt",
    "taskset",
    "ionice",
    "if",
    "while",
    "until",
    "then",
    "do",
    "else",
    "coproc",
    "watch",
    "flock",
    "screen",
    "script",
    "su",
    "runuser",
    "doas",
    "setpriv",
    "unshare",
    "nsenter",
    "systemd-run",
    "unbuffer",
    "busybox",
    "tmux",
];

/// Shells, whose `-c` names a command of its own.
const SHELLS: [&str; 5] = ["sh", "bash", "zsh", "dash", "ksh"];

/// How deep commands within commands are followed.
const DEEPEST: u32 = 4;

/// What a shell of an agent must not run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Denied {
    /// The loop.
    Loop,
    /// To allow what a project would have run.
    Consent,
}

impl Denied {
    /// Why, and what to do instead.
    pub(super) fn reason(self) -> &'static str {
        match self {
            Self::Loop => {
                "attend run prints lines for Monitor and never ends: start it with the Monitor tool \
                 (command: attend run --rearm), not in a shell; attend run --once looks once"
            }
            Self::Consent => {
                "only a person may allow what this project would have run: ask them to look at it and to \
                 run `attend config trust` at a terminal of their own; attend config trust --show tells \
                 what waits for that"
            }
        }
    }
}

/// What of the shell command `command` must not be run; none where all of it may.
pub(super) fn denies(command: &str) -> Option<Denied> {
    within(command, 0)
}

fn within(command: &str, depth: u32) -> Option<Denied> {
    let all = (depth < DEEPEST).then(|| commands(command));
    let mut all = all.into_iter().flatten();
    all.find_map(|words| one(&words, depth))
}

/// What of one simple command must not be run, by itself or by what it runs.
fn one(words: &[String], depth: u32) -> Option<Denied> {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let is_assignment = |word: &&str| {
        let named = word.split_once('=');
        named.is_some_and(|(name, _)| !name.is_empty() && name.chars().all(is_of_name))
    };
    let is_before = |word: &&&str| is_assignment(word) || word.starts_with(['<', '>']);
    let first = words.iter().take_while(is_before).count();
    let words = words.get(first..).unwrap_or_default();
    let program = words.first()?;
    if !WRAPPERS.contains(&base(program)) && *program != "!" {
        return itself(words, depth);
    }
    // Which of the words behind is the program, only the wrapper knows: each may be, and so may be
    // the text of a command.
    let program = |at: usize| itself(&words[at..], depth);
    let text = |at: usize| text_of(words, at).and_then(|text| within(text, depth + 1));
    (1..words.len()).find_map(|at| program(at).or_else(|| text(at)))
}

/// The text of a command in the word at `at`: what stands behind `-c`, or is one word and more.
fn text_of<'a>(words: &[&'a str], at: usize) -> Option<&'a str> {
    let word = *words.get(at)?;
    if let Some(text) = word.strip_prefix("--command=") {
        return Some(text);
    }
    let before = *words.get(at.checked_sub(1)?)?;
    let is_asked = is_script_flag(before) || before == "--command";
    let takes_texts = ["watch", "tmux", "screen"].contains(&base(words.first()?));
    (is_asked || takes_texts && word.contains(char::is_whitespace)).then_some(word)
}

/// Whether what follows the word is the text of a command: `-c`, also among others, as in `-qec`.
fn is_script_flag(word: &str) -> bool {
    word.starts_with('-') && !word.starts_with("--") && word.ends_with('c')
}

/// What must not be run where the first of these words is the program: that itself, or what a
/// shell is told.
fn itself(words: &[&str], depth: u32) -> Option<Denied> {
    let (program, rest) = words.split_first()?;
    if *program == "eval" {
        return within(&rest.join(" "), depth + 1);
    }
    if SHELLS.contains(&base(program)) {
        let script = rest.iter().position(|word| is_script_flag(word))?;
        return within(rest.get(script + 1)?, depth + 1);
    }
    if base(program) != "attend" {
        return None;
    }
    let ends = |ends: &[&str]| rest.iter().any(|word| ends.contains(word));
    let mut verbs = rest.iter().filter(|word| !word.starts_with('-'));
    match (verbs.next().copied(), verbs.next().copied()) {
        (Some("run"), _) if !ends(&["--once", "--help", "-h"]) => Some(Denied::Loop),
        (Some("config"), Some("trust")) if !ends(&["--show", "--withdraw", "--help", "-h"]) => {
            Some(Denied::Consent)
        }
        _ => None,
    }
}

fn is_of_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// The name of a program, without where it lies.
fn base(word: &str) -> &str {
    word.rsplit('/').next().unwrap_or(word)
}

/// The simple commands of a shell's text, as words without quotes. It need not be exact: what is
/// quoted is one word, whatever ends a command ends one here, and what is substituted within double
/// quotes is a command of its own. What is fed to a command (`<<`) is no command.
fn commands(text: &str) -> Vec<Vec<String>> {
    let text = without_documents(text);
    let (mut all, mut words) = (Vec::new(), Vec::new());
    let mut word: Option<String> = None;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\'' => {
                let quoted: String = chars.by_ref().take_while(|c| *c != '\'').collect();
                word.get_or_insert_default().push_str(&quoted);
            }
            '"' => {
                let mut quoted = String::new();
                while let Some(c) = chars.next().filter(|c| *c != '"') {
                    quoted.push(if c == '\\' {
                        chars.next().unwrap_or(c)
                    } else {
                        c
                    });
                }
                for (at, _) in quoted.match_indices("$(") {
                    let inner = quoted.get(at + 2..).unwrap_or_default();
                    all.extend(commands(inner));
                }
                word.get_or_insert_default().push_str(&quoted);
            }
            '\\' => match chars.next() {
                // A line that goes on.
                Some('\n') | None => {}
                Some(c) => word.get_or_insert_default().push(c),
            },
            '#' if word.is_none() => while chars.next_if(|c| *c != '\n').is_some() {},
            ';' | '&' | '|' | '\n' | '(' | ')' | '{' | '}' | '`' => {
                words.extend(word.take());
                all.push(std::mem::take(&mut words));
            }
            c if c.is_whitespace() => words.extend(word.take()),
            c => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    all.push(words);
    all
}

/// The text without what stands between `<<WORD` and a line that is WORD.
fn without_documents(text: &str) -> String {
    let mut kept = String::new();
    let mut end: Option<String> = None;
    for line in text.split_inclusive('\n') {
        if let Some(word) = &end {
            if line.trim() == word {
                end = None;
            }
            continue;
        }
        kept.push_str(line);
        // `<<<` feeds a word, not lines.
        let opens = line
            .split_once("<<")
            .filter(|(_, rest)| !rest.starts_with('<'));
        end = opens.and_then(|(_, rest)| {
            let rest = rest.trim_start_matches('-').trim_start();
            let word: String = rest
                .chars()
                .filter(|c| !matches!(c, '\'' | '"' | '\\'))
                .take_while(|c| is_of_name(*c))
                .collect();
            (!word.is_empty()).then_some(word)
        });
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ways to run a command, in which `attend run` stands for it.
    const WAYS: [&str; 35] = [
        "attend run",
        "/usr/local/bin/attend run &",
        "cd /tmp && attend run --session x",
        "nohup attend run > /dev/null 2>&1 &",
        "FOO=1 BAR='a b' attend run",
        "timeout 5 attend run",
        "env -i PATH=/bin attend run",
        "env -u CLAUDE_PID attend run",
        "sudo -u x attend run; echo done",
        "bash -c 'attend run'",
        "sh -lc \"cd x; attend run\"",
        "bash -c \"bash -c 'attend run'\"",
        "echo $(attend run)",
        "true || attend \\\n run",
        "if true; then attend run; fi",
        "while true; do attend run; done",
        "(attend run)",
        "attend run # --once --show",
        "timeout -s KILL 5 attend run",
        "find . | xargs attend run",
        "while attend run; do :; done",
        "echo \"$(attend run)\"",
        "cat <<EOF\nx\nEOF\nattend run",
        "! attend run",
        "</dev/null attend run",
        "coproc attend run",
        "eval 'attend run'",
        "echo `attend run`",
        "script -c 'attend run' /dev/null",
        "script -qec \"attend run\" /dev/null <<< yes",
        "script --command='attend run'",
        "setsid script -q /dev/null sh -c 'attend run'",
        "echo yes | attend run",
        "flock -n /x -c 'attend run'",
        "tmux new -d 'attend run'",
    ];

    #[test]
    fn a_loop_in_a_shell_is_denied() {
        let more = ["attend run --rearm", "\"attend\" 'run'"];
        for command in WAYS.into_iter().chain(more) {
            assert_eq!(denies(command), Some(Denied::Loop), "{command}");
        }
    }

    #[test]
    fn consent_from_a_shell_is_denied_however_it_is_spelled() {
        let more = [
            "attend 'config' \"trust\"",
            "attend config trust --project /x",
        ];
        let ways = WAYS.map(|way| way.replace("attend run", "attend config trust"));
        let ways = ways.map(|way| way.replace("\n run", "\n config \\\n trust"));
        for command in ways.iter().map(String::as_str).chain(more) {
            assert_eq!(denies(command), Some(Denied::Consent), "{command}");
        }
    }

    #[test]
    fn whatever_ends_or_asks_for_nothing_may_run() {
        for command in [
            "",
            "ls",
            "attend run --once",
            "attend run --project . --once",
            "attend run --help",
            "attend --help run",
            "attend run -h",
            "attend config trust --show",
            "attend config trust --project . --withdraw",
            "attend config trust --help",
            "attend config show",
            "attend config path; echo trust",
            "attend send @Cleo config trust",
            "attend send @Cleo 'attend run'",
            "echo attend run",
            "git commit -m 'attend run'",
            "sudo git commit -m 'attend run'",
            "attend inbox; echo run",
            "attend; run",
            "grep -r 'attend run' .",
            "attendance run",
            "attend running",
            "# attend run",
            "bash attend.sh run",
            "'unfinished attend run",
            "cat > R.md <<'EOF'\nattend run\nattend config trust\nEOF",
            "cat <<-EOF\n\tattend run\n\tEOF\nls",
            "timeout 5 grep attend run.txt",
            "sudo ls attend",
            "\\",
        ] {
            assert_eq!(denies(command), None, "{command}");
        }
    }
}
