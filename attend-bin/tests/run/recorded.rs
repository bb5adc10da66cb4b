//! What `attend run --record` writes down, and that it replays to what was said.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use rustix::process::Signal;

use crate::desk::program;
use crate::home::{stderr, stdout};
use crate::hosts_fake::{Beside, configure, host};
use crate::live::{Live, eventually};
use crate::world::World;

const MAIL: &str = "[attend sensor=messages priority=high] ";

/// Lines that are no message's.
fn others(lines: &[String]) -> Vec<&String> {
    lines
        .iter()
        .filter(|line| !line.starts_with(MAIL))
        .collect()
}

#[test]
fn a_recorded_loop_replays_to_the_same_lines_of_events() {
    let world = World::new();
    configure(&world, "sensors:\n  peers: {enabled: false}\n");
    let script = "\"$A\" run --record ../day.trace & wait";
    let mut beside = Beside::of(&world, Live::start(&mut host(&world, script)));
    beside.prompt("secret prompt");
    beside.record("busy");
    let mut lines = vec![beside.live.line()];
    let seat = lines[0].split(' ').nth(4).expect("a seat").to_owned();
    beside.known();
    world.git(["switch", "-q", "-c", "feat/x"]);
    lines.push(beside.live.line());
    assert!(lines[1].contains("branch changed"), "{lines:?}");
    world.commit("more");
    // Now or never it rides along; either way the replay must say the same.
    for words in ["secret words", "secret words that are longer"] {
        let receipt = program(&world, &["send", "--json", "--to", &seat, words]).json();
        let id = receipt["id"].as_str().expect("an id").to_owned();
        eventually("it is shown", || {
            lines.push(beside.live.line());
            lines
                .iter()
                .any(|line| line.starts_with(&format!("{MAIL}{id} ")))
        });
    }
    beside.record("idle");
    beside.live.signal(Signal::TERM);
    lines.extend(beside.live.ended().1);

    let file = world.beside("day.trace");
    let mode = fs::metadata(&file).expect("a trace").permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let trace = fs::read_to_string(&file).expect("a trace");
    assert!(!trace.contains("secret"), "{trace}");

    let output = world.home.output(&["replay", "../day.trace"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let text = stdout(&output);
    let again: Vec<String> = text
        .lines()
        .filter(|line| !line.is_empty())
        .map(str::to_owned)
        .collect();
    assert_eq!(others(&lines), others(&again));
    for size in [12, 28] {
        assert!(
            text.contains(&format!(" (program, {size} characters)\n")),
            "{text}"
        );
    }
    let document = world.home.output(&["replay", "../day.trace", "--json"]);
    let document: serde_json::Value = serde_json::from_slice(&document.stdout).expect("JSON");
    let written = trace
        .lines()
        .filter(|line| line.contains("{\"write\":"))
        .count();
    let batches = document["runs"][0]["batches"].as_array().expect("a list");
    assert_eq!(batches.len(), written);
    assert_eq!(text.split("\n\n").count(), written);
}

#[test]
fn nothing_is_recorded_over_a_file() {
    let world = World::new();
    let file = world.beside("day.trace");
    fs::write(&file, "mine").expect("a file");
    let output = world
        .home
        .output(&["run", "--once", "--record", "../day.trace"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(output.stdout.is_empty());
    let told = stderr(&output);
    assert!(
        told.contains("cannot record to ../day.trace: it is there already"),
        "{told}"
    );
    assert!(told.contains("name another file"), "{told}");
    assert_eq!(fs::read_to_string(&file).expect("a file"), "mine");
}
