//! What `attend hook` is told: by a host that does not end, in a shell command, in the configuration.

use std::io::Write as _;
use std::process::{Command, Stdio};

use crate::desk::{Desk, ONE, program};
use crate::home::{scrub, stderr, stdout};
use crate::hooks::{context, hook, in_shell, prompt, silent};
use crate::live::eventually;
use crate::world::World;

#[test]
fn a_host_that_leaves_its_end_open_is_answered_all_the_same() {
    let world = World::new();
    let whole = r#"{"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "attend run"}}"#;
    let never =
        "standard input holds no whole JSON object after 2s and was not ended; the host runs";
    for (input, printed, said) in [
        (whole, "\"permissionDecision\":\"deny\"", ""),
        (whole.trim_end_matches('}'), "", never),
        ("", "", never),
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_attend"));
        scrub(&mut command, world.home.path());
        let mut child = command
            .arg("hook")
            .current_dir(world.repo())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        let mut open = child.stdin.take().expect("a pipe");
        open.write_all(input.as_bytes()).expect("it reads");
        eventually("it answers", || {
            child.try_wait().is_ok_and(|ended| ended.is_some())
        });
        drop(open);
        let output = child.wait_with_output().expect("it ended");
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        assert!(stdout(&output).contains(printed), "{}", stdout(&output));
        assert!(stderr(&output).contains(said), "{}", stderr(&output));
        assert_eq!(stdout(&output).is_empty(), printed.is_empty());
    }
}

#[test]
fn only_a_person_is_left_to_allow_what_a_project_runs() {
    let world = World::new();
    let mut desk = Desk::new(&world, ONE);
    for command in [
        "attend config trust",
        "cd x && env -u CLAUDE_PID /usr/bin/attend config trust",
        "script -qec 'attend config trust' /dev/null <<< yes",
    ] {
        let answer = hook(&mut desk, &world, &in_shell(command)).json();
        let answer = &answer["hookSpecificOutput"];
        assert_eq!(answer["permissionDecision"], "deny", "{command}");
        let reason = answer["permissionDecisionReason"].as_str();
        let reason = reason.expect("a reason");
        assert!(reason.starts_with("only a person may allow"), "{reason}");
    }
    silent(hook(
        &mut desk,
        &world,
        &in_shell("attend config trust --show"),
    ));
}

#[test]
fn mail_is_shown_at_once_after_a_hook_that_had_not_to_look() {
    let world = World::new();
    let mut desk = Desk::new(&world, ONE);
    let name = desk.seat();
    let note = world.beside(&format!("attend/data/run/{}.still", desk.pid()));
    for n in 0..2 {
        // Nothing is noted right after a write.
        eventually("nothing waits, which is noted", || {
            silent(hook(&mut desk, &world, &prompt()));
            note.exists()
        });
        silent(hook(&mut desk, &world, &prompt()));
        let text = format!("number {n}");
        let sent = program(&world, &["send", "--json", &format!("@{name}"), &text]).json();
        assert_eq!(sent["recipients"][0]["state"], "listening", "a hook looked");
        let told = context(hook(&mut desk, &world, &prompt()), "UserPromptSubmit");
        assert!(told.contains(&text), "{told}");
        std::fs::remove_file(&note).expect("it was there");
    }
    // It goes with the process.
    std::fs::write(&note, "{}").expect("a file");
    program(&world, &["cleanup"]).ok();
    assert!(note.exists());
    drop(desk);
    program(&world, &["cleanup"]).ok();
    assert!(!note.exists());
}

#[test]
fn how_many_messages_are_counted_is_for_the_users_file_to_say() {
    let world = World::new();
    let mut desk = Desk::new(&world, ONE);
    let name = desk.seat();
    let send = |count: usize| {
        for n in 0..count {
            program(
                &world,
                &["send", &format!("@{name}"), &format!("number {n}")],
            )
            .ok();
        }
    };
    world.write_config("messages: {digest_above: 2}\n");
    send(3);
    let told = context(hook(&mut desk, &world, &prompt()), "UserPromptSubmit");
    assert!(told.contains("3 to you, 2 below"), "{told}");
    let told = context(hook(&mut desk, &world, &prompt()), "UserPromptSubmit");
    assert!(
        told.contains("number 2") && !told.contains("to you, "),
        "{told}"
    );
    // A project's file says nothing of it.
    world.write_config("");
    let project = world.repo().join(".claude");
    std::fs::create_dir_all(&project).expect("a directory");
    let text = "messages: {digest_above: 1}\n";
    std::fs::write(project.join("attend.yaml"), text).expect("a file");
    send(8);
    let told = context(hook(&mut desk, &world, &prompt()), "UserPromptSubmit");
    assert!(
        told.contains("number 7") && !told.contains("to you, "),
        "{told}"
    );
}
