//! A host that is idle, or was not spoken to yet: each word to it costs a turn.

use std::fs;
use std::time::{Duration, Instant};

use rustix::fs::inotify;
use rustix::process::Signal;
use serde_json::json;

use crate::hosts_fake::{Beside, SILENCE, configure, millis};
use crate::live::eventually;
use crate::world::World;
use crate::writes::Writes;

/// How soon after its host `attend` ends.
const SOON: Duration = Duration::from_secs(5);

/// So long ago that what grew since grew slowly.
const TWO_HOURS: Duration = Duration::from_hours(2);

#[test]
fn before_the_first_prompt_nothing_is_said_and_then_all_of_it_at_once() {
    let world = World::new();
    let (writes, out) = Writes::new();
    let mut beside = Beside::start_on(&world, out);
    // The record appears after a dialog: until then the session is waited for.
    assert_eq!(writes.within(SILENCE), None);
    beside.record("idle");
    beside.known();
    world.git(["switch", "-q", "-c", "feat/x"]);
    eventually("the change is held", || {
        beside.holds("git", "branch changed: main → feat/x")
    });
    assert_eq!(writes.within(SILENCE), None);
    // Where nobody expects it.
    "any".clone_into(&mut beside.folder);
    beside.prompt("secret words");
    beside.record("busy");
    let said = writes.next();
    assert_eq!(said.len(), 2, "{said:?}");
    assert!(
        said[0].ends_with(" watches project with context, git, overlap, peers, process"),
        "{said:?}"
    );
    assert_eq!(
        said[1],
        "[attend sensor=git priority=medium] branch changed: main → feat/x"
    );
    beside.live.signal(Signal::KILL);
    let (_, errors) = beside.live.silent_end();
    assert_eq!(errors, "");
    assert_eq!(writes.within(Duration::from_millis(1)), None);
}

/// A tier that is high and not critical.
const HIGH_AT_30: &str = "sensors:\n  context: {tiers: [{at: 0.3, magnitude: 5}]}\n";

#[test]
fn an_idle_host_is_woken_by_what_is_high_and_by_nothing_less() {
    let world = World::new();
    configure(&world, HIGH_AT_30);
    let (writes, out) = Writes::new();
    let mut beside = Beside::start_on(&world, out);
    beside.record("idle");
    beside.known();
    world.git(["switch", "-q", "-c", "feat/x"]);
    eventually("the change is held", || {
        beside.holds("git", "branch changed: main → feat/x")
    });
    // The first turn came and went before anybody looked.
    beside.prompt("secret words");
    beside.answer_ago(TWO_HOURS, 20_000);
    assert_eq!(writes.within(SILENCE), None);
    beside.answer(70_000);
    let said = writes.next();
    assert_eq!(said.len(), 3, "{said:?}");
    assert!(
        said[0].ends_with(" watches project with context, git, overlap, peers, process"),
        "{said:?}"
    );
    assert_eq!(
        said[1..],
        [
            "[attend sensor=context priority=high] context at 35% — projected critical in about 3 turns, about 300 minutes. Use `ways show attend/context-pressure` for reflection guidance.",
            "[attend sensor=git priority=medium] branch changed: main → feat/x",
        ]
    );
}

#[test]
fn a_host_that_is_idle_for_over_an_hour_is_woken_by_what_is_critical_only() {
    let world = World::new();
    configure(&world, HIGH_AT_30);
    let (writes, out) = Writes::new();
    let mut beside = Beside::start_on(&world, out);
    beside.prompt("secret words");
    beside.answer_ago(TWO_HOURS, 70_000);
    let since = millis(TWO_HOURS);
    beside.record_of(&json!({"status": "idle", "statusUpdatedAt": since}));
    eventually("the context is known", || {
        beside.holds("context", "context at 35%")
    });
    assert_eq!(writes.within(SILENCE), None);
    beside.answer(186_000);
    let said = writes.next();
    assert_eq!(said.len(), 2, "{said:?}");
    assert!(
        said[1].starts_with("[attend sensor=context priority=high] compaction in about "),
        "{said:?}"
    );
    assert!(
        said[1]
            .contains(": context at 93%. Use `ways show attend/context-pressure --mode critical`"),
        "{said:?}"
    );
}

/// Waits until the loop looked for the host's record, which says nothing yet.
fn looked_for_the_record(beside: &Beside<'_>) {
    let record = beside.record_path();
    fs::create_dir_all(record.parent().expect("a directory")).expect("a directory");
    fs::write(&record, "").expect("a file");
    let watch = inotify::init(inotify::CreateFlags::NONBLOCK).expect("a watch");
    inotify::add_watch(&watch, &record, inotify::WatchFlags::OPEN).expect("a watch");
    eventually("the record is looked for", || {
        rustix::io::read(&watch, &mut [0_u8; 4_096]).is_ok()
    });
    fs::remove_file(&record).expect("it can be removed");
}

#[test]
fn the_end_of_the_host_ends_it_soon() {
    for status in [None, Some("idle"), Some("busy")] {
        let world = World::new();
        let beside = Beside::start(&world);
        if let Some(status) = status {
            beside.record(status);
            beside.known();
        } else {
            looked_for_the_record(&beside);
        }
        beside.live.signal(Signal::KILL);
        let began = Instant::now();
        // The pipe is let go of by `attend` itself, which outlives the host only for a moment.
        let (_, lines, errors) = beside.live.ended();
        assert!(began.elapsed() < SOON, "{status:?}: {:?}", began.elapsed());
        assert!(lines.len() <= 1, "{lines:?}");
        match status {
            Some(_) => assert_eq!(errors, ""),
            None => assert!(errors.ends_with(" of the host has ended\n"), "{errors}"),
        }
    }
}
