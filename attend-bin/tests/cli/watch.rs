//! `attend watch`: a command runs as it would alone, and ends with its exact code.

#![expect(
    clippy::disallowed_methods,
    reason = "these tests start real processes"
)]

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use crate::home::{Home, stderr, stdout};

/// What is recorded of the commands that ran, in the order in which they began.
fn records(home: &Home) -> Vec<Value> {
    let directory = home.path().join("attend/state/watched");
    let entries = fs::read_dir(directory).expect("a directory of records");
    let paths: Vec<PathBuf> = entries
        .map(|entry| entry.expect("an entry").path())
        .collect();
    let read = |path: &PathBuf| fs::read(path).expect("a record");
    let parsed = paths.iter().map(|path| serde_json::from_slice(&read(path)));
    let mut records: Vec<Value> = parsed.map(|record| record.expect("JSON")).collect();
    records.sort_by_key(|record| record["began"].as_u64());
    records
}

/// A command that heeds signals, also where whoever runs the tests ignores them, as a shell without
/// job control does for what it puts in the background.
fn heeding(home: &Home, script: &str) -> Command {
    let mut command = Command::new("env");
    crate::home::scrub(&mut command, home.path());
    let attend = env!("CARGO_BIN_EXE_attend");
    command
        .arg("--default-signal=HUP,INT,QUIT")
        .args([attend, "watch", "--", "sh", "-c", script])
        .current_dir(home.project());
    command
}

fn watch(home: &Home, script: &str) -> Output {
    heeding(home, script).output().expect("attend starts")
}

#[test]
fn output_and_exit_code_are_those_of_the_command() {
    let home = Home::new();
    for code in [0, 1, 2, 101, 255] {
        let output = watch(&home, &format!("echo out; echo err >&2; exit {code}"));
        assert_eq!(output.status.code(), Some(code));
        assert_eq!(
            (stdout(&output), stderr(&output)),
            ("out\n".into(), "err\n".into())
        );
        let ended = records(&home).pop().expect("a record")["ended"].take();
        assert_eq!(
            (&ended["code"], &ended["signal"]),
            (&code.into(), &Value::Null)
        );
    }
    for (signal, name) in [(15, "TERM"), (9, "KILL"), (2, "INT"), (6, "ABRT")] {
        let output = watch(&home, &format!("kill -{name} $$"));
        assert_eq!(output.status.code(), Some(128 + signal), "{name}");
        let ended = records(&home).pop().expect("a record")["ended"].take();
        assert_eq!(
            (&ended["code"], &ended["signal"]),
            (&Value::Null, &signal.into())
        );
    }
}

#[test]
fn standard_input_reaches_the_command_and_binary_output_passes_through() {
    let home = Home::new();
    let mut command = home.attend(&["watch", "--", "cat"]);
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts");
    let bytes = b"\xff\x00\x1b[31m".repeat(10_000);
    let mut stdin = child.stdin.take().expect("a pipe");
    let sent = bytes.clone();
    let writer = std::thread::spawn(move || stdin.write_all(&sent));
    let output = child.wait_with_output().expect("it ends");
    writer.join().expect("no panic").expect("a reader");
    assert!(output.status.success());
    assert_eq!(output.stdout, bytes);
}

#[test]
fn options_of_the_command_are_its_own_with_or_without_a_separator() {
    let home = Home::new();
    for words in [
        &["watch", "--", "echo", "--help", "-x"][..],
        &["watch", "echo", "--help", "-x"],
    ] {
        assert_eq!(stdout(&home.output(words)), "--help -x\n");
    }
    assert_eq!(home.output(&["watch"]).status.code(), Some(2));
}

#[test]
fn what_cannot_be_run_ends_as_in_a_shell() {
    let home = Home::new();
    let output = home.output(&["watch", "--", "no-such-program"]);
    assert_eq!(output.status.code(), Some(127));
    let said = stderr(&output);
    assert!(
        said.starts_with("attend: cannot run no-such-program: "),
        "{said}"
    );
    let file = home.project().join("notes.txt");
    fs::write(&file, "").expect("a file");
    let output = home.output(&["watch", "--", file.to_str().expect("a path")]);
    assert_eq!(output.status.code(), Some(126));
    assert_eq!(stderr(&output).lines().count(), 1);
}

#[test]
fn a_home_that_cannot_be_used_costs_one_line_and_not_the_command() {
    let home = Home::new();
    let file = home.path().join("file");
    fs::write(&file, "").expect("a file");
    let homes = [Some(file.to_str().expect("a path")), Some("relative"), None];
    for value in homes {
        let mut command = home.attend(&["watch", "--", "sh", "-c", "echo out; exit 5"]);
        match value {
            Some(value) => command.env("ATTEND_HOME", value),
            None => command.env_remove("ATTEND_HOME").env_remove("HOME"),
        };
        let output = command.output().expect("it starts");
        assert_eq!(output.status.code(), Some(5), "{value:?}");
        assert_eq!(stdout(&output), "out\n");
        let said = stderr(&output);
        assert_eq!(said.lines().count(), 1, "{said}");
        assert!(
            said.starts_with("attend: ") && said.contains("ATTEND_HOME"),
            "{said}"
        );
    }
}

#[test]
fn only_the_tool_and_what_it_is_to_do_is_recorded_and_others_cannot_read_it() {
    use std::os::unix::fs::PermissionsExt;
    let home = Home::new();
    watch(&home, "exit 0 # hunter2");
    home.output(&["watch", "--", "env", "TOKEN=hunter2", "true", "hunter2"]);
    let records = records(&home);
    let names: Vec<&Value> = records.iter().map(|record| &record["name"]).collect();
    assert_eq!(names, ["sh", "env"]);
    assert!(!format!("{records:?}").contains("hunter2"));
    let directory = home.path().join("attend/state/watched");
    let mode = fs::metadata(directory)
        .expect("a directory")
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o700);
}

/// Starts `script` below attend, waits until it says that it is ready, and sends a signal to
/// attend alone. Returns its exit code and what it said.
fn signalled(mut command: Command, signal: Signal) -> (Option<i32>, String) {
    use std::os::unix::process::CommandExt;
    let mut child = command
        .process_group(0)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut out = child.stdout.take().expect("a pipe");
    let (said, says) = channel();
    let reader = std::thread::spawn(move || {
        let mut line = Vec::new();
        let mut byte = [0];
        while std::io::Read::read(&mut out, &mut byte).expect("a pipe") == 1 {
            line.push(byte[0]);
            if byte[0] == b'\n' {
                let _ = said.send(String::from_utf8_lossy(&line).into_owned());
                line.clear();
            }
        }
    });
    let patience = Duration::from_mins(1);
    assert_eq!(says.recv_timeout(patience).as_deref(), Ok("ready\n"));
    let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    kill_process(pid.expect("a process"), signal).expect("it runs");
    let until = Instant::now() + patience;
    let code = child.wait().expect("it ends").code();
    assert!(Instant::now() < until);
    reader.join().expect("no panic");
    (code, says.try_iter().collect())
}

#[test]
fn a_signal_to_attend_reaches_the_command_and_its_own_answer_counts() {
    let home = Home::new();
    for (signal, name, number) in [
        (Signal::TERM, "TERM", 15),
        (Signal::INT, "INT", 2),
        (Signal::HUP, "HUP", 1),
        (Signal::USR1, "USR1", 10),
    ] {
        let script =
            format!("trap 'echo caught; exit 9' {name}; echo ready; while :; do sleep 0.05; done");
        assert_eq!(
            signalled(heeding(&home, &script), signal),
            (Some(9), "caught\n".to_owned()),
            "{name}"
        );
        let script = "echo ready; while :; do sleep 0.05; done";
        let code = signalled(heeding(&home, script), signal).0;
        assert_eq!(code, Some(128 + number), "{name}");
    }
}

#[test]
fn what_was_ignored_before_is_ignored_by_the_command() {
    let home = Home::new();
    let attend = env!("CARGO_BIN_EXE_attend");
    // As `nohup` does.
    let script = format!(
        "trap '' HUP; exec {attend} watch -- sh -c 'echo ready; kill -HUP $$; sleep 1; exit 4'"
    );
    let mut command = home.attend(&[]);
    let mut shell = Command::new("sh");
    crate::home::scrub(&mut shell, home.path());
    shell.args(["-c", &script]).current_dir(home.project());
    std::mem::swap(&mut command, &mut shell);
    assert_eq!(signalled(command, Signal::HUP).0, Some(4));
}
