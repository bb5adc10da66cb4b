//! Tiers: each told once in a span, however the context got there.

use attend_core::sensor::WindowBasis;
use attend_sensors::context::{ContextConfig, Tier};

use super::world::World;

#[test]
fn each_tier_is_one_event() {
    let mut world = World::new();
    world.at(20_000).assert_quiet();
    world.at(79_999).assert_quiet();
    for (tokens, text, magnitude) in [
        (80_000, "context at 40%", 1.5),
        (100_000, "context at 50%", 2.0),
        (131_000, "context at 65%", 3.0),
        (171_999, "context at 85%", 4.0),
        (184_000, "context at 92%", 5.0),
    ] {
        let polled = world.at(tokens);
        let event = polled.only_event();
        assert_eq!((event.text(), polled.magnitudes()), (text, vec![magnitude]));
        assert_eq!(polled.keys(), ["tier"]);
        assert!(event.is_standing());
        assert_eq!(event.signal().unwrap().as_str(), "context-pressure");
        world.look().assert_quiet();
    }
}

#[test]
fn a_rise_within_a_tier_keeps_the_text_fresh() {
    let mut world = World::new();
    assert_eq!(world.at(130_000).texts(), ["context at 65%"]);
    world.at(131_000).assert_quiet();
    let polled = world.at(150_000);
    assert_eq!(
        (polled.texts(), polled.magnitudes()),
        (vec!["context at 75%"], vec![3.0])
    );
}

#[test]
fn attaching_late_tells_where_it_stands() {
    let mut world = World::new();
    let polled = world.at(172_000);
    assert_eq!(
        (polled.texts(), polled.magnitudes()),
        (vec!["context at 86%"], vec![4.0])
    );
}

#[test]
fn a_jump_over_tiers_tells_the_highest_only() {
    let mut world = World::new();
    world.at(20_000).assert_quiet();
    let polled = world.at(172_000);
    assert_eq!(
        (polled.texts(), polled.magnitudes()),
        (vec!["context at 86%"], vec![4.0])
    );
}

#[test]
fn a_compaction_takes_it_back_at_once_and_arms_it_again() {
    let mut world = World::new();
    world.at(172_000);
    let polled = world.compacted(true, 172_000);
    assert_eq!((polled.texts(), polled.cleared()), (vec![], vec!["tier"]));
    world.look().assert_quiet();
    world.at(30_000).assert_quiet();
    let polled = world.at(131_000);
    assert_eq!(
        (polled.texts(), polled.magnitudes()),
        (vec!["context at 65%"], vec![3.0])
    );
}

#[test]
fn another_session_arms_it_again() {
    let mut world = World::new();
    world.at(172_000);
    world.usage.epoch = Some("next".to_owned());
    let polled = world.at(90_000);
    assert_eq!(
        (polled.texts(), polled.cleared()),
        (vec!["context at 45%"], vec!["tier"])
    );
}

#[test]
fn a_fall_is_another_span_and_a_dip_is_not() {
    let mut world = World::new();
    world.at(170_000);
    let polled = world.at(168_000);
    assert_eq!(
        (polled.texts(), polled.magnitudes()),
        (vec!["context at 84%"], vec![4.0])
    );
    assert_eq!(world.at(161_000).cleared(), Vec::<&str>::new());
    let polled = world.at(160_000);
    assert_eq!(
        (polled.texts(), polled.cleared()),
        (vec!["context at 80%"], vec!["tier"])
    );
    assert_eq!(polled.magnitudes(), [3.0]);
}

#[test]
fn a_larger_window_is_another_span() {
    let mut world = World::new();
    world.at(190_000);
    (world.usage.window, world.usage.basis) = (1_000_000, WindowBasis::Observed);
    let polled = world.at(201_000);
    assert_eq!((polled.texts(), polled.cleared()), (vec![], vec!["tier"]));
}

#[test]
fn what_is_unknown_changes_nothing() {
    let mut world = World::new();
    world.usage.tokens = None;
    world.look().assert_quiet();
    world.at(172_000);
    world.usage.tokens = None;
    world.look().assert_quiet();
    world.usage.epoch = None;
    world.look().assert_quiet();
    world.usage.epoch = Some("session".to_owned());
    world.at(172_000).assert_quiet();
}

#[test]
fn a_restart_repeats_nothing_and_tells_what_is_new() {
    let mut world = World::new();
    world.at(131_000);
    world.restart();
    world.look().assert_quiet();
    world.restart();
    assert_eq!(world.at(172_000).texts(), ["context at 86%"]);
    world.restart();
    assert_eq!(world.compacted(true, 180_000).cleared(), ["tier"]);
    world.restart();
    world.at(20_000).assert_quiet();
}

#[test]
fn tiers_can_be_configured() {
    let mut config = ContextConfig::default();
    config.tiers = vec![Tier::new(0.7, 6.0)];
    let mut world = World::configured(config);
    world.at(139_999).assert_quiet();
    assert_eq!(world.at(140_000).magnitudes(), [6.0]);
}
