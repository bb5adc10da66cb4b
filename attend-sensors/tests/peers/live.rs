//! From the host's records to what is reported: the real adapter and the sensor.

use std::sync::Arc;
use std::time::Duration;

use attend_core::sensor::{Host, Root, Sensor};
use attend_core::testkit::{Harness, Polled};
use attend_sensors::host::claude_code::{ClaudeCode, Given, Windows};
use attend_sensors::peers::PeersConfig;
use serde_json::json;

/// attend's own process, and the host above it.
const SELF: u32 = 4_300;
const HOST: u32 = 4_242;

struct Desk {
    harness: Harness,
    sensor: Box<dyn Sensor>,
}

impl Desk {
    fn new() -> Self {
        let harness = Harness::new();
        let (roots, clock) = (harness.roots().roots().clone(), harness.clock().clone());
        let host = ClaudeCode::new(roots, Given::to(SELF), Windows::default(), Arc::new(clock));
        let harness = harness.host_adapter(Arc::new(host) as Arc<dyn Host>);
        let desk = Self {
            sensor: harness.build(PeersConfig::default()).unwrap(),
            harness,
        };
        desk.process(1, 0);
        desk.process(HOST, 1);
        desk.process(SELF, HOST);
        desk.record(HOST, "own", "busy");
        desk
    }

    fn process(&self, pid: u32, parent: u32) {
        let line = format!("{pid} (claude) S {parent} 1 1 0 -1 4 1 2 3 4 5 6 7 8 20 0 1 0 77\n");
        let below = format!("{pid}/stat");
        self.harness.roots().file_in(Root::Proc, below, line);
    }

    fn record(&self, pid: u32, session: &str, status: &str) {
        let record = json!({
            "pid": pid, "procStart": "77", "sessionId": session, "status": status,
            "cwd": self.harness.work(), "kind": "interactive", "entrypoint": "cli",
            "name": "the parser",
        });
        let below = format!("sessions/{pid}.json");
        let roots = self.harness.roots();
        roots.file_in(Root::Host, below, record.to_string());
    }

    fn gone(&self, root: Root, path: &str) {
        let path = self.harness.path(root, path);
        let removed = if path.is_dir() {
            std::fs::remove_dir_all(&path)
        } else {
            std::fs::remove_file(&path)
        };
        removed.unwrap();
    }

    fn look(&mut self) -> Polled {
        self.harness.advance(Duration::from_secs(30));
        self.harness.poll(self.sensor.as_mut())
    }
}

#[test]
fn a_session_appears_works_and_is_gone() {
    let mut desk = Desk::new();
    desk.look().assert_quiet();
    desk.process(5_000, 1);
    desk.record(5_000, "other", "idle");
    desk.look()
        .assert_texts(&["session the parser appeared in this project"]);
    desk.record(5_000, "other", "busy");
    desk.look()
        .assert_texts(&["session the parser starts working"]);
    // What it does is read from its record: that of this session is no news.
    desk.record(HOST, "own", "idle");
    desk.look().assert_quiet();
    let sessions = desk.harness.path(Root::Host, "sessions");
    assert_eq!(desk.harness.watcher().watched(), [sessions]);
    // A crash leaves the record behind.
    desk.gone(Root::Proc, "5000");
    desk.look().assert_texts(&["session the parser is gone"]);
    desk.gone(Root::Host, "sessions/5000.json");
    desk.look().assert_quiet();
}

#[test]
fn while_records_or_processes_cannot_be_seen_nobody_is_gone() {
    let mut desk = Desk::new();
    desk.process(5_000, 1);
    desk.record(5_000, "other", "idle");
    desk.look().assert_quiet();
    desk.gone(Root::Host, "sessions");
    assert!(desk.look().result().is_err());
    desk.record(HOST, "own", "busy");
    desk.record(5_000, "other", "idle");
    desk.look().assert_quiet();
}
