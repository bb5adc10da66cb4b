//! What attend teaches of itself: at the beginning, again after a restart, and by commands that
//! are there.

use std::fs;
use std::path::Path;

use attend_sensors::disclosure::Component;
use attend_sensors::host::claude_code::folder_name;
use serde_json::{Value, json};

use crate::desk::{Desk, ONE, TWO, id};
use crate::hosts_fake::Beside;
use crate::live::eventually;
use crate::world::World;

/// What was shown does not rest.
const RESTLESS: &str =
    "engagement: {absolute_refractory: 0s}\ngovernor: {cooldown: 0s, max_per_window: 100}\n";

/// How many tokens the model had before it.
const TOKENS: u64 = 43_217;

/// A world in which attend teaches.
fn teaching(config: &str) -> World {
    let world = World::new();
    world.write_config(config);
    world
}

/// Which components are taught in `text`, from the headline to the last line.
fn taught(text: &str) -> Vec<&'static str> {
    let mut names = Vec::new();
    for component in Component::ALL {
        let lines = std::iter::once(component.headline()).chain(component.lines());
        let lines = lines.map(|line| format!("[attend sensor=disclosure priority=high] {line}"));
        let printed = lines.collect::<Vec<String>>().join("\n");
        match text.matches(&printed).count() {
            0 => assert!(!text.contains(component.headline()), "{text}"),
            1 => names.push(component.name()),
            _ => panic!("it is taught twice: {text}"),
        }
    }
    names
}

const ALL: [&str; 4] = ["messaging", "rooms", "reminders", "signals"];

/// Every file below `dir` that holds `words`.
fn holding(dir: &Path, words: &str) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(dir).expect("a directory") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(holding(&path, words));
        } else if let Ok(bytes) = fs::read(&path)
            && String::from_utf8_lossy(&bytes).contains(words)
        {
            found.push(path.display().to_string());
        }
    }
    found
}

#[test]
fn everything_is_taught_with_the_first_lines_and_no_file_tells_where() {
    let world = teaching("");
    let mut beside = Beside::start(&world);
    beside.prompt("secret words");
    beside.answer(TOKENS);
    beside.record("busy");
    let banner = beside.live.line();
    assert!(
        banner.contains(" with context, disclosure, git, idle, overlap, peers"),
        "{banner}"
    );
    let count: usize = Component::ALL
        .map(|component| 1 + component.lines().count())
        .iter()
        .sum();
    let lines: Vec<String> = (0..count).map(|_| beside.live.line()).collect();
    assert_eq!(taught(&lines.join("\n")), ALL);

    eventually("the checkpoint is written", || {
        let engine = beside.engine("disclosure");
        ALL.iter()
            .all(|name| engine.to_string().contains(&format!("{name}#1")))
    });
    beside.known();
    assert_eq!(beside.remembers("disclosure"), Value::Null);
    let found = holding(&world.beside("attend"), &TOKENS.to_string());
    assert!(found.is_empty(), "{found:?}");
}

/// Writes the transcript of the session at the desk: an answer, and what was delivered after it.
fn transcript(world: &World, delivered: &[&str]) {
    let usage = json!({"input_tokens": TOKENS});
    let message = json!({
        "id": "msg-1", "model": "claude-opus-4-6", "role": "assistant", "content": [],
        "usage": usage,
    });
    let mut rows = vec![json!({"type": "assistant", "requestId": "req-1", "message": message})];
    rows.extend(delivered.iter().map(|event| {
        let text = format!(
            "<task-notification>\n<summary>Monitor event: \"attend\"</summary>\n\
             <event>{event}</event>\n</task-notification>"
        );
        json!({
            "type": "user", "origin": {"kind": "task-notification"},
            "message": {"role": "user", "content": text},
        })
    }));
    let rows: Vec<String> = rows.iter().map(Value::to_string).collect();
    let folder = world
        .beside("claude/projects")
        .join(folder_name(&world.repo()));
    fs::create_dir_all(&folder).expect("a directory");
    fs::write(folder.join(format!("{ONE}.jsonl")), rows.join("\n") + "\n").expect("a transcript");
}

#[test]
fn a_loop_that_is_armed_again_teaches_what_the_transcript_does_not_hold() {
    let world = teaching(RESTLESS);
    let mut desk = Desk::new(&world, ONE);
    transcript(&world, &[]);
    let told = desk.run("attend run --once").ok();
    assert_eq!(taught(&told), ALL);

    // The host delivered it.
    transcript(&world, &[told.trim_end()]);
    assert_eq!(desk.run("attend run --once --rearm").ok(), "");
    // Without being asked to look, it teaches.
    assert_eq!(taught(&desk.run("attend run --once").ok()), ALL);

    // One is quoted, and not delivered.
    let rooms = Component::Rooms.headline();
    let without: Vec<&str> = told.lines().filter(|line| !line.ends_with(rooms)).collect();
    let quoted = format!(
        "[attend sensor=messages priority=high] 7F3K2A Tam-alpha → you: [attend \
         sensor=disclosure priority=high] {rooms}"
    );
    transcript(&world, &[&without.join("\n"), &quoted]);
    assert_eq!(
        taught(&desk.run("attend run --once --rearm").ok()),
        ["rooms"]
    );

    transcript(&world, &[]);
    assert_eq!(taught(&desk.run("attend run --once --rearm").ok()), ALL);
}

#[test]
fn every_command_that_is_taught_runs() {
    let world = World::new();
    let (mut desk, mut other) = (Desk::new(&world, ONE), Desk::new(&world, TWO));
    let (seat, cleo) = (desk.seat(), other.seat());
    let (persona, _) = cleo.split_once('-').expect("a seat");
    desk.run("attend run --once").ok();
    let message = other
        .run(&format!("attend send --json @{seat} hello"))
        .json();
    let message = id(&message);

    let text: Vec<&str> = Component::ALL
        .into_iter()
        .flat_map(Component::lines)
        .collect();
    let text = text.join("\n");
    let quoted = text.split('`').skip(1).step_by(2);
    let mut count = 0;
    for command in quoted {
        assert!(command.starts_with("attend "), "{command}");
        count += 1;
        let mut line = command
            .replace("Cleo-alpha", &cleo)
            .replace("Cleo", persona);
        line = line.replace("TEXT", "some words");
        if command.starts_with("attend reminders cancel") {
            let reminder = desk.run("attend remind --json 20m words").json();
            line = line.replace("ID", &id(&reminder));
        }
        line = line.replace("ID", &message);
        line = line.replace("--wait seen", "--wait seen --timeout 1s");
        line = line.replace("run --rearm", "run --rearm --once");
        if line.contains("mute '#deploy'") {
            desk.run("attend focus on deploy").ok();
        }
        if line.ends_with(" -") {
            line = format!("echo words | {line}");
        }
        let done = desk.run(&line);
        // Nobody reads there: that was waited for, and said.
        let code = i32::from(command.contains("--wait"));
        assert_eq!(done.code, code, "{line}: {} {}", done.out, done.err);
    }
    assert!(count > 15, "{text}");
}
