//! Keeps the loop out of plain shells, where nobody would see its lines.

/// What the model is told instead.
const REASON: &str = "attend run prints lines for Monitor and never ends: start it with the Monitor tool \
     (command: attend run --rearm), not in a shell; attend run --once looks once";

/// Words that run the command which follows them, behind options of their own.
const WRAPPERS: [&str; 26] = [
    "nohup", "exec", "time", "env", "sudo", "command", "setsid", "nice", "timeout", "stdbuf",
    "builtin", "xargs", "chrt", "taskset", "ionice", "if", "while", "until", "then", "do", "else",
    "coproc", "watch", "flock", "screen", "script",
];

/// Shells, whose `-c` names a command of its own.
const SHELLS: [&str; 5] = ["sh", "bash", "zsh", "dash", "ksh"];

/// How deep commands within commands are followed.
const DEEPEST: u32 = 4;

/// Why the shell command `command` must not be run; none where it may.
pub(super) fn denies(command: &str) -> Option<&'static str> {
    starts_a_loop(command, 0).then_some(REASON)
}

fn starts_a_loop(command: &str, depth: u32) -> bool {
    depth < DEEPEST && commands(command).iter().any(|words| is_loop(words, depth))
}

/// Whether one simple command is a loop, or runs one.
fn is_loop(words: &[String], depth: u32) -> bool {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let is_assignment = |word: &&str| {
        let named = word.split_once('=');
        named.is_some_and(|(name, _)| !name.is_empty() && name.chars().all(is_of_name))
    };
    let is_before = |word: &&&str| is_assignment(word) || word.starts_with(['<', '>']);
    let first = words.iter().take_while(is_before).count();
    let words = words.get(first..).unwrap_or_default();
    let Some(program) = words.first() else {
        return false;
    };
    if !WRAPPERS.contains(&base(program)) && *program != "!" {
        return is_loop_itself(words, depth);
    }
    // Which of the words behind is the program, only the wrapper knows: each may be.
    (1..words.len()).any(|at| is_loop_itself(&words[at..], depth))
}

/// Whether the first of these words is a program that is a loop, or a shell that runs one.
fn is_loop_itself(words: &[&str], depth: u32) -> bool {
    let Some((program, rest)) = words.split_first() else {
        return false;
    };
    if *program == "eval" {
        return starts_a_loop(&rest.join(" "), depth + 1);
    }
    if SHELLS.contains(&base(program)) {
        let is_script =
            |word: &&str| word.starts_with('-') && !word.starts_with("--") && word.ends_with('c');
        let script = rest.iter().position(is_script);
        let script = script.and_then(|at| rest.get(at + 1));
        return script.is_some_and(|script| starts_a_loop(script, depth + 1));
    }
    let verb = rest.iter().find(|word| !word.starts_with('-'));
    let ends = |word: &&str| ["--once", "--help", "-h"].contains(word);
    base(program) == "attend" && verb == Some(&"run") && !rest.iter().any(ends)
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

    #[test]
    fn a_loop_in_a_shell_is_denied() {
        for command in [
            "attend run",
            "attend run --rearm",
            "/usr/local/bin/attend run &",
            "cd /tmp && attend run --session x",
            "nohup attend run > /dev/null 2>&1 &",
            "FOO=1 BAR='a b' attend run",
            "timeout 5 attend run",
            "env -i PATH=/bin attend run",
            "sudo -u x attend run; echo done",
            "bash -c 'attend run'",
            "sh -lc \"cd x; attend run\"",
            "bash -c \"bash -c 'attend run'\"",
            "echo $(attend run)",
            "true || attend \\\n run",
            "\"attend\" 'run'",
            "if true; then attend run; fi",
            "while true; do attend run; done",
            "(attend run)",
            "attend run # --once",
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
        ] {
            assert!(denies(command).is_some(), "{command}");
        }
    }

    #[test]
    fn whatever_ends_or_is_no_loop_may_run() {
        for command in [
            "",
            "ls",
            "attend run --once",
            "attend run --project . --once",
            "attend run --help",
            "attend --help run",
            "attend run -h",
            "attend send @Cleo 'attend run'",
            "echo attend run",
            "git commit -m 'attend run'",
            "attend inbox; echo run",
            "attend; run",
            "grep -r 'attend run' .",
            "attendance run",
            "attend running",
            "# attend run",
            "bash attend.sh run",
            "'unfinished attend run",
            "cat > R.md <<'EOF'\nattend run\nEOF",
            "cat <<-EOF\n\tattend run\n\tEOF\nls",
            "timeout 5 grep attend run.txt",
            "sudo ls attend",
            "\\",
        ] {
            assert!(denies(command).is_none(), "{command}");
        }
    }
}
