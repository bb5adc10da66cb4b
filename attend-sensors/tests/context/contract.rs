//! The contract of sensors.

use std::time::Duration;

use attend_core::sensor::{Growth, HostAnswer, HostRequest, Sample, WindowBasis};
use attend_core::testkit::{Conformance, Harness};
use attend_sensors::context::{ContextConfig, Tier};

use super::world::session;

fn says(harness: &Harness, tokens: u64, seconds: &[u64]) {
    let mut usage = session();
    usage.tokens = Some(tokens);
    usage.basis = WindowBasis::Assumed;
    usage.turn = Some(55);
    usage.growth = Growth::of(&[6_000]);
    let (now, step) = (harness.now().get(), 12_000);
    let samples = seconds.iter().enumerate().map(|(n, ago)| {
        let tick = attend_core::dynamics::Tick::new(now - ago);
        Sample::new(tick, tokens - step * (seconds.len() - 1 - n) as u64)
    });
    usage.samples = samples.collect();
    harness
        .host()
        .answer(HostRequest::Context, Ok(HostAnswer::Context(usage)));
}

#[test]
fn it_keeps_the_contract() {
    let harness = Harness::new();
    says(&harness, 90_000, &[60, 0]);
    Conformance::new()
        .harness(harness)
        .change(|harness| {
            harness.advance(Duration::from_mins(10));
            says(harness, 172_000, &[600, 540, 480, 0]);
        })
        .check_kind(&ContextConfig::default());
}

#[test]
fn it_keeps_it_without_a_host() {
    Conformance::new().check_kind(&ContextConfig::default());
}

#[test]
fn it_is_built_in() {
    let registry = attend_sensors::built_in();
    let context = registry.get("context").unwrap();
    let profile = context.profile();
    assert_eq!(
        (profile.interval.as_secs(), profile.min_interval.as_secs()),
        (60, 5)
    );
    assert_eq!((profile.threshold.get(), profile.decay_threshold), (1.5, 3));
    let signals = &context.declares().signals;
    assert_eq!(
        signals,
        &[(
            "context-pressure".into(),
            "for reflection guidance".to_owned()
        )]
    );
}

#[test]
fn a_configuration_without_sense_is_refused() {
    let mut config = ContextConfig::default();
    config.tiers.push(Tier::new(0.5, 9.0));
    let Err(error) = Harness::new().build(config) else {
        panic!("it was built");
    };
    assert_eq!(error.key(), Some("tiers"));
}
