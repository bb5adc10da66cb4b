//! How commands may be spelled that are denied, and what reads like them and is not.

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
        "(",
        "$(",
        "\"$(",
        "`",
        "eval ",
        "tmux -x ",
        "sudo -x ",
        "{ ",
        "a <<E\n",
        "$(a <<E\n",
        "`a <<E\n$(",
    ] {
        assert_eq!(denies(&one.repeat(20_000)), None, "{one}");
    }
}

#[test]
fn values_of_values_are_bounded() {
    let double = |n: usize| format!("v{n}=$v{m}$v{m};", m = n - 1);
    let doubled: String = (1..100).map(double).collect();
    let command = format!("A=attend; v0=aaaa; {doubled} $A run");
    assert_eq!(denies(&command), Some(Denied::Loop));
    let many = "$A --version; ".repeat(1_000);
    let command = format!("A=/usr/local/bin/attend; {many} $A run");
    assert_eq!(denies(&command), Some(Denied::Loop));
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
