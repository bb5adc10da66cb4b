//! The contract of sensors.

use attend_core::testkit::{Conformance, Harness};
use attend_sensors::disclosure::DisclosureConfig;

use super::world::{says, session, stands};

fn tokens(harness: &Harness, tokens: u64) {
    let mut usage = session(200_000);
    usage.tokens = Some(tokens);
    says(harness, &usage);
}

#[test]
fn it_keeps_the_contract() {
    for harness in [Harness::new(), Harness::new().rearmed()] {
        tokens(&harness, 90_000);
        stands(&harness, [Some(60_000), None, None, None]);
        Conformance::new()
            .harness(harness)
            .change(|harness| tokens(harness, 172_000))
            .check_kind(&DisclosureConfig::default());
    }
}

#[test]
fn it_keeps_it_without_a_host() {
    Conformance::new().check_kind(&DisclosureConfig::default());
}

#[test]
fn it_is_built_in() {
    let registry = attend_sensors::built_in();
    let disclosure = registry.get("disclosure").unwrap();
    let profile = disclosure.profile();
    assert_eq!(
        (profile.interval.as_secs(), profile.min_interval.as_secs()),
        (60, 20)
    );
    assert_eq!((profile.threshold.get(), profile.decay_threshold), (5.0, 3));
    assert!(disclosure.declares().needs_host);
    assert!(disclosure.declares().signals.is_empty());
}

#[test]
fn a_share_without_sense_is_refused() {
    let mut config = DisclosureConfig::default();
    config.refire = 1.5;
    let Err(error) = Harness::new().build(config) else {
        panic!("it was built");
    };
    assert_eq!(error.key(), Some("refire"));
}
