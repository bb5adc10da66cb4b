//! `attend run` under the host's Monitor: each line arrives whole, and stands in the transcript.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use attend_core::dynamics::Tick;
use attend_core::sensor::HostState;
use attend_core::testkit::SimulatedMonitor;
use attend_core::testkit::monitor::Notification;
use rustix::process::Signal;
use serde_json::Value;

use crate::delivered::Delivered;
use crate::live::{Live, PATIENCE};
use crate::monitor_pipe::{Flood, MonitorPipe};
use crate::world::World;

const IDLE: HostState = HostState::Idle {
    since: Tick::new(0),
};

/// The lines that stand in the transcript, by the type of the row.
fn transcript(file: &Path) -> Vec<(String, String)> {
    let text = fs::read_to_string(file).expect("a transcript");
    let rows = text
        .lines()
        .map(|row| serde_json::from_str(row).expect("JSON"));
    rows.flat_map(|row: Value| {
        let kind = row["type"].as_str().expect("a type").to_owned();
        let prompt = match kind.as_str() {
            "user" => &row["message"]["content"],
            "attachment" => &row["attachment"]["prompt"],
            _ => &Value::Null,
        };
        let prompt = prompt.as_str().unwrap_or_default().to_owned();
        let event = prompt.split_once("<event>").map(|(_, event)| event);
        let event = event.and_then(|event| event.split_once("</event>"));
        let lines: Vec<_> = event.map_or(vec![], |(event, _)| {
            event
                .lines()
                .map(|line| (kind.clone(), line.to_owned()))
                .collect()
        });
        lines
    })
    .collect()
}

#[test]
fn what_is_told_arrives_whole_and_stands_in_the_transcript() {
    let world = World::new();
    let file = world.beside("transcript.jsonl");
    let (monitor, out) = MonitorPipe::new();
    monitor.transcribe(file.clone(), "session", "/home/dev/proj", IDLE);
    let live = Live::start_on(&mut world.noting_command(&["run"]), out);
    let banner = monitor.delivered(1);
    world.looked(1);
    monitor.host(HostState::Busy);
    world.git(["switch", "-qc", "feat/x"]);
    let lines = monitor.delivered(2);
    live.signal(Signal::TERM);
    assert_eq!(live.silent_end(), (Some(0), String::new()));
    let monitor = monitor.ended();
    monitor.assert_harmless();
    assert_eq!(monitor.lines(), lines, "nothing came later");
    let told = lines[banner.len()..].iter();
    assert!(
        told.clone()
            .any(|line| line.ends_with("branch changed: main → feat/x")),
        "{lines:?}"
    );
    let rows = banner.iter().map(|line| ("user".to_owned(), line.clone()));
    let rows = rows.chain(told.map(|line| ("attachment".to_owned(), line.clone())));
    assert_eq!(transcript(&file), rows.collect::<Vec<_>>());
}

/// What becomes of what a shell prints.
fn shell(script: &str, monitor: (MonitorPipe, Stdio)) -> (SimulatedMonitor, Option<i32>) {
    let (monitor, out) = monitor;
    let mut command = Command::new("sh");
    command
        .args(["-c", script])
        .stdin(Stdio::null())
        .stdout(out);
    let mut child = command.spawn().expect("a shell");
    // The command keeps the end that it gave to its child.
    drop(command);
    let monitor = monitor.ended();
    (monitor, child.wait().expect("it ends").code())
}

#[test]
fn a_line_that_is_too_long_is_cut_at_the_other_end_of_the_pipe() {
    let (monitor, code) = shell("printf '%0501d\\n%0500d\\nend' 7 8", MonitorPipe::new());
    assert_eq!(code, Some(0));
    let zeros = "0".repeat(500);
    let whole = format!("{}8", "0".repeat(499));
    assert_eq!(monitor.lines(), [zeros, whole, "end".to_owned()]);
    assert_eq!(monitor.delivered().map(Notification::cut).sum::<usize>(), 1);
}

#[test]
fn one_that_floods_for_30_seconds_finds_its_stdout_closed() {
    // Its first 32 s are over.
    let mut flooded = SimulatedMonitor::new();
    for at in (0..32_000).step_by(200) {
        assert!(flooded.write(at, "noise\n"));
    }
    let pipe = MonitorPipe::with(flooded, 32_000);
    let (monitor, code) = shell("while :; do echo noise; done", pipe);
    assert!(
        monitor.stopped().is_some_and(|at| at > 32_200),
        "{:?}",
        monitor.stopped()
    );
    assert!(!monitor.is_reading());
    assert_ne!(code, Some(0), "it was ended by its closed stdout");
}

/// What Monitor delivers of what a shell prints.
fn told(script: &str) -> Live {
    let mut live = Live::monitored(Command::new("sh").args(["-c", script]));
    live.delivered().monitor().pass(PATIENCE);
    live
}

#[test]
#[should_panic(expected = "lines cut at")]
fn a_test_fails_where_a_line_of_its_process_was_cut() {
    drop(told("printf '%0501d\\n' 7"));
}

#[test]
#[should_panic(expected = "7F3K2A")]
fn a_test_fails_where_a_message_was_delivered_twice() {
    let line = "[attend sensor=messages priority=high] 7F3K2A program → you: once";
    told(&format!("echo '{line}'; echo '{line}'")).assert_told(&["7F3K2A"]);
}

#[test]
fn lines_of_one_notification_stay_together_and_none_is_taken_twice() {
    let mut live = told("echo one; echo two; echo three");
    assert_eq!(live.line(), "one");
    assert_eq!(live.delivered().notification(), ["two", "three"]);
    assert_eq!(live.line_within(PATIENCE), None);
}

#[test]
fn what_comes_after_a_flood_is_suppressed_or_not_even_read() {
    for flood in [Flood::Suppresses, Flood::Stops] {
        let (mut delivered, out) = Delivered::new();
        delivered.excuse();
        delivered.monitor().flood(flood);
        let live = Live::start_on(Command::new("sh").args(["-c", "echo it"]), out);
        assert_eq!(live.silent_end().1, "");
        delivered.monitor().pass(PATIENCE);
        let monitor = delivered.monitor().so_far();
        let mut suppressed = monitor.suppressed();
        let is_suppressed = suppressed.any(|told| told.written() == ["it"]);
        let (does_stop, is_stopped) = (flood == Flood::Stops, monitor.stopped().is_some());
        assert_eq!((is_stopped, is_suppressed), (does_stop, !does_stop));
        assert!(!delivered.lines().contains(&"it".to_owned()));
    }
}
