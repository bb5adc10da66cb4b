//! Velocity: said once for each spell of fast growth.

use std::time::Duration;

use super::world::World;

#[test]
fn fast_growth_is_said_once_per_spell() {
    let mut world = World::new();
    world.at(10_000).assert_quiet();
    // 3 % a minute: after two minutes it is enough to tell.
    world.at_after(16_000, 60).assert_quiet();
    let polled = world.at_after(22_000, 60);
    let event = polled.only_event();
    assert_eq!(event.text(), "context grows by 3% a minute");
    assert!(event.is_standing());
    assert_eq!(
        (polled.keys(), polled.magnitudes()),
        (vec!["velocity"], vec![2.0])
    );
    // 1.5 % a minute is not fast, nor slow.
    for n in 1..=8 {
        world.at_after(22_000 + n * 3_000, 60).assert_quiet();
    }
    world.look().assert_quiet();
    // 0.5 % a minute is slow, once it is measured.
    let cleared = (1..20).map(|n| world.at_after(46_000 + n * 1_000, 60).cleared().len());
    assert_eq!(cleared.sum::<usize>(), 1);
    // Another spell.
    let spells = (1..6).filter(|n| {
        let polled = world.at_after(65_000 + n * 10_000, 60);
        polled.keys().contains(&"velocity")
    });
    assert_eq!(spells.count(), 1);
}

#[test]
fn a_pause_ends_it() {
    let mut world = World::new();
    world.at(10_000);
    world
        .at_after(22_000, 60)
        .assert_texts(&["context grows by 6% a minute"]);
    world.harness.advance(Duration::from_mins(4));
    world.look().assert_quiet();
    world.harness.advance(Duration::from_mins(2));
    assert_eq!(world.look().cleared(), ["velocity"]);
}

#[test]
fn a_compaction_ends_it_and_arms_it_again() {
    let mut world = World::new();
    world.at(10_000);
    world
        .at_after(22_000, 60)
        .assert_texts(&["context grows by 6% a minute"]);
    assert_eq!(world.compacted(false, 22_000).cleared(), ["velocity"]);
    world.at_after(2_000, 60).assert_quiet();
    world
        .at_after(14_000, 60)
        .assert_texts(&["context grows by 6% a minute"]);
}

#[test]
fn it_survives_a_restart_and_is_not_said_again() {
    let mut world = World::new();
    world.at(10_000);
    world.at_after(22_000, 60);
    world.restart();
    world.look().assert_quiet();
    world.usage.samples.clear();
    world.restart();
    world.look().assert_quiet();
    world.at_after(34_000, 60).assert_quiet();
}

#[test]
fn a_host_without_times_is_measured_by_the_looks() {
    let mut world = World::new();
    for (tokens, seconds) in [(10_000, 600), (16_000, 60), (22_000, 60)] {
        world.harness.advance(Duration::from_secs(seconds));
        world.usage.tokens = Some(tokens);
        let polled = world.look();
        assert_eq!(
            polled.keys().len(),
            usize::from(tokens == 22_000),
            "{polled:?}"
        );
    }
}

#[test]
fn slow_growth_is_never_said() {
    let mut world = World::new();
    world.at(0);
    for n in 1..19 {
        assert!(!world.at_after(n * 4_000, 60).keys().contains(&"velocity"));
    }
}
