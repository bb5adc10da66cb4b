//! Hosts: none, one that cannot be read, and what is watched.

use attend_core::sensor::{
    ErrorKind, Evidence, HostAnswer, HostRequest, Identity, Root, SensorError, SessionInfo,
};
use attend_core::testkit::Harness;
use attend_sensors::idle::IdleConfig;

use super::world::World;

#[test]
fn without_a_host_it_says_that_it_needs_one() {
    let mut harness = Harness::new();
    let mut sensor = harness.build(IdleConfig::default()).unwrap();
    let polled = harness.poll(sensor.as_mut());
    assert_eq!(polled.error().kind(), ErrorKind::Unavailable);
    assert_eq!(
        polled.error().to_string(),
        "it needs a host: nothing here says when somebody spoke"
    );
}

#[test]
fn a_host_that_cannot_be_read_now_takes_nothing_back() {
    let mut world = World::new();
    assert_eq!(world.after(30).texts().len(), 1);
    let error = SensorError::transient("unreadable");
    for request in [HostRequest::Turns, HostRequest::Context, HostRequest::Own] {
        let host = world.harness.host();
        host.answer(request, Err(error.clone()));
        let polled = world.harness.poll(world.sensor.as_mut());
        assert_eq!(polled.error(), &error);
        world.look().assert_quiet();
    }
}

#[test]
fn what_the_host_names_is_watched() {
    let mut world = World::new();
    let transcript = world.harness.write("transcript.jsonl", "");
    let mut info = SessionInfo::new(Identity::Known {
        id: "own".to_owned(),
        by: Evidence::Record,
    });
    info.watch.push(transcript.clone());
    let answer = Ok(HostAnswer::Session(info));
    world.harness.host().answer(HostRequest::Session, answer);
    world.look().assert_quiet();
    assert_eq!(
        world.harness.watcher().watched(),
        std::slice::from_ref(&transcript)
    );
    assert!(world.harness.watcher().changed(&transcript));
}

#[test]
fn a_log_that_cannot_be_read_is_said_and_changes_nothing() {
    let mut world = World::done();
    world.usage.tokens = Some(150_000);
    assert_eq!(world.look().keys(), ["reflection"]);
    // A file stands where the directory of the session should.
    let roots = world.harness.roots();
    roots.file_in(Root::State, "ways/own", "");
    let polled = world.look();
    assert_eq!((polled.texts().len(), polled.cleared().len()), (0, 0));
    assert!(
        polled.warnings()[0]
            .to_string()
            .starts_with("cannot read when guidance was shown: "),
        "{polled:?}"
    );
}
