//! Hosts: none, and one that cannot be read.

use attend_core::sensor::{ErrorKind, HostAnswer, HostRequest, SensorError};
use attend_core::testkit::Harness;
use attend_sensors::overlap::OverlapConfig;

use super::world::World;

#[test]
fn without_a_host_it_says_that_it_needs_one() {
    let mut harness = Harness::new();
    let mut sensor = harness.build(OverlapConfig::default()).unwrap();
    let polled = harness.poll(sensor.as_mut());
    assert_eq!(polled.error().kind(), ErrorKind::Unavailable);
    assert_eq!(
        polled.error().to_string(),
        "it needs a host: nothing here says what other sessions edit"
    );
}

#[test]
fn unknown_is_not_over() {
    let mut world = World::new();
    world.edit("a");
    world.theirs_edit("a");
    assert_eq!(world.said().len(), 1);
    let near = HostRequest::PeerEdits(world.near.clone());
    for request in [near, HostRequest::Own] {
        let host = world.harness.host().clone();
        host.answer(request.clone(), Ok(HostAnswer::Unknown));
        world.harness.poll(world.sensor.as_mut()).assert_quiet();
        let error = SensorError::transient("unreadable");
        host.answer(request, Err(error.clone()));
        let polled = world.harness.poll(world.sensor.as_mut());
        assert_eq!(polled.error(), &error);
        world.look().assert_quiet();
    }
}

#[test]
fn without_others_what_this_session_edited_is_not_asked_for() {
    let mut world = World::new();
    world.edit("a");
    world.look().assert_quiet();
    let error = SensorError::transient("it was asked");
    let host = world.harness.host();
    host.answer(HostRequest::Own, Err(error));
    world.harness.poll(world.sensor.as_mut()).assert_quiet();
}
