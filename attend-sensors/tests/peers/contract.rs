//! The contract of sensors.

use std::time::Duration;

use attend_core::sensor::{Lane, PeerState};
use attend_core::testkit::{Conformance, Harness};
use attend_sensors::peers::PeersConfig;

use super::world::{at, context, elsewhere, says};

#[test]
fn it_keeps_the_contract() {
    let harness = Harness::new();
    let mut one = at(1, harness.work());
    one.context = Some(context(Some(70)));
    says(&harness, &[one.clone(), elsewhere(2), elsewhere(3)]);
    Conformance::new()
        .harness(harness)
        .change(move |harness| {
            harness.advance(Duration::from_mins(10));
            let mut one = one.clone();
            one.state = PeerState::Waiting;
            one.context = Some(context(Some(82)));
            let cleared = {
                let mut two = elsewhere(2);
                two.session = "cleared".to_owned();
                two
            };
            says(harness, &[one, cleared, at(4, harness.work())]);
        })
        .check_kind(&PeersConfig::default());
}

#[test]
fn it_keeps_it_with_many_sessions() {
    let harness = Harness::new();
    let many: Vec<_> = (1..=64).map(elsewhere).collect();
    says(&harness, &many);
    Conformance::new()
        .harness(harness)
        .change(|harness| {
            let others: Vec<_> = (101..=164).map(|n| at(n, harness.work())).collect();
            says(harness, &others);
        })
        .check_kind(&PeersConfig::default());
}

#[test]
fn it_keeps_it_without_a_host() {
    Conformance::new().check_kind(&PeersConfig::default());
}

#[test]
fn it_is_built_in() {
    let registry = attend_sensors::built_in();
    let peers = registry.get("peers").unwrap();
    let profile = peers.profile();
    assert_eq!(
        (profile.interval.as_secs(), profile.min_interval.as_secs()),
        (30, 5)
    );
    assert_eq!((profile.threshold.get(), profile.decay_threshold), (2.0, 5));
    let declares = peers.declares();
    assert_eq!(declares.lanes, [Lane::Event]);
    assert!(declares.signals.is_empty() && declares.needs_host);
}
