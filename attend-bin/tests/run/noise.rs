//! A repository that never rests: few lines, exact counts, and nobody's command is in the way.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use rustix::process::Signal;
use serde_json::Value;

use crate::home::stdout;
use crate::live::Live;
use crate::monitor_pipe::MonitorPipe;
use crate::world::World;

/// How long it goes on: two looks and a bit.
const NOISE: Duration = Duration::from_secs(12);

#[test]
fn twelve_seconds_of_churn_are_one_notification() {
    let world = World::new();
    world.git(["branch", "other"]);
    let (monitor, out) = MonitorPipe::new();
    let live = Live::start_on(&mut world.noting_command(&["run"]), out);
    let banner = monitor.delivered(1);
    world.looked(1);

    let over = AtomicBool::new(false);
    let (touched, switched) = thread::scope(|scope| {
        let touching = scope.spawn(|| touch(&world, &over));
        let switching = scope.spawn(|| switch(&world, &over));
        monitor.pass(NOISE);
        over.store(true, Ordering::Relaxed);
        (
            touching.join().expect("it ended"),
            switching.join().expect("it ended"),
        )
    });
    assert!(
        touched > 100 && switched > 10,
        "{touched} files, {switched} branches"
    );
    live.signal(Signal::TERM);
    assert_eq!(live.silent_end(), (Some(0), String::new()));

    let monitor = monitor.ended();
    monitor.assert_harmless();
    // The banner, what the noise led to, and the end.
    assert_eq!(monitor.delivered().count(), 3, "{monitor:?}");
    let lines = &monitor.lines()[banner.len()..];
    assert!((1..=8).contains(&lines.len()), "{lines:?}");
    assert_eq!(batches(&world).len(), 1, "{lines:?}");
    let status = world.status();
    status.assert_adds_up();
    let looks = world.checkpoint().expect("a checkpoint")["health"][0]["looks"].as_u64();
    let looks = looks.expect("a number of looks");
    assert!((2..=4).contains(&looks), "{looks} looks");
    assert!(status.count("reported") <= 6 * looks, "{}", status.0);
}

/// The batches that told something, as `attend explain` knows them.
fn batches(world: &World) -> BTreeSet<u64> {
    let explained = stdout(&world.home.output(&["explain", "--json"]));
    let records = explained
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"));
    let shown = records.filter(|record: &Value| record["change"] == "shown");
    shown
        .map(|record| record["batch"].as_u64().expect("a batch"))
        .collect()
}

/// Writes and removes files as fast as it can. Tells how many.
fn touch(world: &World, over: &AtomicBool) -> u64 {
    let mut touched = 0;
    while !over.load(Ordering::Relaxed) {
        let name = format!("file-{:03}", touched % 300);
        if touched % 600 < 300 {
            world.write(&name, "noise");
        } else {
            std::fs::remove_file(world.repo().join(&name)).expect("it was written");
        }
        touched += 1;
    }
    touched
}

/// Switches branches and commits as fast as it can; nobody holds a lock against it.
fn switch(world: &World, over: &AtomicBool) -> u64 {
    let mut switched = 0;
    while !over.load(Ordering::Relaxed) {
        world.git([
            "switch",
            "-q",
            ["other", "main"][usize::from(switched % 2 == 1)],
        ]);
        world.git(["commit", "-q", "--allow-empty", "-m", "noise"]);
        switched += 1;
    }
    switched
}
