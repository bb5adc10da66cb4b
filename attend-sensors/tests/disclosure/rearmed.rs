//! A loop that is armed again: what the host's transcript still holds is not taught.

use attend_core::sensor::{HostRequest, SensorError};
use attend_core::testkit::Harness;

use super::world::{World, all, stands};

#[test]
fn what_stands_there_is_not_taught_until_it_is_a_quarter_back() {
    let mut world = World::rearmed(200_000, [Some(60_000); 4]);
    let polled = world.look_at(100_000);
    assert!(polled.events().is_empty(), "{polled:?}");
    assert_eq!(world.at(109_999), [""; 0]);
    assert_eq!(world.at(110_000), all(1));
    assert_eq!(world.at(160_000), all(2));
}

#[test]
fn only_what_is_gone_is_taught() {
    let mut world = World::rearmed(200_000, [Some(60_000), None, Some(50_000), Some(50_001)]);
    assert_eq!(world.at(100_000), ["rooms#1", "reminders#1"]);
    assert_eq!(world.at(100_001), ["signals#1"]);
    assert_eq!(world.at(110_000), ["messaging#1"]);
    assert_eq!(world.at(150_000), ["rooms#2", "reminders#2"]);
}

#[test]
fn evidence_beyond_the_count_is_none() {
    let mut world = World::rearmed(200_000, [Some(100_001); 4]);
    assert_eq!(world.at(100_000), all(1));
}

#[test]
fn without_evidence_or_a_count_everything_is_taught() {
    let mut world = World::rearmed(200_000, [None; 4]);
    assert_eq!(world.at(100_000), all(1));
    let mut world = World::rearmed(200_000, [Some(60_000); 4]);
    assert_eq!(world.at(None), all(1));
    // The host does not know the question.
    let mut world = World::of(200_000);
    world.harness = Harness::new().rearmed();
    world.another_process();
    assert_eq!(world.at(100_000), all(1));
}

#[test]
fn a_compaction_after_the_start_counts_as_ever() {
    let mut world = World::rearmed(200_000, [Some(60_000); 4]);
    assert_eq!(world.at(100_000), [""; 0]);
    world.usage.epoch = Some("compacted".to_owned());
    assert_eq!(world.at(None), all(1));
}

#[test]
fn a_loop_that_is_not_armed_again_asks_for_no_evidence() {
    let mut world = World::of(200_000);
    stands(&world.harness, [Some(60_000); 4]);
    assert_eq!(world.at(100_000), all(1));
}

#[test]
fn evidence_that_cannot_be_read_now_is_waited_for() {
    let mut world = World::rearmed(200_000, [Some(60_000); 4]);
    let host = world.harness.host().clone();
    let error = SensorError::transient("the transcript cannot be read");
    host.answer(HostRequest::Context, Err(error.clone()));
    assert_eq!(world.harness.poll(world.sensor.as_mut()).error(), &error);
    assert_eq!(world.at(100_000), [""; 0]);
}
