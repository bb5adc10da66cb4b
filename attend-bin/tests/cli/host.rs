//! Commands that the host runs: whatever they are given, they do not fail it.

use std::io::Write;
use std::process::{Output, Stdio};

use crate::home::{Home, stderr, stdout};

/// Runs `attend` with `input` on its standard input.
fn fed(home: &Home, args: &[&str], input: &[u8]) -> Output {
    let mut command = home.attend(args);
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().expect("it starts");
    // It need not read to the end.
    let _ = child.stdin.take().expect("a pipe").write_all(input);
    child.wait_with_output().expect("it ends")
}

#[test]
fn what_is_no_json_of_the_host_is_named_and_fails_nobody() {
    let home = Home::new();
    let large = vec![b' '; (8 << 20) + 1];
    for (input, said) in [
        (&b""[..], "standard input is empty"),
        (
            b"{\"session_id\":",
            "standard input is no JSON (EOF while parsing",
        ),
        (b"\xff", "standard input is no JSON ("),
        (b"[1]", "standard input is a list"),
        (b"\"x\"", "standard input is a text"),
        (
            &large,
            "standard input is longer than 8 MiB and was not read",
        ),
    ] {
        for (command, printed) in [("hook", ""), ("statusline", "attend\n")] {
            let output = fed(&home, &[command], input);
            let error = stderr(&output);
            assert_eq!(output.status.code(), Some(0), "{command}: {error}");
            assert_eq!(stdout(&output), printed, "{command}: {error}");
            let expected = format!("attend: {command}: {said}");
            assert!(error.starts_with(&expected), "{error}");
            let whose = format!("; the host runs `attend {command}` and sends it a JSON object\n");
            assert!(error.ends_with(&whose), "{error}");
        }
    }
}

#[test]
fn a_field_of_another_type_is_named() {
    let home = Home::new();
    for (json, said) in [
        (
            "{\"hook_event_name\": 7}",
            "`hook_event_name` in the host's JSON is a number, where a text is expected",
        ),
        (
            "{\"hook_event_name\": \"SessionStart\", \"session_id\": [1]}",
            "`session_id` in the host's JSON is a list, where a text is expected",
        ),
    ] {
        let output = fed(&home, &["hook"], json.as_bytes());
        assert_eq!(output.status.code(), Some(0));
        assert_eq!(stderr(&output), format!("attend: hook: {said}\n"));
    }
    // What is not needed may be anything.
    let json = b"{\"hook_event_name\": \"Notification\", \"session_id\": 7, \"cwd\": {}}";
    let output = fed(&home, &["hook"], json);
    assert_eq!(
        (output.status.code(), stderr(&output)),
        (Some(0), String::new())
    );
}

#[test]
fn a_relative_home_is_refused_and_fails_no_host() {
    let home = Home::new();
    let run = |args: &[&str]| {
        let mut command = home.attend(args);
        let output = command.env("ATTEND_HOME", "here/attend").output();
        let output = output.expect("it starts");
        (output.status.code(), stdout(&output), stderr(&output))
    };
    let said = "ATTEND_HOME is the relative path here/attend, which is another place in each \
                directory; set it to a whole path, which begins with /\n";
    for args in [&["run", "--once"][..], &["status"], &["config", "init"]] {
        let expected = (Some(1), String::new(), format!("attend: {said}"));
        assert_eq!(run(args), expected, "{args:?}");
    }
    let expected = (Some(0), String::new(), format!("attend: hook: {said}"));
    assert_eq!(run(&["hook"]), expected);
    let expected = (
        Some(0),
        "attend\n".to_owned(),
        format!("attend: statusline: {said}"),
    );
    assert_eq!(run(&["statusline"]), expected);
    assert_eq!(run(&["demo"]).0, Some(0));
    assert!(!home.project().join("here").exists());
}
