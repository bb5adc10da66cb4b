//! The contract of sensors.

use std::time::Duration;

use attend_core::sensor::{Exit, Lane, Root};
use attend_core::testkit::Conformance;
use attend_sensors::process::{ProcessConfig, WatchEnd};

use super::world::{World, put, vanish, write};

#[test]
fn it_keeps_the_contract() {
    let world = World::unseen(ProcessConfig::default());
    world.runs(40, &["make"]);
    world.runs_below(40, 41, &["cargo", "build"]);
    world.runs(30, &["attend", "watch"]);
    let record = world.record(30, &["make", "test"]);
    world.write(&record);
    world
        .harness
        .roots()
        .file_in(Root::Proc, "uptime", "10000.00 1.00\n");
    let next = world.process(50, 1, &["npm", "run", "build"]);
    let (cwd, group, age) = (next.cwd, next.group, next.age);
    Conformance::new()
        .harness(world.harness)
        .change(move |harness| {
            harness.advance(Duration::from_mins(10));
            let mut record = record;
            let end = WatchEnd::new(Exit::Code(1), Duration::from_mins(9));
            record.ended = Some(end);
            write(harness, &record);
            vanish(harness, 30);
            vanish(harness, 40);
            harness.watcher().ended(30, Some(Exit::Code(1)));
            harness.watcher().ended(40, Some(Exit::Code(0)));
            let words = ["npm", "run", "build"];
            let next = super::world::Process {
                pid: 50,
                parent: 1,
                group,
                words: &words,
                age,
                cwd,
            };
            put(harness, 10_600, &next);
        })
        .check_kind(&ProcessConfig::default());
}

#[test]
fn it_keeps_it_where_there_is_nothing_to_read() {
    Conformance::new().check_kind(&ProcessConfig::default());
}

#[test]
fn it_is_built_in() {
    let registry = attend_sensors::built_in();
    let process = registry.get("process").unwrap();
    let profile = process.profile();
    assert_eq!(
        (profile.interval.as_secs(), profile.min_interval.as_secs()),
        (5, 1)
    );
    assert_eq!((profile.threshold.get(), profile.decay_threshold), (2.0, 5));
    let declares = process.declares();
    assert_eq!(declares.lanes, [Lane::Event]);
    let signals = declares.signals.iter();
    let signals: Vec<&str> = signals.map(|(signal, _)| signal.as_str()).collect();
    assert_eq!(signals, ["build-complete", "build-failed"]);
    assert!(!declares.needs_host && !declares.runs_commands);
}

#[test]
fn what_it_remembers_and_follows_is_bounded() {
    let mut world = World::new();
    let words: Vec<String> = (0..200).map(|number| format!("t{number}")).collect();
    for (pid, word) in (1_000..).zip(&words) {
        world.runs(pid, &["make", word]);
    }
    assert_eq!(world.look().texts().len(), 64);
    assert_eq!(world.harness.watcher().waited_for().len(), 64);
    let memory = |world: &World| {
        let snapshot = world.sensor.snapshot().unwrap();
        serde_json::to_string(&snapshot).unwrap().len()
    };
    for pid in 1_000..1_064 {
        world.ends(pid, Exit::Code(0));
    }
    world.look();
    assert!(memory(&world) < 16 << 10, "{}", memory(&world));
}
