//! Keeps out of an agent's shells what has no place there: the loop, whose lines nobody would see,
//! and the consent that only a person can give.

use std::cell::Cell;

use super::shell::{Simple, assigned, commands};

/// Words behind which a command begins at once.
const KEYWORDS: [&str; 12] = [
    "", "!", "builtin", "do", "elif", "else", "if", "then", "until", "while", "{", "}",
];

/// Programs that run the command which follows, behind options of their own and so many words
/// more.
const WRAPPERS: [(&str, usize); 36] = [
    ("busybox", 0),
    ("chroot", 1),
    ("chrt", 1),
    ("command", 0),
    ("coproc", 1),
    ("doas", 0),
    ("env", 0),
    ("exec", 0),
    ("flock", 1),
    ("function", 1),
    ("ionice", 0),
    ("ltrace", 0),
    ("nice", 0),
    ("nohup", 0),
    ("nsenter", 0),
    ("parallel", 0),
    ("runuser", 0),
    ("screen", 0),
    ("script", 0),
    ("setarch", 1),
    ("setpriv", 0),
    ("setsid", 0),
    ("ssh", 1),
    ("stdbuf", 0),
    ("strace", 0),
    ("su", 1),
    ("sudo", 0),
    ("systemd-run", 0),
    ("taskset", 1),
    ("time", 0),
    ("timeout", 1),
    ("tmux", 1),
    ("unbuffer", 0),
    ("unshare", 0),
    ("watch", 0),
    ("xargs", 0),
];

/// Programs of which each word may be a shell's text.
const READERS: [&str; 7] = ["eval", "parallel", "screen", "ssh", "tmux", "trap", "watch"];

/// Programs of which the word behind `-c`, or behind one of [`TEXTS`], is one.
const READERS_BY_OPTION: [&str; 5] = ["env", "flock", "runuser", "script", "su"];
const TEXTS: [&str; 3] = ["--command", "-S", "--split-string"];

/// Shells, whose `-c` names a text, and which read one where they are fed one.
const SHELLS: [&str; 7] = ["ash", "bash", "dash", "fish", "ksh", "sh", "zsh"];

/// What begins a command within the words of `find`.
const OF_FIND: [&str; 4] = ["-exec", "-execdir", "-ok", "-okdir"];

/// How many bytes are read, those of texts within texts each time: no shell can be given more.
const FUEL: usize = 1 << 20;

/// What reading a text takes at least.
const LEAST_READ: usize = 16;

/// How many words may be programs, and behind how many words of a wrapper its command begins at the
/// latest.
const MOST_WORDS: usize = 64;

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
    let fuel = Cell::new(FUEL);
    within(command, &fuel)
}

/// What a shell that reads `text` runs of what it must not, as far as the `fuel` goes.
fn within(text: &str, fuel: &Cell<usize>) -> Option<Denied> {
    let left = fuel.get().checked_sub(text.len().max(LEAST_READ))?;
    fuel.set(left);
    let all = commands(text);
    let before = [None].into_iter().chain(all.iter().map(Some));
    all.iter().zip(before).find_map(|(simple, before)| {
        let words: Vec<&str> = simple.words.iter().map(String::as_str).collect();
        let piped = before.filter(|before| before.is_piped);
        let mut places = programs(&words).into_iter();
        places.find_map(|at| itself(&words[at..], simple, piped, fuel))
    })
}

/// The places in `words` at which a program may stand that is run.
fn programs(words: &[&str]) -> Vec<usize> {
    let mut found = Vec::new();
    let mut is_found = vec![false; words.len()];
    let mut left = vec![0];
    while let Some(at) = left.pop() {
        let Some(is_found) = is_found.get_mut(at).filter(|is_found| !**is_found) else {
            continue;
        };
        *is_found = true;
        found.push(at);
        if found.len() == MOST_WORDS {
            break;
        }
        let (program, rest) = (base(words[at]), &words[at + 1..]);
        if KEYWORDS.contains(&program) || assigned(words[at]).is_some() {
            left.push(at + 1);
        } else if let Some((_, more)) = WRAPPERS.iter().find(|(name, _)| *name == program) {
            left.extend(
                begins(rest, *more)
                    .into_iter()
                    .map(|begins| at + 1 + begins),
            );
        } else if program == "find" {
            let runs = rest
                .iter()
                .enumerate()
                .filter(|(_, word)| OF_FIND.contains(word));
            left.extend(runs.map(|(place, _)| at + 2 + place));
        } else if program == "attend" && rest.first() == Some(&"watch") {
            left.extend([at + 2, at + 3]);
        }
    }
    found
}

/// Where in `rest`, the words behind a wrapper, its command may begin: behind options, of which
/// any may take a value, and `more` words.
fn begins(rest: &[&str], mut more: usize) -> Vec<usize> {
    let mut places = Vec::new();
    let mut may_be_value = false;
    for (place, word) in rest.iter().enumerate().take(MOST_WORDS) {
        if word.starts_with('-') || assigned(word).is_some() {
            may_be_value = word.starts_with('-') && !word.contains('=');
            continue;
        }
        places.push(place);
        if !std::mem::take(&mut may_be_value) {
            let Some(left) = more.checked_sub(1) else {
                break;
            };
            more = left;
        }
    }
    places
}

/// What must not be run where the first of `words` is the program: that itself, or what is in a
/// text that it hands to a shell. `piped` is what it reads, where that is another command of the
/// same text.
fn itself(
    words: &[&str],
    simple: &Simple,
    piped: Option<&Simple>,
    fuel: &Cell<usize>,
) -> Option<Denied> {
    let (program, rest) = words.split_first()?;
    let read = |text: &str| within(text, fuel);
    match base(program) {
        "attend" => verb(rest),
        reader if READERS.contains(&reader) => {
            read(&rest.join(" ")).or_else(|| rest.iter().find_map(|word| read(word)))
        }
        reader if READERS_BY_OPTION.contains(&reader) => {
            let named = rest.iter().find_map(|word| word.strip_prefix("--command="));
            let names_text = |word: &&str| TEXTS.contains(word) || is_script(word);
            let option = rest.iter().position(names_text);
            let text = option.and_then(|at| rest.get(at + 1)).copied();
            named.into_iter().chain(text).find_map(read)
        }
        shell if SHELLS.contains(&shell) => texts(rest, simple, piped)
            .iter()
            .find_map(|text| read(text)),
        _ => None,
    }
}

/// What must not be run of attend with the words `rest`.
fn verb(rest: &[&str]) -> Option<Denied> {
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

/// What a shell with the words `rest` reads: the text behind `-c`, or where it names no file, what
/// it is fed.
fn texts(rest: &[&str], simple: &Simple, piped: Option<&Simple>) -> Vec<String> {
    if let Some(at) = rest.iter().position(|word| is_script(word)) {
        let text = rest.get(at + 1);
        return text.map(|text| (*text).to_owned()).into_iter().collect();
    }
    if !rest.contains(&"-s") && !rest.iter().all(|word| word.starts_with('-')) {
        return Vec::new();
    }
    let mut texts = simple.fed.clone();
    if let Some(piped) = piped {
        texts.extend(piped.fed.iter().cloned());
        let (first, said) = piped.words.split_first().unzip();
        if first.is_some_and(|first| ["echo", "printf"].contains(&base(first))) {
            texts.push(said.unwrap_or_default().join(" "));
        }
    }
    texts
}

/// Whether the word behind `word` is a shell's text: `-c`, alone or with others.
fn is_script(word: &str) -> bool {
    word.starts_with('-') && !word.starts_with("--") && word.ends_with('c')
}

/// The name of a program, without where it lies.
fn base(word: &str) -> &str {
    word.rsplit('/').next().unwrap_or(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ways to run a command, in which `attend run` stands for it.
    const WAYS: [&str; 74] = [
        "attend run",
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
        "attend run>log",
        "attend run 2>&1|tee log",
        "<in attend run",
        "echo \"`attend run`\"",
        "echo $((1<<n))\nattend run",
        "echo '<<EOF'\nattend run",
        "# <<EOF\nattend run",
        "cat <<A <<B\nA\nB\nattend run",
        "cat <<EOF\n EOF\nEOF\nattend run",
        "cat <<EOF\n$(attend run)\nEOF",
        "git commit -m \"say `attend run`\"",
        "bash <<EOF\nattend run\nEOF",
        "bash -s <<< 'attend run'",
        "echo attend run | sh",
        "printf 'attend run' |\n bash -",
        "cat <<EOF | bash\nattend run\nEOF",
        "$SUDO attend run",
        "f() { attend run; }; f",
        "function f { attend run; }",
        "case x in x) attend run;; esac",
        "for i in 1; do attend run; done",
        "coproc LOOP { attend run; }",
        "if false; then :; elif attend run; then :; fi",
        "time -p attend run",
        "flock /tmp/l attend run",
        "flock /tmp/l -c 'attend run'",
        "su sam -c 'attend run'",
        "script -qc 'attend run' /dev/null",
        "script -q -c 'attend run' /dev/null",
        "watch -n 5 attend run",
        "watch 'attend run'",
        "tmux new-session -d -s a attend run",
        "tmux new -d 'attend run'",
        "screen -dmS a attend run",
        "find . -exec attend run \\;",
        "env -S 'attend run'",
        "trap 'attend run' EXIT",
        "sudo -u x nohup nice -n 5 attend run",
        "attend watch -- attend run",
        "exec 3>&1 >log attend run",
        "(cd x; exec attend run)",
        "env -u CLAUDE_PID attend run",
        "script --command='attend run'",
        "setsid script -q /dev/null sh -c 'attend run'",
        "flock -n /x -c 'attend run'",
        "script -qec \"attend run\" /dev/null <<< yes",
        "echo yes | attend run",
    ];

    #[test]
    fn a_loop_in_a_shell_is_denied() {
        let more = [
            "attend run --rearm",
            "\"attend\" 'run'",
            "att''end \"ru\"n",
            "$'attend' run",
            "A=/usr/bin/attend; $A run",
            "A=attend && \"${A}\" run",
            "${ATTEND:-attend} run",
            "$(which attend) run",
            "\"$(command -v attend)\" run",
            "attend > >(tee log) run",
        ];
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
    fn a_text_of_any_depth_and_length_is_read_soon() {
        for one in [
            "(", "$(", "\"$(", "`", "eval ", "tmux -x ", "sudo -x ", "{ ", "a <<E\n",
        ] {
            assert_eq!(denies(&one.repeat(20_000)), None, "{one}");
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
            "sudo git commit -m 'attend run'",
            "cat > R.md <<'EOF'\nattend run\nattend config trust\nEOF",
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
            "sudo grep attend run",
            "if grep -q attend run; then ls; fi",
            "for f in *; do echo attend run; done",
            "while read -r l; do echo attend run; done",
            "git log | xargs grep attend run",
            "timeout 5 echo attend run",
            "grep -r \"attend run\" .",
            "rg 'attend run' | head",
            "git commit -m \"$(cat <<'EOF'\nSay what `attend run` (the loop) does\nEOF\n)\"",
            "echo \"never: attend run\" >> NOTES.md",
            "python3 - <<'EOF'\nprint('attend run')\nEOF",
            "cat <<'EOF' > x.sh\n$(attend run)\nEOF",
            "which attend; run",
            "$(which attend) run --once",
            "bash -c 'attend run --once'",
            "echo attend run | cat",
            "bash x.sh <<< 'attend run'",
            "command -v attend",
            "man attend run",
            "pgrep -f 'attend run'",
            "kill $(pgrep -f 'attend run')",
            "ps aux | grep 'attend run' | grep -v grep",
        ] {
            assert_eq!(denies(command), None, "{command}");
        }
    }
}
