//! Stakes: from 85 % or three turns before a compaction, at hand from 92 % or one turn.

use attend_sensors::context::ContextConfig;

use super::world::{World, stakes};

#[test]
fn ahead_from_85_percent_with_the_number_of_the_turn() {
    let mut world = World::new();
    let polled = world.turn(Some(50), 1_000).at(169_999);
    assert_eq!(stakes(&polled), "");
    let polled = world.turn(Some(55), 6_000).at(172_000);
    assert_eq!(
        stakes(&polled),
        "projected critical at turn 58 (3 turns remaining)"
    );
    let polled = world.turn(Some(56), 6_000).at(178_000);
    assert_eq!(
        stakes(&polled),
        "projected critical at turn 58 (2 turns remaining)"
    );
}

#[test]
fn ahead_three_turns_before_where_that_is_earlier() {
    let mut world = World::new();
    let polled = world.turn(Some(7), 19_000).at(131_000);
    assert_eq!(stakes(&polled), "");
    let polled = world.turn(Some(8), 20_000).at(140_000);
    assert_eq!(polled.magnitudes(), [3.0]);
    assert_eq!(
        stakes(&polled),
        "projected critical at turn 11 (3 turns remaining)"
    );
}

#[test]
fn without_a_number_and_with_a_pace() {
    let mut world = World::new();
    let polled = world.turn(None, 6_000).at(172_000);
    assert_eq!(stakes(&polled), "projected critical in about 3 turns");

    let mut world = World::new();
    world.turn(None, 6_000).at(150_000);
    // 12,000 tokens in 8 minutes, 18,000 left.
    let polled = world.at_after(172_000, 880);
    assert_eq!(
        stakes(&polled),
        "projected critical in about 3 turns, about 12 minutes"
    );
    // While nothing happens it does not change, until the pace is no longer known.
    world.harness.advance(std::time::Duration::from_secs(299));
    world.look().assert_quiet();
    world.harness.advance(std::time::Duration::from_secs(1));
    assert_eq!(stakes(&world.look()), "projected critical in about 3 turns");
    world.look().assert_quiet();
}

#[test]
fn at_hand_from_92_percent_or_within_a_turn() {
    let mut world = World::new();
    let polled = world.turn(Some(55), 3_000).at(184_000);
    assert_eq!(stakes(&polled), "!compaction in about 2 turns");
    let polled = world.turn(Some(57), 3_000).at(188_000);
    assert_eq!(stakes(&polled), "!compaction in about 1 turn");
    let polled = world.turn(Some(58), 3_000).at(191_000);
    assert_eq!(stakes(&polled), "!compaction is due");

    let mut world = World::new();
    let polled = world.turn(Some(3), 60_000).at(131_000);
    assert_eq!(stakes(&polled), "!compaction in about 1 turn");
}

#[test]
fn where_it_compacts_is_configured_else_learned() {
    let mut world = World::new();
    let polled = world.turn(Some(5), 4_000).at(172_000);
    assert_eq!(
        stakes(&polled),
        "projected critical at turn 10 (5 turns remaining)"
    );
    world.compacted(true, 176_000);
    let polled = world.turn(Some(9), 4_000).at(171_000);
    assert_eq!(
        stakes(&polled),
        "projected critical at turn 11 (2 turns remaining)"
    );
    // A compaction that somebody asked for teaches nothing, and unlearns nothing.
    world.compacted(false, 171_000);
    world.restart();
    let polled = world.turn(Some(12), 4_000).at(171_000);
    assert_eq!(
        stakes(&polled),
        "projected critical at turn 14 (2 turns remaining)"
    );

    let mut config = ContextConfig::default();
    config.compaction = Some(0.9);
    let mut world = World::configured(config);
    let polled = world.turn(Some(5), 4_000).at(172_000);
    assert_eq!(
        stakes(&polled),
        "projected critical at turn 7 (2 turns remaining)"
    );
}
