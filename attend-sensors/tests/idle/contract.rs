//! The contract of sensors.

use std::time::Duration;

use attend_core::dynamics::Tick;
use attend_core::sensor::{
    HostAnswer, HostRequest, HostState, OwnChanges, OwnEdit, OwnSpan, Turns,
};
use attend_core::testkit::{Conformance, Harness};
use attend_sensors::idle::{IdleConfig, Level};

use super::world::{info, turns, usage};

fn says(harness: &Harness, since: Tick, tokens: u64, number: u64) {
    let host = harness.host();
    host.set(HostState::Idle { since });
    let mut context = usage();
    context.tokens = Some(tokens);
    host.answer(HostRequest::Context, Ok(HostAnswer::Context(context)));
    let mut said = Turns::default();
    said.began = turns(since, number);
    said.first = Some(20_000);
    host.answer(HostRequest::Turns, Ok(HostAnswer::Turns(said)));
    let mut own = OwnChanges::default();
    let span = OwnSpan::new(since, Some(since));
    own.edits.push(OwnEdit::new(harness.work().join("a"), span));
    host.answer(HostRequest::Own, Ok(HostAnswer::Own(own)));
}

#[test]
fn it_keeps_the_contract() {
    let mut harness = Harness::new();
    info(&harness);
    let since = harness.now();
    // Nothing that does not stand is told at first.
    says(&harness, since, 20_000, 39);
    harness.advance(Duration::from_mins(5));
    Conformance::new()
        .harness(harness)
        .change(move |harness| {
            harness.advance(Duration::from_mins(45));
            says(harness, since, 90_000, 40);
        })
        .check_kind(&IdleConfig::default());
}

#[test]
fn it_keeps_it_without_a_host() {
    Conformance::new().check_kind(&IdleConfig::default());
}

#[test]
fn it_is_built_in() {
    let registry = attend_sensors::built_in();
    let idle = registry.get("idle").unwrap();
    let profile = idle.profile();
    assert_eq!(
        (profile.interval.as_secs(), profile.min_interval.as_secs()),
        (60, 30)
    );
    assert_eq!((profile.threshold.get(), profile.decay_threshold), (1.5, 3));
    let declares = idle.declares();
    let (signal, purpose) = &declares.signals[0];
    assert_eq!(
        (signal.as_str(), purpose.as_str()),
        ("reflection-overdue", "for reflection guidance")
    );
    assert!(declares.needs_host && declares.signals.len() == 1);
}

#[test]
fn a_configuration_without_sense_is_refused() {
    let mut config = IdleConfig::default();
    config.levels.push(Level::new(5, 9.0));
    let Err(error) = Harness::new().build(config) else {
        panic!("it was built");
    };
    assert_eq!(error.key(), Some("levels"));
}
