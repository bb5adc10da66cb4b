//! Hosts: none, one that does not know, one that cannot be read, and what is watched.

use attend_core::sensor::{
    ErrorKind, Evidence, HostAnswer, HostRequest, Identity, SensorError, SessionInfo,
};
use attend_core::testkit::Harness;
use attend_sensors::peers::PeersConfig;

use super::world::{World, elsewhere};

fn info() -> SessionInfo {
    SessionInfo::new(Identity::Known {
        id: "own".to_owned(),
        by: Evidence::Record,
    })
}

fn session(harness: &Harness, info: SessionInfo) {
    let answer = HostAnswer::Session(info);
    harness.host().answer(HostRequest::Session, Ok(answer));
}

#[test]
fn without_a_host_it_says_that_it_needs_one() {
    let mut harness = Harness::new();
    let mut sensor = harness.build(PeersConfig::default()).unwrap();
    let needs = "it needs a host: nothing here says which sessions there are";
    let polled = harness.poll(sensor.as_mut());
    assert_eq!(polled.error().kind(), ErrorKind::Unavailable);
    assert_eq!(polled.error().to_string(), needs);
    let reason = "two sessions".to_owned();
    session(&harness, SessionInfo::new(Identity::Refused { reason }));
    let polled = harness.poll(sensor.as_mut());
    assert_eq!(
        polled.error().to_string(),
        format!("{needs} (two sessions)")
    );
}

#[test]
fn while_the_host_does_not_know_who_lives_nobody_is_gone() {
    let mut world = World::with(&[elsewhere(1)]);
    let host = world.harness.host().clone();
    session(&world.harness, info());
    host.answer(HostRequest::Peers, Ok(HostAnswer::Unknown));
    world.harness.poll(world.sensor.as_mut()).assert_quiet();
    let error = SensorError::transient("the records cannot be listed");
    host.answer(HostRequest::Peers, Err(error.clone()));
    assert_eq!(world.harness.poll(world.sensor.as_mut()).error(), &error);
    world.look().assert_quiet();
    assert_eq!(world.goes(0).magnitudes(), [0.5]);
}

#[test]
fn a_host_that_does_not_know_at_first_is_waited_for() {
    let mut harness = Harness::new();
    let mut sensor = harness.build(PeersConfig::default()).unwrap();
    session(&harness, info());
    harness.poll(sensor.as_mut()).assert_quiet();
    // Who is there when it knows was there before.
    super::world::says(&harness, &[elsewhere(1)]);
    harness.poll(sensor.as_mut()).assert_quiet();
}

#[test]
fn what_the_host_names_is_watched() {
    let mut world = World::alone();
    let records = world.harness.work().join("sessions");
    let record = world.harness.write("sessions/1.json", "");
    let mut info = info();
    info.watch_peers.push(records.clone());
    session(&world.harness, info);
    world.look().assert_quiet();
    assert_eq!(world.harness.watcher().watched(), [records]);
    assert!(world.harness.watcher().changed(&record));
    assert_eq!(world.harness.woken(), 1);
}

#[test]
fn a_watch_that_is_refused_is_said_once() {
    let mut harness = Harness::new();
    harness
        .watcher()
        .refuse(SensorError::unavailable("no more watches"));
    let mut sensor = harness.build(PeersConfig::default()).unwrap();
    session(&harness, info());
    super::world::says(&harness, &[]);
    assert_eq!(
        harness.poll(sensor.as_mut()).warnings(),
        [SensorError::unavailable(
            "other sessions are looked at by interval and not watched: no more watches"
        )]
    );
    harness.poll(sensor.as_mut()).assert_quiet();
}
