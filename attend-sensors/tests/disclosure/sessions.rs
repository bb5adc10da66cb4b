//! Whole sessions in virtual time: what is taught, and when.

use attend_core::testkit::Harness;
use attend_sensors::disclosure::{Component, DisclosureConfig};

use super::world::{World, all, keys, says, session};

/// Lets a session grow in small steps: at how many tokens everything was taught, and that nothing
/// else ever was.
fn grow(world: &mut World, from: u64, to: u64, step: usize) -> Vec<u64> {
    let mut taught = Vec::new();
    for tokens in (from..=to).step_by(step) {
        let keys = world.at(tokens);
        if keys.is_empty() {
            continue;
        }
        let (_, count) = keys[0].split_once('#').unwrap();
        assert_eq!(keys, all(count.parse().unwrap()), "all of them at once");
        taught.push(tokens);
    }
    taught
}

#[test]
fn everything_is_taught_at_the_first_look_and_at_each_quarter_of_the_window() {
    let mut world = World::of(1_000_000);
    let taught = grow(&mut world, 20_000, 1_000_000, 1_000);
    assert_eq!(taught, [20_000, 270_000, 520_000, 770_000]);

    let mut world = World::of(200_000);
    let taught = grow(&mut world, 20_000, 200_000, 1_000);
    assert_eq!(taught, [20_000, 70_000, 120_000, 170_000]);
}

#[test]
fn a_quarter_is_reached_to_the_token_and_counts_from_where_it_was_taught() {
    let mut world = World::of(200_000);
    assert_eq!(world.at(20_000), all(1));
    assert_eq!(world.at(69_999), [""; 0]);
    // A turn of many tokens.
    assert_eq!(world.at(90_000), all(2));
    assert_eq!(world.at(139_999), [""; 0]);
    assert_eq!(world.at(140_000), all(3));
}

#[test]
fn after_a_compaction_everything_is_taught_at_once() {
    let mut world = World::of(1_000_000);
    let taught = grow(&mut world, 20_000, 600_000, 5_000);
    assert_eq!(taught, [20_000, 270_000, 520_000]);
    world.usage.epoch = Some("compacted".to_owned());
    // The size is not known until the next answer, which may be as large as before.
    assert_eq!(world.at(None), all(4));
    assert_eq!(world.at(None), [""; 0]);
    assert_eq!(world.at(540_000), [""; 0], "here it was taught");
    assert_eq!(world.at(789_999), [""; 0]);
    assert_eq!(world.at(790_000), all(5));
}

#[test]
fn another_session_and_a_fall_of_the_count_are_other_spans() {
    let mut world = World::of(200_000);
    world.at(50_000);
    assert_eq!(world.at(49_999), all(2));
    assert_eq!(world.at(50_000), [""; 0]);
    world.usage.epoch = Some("another".to_owned());
    assert_eq!(world.at(55_000), all(3));
    // A compaction whose name was not found: nothing says that it is another.
    world.usage.epoch = None;
    assert_eq!(world.at(60_000), [""; 0]);
    world.usage.epoch = Some("another".to_owned());
    assert_eq!(world.at(60_000), [""; 0]);
}

#[test]
fn a_name_after_none_is_a_compaction() {
    let mut world = World::of(200_000);
    world.usage.epoch = None;
    assert_eq!(world.at(50_000), all(1));
    world.usage.epoch = Some("compacted".to_owned());
    assert_eq!(world.at(None), all(2));
}

#[test]
fn where_the_context_is_unknown_it_is_taught_once() {
    let mut world = World::of(200_000);
    assert_eq!(world.at(None), all(1));
    for _ in 0..1_000 {
        assert_eq!(world.at(None), [""; 0]);
    }
    assert_eq!(world.at(150_000), [""; 0], "the first size that is known");
    assert_eq!(world.at(None), [""; 0]);
    assert_eq!(world.at(200_000), all(2));
}

#[test]
fn a_new_process_teaches_again() {
    let mut world = World::of(200_000);
    world.at(20_000);
    assert_eq!(world.at(80_000), all(2));
    world.another_process();
    assert_eq!(world.at(80_000), all(1));
    assert_eq!(world.at(80_000), [""; 0]);
}

#[test]
fn the_former_teaching_is_taken_back() {
    let mut world = World::of(200_000);
    world.at(20_000);
    world.look_at(30_000).assert_quiet();
    let polled = world.look_at(80_000);
    assert_eq!(keys(&polled), all(2));
    assert_eq!(polled.cleared(), all(1));
    for event in polled.events() {
        assert!(event.is_standing());
        assert!((event.magnitude().get() - 5.0).abs() < f64::EPSILON);
    }
}

#[test]
fn a_teaching_is_the_components_own_lines() {
    let mut world = World::of(200_000);
    let polled = world.look_at(20_000);
    assert_eq!(polled.warnings(), []);
    let headlines = Component::ALL.map(Component::headline);
    polled.assert_texts(&headlines);
    for (event, component) in polled.events().into_iter().zip(Component::ALL) {
        let lines: Vec<&str> = component.lines().collect();
        assert_eq!(event.block(), lines);
    }
}

#[test]
fn the_window_is_that_of_each_look_and_the_share_is_configured() {
    let mut world = World::of(200_000);
    world.at(20_000);
    // The host says now that more fits.
    world.usage.window = 1_000_000;
    assert_eq!(world.at(70_000), [""; 0]);
    assert_eq!(world.at(269_999), [""; 0]);
    assert_eq!(world.at(270_000), all(2));

    let mut harness = Harness::new();
    let mut config = DisclosureConfig::default();
    config.refire = 0.1;
    let mut sensor = harness.build(config).unwrap();
    let mut usage = session(200_000);
    let mut at = |tokens| {
        usage.tokens = Some(tokens);
        says(&harness, &usage);
        keys(&harness.poll(sensor.as_mut()))
    };
    assert_eq!(at(10_000), all(1));
    assert_eq!(at(29_999), [""; 0]);
    assert_eq!(at(30_000), all(2));
}
