//! Arguments, exit codes, help, and output that nobody reads.

use std::process::Stdio;

use crate::home::{Home, stderr, stdout};

#[test]
fn help_names_every_command_with_examples() {
    let help = stdout(&Home::new().output(&["--help"]));
    insta::assert_snapshot!("help", help);
    for command in [
        "run",
        "demo",
        "status",
        "explain",
        "replay",
        "sensors",
        "sensors try",
        "config",
        "config show",
        "config path",
        "config init",
        "config check",
        "config schema",
        "send",
        "reply",
        "inbox",
        "show",
        "focus",
        "focus on",
        "focus off",
        "focus list",
        "focus all",
        "mute",
        "unmute",
        "chat",
        "peers",
        "whoami",
        "statusline",
        "hook",
        "watch",
        "plugin",
        "plugin install",
        "plugin uninstall",
        "plugin print",
        "doctor",
        "completions",
    ] {
        let words: Vec<&str> = command.split(' ').chain(["--help"]).collect();
        let output = Home::new().output(&words);
        assert!(output.status.success());
        let name = command.replace(' ', "-");
        insta::assert_snapshot!(format!("help-{name}"), stdout(&output));
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "a shell pipes what the example says"
)]
#[test]
fn the_examples_of_what_the_host_runs_do_what_they_say() {
    for (command, expected) in [
        ("hook", "\"permissionDecision\":\"deny\""),
        ("statusline", "attend · 31% of 200K\n"),
    ] {
        let home = Home::new();
        let help = stdout(&home.output(&[command, "--help"]));
        let (_, example) = help.split_once("Example:\n").expect("an example");
        let example = example.replace("| attend ", "| \"$0\" ");
        let mut shell = std::process::Command::new("sh");
        crate::home::scrub(&mut shell, home.path());
        let shell = shell.args(["-c", &example, env!("CARGO_BIN_EXE_attend")]);
        let output = shell.output().expect("a shell");
        assert_eq!(
            (output.status.code(), stderr(&output)),
            (Some(0), String::new())
        );
        assert!(stdout(&output).contains(expected), "{}", stdout(&output));
    }
}

#[test]
fn what_is_no_command_is_a_usage_error() {
    for args in [
        &["rnu"][..],
        &[],
        &["run", "--sinse"],
        &["explain", "--since", "5x"],
        &["explain", "--since", "10mm"],
        &["explain", "--since", "5hhh"],
        &["explain", "--since", "+5m"],
        &["explain", "--since", "m"],
        &["status", "extra"],
        &["config"],
        &["config", "shwo"],
        &["sensors", "try"],
        &["plugin"],
        &["plugin", "instal"],
        &["doctor", "home"],
    ] {
        let output = Home::new().output(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(output.stdout.is_empty());
        assert!(!output.stderr.is_empty());
    }
}

#[test]
fn asking_where_attend_never_ran_says_so_and_leaves_nothing_behind() {
    let home = Home::new();
    for command in ["status", "explain"] {
        let output = home.output(&[command]);
        assert_eq!(output.status.code(), Some(1));
        assert!(
            stderr(&output).contains("never ran for"),
            "{}",
            stderr(&output)
        );
        assert!(
            stderr(&output).contains("attend run"),
            "{}",
            stderr(&output)
        );
    }
    assert!(!home.path().join("attend").exists());
}

#[test]
fn a_project_that_is_not_there_is_named() {
    let home = Home::new();
    for command in ["run", "status"] {
        let output = home.output(&[command, "--project", "no/such/place"]);
        assert_eq!(output.status.code(), Some(1));
        assert!(
            stderr(&output).contains("no/such/place"),
            "{}",
            stderr(&output)
        );
    }
}

#[test]
fn a_reader_that_went_away_is_no_error() {
    let home = Home::new();
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    let child = home
        .attend(&["demo"])
        .stdout(writer)
        .stderr(Stdio::piped())
        .spawn()
        .expect("attend starts");
    let output = child.wait_with_output().expect("attend ends");
    assert!(output.status.success(), "{output:?}");
    assert_eq!(stderr(&output), "");
}
