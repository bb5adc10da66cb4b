//! Builds below the host's own process: what the session waits for is no news to it.

use attend_core::dynamics::{Tick, TickDelta};
use attend_core::sensor::{
    Evidence, Exit, HostAnswer, HostProcess, HostRequest, HostState, Identity, OwnCall, OwnChanges,
    OwnSpan, SensorError, SessionInfo,
};

use super::world::World;

/// The host's process.
const HOST: u32 = 20;

/// A host that works on a turn, of which nothing else is known.
fn beside_host() -> World {
    let mut world = World::new();
    world.runs(HOST, &["claude"]);
    let mut process = HostProcess::new(HOST);
    process.started = Some((world.up() * 100).to_string());
    let mut info = SessionInfo::new(Identity::Known {
        id: "own".to_owned(),
        by: Evidence::Named,
    });
    info.process = Some(process);
    let host = world.harness.host();
    host.answer(HostRequest::Session, Ok(HostAnswer::Session(info)));
    host.set(HostState::Busy);
    calls(&world, &[]);
    world.look().assert_quiet();
    world.look().assert_quiet();
    world
}

/// What is known of its calls: from and until when each ran, and whether in the background.
fn calls(world: &World, calls: &[(Tick, Option<Tick>, bool)]) {
    let mut changes = OwnChanges::default();
    for (from, until, background) in calls {
        let mut call = OwnCall::new(OwnSpan::new(*from, *until));
        call.background = *background;
        changes.calls.push(call);
    }
    let host = world.harness.host();
    host.answer(HostRequest::Own, Ok(HostAnswer::Own(changes)));
}

/// A shell of the host's, and a build in it.
fn build_in_shell(world: &World) -> Tick {
    world.runs_below(HOST, 30, &["bash", "-c", "make test"]);
    world.runs_below(30, 40, &["make", "test"]);
    world.harness.now()
}

#[test]
fn a_build_in_the_foreground_is_no_news() {
    let mut world = beside_host();
    let from = build_in_shell(&world);
    calls(&world, &[(from, None, false)]);
    for _ in 0..10 {
        assert_eq!(world.look().texts(), [""; 0]);
    }
    world.ends(40, Exit::Code(2));
    world.vanishes(30);
    let until = world.harness.now();
    calls(&world, &[(from, Some(until), false)]);
    for _ in 0..5 {
        assert_eq!(world.look().texts(), [""; 0]);
    }
}

#[test]
fn a_build_in_the_background_is_told_of() {
    let mut world = beside_host();
    let from = build_in_shell(&world);
    // The transcript is written late.
    world.look().assert_quiet();
    calls(&world, &[(from, None, true)]);
    world.look().assert_quiet();
    world.look().assert_texts(&["make test started"]);
    world.ends(40, Exit::Code(0));
    world.look().assert_quiet();
    world.look().assert_quiet();
    world
        .look()
        .assert_texts(&["make test finished after 4 s, exit code 0"]);
    world.look().assert_quiet();
}

#[test]
fn one_that_is_put_into_the_background_is_told_of_at_its_end() {
    let mut world = beside_host();
    let from = build_in_shell(&world);
    calls(&world, &[(from, None, false)]);
    for _ in 0..5 {
        world.look().assert_quiet();
    }
    calls(&world, &[(from, None, true)]);
    world.ends(40, Exit::Code(1));
    world.harness.host().set(HostState::Idle { since: from });
    world
        .look()
        .assert_texts(&["make test failed after 6 s, exit code 1"]);
}

#[test]
fn one_that_goes_on_when_its_call_is_over_is_told_of() {
    let mut world = beside_host();
    let from = build_in_shell(&world);
    calls(&world, &[(from, Some(from), false)]);
    world.look().assert_quiet();
    world.look().assert_quiet();
    world.look().assert_texts(&["make test started"]);
}

#[test]
fn what_another_session_builds_is_told_of_at_once() {
    let mut world = beside_host();
    calls(&world, &[(world.harness.now(), None, false)]);
    world.runs(21, &["claude"]);
    world.runs_below(21, 31, &["bash"]);
    world.runs_below(31, 41, &["make", "theirs"]);
    world.look().assert_texts(&["make theirs started"]);
}

#[test]
fn a_command_of_attend_watch_in_the_foreground_is_no_news_either() {
    let mut world = beside_host();
    for is_background in [false, true] {
        let shell = 50 + u32::from(is_background) * 10;
        world.runs_below(HOST, shell, &["bash"]);
        world.runs_below(shell, shell + 1, &["attend", "watch"]);
        let from = world.harness.now();
        let mut record = world.record(shell + 1, &["make"]);
        let end = attend_sensors::process::WatchEnd::new(
            Exit::Code(0),
            std::time::Duration::from_millis(500),
        );
        record.ended = Some(end);
        world.vanishes(shell + 1);
        world.vanishes(shell);
        world.write(&record);
        let until = from.after(TickDelta::new(1));
        calls(&world, &[(from, Some(until), is_background)]);
        let looks = [world.look(), world.look(), world.look(), world.look()];
        let texts: Vec<&str> = looks.iter().flat_map(|look| look.texts()).collect();
        let expected: &[&str] = if is_background {
            &["make finished after 0.5 s, exit code 0"]
        } else {
            &[]
        };
        assert_eq!(texts, expected);
        world.later(60);
    }
}

#[test]
fn a_host_that_cannot_say_now_leaves_the_look_to_be_taken_again() {
    let mut world = beside_host();
    let host = world.harness.host().clone();
    let session = Err(SensorError::transient("the record is being written"));
    host.answer(HostRequest::Session, session);
    world.runs(40, &["make"]);
    assert!(world.look().result().is_err());
    host.answer(HostRequest::Session, Ok(HostAnswer::Unknown));
    world.look().assert_texts(&["make started"]);
}
