//! The plugin's hooks alone: a session without a loop gets its mail, once, when it is idle and when it
//! is busy.

use std::collections::BTreeMap;
use std::fs;

use serde_json::{Value, json};

use crate::desk::{id, program};
use crate::plugged::Plugged;
use crate::world::World;

/// Sends to the session; gives the id.
#[track_caller]
fn sent(world: &World, name: &str, words: &str) -> String {
    let to = format!("@{name}");
    id(&program(world, &["send", "--json", &to, words]).json())
}

/// How often each message stands in `text` without the mark, and with it.
fn count(text: &str, counts: &mut BTreeMap<String, (u32, u32)>) {
    for line in text.lines() {
        let head = "[attend sensor=messages priority=high] ";
        let Some(rest) = line.strip_prefix(head) else {
            continue;
        };
        let Some(id) = rest.split(' ').next() else {
            continue;
        };
        let (once, again) = counts.entry(id.to_owned()).or_default();
        if rest.split(' ').nth(1) == Some("(again)") {
            *again += 1;
        } else {
            *once += 1;
        }
    }
}

#[test]
fn an_idle_session_is_woken_by_what_comes_and_by_nothing_else() {
    let world = World::new();
    let mut host = Plugged::new(&world);
    assert_eq!(host.start(), "");
    assert_eq!(host.rung(), None, "nothing came");
    let name = host.desk.seat();
    let first = sent(&world, &name, "wake up");
    let told = host.rung().expect("it is woken");
    let head = format!("[attend sensor=messages priority=high] {first} program");
    assert!(
        told.starts_with(&head) && told.contains("wake up\n"),
        "{told}"
    );
    // What it is woken for is told once.
    assert_eq!(
        host.told("UserPromptSubmit", &json!({"prompt": "go on"})),
        ""
    );
    assert_eq!(host.uses_a_tool(), "");
    assert_eq!(host.rung(), None);
    program(&world, &["send", "#open", "to everybody"]).ok();
    let told = host.rung().expect("it is woken");
    assert!(told.contains("to everybody\n"), "{told}");
}

#[test]
fn a_busy_session_is_told_at_the_next_tool_call() {
    let world = World::new();
    let mut host = Plugged::new(&world);
    host.start();
    let name = host.desk.seat();
    let first = sent(&world, &name, "look here");
    let told = host.uses_a_tool();
    assert_eq!(
        told.matches(&format!("] {first} program")).count(),
        1,
        "{told}"
    );
    // The doorbell rang meanwhile: there is nothing left to wake for.
    assert_eq!(host.rung(), None);
    // Before it stops it is told what came last.
    let last = sent(&world, &name, "one more");
    let told = host.told("Stop", &json!({"stop_hook_active": false}));
    assert!(told.contains(&format!("] {last} program")), "{told}");
    assert_eq!(host.told("Stop", &json!({"stop_hook_active": true})), "");
}

#[test]
fn whatever_happens_in_between_every_message_is_told_once() {
    let world = World::new();
    let mut host = Plugged::new(&world);
    host.start();
    let name = host.desk.seat();
    let (mut all, mut ids) = (String::new(), Vec::new());
    for round in 0..24 {
        for n in 0..round % 3 {
            ids.push(sent(&world, &name, &format!("{round}, {n}")));
        }
        all += &match round % 5 {
            0 => host.rung().unwrap_or_default(),
            1 => host.uses_a_tool(),
            2 => host.told("UserPromptSubmit", &json!({"prompt": "go on"})),
            3 => host.told("PostToolUseFailure", &json!({"tool_name": "Bash"})),
            _ => host.told("Stop", &json!({"stop_hook_active": false})),
        };
    }
    all += &host.uses_a_tool();
    let mut counts = BTreeMap::new();
    count(&all, &mut counts);
    assert_eq!(counts.len(), ids.len(), "{all}");
    for id in &ids {
        assert_eq!(counts.get(id), Some(&(1, 0)), "{id} in {all}");
    }
}

#[test]
fn hooks_that_run_side_by_side_tell_nothing_twice() {
    let world = World::new();
    let mut host = Plugged::new(&world);
    host.start();
    let name = host.desk.seat();
    let (mut all, mut ids) = (String::new(), Vec::new());
    for round in 0..20 {
        ids.push(sent(&world, &name, &format!("round {round}")));
        all += &host.rung_while_at_work();
    }
    // What one of them left to the other, and that could not take in time, comes with the next.
    all += &host.uses_a_tool();
    let mut counts = BTreeMap::new();
    count(&all, &mut counts);
    for id in &ids {
        assert_eq!(counts.remove(id), Some((1, 0)), "{id} in {all}");
    }
    assert!(counts.is_empty(), "{counts:?}");
}

#[test]
fn each_hook_takes_what_the_host_documents() {
    let world = World::new();
    let mut host = Plugged::new(&world);
    let fixtures = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../attend-sensors/tests/fixtures/claude-code/constructed/hooks-stdin"
    );
    let mut documented: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for entry in fs::read_dir(fixtures).expect("fixtures") {
        let text = fs::read_to_string(entry.expect("a file").path()).expect("UTF-8");
        let json: Value = serde_json::from_str(&text).expect("JSON");
        let event = json["hook_event_name"].as_str().expect("a name").to_owned();
        if event == "PostToolUse" {
            let failure = text.replace("\"PostToolUse\"", "\"PostToolUseFailure\"");
            documented.insert("PostToolUseFailure".to_owned(), vec![failure]);
        }
        documented.entry(event).or_default().push(text);
    }
    for event in host.events() {
        let inputs = documented.get(&event).cloned().unwrap_or_default();
        assert!(!inputs.is_empty(), "nothing tells what {event} is given");
        for stdin in inputs {
            for (_, done) in host.fire_with(&event, &stdin) {
                assert_eq!((done.code, done.err.as_str()), (0, ""), "{event}: {stdin}");
                if !done.out.is_empty() {
                    let answer: Value = serde_json::from_str(&done.out).expect("JSON");
                    assert_eq!(answer["hookSpecificOutput"]["hookEventName"], *event);
                }
            }
        }
    }
}
