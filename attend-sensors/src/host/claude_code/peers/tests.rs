//! What is read of other sessions: what changed, and nothing else.

use std::time::Duration;

use attend_core::sensor::Identity;
use attend_core::testkit::{FakeClock, TempRoots};

use super::*;

struct World {
    roots: TempRoots,
    clock: FakeClock,
    peers: Peers,
}

impl World {
    /// So many sessions, each with a record and a transcript of one answer.
    fn of(sessions: u32) -> Self {
        let world = Self {
            roots: TempRoots::new(),
            clock: FakeClock::new(),
            peers: Peers::default(),
        };
        world.process(1);
        for pid in 100..100 + sessions {
            world.process(pid);
            world.record(pid, "busy");
            let below = format!("projects/-w/{}.jsonl", id(pid));
            world.roots.file_in(Root::Host, below, answer(pid, 1_000));
        }
        world
    }

    fn process(&self, pid: u32) {
        let line = format!("{pid} (claude) S 1 1 1 0 -1 4 1 2 3 4 5 6 7 8 20 0 1 0 {pid} 1 2\n");
        self.roots.file_in(Root::Proc, format!("{pid}/stat"), line);
    }

    fn record(&self, pid: u32, status: &str) {
        let record = format!(
            r#"{{"pid":{pid},"procStart":"{pid}","sessionId":"{}","cwd":"/w","startedAt":{pid},"kind":"interactive","entrypoint":"cli","status":"{status}"}}"#,
            id(pid)
        );
        let below = format!("sessions/{pid}.json");
        self.roots.file_in(Root::Host, below, record);
    }

    /// The sessions that a look finds, each with the tokens in its context.
    fn look(&mut self) -> Vec<(u32, Option<u64>)> {
        let nobody = Session {
            identity: Identity::NoHost,
            record: None,
            process: None,
        };
        let live = self
            .peers
            .look(self.roots.roots(), &nobody, &[], &self.clock);
        let live = live.unwrap().unwrap();
        let told = live.iter();
        told.map(|live| {
            let tokens = live.meter().and_then(|meter| meter.tokens);
            (live.record.pid, tokens)
        })
        .collect()
    }

    /// What was read until now: listings, records, and bytes of transcripts.
    fn read(&self) -> (u64, u64, u64) {
        let others = self.peers.others.values();
        let transcripts = others.filter_map(|other| other.following.as_ref()?.transcript());
        let bytes = transcripts.map(|transcript| transcript.counts().bytes);
        let Reads { listings, records } = self.peers.reads;
        (listings, records, bytes.sum())
    }

    /// Looks until every file is so old that a change would show.
    fn settle(&mut self) {
        for _ in 0..3 {
            self.clock.advance(Duration::from_secs(10));
            self.look();
        }
    }
}

fn id(pid: u32) -> String {
    format!("{pid:08}-0000-4000-8000-000000000000")
}

fn answer(id: u32, tokens: u64) -> String {
    format!(
        r#"{{"type":"assistant","timestamp":"2027-01-15T07:00:00Z","message":{{"model":"claude-opus-4-6","id":"msg_{id}","content":[],"usage":{{"input_tokens":{tokens}}}}},"requestId":"req_{id}"}}"#
    ) + "\n"
}

#[test]
fn nothing_is_read_while_nothing_changes() {
    let mut world = World::of(20);
    assert_eq!(world.look().len(), 20);
    world.settle();
    let settled = world.read();
    assert!(
        settled.0 > 0 && settled.1 >= 20 && settled.2 > 0,
        "{settled:?}"
    );
    for _ in 0..100 {
        world.clock.advance(Duration::from_secs(30));
        assert_eq!(world.look().len(), 20);
    }
    assert_eq!(world.read(), settled);
}

#[test]
fn of_what_changed_that_alone_is_read() {
    let mut world = World::of(20);
    world.settle();
    let (listings, records, bytes) = world.read();

    world.record(107, "waiting");
    world.look();
    let read = world.read();
    assert_eq!((read.1, read.2), (records + 1, bytes), "one record");
    world.settle();

    let (listed, records, bytes) = world.read();
    assert!(listed >= listings);
    let more = answer(999, 5_000);
    let path = world
        .roots
        .path(Root::Host, format!("projects/-w/{}.jsonl", id(103)));
    let whole = std::fs::read_to_string(&path).unwrap() + &more;
    std::fs::write(&path, whole).unwrap();
    assert!(world.look().contains(&(103, Some(5_000))));
    let read = world.read();
    assert_eq!(
        read,
        (listed, records, bytes + more.len() as u64),
        "only the new row"
    );
}

#[test]
fn no_more_than_64_are_told_and_a_further_one_changes_nothing() {
    let mut world = World::of(70);
    let told: Vec<u32> = world.look().into_iter().map(|(pid, _)| pid).collect();
    assert_eq!(told, (100..164).collect::<Vec<u32>>());
    world.process(99_999);
    world.record(99_999, "busy");
    world.settle();
    let again: Vec<u32> = world.look().into_iter().map(|(pid, _)| pid).collect();
    assert_eq!(again, told);
}
