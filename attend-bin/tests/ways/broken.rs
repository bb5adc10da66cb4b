//! What is broken costs what it stands in, and nothing of what lies beside it.

use std::ffi::OsStr;
use std::fs;
use std::io::Write as _;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::process::Stdio;

use serde_json::Value;

use crate::desk::{Desk, SESSION, way};
use crate::home::{stderr, stdout};
use crate::hooked::prompt;

const PROMPT: &str = "{ type: UserPromptSubmit, keywords: [fix] }";

#[test]
fn state_of_one_way_that_cannot_be_read_keeps_nobody_from_the_others() {
    let desk = Desk::at(40_000);
    for id in ["aside", "beside", "zebra"] {
        desk.triggered(id, PROMPT, "");
    }
    let state = desk.state().join("way-engagement");
    fs::create_dir_all(&state).expect("a directory");
    symlink("/nowhere", state.join("beside.json")).expect("a link");
    let given = desk.hears(&prompt("fix it"));
    assert_eq!(given, "The guidance of aside.\n\nThe guidance of zebra.\n");
    for command in ["list", "rethink"] {
        let output = desk.output(&[command, "--session", SESSION]);
        assert!(output.status.success(), "{command}: {}", stderr(&output));
        let errors = stderr(&output);
        assert_eq!(errors.lines().count(), 1, "{command}: {errors}");
        assert!(errors.contains("beside.json"), "{command}: {errors}");
        assert!(stdout(&output).contains("\nzebra "), "{command}");
    }
}

#[test]
fn state_larger_than_any_that_is_kept_counts_as_none() {
    let desk = Desk::at(40_000);
    desk.triggered("large", PROMPT, "");
    let state = desk.state().join("way-engagement");
    fs::create_dir_all(&state).expect("a directory");
    fs::write(state.join("large.json"), vec![b'x'; 100 << 10]).expect("a file");
    fs::write(desk.state().join("events.jsonl"), vec![b'x'; 3 << 20]).expect("a file");
    assert_eq!(desk.hears(&prompt("fix it")), "The guidance of large.\n");
    assert_eq!(desk.hears(&prompt("fix it")), "");
    assert!(desk.says(&["rethink"]).contains("\nlarge "));
}

#[test]
fn what_nobody_can_read_is_no_showing() {
    let desk = Desk::at(40_000);
    desk.way("own", &way("own", "d", "own", ""));
    desk.triggered("asked", PROMPT, "");
    let show = ["show", "attend/own", "--session", SESSION];
    for command in [
        &mut desk.ways(&show),
        &mut desk.hook_command(&prompt("fix it")),
    ] {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let status = command.stdout(writer).stderr(Stdio::null()).status();
        assert!(status.expect("it starts").success());
    }
    assert_eq!(desk.log(), Vec::<Value>::new());
    assert_eq!(desk.says(&show[..2]), "The guidance of own.\n");
    assert_eq!(desk.hears(&prompt("fix it")), "The guidance of asked.\n");
}

#[test]
fn a_file_whose_name_is_no_text_is_a_finding_like_others() {
    let desk = Desk::new();
    desk.way("good", &way("good", "d", "own", ""));
    let ways = desk.home.project().join(".claude/ways");
    fs::write(ways.join(OsStr::from_bytes(b"caf\xe9.md")), "x").expect("a file");
    let output = desk.output(&["lint", "--json"]);
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    let found: Value = serde_json::from_str(&stdout(&output)).expect("JSON");
    assert_eq!(found["files"], 2);
    let file = found["findings"][0]["file"].as_str().expect("a name");
    assert!(file.ends_with("/caf\u{fffd}.md"), "{file}");
}

#[test]
fn a_host_that_says_more_than_is_read_is_heard_out() {
    let desk = Desk::at(40_000);
    let mut command = desk.hook_command(&prompt("x"));
    let mut hook = command
        .stdin(Stdio::piped())
        .spawn()
        .expect("attend starts");
    let mut input = hook.stdin.take().expect("a pipe");
    for _ in 0..20 {
        input.write_all(&vec![b' '; 1 << 20]).expect("it is read");
    }
    drop(input);
    let output = hook.wait_with_output().expect("it ends");
    assert!(output.status.success());
    assert_eq!(stdout(&output), "");
    assert!(stderr(&output).contains("longer than 8 MiB"));
}
