//! From the rows of a transcript to what is reported: the real adapter and the sensor.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, UNIX_EPOCH};

use attend_core::sensor::{Host, Root, Sensor};
use attend_core::testkit::{Harness, Polled};
use attend_sensors::host::claude_code::{ClaudeCode, Given, Windows};
use attend_sensors::idle::IdleConfig;
use serde_json::{Value, json};

pub(crate) const ID: &str = "00000000-0000-4000-8000-000000000001";

/// attend's own process, and the host above it.
const SELF: u32 = 4_300;
const HOST: u32 = 4_242;

pub(crate) struct Desk {
    pub(crate) harness: Harness,
    sensor: Box<dyn Sensor>,
    rows: u32,
}

impl Desk {
    pub(crate) fn new() -> Self {
        let harness = Harness::new();
        for (pid, parent) in [(SELF, HOST), (HOST, 1)] {
            let line = format!("{pid} (claude) S {parent} 1 1 0 -1 4 1 2 3 4 5 6 7 8 20 0 1 0 77");
            let below = format!("{pid}/stat");
            harness.roots().file_in(Root::Proc, below, line);
        }
        let (roots, clock) = (harness.roots().roots().clone(), harness.clock().clone());
        let host = ClaudeCode::new(roots, Given::to(SELF), Windows::default(), Arc::new(clock));
        let harness = harness.host_adapter(Arc::new(host) as Arc<dyn Host>);
        let path = format!("projects/-w/{ID}.jsonl");
        harness.roots().file_in(Root::Host, path, "");
        Self {
            sensor: harness.build(IdleConfig::default()).unwrap(),
            harness,
            rows: 0,
        }
    }

    /// The host does `status` since now.
    pub(crate) fn does(&self, status: &str) {
        let since = self.harness.wall().duration_since(UNIX_EPOCH).unwrap();
        let record = json!({
            "pid": HOST, "procStart": "77", "sessionId": ID, "status": status, "cwd": "/w",
            "startedAt": 1, "statusUpdatedAt": u64::try_from(since.as_millis()).unwrap(),
        });
        let below = format!("sessions/{HOST}.json");
        self.harness
            .roots()
            .file_in(Root::Host, below, record.to_string());
    }

    /// Adds a row of now.
    fn row(&mut self, mut row: Value) {
        self.rows += 1;
        let at = self.harness.wall().duration_since(UNIX_EPOCH).unwrap();
        let at = jiff_text(at);
        row["timestamp"] = json!(at);
        row["uuid"] = json!(format!("row-{}", self.rows));
        let path = format!("projects/-w/{ID}.jsonl");
        let path = self.harness.path(Root::Host, path);
        let mut file = OpenOptions::new().append(true).open(path).unwrap();
        file.write_all(format!("{row}\n").as_bytes()).unwrap();
    }

    fn says(&mut self, words: &str, origin: &str) {
        self.does("busy");
        self.row(json!({
            "type": "user", "origin": {"kind": origin},
            "message": {"role": "user", "content": words},
        }));
    }

    /// The model edits a file and ends its turn.
    fn edits(&mut self, path: &Path, tokens: u64) {
        let id = self.rows;
        let call = json!({"type": "tool_use", "id": format!("t{id}"), "name": "Edit", "input": {"file_path": path}});
        let usage = json!({"input_tokens": tokens});
        self.row(json!({"type": "assistant", "requestId": id, "message": {
            "id": format!("m{id}"), "model": "claude-opus-4-6", "content": [call], "usage": usage,
        }}));
        let result =
            json!({"type": "tool_result", "tool_use_id": format!("t{id}"), "content": "secret"});
        self.row(json!({"type": "user", "message": {"content": [result]}, "toolUseResult": {}}));
        self.does("idle");
    }

    pub(crate) fn after(&mut self, minutes: u64) -> Polled {
        self.harness.advance(Duration::from_mins(minutes));
        self.harness.poll(self.sensor.as_mut())
    }
}

/// A time as the host writes it. The clock of a harness starts on 2027-01-15 at 08:00.
fn jiff_text(at: Duration) -> String {
    let start = 1_800_000_000;
    let passed = at.as_secs() - start;
    let (hours, minutes, seconds) = (passed / 3_600, passed / 60 % 60, passed % 60);
    let (day, hours) = (15 + (hours + 8) / 24, (hours + 8) % 24);
    format!("2027-01-{day:02}T{hours:02}:{minutes:02}:{seconds:02}.000Z")
}

const MONITOR: &str = "<task-notification>\n<task-id>b1</task-id>\n<summary>Monitor event: \"attend\"</summary>\n<event>";

#[test]
fn silence_is_told_as_it_stands_in_the_transcript_and_the_record() {
    let mut desk = Desk::new();
    let file = desk.harness.write("src/lib.rs", "");
    desk.says("secret words", "human");
    desk.after(0).assert_quiet();
    desk.edits(&file, 30_000);
    desk.after(9).assert_quiet();
    desk.after(41)
        .assert_texts(&["nobody spoke for 50 minutes; 1 file edited"]);
    // attend's own line wakes it.
    let line = format!(
        "{MONITOR}[attend sensor=idle priority=high] nobody spoke</event>\n</task-notification>"
    );
    desk.says(&line, "task-notification");
    assert_eq!(desk.after(1).cleared(), ["silence"]);
    desk.edits(&file, 31_000);
    for _ in 0..5 {
        desk.after(59).assert_quiet();
    }
    // A message of somebody's does, too, and that is somebody who speaks.
    let line = format!(
        "{MONITOR}[attend sensor=messages priority=high] 7F3K2A Tam-beta: well?\n[attend sensor=git priority=low] x</event>\n</task-notification>"
    );
    desk.says(&line, "task-notification");
    desk.edits(&file, 32_000);
    desk.after(0).assert_quiet();
    assert_eq!(desk.after(50).magnitudes(), [5.0]);
    desk.says(
        "<cross-session-message>hello</cross-session-message>",
        "peer",
    );
    assert_eq!(desk.after(1).cleared(), ["silence"]);
}

#[test]
fn reflection_is_counted_from_the_first_answer_and_from_a_compaction() {
    let mut desk = Desk::new();
    let file = desk.harness.path(Root::Work, "a");
    desk.says("secret words", "human");
    desk.edits(&file, 30_000);
    desk.after(1).assert_quiet();
    desk.says("secret words", "human");
    desk.edits(&file, 80_000);
    desk.after(1)
        .assert_texts(&["no reflection for 25% of the context window"]);
    desk.row(json!({
        "type": "system", "subtype": "compact_boundary", "compactMetadata": {"trigger": "auto"},
    }));
    assert_eq!(desk.after(1).cleared(), ["reflection"]);
    for turn in 0..40 {
        desk.says("secret words", "human");
        desk.edits(&file, 20_000 + turn);
        let said = desk.after(1).texts().join("");
        let expected = if turn == 39 {
            "no reflection for 40 turns"
        } else {
            ""
        };
        assert_eq!(said, expected, "{turn}");
    }
}

#[test]
fn while_nothing_changes_a_look_says_nothing_and_remembers_the_same() {
    let mut desk = Desk::new();
    let file = desk.harness.path(Root::Work, "a");
    desk.says("secret words", "human");
    desk.edits(&file, 30_000);
    desk.after(1).assert_quiet();
    let remembered = desk.sensor.snapshot();
    for _ in 0..8 {
        desk.after(1).assert_quiet();
        assert_eq!(desk.sensor.snapshot(), remembered);
    }
    let told = format!("{remembered:?}");
    assert!(!told.contains("secret"), "{told}");
}
