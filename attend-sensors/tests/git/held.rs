//! News is held back while the host may not have written down yet that it was the session.

use std::sync::Arc;
use std::time::Duration;

use attend_core::dynamics::{Tick, TickDelta};
use attend_core::sensor::{
    HostAnswer, HostRequest, HostState, OwnChanges, OwnEdit, OwnSpan, SensorError,
};
use attend_core::testkit::{Conformance, Harness};
use attend_sensors::git::GitConfig;

use super::world::{RealRunner, World, git};

#[test]
fn news_is_held_until_the_transcript_had_its_time() {
    let mut world = World::started();
    world.commit("a", "", "a");
    world.did(OwnChanges::default());
    let woken = world.harness.woken();
    world.look().assert_quiet();
    assert_eq!(world.harness.woken(), woken + 1, "it asks to look again");
    world.look_after(1).assert_quiet();
    // Late, it is written down that it was the session.
    world.called(true, (20, Some(10)));
    assert_eq!(world.look_after(1).texts(), [""; 0]);
    world.did(OwnChanges::default());
    world.look_after(5).assert_quiet();
}

#[test]
fn what_changes_while_it_is_held_is_held_anew_but_not_for_ever() {
    let mut world = World::started();
    world.did(OwnChanges::default());
    for n in 0..12 {
        world.write(&format!("f{n:02}"), "");
        world.look_after(5).assert_quiet();
    }
    world.write("f12", "");
    world
        .look_after(5)
        .assert_texts(&["13 files newly dirty: f00, f01, f02 and 10 more (13 dirty in all)"]);
}

#[test]
fn nothing_is_held_where_nothing_can_be_written_late() {
    let mut world = World::started();
    world.did(OwnChanges::default());
    world.harness.host().set(HostState::Idle {
        since: Tick::new(0),
    });
    world.commit("a", "", "a");
    world
        .look()
        .assert_texts(&["1 new commit on main, newest: \"a\""]);
}

#[test]
fn a_host_that_cannot_say_is_waited_for_and_then_left_out() {
    let mut world = World::started();
    let error = SensorError::transient("the transcript cannot be read");
    world.harness.host().answer(HostRequest::Own, Err(error));
    world.commit("a", "", "a");
    world.look().assert_quiet();
    world
        .look_after(2)
        .assert_texts(&["1 new commit on main, newest: \"a\""]);
}

#[test]
fn it_keeps_the_contract_beside_a_host_that_tells() {
    let harness = Harness::new().runner(Arc::new(RealRunner::default()));
    let work = harness.work().to_owned();
    git(&work, ["init", "-q", "-b", "main"]);
    git(&work, ["commit", "-q", "--allow-empty", "-m", "base"]);
    let mut own = OwnChanges::default();
    let from = harness.now();
    own.edits = vec![OwnEdit::new(
        work.join("mine"),
        OwnSpan::new(from, Some(from.after(TickDelta::new(20)))),
    )];
    harness
        .host()
        .answer(HostRequest::Own, Ok(HostAnswer::Own(own)));
    harness.host().set(HostState::Idle { since: from });
    Conformance::new()
        .harness(harness)
        .change(move |harness| {
            harness.write("mine", "");
            harness.write("theirs", "");
            git(&work, ["commit", "-q", "--allow-empty", "-m", "next"]);
            harness.advance(Duration::from_secs(30));
        })
        .check_kind(&GitConfig::default().by_interval());
}
