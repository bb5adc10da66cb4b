//! Hosts: none, and one that does not know yet.

use attend_core::sensor::{ErrorKind, HostAnswer, HostRequest, Identity, SessionInfo};
use attend_core::testkit::Harness;
use attend_sensors::disclosure::DisclosureConfig;

use super::world::{World, all, keys};

fn identity(harness: &Harness, identity: Identity) {
    let answer = HostAnswer::Session(SessionInfo::new(identity));
    harness.host().answer(HostRequest::Session, Ok(answer));
}

#[test]
fn without_a_host_it_says_that_it_needs_one() {
    let mut harness = Harness::new();
    let mut sensor = harness.build(DisclosureConfig::default()).unwrap();
    let needs = "it needs a host: nothing here says what a session has before it";
    for gives in [None, Some(Identity::NoHost)] {
        if let Some(gives) = gives {
            identity(&harness, gives);
        }
        let polled = harness.poll(sensor.as_mut());
        assert_eq!(polled.error().kind(), ErrorKind::Unavailable);
        assert_eq!(polled.error().to_string(), needs);
    }
    let reason = "two sessions".to_owned();
    identity(&harness, Identity::Refused { reason });
    let polled = harness.poll(sensor.as_mut());
    assert_eq!(
        polled.error().to_string(),
        format!("{needs} (two sessions)")
    );
}

#[test]
fn a_host_that_does_not_know_yet_is_taught_beside_and_asked_again() {
    let mut world = World::of(200_000);
    identity(&world.harness, Identity::Waiting);
    let polled = world.harness.poll(world.sensor.as_mut());
    assert_eq!(keys(&polled), all(1));
    world.harness.poll(world.sensor.as_mut()).assert_quiet();
    assert_eq!(world.at(100_000), [""; 0]);
    assert_eq!(world.at(150_000), all(2));
}
