//! The contract of sensors.

use std::time::Duration;

use attend_core::sensor::{OwnChanges, OwnEdit, OwnSpan, PeerEdits};
use attend_core::testkit::{Conformance, Harness};
use attend_sensors::overlap::OverlapConfig;

use super::world::{info, peer, says};

/// So many files were edited by both.
fn both(harness: &Harness, files: u32) {
    let mut own = OwnChanges::default();
    let mut theirs = PeerEdits::new(peer(1, harness.work()), []);
    let now = harness.now();
    for number in 0..files {
        let path = harness.work().join(number.to_string());
        let span = OwnSpan::new(now, Some(now));
        own.edits.push(OwnEdit::new(&path, span));
        let begun = attend_core::dynamics::Tick::new(now.get() - 1);
        let span = OwnSpan::new(begun, Some(now));
        theirs.edits.push(OwnEdit::new(&path, span));
    }
    says(harness, &[harness.work().to_owned()], &own, &[theirs]);
}

#[test]
fn it_keeps_the_contract() {
    let harness = Harness::new();
    info(&harness);
    both(&harness, 2);
    Conformance::new()
        .harness(harness)
        .change(|harness| {
            harness.advance(Duration::from_mins(10));
            both(harness, 100);
        })
        .check_kind(&OverlapConfig::default());
}

#[test]
fn it_keeps_it_when_everything_is_over() {
    let harness = Harness::new();
    info(&harness);
    both(&harness, 2);
    Conformance::new()
        .harness(harness)
        .change(|harness| both(harness, 0))
        .check_kind(&OverlapConfig::default());
}

#[test]
fn it_keeps_it_without_a_host() {
    Conformance::new().check_kind(&OverlapConfig::default());
}

#[test]
fn it_is_built_in() {
    let registry = attend_sensors::built_in();
    let overlap = registry.get("overlap").unwrap();
    let profile = overlap.profile();
    assert_eq!(
        (profile.interval.as_secs(), profile.min_interval.as_secs()),
        (30, 5)
    );
    assert_eq!((profile.threshold.get(), profile.decay_threshold), (3.0, 4));
    let declares = overlap.declares();
    assert_eq!(declares.signals[0].0.as_str(), "peer-conflict");
    assert!(declares.needs_host && declares.signals.len() == 1);
}

#[test]
fn a_configuration_without_sense_is_refused() {
    let mut config = OverlapConfig::default();
    config.hours = 0;
    let Err(error) = Harness::new().build(config) else {
        panic!("it was built");
    };
    assert_eq!(error.key(), Some("hours"));
}
