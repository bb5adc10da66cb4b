//! Commands that `attend watch` runs.

use std::time::Duration;

use attend_core::sensor::{Exit, SensorError, Signal};
use attend_sensors::process::{ProcessConfig, WatchEnd, WatchRecord};

use super::world::World;

fn ended(mut record: WatchRecord, exit: Exit, millis: u64) -> WatchRecord {
    record.ended = Some(WatchEnd::new(exit, Duration::from_millis(millis)));
    record
}

#[test]
fn a_command_is_told_of_with_its_exact_code_once() {
    let mut world = World::new();
    world.runs(30, &["attend", "watch", "--", "make", "test"]);
    let record = world.record(30, &["make", "test"]);
    world.write(&record);
    // What it runs is part of it.
    world.runs_below(30, 31, &["make", "test"]);
    world.look().assert_texts(&["make test started"]);
    world.vanishes(31);
    world.vanishes(30);
    world.write(&ended(record, Exit::Code(2), 1_430));
    let polled = world.look();
    polled.assert_texts(&["make test failed after 1 s, exit code 2"]);
    let signal = polled.only_event().signal();
    assert_eq!(signal.map(Signal::as_str), Some("build-failed"));
    world.look().assert_quiet();
    world.restart();
    world.look().assert_quiet();
}

#[test]
fn one_that_is_over_before_a_look_is_one_result() {
    let mut world = World::new();
    let record = world.record(30, &["./deploy.sh", "--token=hunter2"]);
    world.write(&ended(record, Exit::Code(0), 430));
    let woken = world.harness.woken();
    world
        .look()
        .assert_texts(&["deploy.sh finished after 0.4 s, exit code 0"]);
    let record = world.record(31, &["true"]);
    world.write(&ended(record, Exit::Signal(15), 0));
    assert_eq!(world.harness.woken(), woken + 1, "its record wakes");
    world
        .look()
        .assert_texts(&["true was ended by signal 15 after 0.0 s"]);
    world.look().assert_quiet();
}

#[test]
fn one_of_another_project_is_not_told_of() {
    let mut world = World::new();
    let mut record = world.record(30, &["make"]);
    record.cwd = "/srv/elsewhere".into();
    world.write(&ended(record, Exit::Code(1), 10));
    world.look().assert_quiet();
}

#[test]
fn one_whose_attend_was_killed_ended_as_nobody_knows() {
    let mut world = World::new();
    world.runs(30, &["attend", "watch", "--", "make"]);
    world.write(&world.record(30, &["make"]));
    world.look().assert_texts(&["make started"]);
    // How `attend watch` itself ended says nothing of the command, which goes on.
    world.ends(30, Exit::Signal(9));
    world
        .look()
        .assert_texts(&["make ended after 2 s, exit code unknown"]);
    world.look().assert_quiet();
}

#[test]
fn what_was_over_before_the_first_look_is_no_news_and_after_it_is() {
    let mut world = World::unseen(ProcessConfig::default());
    world.write(&ended(world.record(30, &["make"]), Exit::Code(1), 10));
    world.look().assert_quiet();
    // While attend did not run, unless that is long ago.
    world.write(&ended(
        world.record(31, &["make", "late"]),
        Exit::Code(1),
        10,
    ));
    let mut old = world.record(32, &["make", "old"]);
    old.began -= 2 * 3_600_000;
    world.write(&ended(old, Exit::Code(1), 10));
    world.restart();
    world
        .look()
        .assert_texts(&["make late failed after 0.0 s, exit code 1"]);
    world.look().assert_quiet();
}

#[test]
fn where_nothing_is_watched_records_are_read_at_each_look() {
    let mut world = World::new();
    world
        .harness
        .watcher()
        .refuse(SensorError::unavailable("no more watches"));
    world.restart();
    world.look().assert_quiet();
    world.write(&ended(world.record(30, &["make"]), Exit::Code(0), 10));
    world
        .look()
        .assert_texts(&["make finished after 0.0 s, exit code 0"]);
    // Nor is anybody told of ends.
    world.runs(40, &["make"]);
    world.look().assert_texts(&["make started"]);
    world.vanishes(40);
    world
        .look()
        .assert_texts(&["make ended after 2 s, exit code unknown"]);
}
