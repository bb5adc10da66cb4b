//! Completions, asked of real shells. A shell that is not there is left out aloud.

#![expect(clippy::disallowed_methods, reason = "shells are started")]

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Write as _};
use std::process::{Command, Stdio};

use crate::home::{Home, scrub, stderr, stdout};

/// What is typed, and what it may become: all of it.
const TYPED: [(&str, &[&str]); 8] = [
    ("attend sen", &["send", "sensors"]),
    ("attend ma", &[]),
    ("attend mu", &["mute"]),
    ("attend comp", &["completions"]),
    ("attend plugin in", &["install"]),
    ("attend send --wait ", &["printed", "seen"]),
    ("ways l", &["lint", "list"]),
    ("ways show --mode c", &["critical"]),
];

/// Completes a line in a bash that has read the script.
const BASH: &str = r#"
. "$1/script"
complete -p "$2" > /dev/null || exit
read -ra COMP_WORDS <<< "$3"
[ "${3% }" = "$3" ] || COMP_WORDS+=("")
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
COMP_LINE=$3 COMP_POINT=${#3}
"_$2" "$2" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
printf '%s\n' "${COMPREPLY[@]}"
"#;

/// The same in fish.
const FISH: &str = r#"
source "$argv[1]/script"
complete -C "$argv[3]" | string split -f 1 \t
"#;

/// The same in zsh, which completes at a terminal only: one is made for it.
const ZSH: &str = r#"
zmodload zsh/zpty || exit
mkdir "$1/zsh" && cp "$1/script" "$1/zsh/_$2"
export ZDOTDIR=$1 LINE=$3 FOUND=$1/found
cat > "$1/.zshrc" <<'EOF'
PS1=
fpath=("$ZDOTDIR/zsh" $fpath)
autoload -Uz compinit
compinit -C -d "$ZDOTDIR/dump"
compadd() {
    if [[ "${@[1,(i)(-|--)]}" == *-(O|A|D)\ * ]]; then
        builtin compadd "$@"
        return
    fi
    local -a hits
    builtin compadd -O hits "$@"
    print -rl -- $hits >> "$FOUND"
    builtin compadd "$@"
}
zle -C probe complete-word _main_complete
zle-line-init() {
    BUFFER=$LINE
    CURSOR=$#BUFFER
    zle probe
    exit
}
zle -N zle-line-init
EOF
: > "$FOUND"
zpty inner zsh -d -i
while zpty -r inner line; do :; done
cat "$FOUND"
"#;

/// What `line` may become in a shell, by its `script`; none where the shell is not there.
fn completed(shell: &str, script: &str, line: &str) -> Option<BTreeSet<String>> {
    let home = Home::new();
    let program = line.split(' ').next().expect("a program");
    let path = match program {
        "attend" => env!("CARGO_BIN_EXE_attend"),
        _ => env!("CARGO_BIN_EXE_ways"),
    };
    let mut printed = Command::new(path);
    scrub(&mut printed, home.path());
    let printed = printed.args(["completions", shell]).output();
    let printed = printed.expect("the program starts");
    assert!(printed.status.success(), "{}", stderr(&printed));
    fs::write(home.project().join("script"), &printed.stdout).expect("a script");
    let mut asked = Command::new(shell);
    scrub(&mut asked, home.path());
    match shell {
        "bash" => asked.args(["--norc", "-c", script, "bash"]),
        "fish" => asked.args(["--no-config", "-c", script]),
        _ => asked.args(["-f", "-c", script, "zsh"]),
    };
    let asked = asked.arg(home.project()).args([program, line]);
    // Whoever completes at a terminal of its own has none here.
    let output = asked.stdin(Stdio::null()).output().ok()?;
    let found = stdout(&output);
    let words = found.lines().map(str::trim).filter(|word| !word.is_empty());
    let found: BTreeSet<String> = words.map(str::to_owned).collect();
    assert_eq!(stderr(&output), "", "{shell}: {line}");
    Some(found)
}

fn hold(shell: &str, script: &str) {
    for (line, expected) in TYPED {
        let Some(found) = completed(shell, script, line) else {
            let _ = writeln!(io::stderr(), "completions: left out: no {shell}");
            return;
        };
        let expected: BTreeSet<String> = expected.iter().map(ToString::to_string).collect();
        assert_eq!(found, expected, "{shell}: {line}");
    }
}

#[test]
fn bash_completes() {
    hold("bash", BASH);
}

#[test]
fn fish_completes() {
    hold("fish", FISH);
}

#[test]
fn zsh_completes() {
    hold("zsh", ZSH);
}
