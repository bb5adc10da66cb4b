//! Changes of the session's own making, as the real adapter reads them from transcripts.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::sync::Arc;
use std::time::{Duration, UNIX_EPOCH};

use attend_core::sensor::{Host, Root};
use attend_sensors::host::claude_code::{ClaudeCode, Given, Windows};
use serde_json::{Value, json};

use super::world::World;

const ID: &str = "00000000-0000-4000-8000-000000000001";

/// The transcripts of the session and of one of its subagents.
const MAIN: &str = "projects/-w/00000000-0000-4000-8000-000000000001.jsonl";
const SUBAGENT: &str = "projects/-w/00000000-0000-4000-8000-000000000001/subagents/agent-1.jsonl";

impl World {
    /// The same beside the host's adapter, which began so many milliseconds after the driver.
    fn adapted(self, late: u64) -> Self {
        let Self {
            mut harness,
            sensor,
            runner,
        } = self;
        harness.advance(Duration::from_millis(late));
        let mut given = Given::to(1);
        given.session = Some(ID.to_owned());
        let (roots, clock) = (harness.roots().roots().clone(), harness.clock().clone());
        let host = ClaudeCode::new(roots, given, Windows::default(), Arc::new(clock));
        harness.advance(Duration::from_millis(1_000 - late));
        Self {
            harness: harness.host_adapter(Arc::new(host) as Arc<dyn Host>),
            sensor,
            runner,
        }
    }

    /// The host writes a row, so many milliseconds ago.
    fn row(&self, file: &str, ago: u64, mut row: Value) {
        let at = self.harness.wall() - Duration::from_millis(ago);
        let at = at.duration_since(UNIX_EPOCH).unwrap().as_millis();
        let at = jiff::Timestamp::from_millisecond(i64::try_from(at).unwrap()).unwrap();
        row["timestamp"] = json!(at.to_string());
        row["isSidechain"] = json!(file == SUBAGENT);
        let path = self.harness.path(Root::Host, file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let mut file = OpenOptions::new()
            .create(true)
            .append(true)
            .open(path)
            .unwrap();
        writeln!(file, "{row}").unwrap();
    }

    /// The host tells of a call, from so many milliseconds ago until so many ago.
    fn tool(&self, file: &str, name: &str, input: &Value, (from, until): (u64, u64)) {
        let id = format!("{name} {:?}", self.harness.wall());
        let call = json!({"type": "tool_use", "id": id, "name": name, "input": input});
        let row = json!({"type": "assistant", "message": {"content": [call]}});
        self.row(file, from, row);
        let result = json!({"type": "tool_result", "tool_use_id": id});
        let row = json!({"type": "user", "message": {"content": [result]}, "toolUseResult": {}});
        self.row(file, until, row);
    }

    fn git_call(&self, file: &str, span: (u64, u64)) {
        self.tool(file, "Bash", &json!({"command": "git do-it"}), span);
    }

    /// What is told by a look so many seconds later, and by the one that follows it.
    fn tells_after(&mut self, seconds: u64) -> Vec<String> {
        let mut told = Vec::new();
        for seconds in [seconds, 2] {
            let polled = self.look_after(seconds);
            assert!(polled.result().is_ok(), "{polled:?}");
            told.extend(polled.texts().into_iter().map(str::to_owned));
        }
        told
    }
}

#[test]
fn a_call_right_after_a_look_is_later_than_that_look_whenever_the_adapter_began() {
    for late in [0, 1, 300, 700, 999] {
        let mut world = World::started().adapted(late);
        for within in [0, 300, 600, 960] {
            world.harness.advance(Duration::from_millis(within));
            world.look().assert_quiet();
            world.harness.advance(Duration::from_millis(30));
            world.git(["commit", "-q", "--allow-empty", "-m", "own"]);
            world.git_call(MAIN, (20, 10));
            world.harness.advance(Duration::from_millis(970 - within));
            assert_eq!(world.tells_after(10), [""; 0], "{late} {within}");
        }
        world.git(["commit", "-q", "--allow-empty", "-m", "theirs"]);
        let told = world.tells_after(10);
        assert_eq!(told, ["1 new commit on main, newest: \"theirs\""], "{late}");
    }
}

#[test]
fn what_the_transcript_tells_late_is_its_own_all_the_same() {
    let mut world = World::started().adapted(0);
    world.row(
        MAIN,
        0,
        json!({"type": "user", "message": {"content": "x"}}),
    );
    world.git(["commit", "-q", "--allow-empty", "-m", "own"]);
    world.look_after(1).assert_quiet();
    world.harness.advance(Duration::from_secs(1));
    world.git_call(MAIN, (2_200, 1_800));
    world.look_after(1).assert_quiet();
    assert_eq!(world.tells_after(10), [""; 0]);
}

#[test]
fn what_a_subagent_did_is_its_own() {
    let mut world = World::started().adapted(0);
    world.row(
        MAIN,
        0,
        json!({"type": "user", "message": {"content": "x"}}),
    );
    world.git(["switch", "-q", "-c", "feat/x"]);
    world.write("a", "");
    world.git_call(SUBAGENT, (800, 100));
    let edit = json!({"file_path": world.work().join("b")});
    world.write("b", "");
    world.tool(SUBAGENT, "Write", &edit, (90, 80));
    assert_eq!(world.tells_after(10), [""; 0]);
    world.write("c", "");
    assert_eq!(
        world.tells_after(10),
        ["1 file newly dirty: c (3 dirty in all)"]
    );
}
