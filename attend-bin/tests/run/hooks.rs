//! `attend hook`: what waits rides on the events that can carry text, and nothing fails the host.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::desk::{Desk, ONE, TWO, id, program};
use crate::world::World;

/// Runs the hook for `event`, a JSON object without what every event has.
pub(crate) fn hook(desk: &mut Desk, world: &World, event: &Value) -> crate::desk::Done {
    let mut all = json!({
        "session_id": ONE, "transcript_path": transcript(world), "cwd": world.repo(),
    });
    let object = all.as_object_mut().expect("an object");
    object.extend(event.as_object().expect("an object").clone());
    raw(desk, world, &all.to_string())
}

fn raw(desk: &mut Desk, world: &World, stdin: &str) -> crate::desk::Done {
    let input = world.beside("hook-input");
    fs::write(&input, stdin).expect("a file");
    desk.run(&format!("attend hook <'{}'", input.display()))
}

fn transcript(world: &World) -> PathBuf {
    world
        .beside("claude/projects/-repo")
        .join(format!("{ONE}.jsonl"))
}

/// What a hook gave the model to read.
#[track_caller]
pub(crate) fn context(done: crate::desk::Done, event: &str) -> String {
    let answer = done.json();
    let answer = &answer["hookSpecificOutput"];
    assert_eq!(answer["hookEventName"], event);
    answer["additionalContext"]
        .as_str()
        .expect("text")
        .to_owned()
}

#[track_caller]
pub(crate) fn silent(done: crate::desk::Done) {
    assert_eq!(done.ok(), "");
}

pub(crate) fn prompt() -> Value {
    json!({"hook_event_name": "UserPromptSubmit", "prompt": "fix it"})
}

fn state(desk: &mut Desk, id: &str) -> Value {
    let listed = desk.run("attend inbox --json").json();
    let messages = listed["messages"].as_array().expect("a list");
    let found = messages.iter().find(|message| message["id"] == id);
    found.expect("it is listed")["state"].clone()
}

/// The host is about to run `command` in a shell.
pub(crate) fn in_shell(command: &str) -> Value {
    json!({
        "hook_event_name": "PreToolUse", "tool_name": "Bash",
        "tool_input": {"command": command},
    })
}

#[test]
fn what_waits_rides_on_the_next_event_once() {
    let world = World::new();
    let mut desk = Desk::new(&world, ONE);
    let name = desk.seat();
    silent(hook(&mut desk, &world, &prompt()));
    let sent = program(&world, &["send", "--json", &format!("@{name}"), "ship it"]).json();
    assert_eq!(sent["recipients"][0]["state"], "listening", "a hook looked");
    let told = context(hook(&mut desk, &world, &prompt()), "UserPromptSubmit");
    let head = format!(
        "[attend sensor=messages priority=high] {} program",
        id(&sent)
    );
    assert!(told.starts_with(&head), "{told}");
    assert!(told.contains("ship it\n"), "{told}");
    assert!(
        told.contains("attend reply --re"),
        "the first says how to answer: {told}"
    );
    silent(hook(&mut desk, &world, &prompt()));
    assert_eq!(state(&mut desk, &id(&sent)), "printed");

    let again = program(&world, &["send", "--json", &format!("@{name}"), "and this"]).json();
    let told = context(
        hook(
            &mut desk,
            &world,
            &json!({"hook_event_name": "PostToolUse", "tool_name": "Bash"}),
        ),
        "PostToolUse",
    );
    assert!(
        told.contains(&id(&again)) && !told.contains("reply"),
        "{told}"
    );
}

#[test]
fn an_event_that_carries_no_text_takes_nothing() {
    let world = World::new();
    let mut desk = Desk::new(&world, ONE);
    let name = desk.seat();
    let sent = program(&world, &["send", "--json", &format!("@{name}"), "ship it"]).json();
    for event in [
        json!({"hook_event_name": "Notification", "message": "?"}),
        json!({"hook_event_name": "PreCompact"}),
        json!({"hook_event_name": "PostCompact"}),
        json!({"hook_event_name": "SessionEnd"}),
        json!({"hook_event_name": "Stop", "stop_hook_active": true}),
        json!({"hook_event_name": "FileChanged", "file_path": "/elsewhere"}),
        json!({"hook_event_name": "UserPromptSubmit", "agent_id": "a1"}),
        json!({"hook_event_name": "SubagentStop", "agent_id": "a1"}),
        json!({"hook_event_name": "SomethingNew"}),
        json!({}),
    ] {
        silent(hook(&mut desk, &world, &event));
    }
    assert_eq!(state(&mut desk, &id(&sent)), "new");
    let stop = json!({"hook_event_name": "Stop", "stop_hook_active": false});
    let told = context(hook(&mut desk, &world, &stop), "Stop");
    assert!(
        told.contains(&id(&sent)) && !told.contains("(again)"),
        "{told}"
    );
}

#[test]
fn the_host_is_woken_by_the_doorbell_only() {
    let world = World::new();
    let mut desk = Desk::new(&world, ONE);
    let name = desk.seat();
    let start = json!({"hook_event_name": "SessionStart", "source": "startup"});
    let answer = hook(&mut desk, &world, &start).json();
    let watch = answer["hookSpecificOutput"]["watchPaths"][0].clone();
    let bell = watch.as_str().expect("a file").to_owned();
    let changed = json!({"hook_event_name": "FileChanged", "file_path": bell});
    silent(hook(&mut desk, &world, &changed));
    let sent = program(&world, &["send", "--json", &format!("@{name}"), "wake up"]).json();
    let done = hook(&mut desk, &world, &changed);
    assert_eq!((done.code, done.out.as_str()), (2, ""));
    let head = format!("[attend sensor=messages priority=high] {}", id(&sent));
    assert!(done.err.starts_with(&head), "{}", done.err);
}

#[test]
fn many_and_long_messages_fit_and_the_rest_waits() {
    let world = World::new();
    let mut desk = Desk::new(&world, ONE);
    let name = desk.seat();
    let long = "word \"quoted\" 文字 ".repeat(200);
    for n in 0..12 {
        program(
            &world,
            &["send", &format!("@{name}"), &format!("{n} {long}")],
        )
        .ok();
    }
    let mut shown = 0;
    for _ in 0..12 {
        let done = hook(&mut desk, &world, &prompt());
        if done.out.is_empty() {
            break;
        }
        assert!(done.out.len() < 8_000, "{}", done.out.len());
        let told = context(done, "UserPromptSubmit");
        let heads = told.lines().filter(|line| line.contains(" (1/3) "));
        shown += heads.count();
    }
    assert_eq!(shown, 12);
}

#[test]
fn a_loop_is_not_started_in_a_shell() {
    let world = World::new();
    let mut desk = Desk::new(&world, ONE);
    let answer = hook(&mut desk, &world, &in_shell("nohup attend run &")).json();
    let answer = &answer["hookSpecificOutput"];
    assert_eq!(answer["permissionDecision"], "deny");
    let reason = answer["permissionDecisionReason"]
        .as_str()
        .expect("a reason");
    assert!(
        reason.contains("Monitor") && !reason.contains('\n'),
        "{reason}"
    );
    silent(hook(&mut desk, &world, &in_shell("attend run --once")));
    let monitor = json!({
        "hook_event_name": "PreToolUse", "tool_name": "Monitor",
        "tool_input": {"command": "attend run --rearm"},
    });
    silent(hook(&mut desk, &world, &monitor));
}

#[test]
fn nothing_fails_the_host() {
    let world = World::new();
    let mut desk = Desk::new(&world, ONE);
    let name = desk.seat();
    let sent = program(&world, &["send", "--json", &format!("@{name}"), "ship it"]).json();
    for stdin in [
        "",
        "{",
        "[]",
        "null",
        "\0\u{1}",
        "{\"hook_event_name\": 7}",
        "\"x\"",
        "{\"hook_event_name\":\"UserPromptSubmit\",\"session_id\":\"../../etc\"}",
        "{\"hook_event_name\":\"UserPromptSubmit\",\"session_id\":{}}",
        "{\"hook_event_name\":\"PreToolUse\",\"tool_input\":\"x\",\"tool_name\":[]}",
    ] {
        let done = raw(&mut desk, &world, stdin);
        assert_eq!(
            (done.code, done.out.as_str()),
            (0, ""),
            "{stdin:?}: {}",
            done.err
        );
    }
    assert_eq!(state(&mut desk, &id(&sent)), "new");
    // What the host really sends.
    let fixtures = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../attend-sensors/tests/fixtures/claude-code/constructed/hooks-stdin"
    );
    let mut seen = 0;
    for entry in fs::read_dir(fixtures).expect("fixtures") {
        let path = entry.expect("a file").path();
        let done = raw(
            &mut desk,
            &world,
            &fs::read_to_string(&path).expect("UTF-8"),
        );
        assert_eq!(
            (done.code, done.err.as_str()),
            (0, ""),
            "{}",
            path.display()
        );
        if !done.out.is_empty() {
            let answer: Value = serde_json::from_str(&done.out).expect("one JSON document");
            let name = path
                .file_name()
                .expect("a name")
                .to_string_lossy()
                .into_owned();
            let event = name.split('.').next().expect("a name");
            assert_eq!(answer["hookSpecificOutput"]["hookEventName"], event);
        }
        seen += 1;
    }
    assert_eq!(seen, 17);
}

#[test]
fn a_job_without_a_person_reads_no_mail() {
    let world = World::new();
    let mut desk = Desk::headless(&world, TWO);
    program(&world, &["send", "--to", ".", "for whoever comes"]).ok();
    let event = json!({"session_id": TWO, "hook_event_name": "UserPromptSubmit"});
    silent(hook(&mut desk, &world, &event));
    let mut person = Desk::new(&world, ONE);
    let told = context(hook(&mut person, &world, &prompt()), "UserPromptSubmit");
    assert!(told.contains("for whoever comes"), "{told}");
}

/// A transcript row that shows `text` as delivered by a hook.
fn delivered(text: &str) -> String {
    json!({
        "type": "attachment", "isSidechain": false, "sessionId": ONE,
        "attachment": {
            "type": "hook_additional_context", "hookEvent": "UserPromptSubmit", "content": [text],
        },
    })
    .to_string()
}

#[test]
#[ignore = "takes more than a minute, which the host has to take up what it was given"]
fn what_the_host_dropped_is_shown_again_and_what_it_took_up_is_not() {
    let world = World::new();
    let mut desk = Desk::new(&world, ONE);
    let name = desk.seat();
    let path = transcript(&world);
    fs::create_dir_all(path.parent().expect("a folder")).expect("a directory");
    fs::write(&path, "").expect("a transcript");
    let sent = ["dropped", "taken up", "quoted"]
        .map(|words| id(&program(&world, &["send", "--json", &format!("@{name}"), words]).json()));
    let told = context(hook(&mut desk, &world, &prompt()), "UserPromptSubmit");
    let line = |id: &str| {
        let found = told.lines().find(|line| line.contains(id));
        found.expect("it was shown").to_owned()
    };
    let rows = [
        delivered(&line(&sent[1])),
        delivered(&format!("somebody said: {}", line(&sent[2]))),
        json!({
            "type": "user", "sessionId": ONE,
            "message": {"role": "user", "content": line(&sent[0])},
        })
        .to_string(),
    ];
    // What stands behind is more than one hook reads.
    let filler = json!({"type": "system", "sessionId": ONE, "content": "x".repeat(1 << 19)});
    let filler = format!("{filler}\n").repeat(18);
    fs::write(&path, rows.join("\n") + "\n" + &filler).expect("a transcript");
    silent(hook(&mut desk, &world, &prompt()));
    // It waits as long as the host is given to take up what it was shown, and tells the truth.
    let to = format!("@{name}");
    let wait = ["send", "--wait", "seen", "--timeout", "61s", &to, "later"];
    let later = program(&world, &wait);
    assert_eq!(later.code, 1);
    assert!(later.err.contains("not seen within 61s"), "{}", later.err);
    let mut told = String::new();
    for _ in 0..6 {
        let done = hook(&mut desk, &world, &prompt());
        if !done.out.is_empty() {
            told += &context(done, "UserPromptSubmit");
        }
    }
    for (place, id) in sent.iter().enumerate() {
        let is_again = told.contains(&format!("] {id} (again) "));
        assert_eq!(is_again, place != 1, "{id} in {told}");
    }
    assert_eq!(state(&mut desk, &sent[1]), "seen");
    silent(hook(&mut desk, &world, &prompt()));
}

#[test]
fn what_the_former_session_has_seen_is_not_shown_to_the_next() {
    let world = World::new();
    let mut desk = Desk::new(&world, ONE);
    let name = desk.seat();
    let path = transcript(&world);
    fs::create_dir_all(path.parent().expect("a folder")).expect("a directory");
    fs::write(&path, "").expect("a transcript");
    let sent = ["seen", "dropped"]
        .map(|words| id(&program(&world, &["send", "--json", &format!("@{name}"), words]).json()));
    let told = context(hook(&mut desk, &world, &prompt()), "UserPromptSubmit");
    let seen = told.lines().find(|line| line.contains(&sent[0]));
    fs::write(&path, delivered(seen.expect("it was shown")) + "\n").expect("a transcript");
    drop(desk);
    let mut next = Desk::new(&world, TWO);
    let start = json!({
        "session_id": TWO, "hook_event_name": "SessionStart", "source": "startup",
    });
    let told = context(raw(&mut next, &world, &start.to_string()), "SessionStart");
    assert!(told.contains(&format!("] {} (again) ", sent[1])), "{told}");
    assert!(!told.contains(&sent[0]), "{told}");
}
