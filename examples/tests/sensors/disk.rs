//! `disk_space`: what is told when little is free, and the program.

use attend_core::testkit::{Conformance, Harness};

use crate::disk_space::DiskSpace;
use crate::program::{Program, promised, without_numbers};

fn told_below(least: f64) -> DiskSpace {
    DiskSpace { least: Some(least) }
}

#[test]
fn little_space_is_told_once_and_after_a_restart_not_again() {
    let mut harness = Harness::new();
    // No file system is freer than wholly.
    let mut sensor = harness.build(told_below(101.0)).unwrap();
    let polled = harness.poll(sensor.as_mut());
    let event = polled.only_event();
    assert!(
        event.text().contains(" % of the file system are free, "),
        "{polled:?}"
    );
    assert!(event.is_standing());
    harness.poll(sensor.as_mut()).assert_quiet();

    let known = sensor.snapshot().unwrap();
    let mut again = harness.build(told_below(101.0)).unwrap();
    again.restore(&known).unwrap();
    harness.poll(again.as_mut()).assert_quiet();

    let mut plenty = harness.build(told_below(-2.0)).unwrap();
    plenty.restore(&known).unwrap();
    assert_eq!(harness.poll(plenty.as_mut()).cleared(), ["low"]);
    harness.poll(plenty.as_mut()).assert_quiet();
}

#[test]
fn it_keeps_the_contract() {
    for least in [-2.0, 101.0] {
        Conformance::new().check_kind(&told_below(least));
    }
}

#[test]
fn the_program_prints_what_it_says() {
    let config = "sensors: {disk-space: {least: 101}, git: {enabled: false}}\n";
    let program = Program::start("disk_space", config);
    let told: Vec<String> = program
        .rest()
        .iter()
        .map(|line| without_numbers(line))
        .collect();
    let promised: Vec<String> = promised("disk_space")
        .iter()
        .map(|line| without_numbers(line))
        .collect();
    assert_eq!(told, promised);
}

#[test]
fn the_program_is_silent_where_enough_is_free() {
    let config = "sensors: {disk-space: {least: -2}, git: {enabled: false}}\n";
    assert!(Program::start("disk_space", config).rest().is_empty());
}
