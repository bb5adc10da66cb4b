//! How long nobody spoke.

use std::time::Duration;

use attend_core::sensor::{Cause, HostState, OwnCall, OwnChanges, OwnSpan};
use attend_core::testkit::Polled;
use attend_sensors::idle::{IdleConfig, Level};

use super::world::World;

/// What a look said of silence: its texts, or that it took one back.
fn said(polled: &Polled) -> String {
    assert!(polled.result().is_ok(), "{polled:?}");
    let texts = polled.texts().join("|");
    let over = if polled.cleared() == ["silence"] {
        "over"
    } else {
        ""
    };
    format!("{over}{texts}")
}

#[test]
fn each_level_is_told_once_under_one_key() {
    let mut world = World::new();
    let mut told = Vec::new();
    for minute in 1..=180 {
        let polled = world.after(1);
        if !polled.is_quiet() {
            let event = polled.only_event();
            assert_eq!(event.key().unwrap().as_str(), "silence");
            assert!(event.is_standing() && event.signal().is_none());
            told.push((minute, event.magnitude().get(), event.text().to_owned()));
        }
    }
    let text = |minutes| format!("nobody spoke for {minutes} minutes; 1 file edited");
    assert_eq!(
        told,
        [
            (10, 1.5, text(10)),
            (30, 2.0, text(30)),
            (50, 5.0, text(50))
        ]
    );
}

#[test]
fn nothing_is_said_while_anybody_is_active() {
    let mut world = World::new();
    for _ in 0..30 {
        world.after(9).assert_quiet();
        world.begin(Cause::Words);
        world.look().assert_quiet();
        world.waits();
        world.look().assert_quiet();
    }
    world.begin(Cause::Words);
    for _ in 0..30 {
        world.after(9).assert_quiet();
    }
    for state in [HostState::Unknown, HostState::Unprompted] {
        world.state = state;
        world.after(100).assert_quiet();
    }
}

#[test]
fn it_is_over_when_somebody_speaks_and_begins_anew() {
    let mut world = World::new();
    assert_ne!(said(&world.after(31)), "");
    world.begin(Cause::Words);
    assert_eq!(said(&world.after(1)), "over");
    world.look().assert_quiet();
    world.waits();
    assert_eq!(said(&world.after(9)), "");
    assert_ne!(said(&world.after(1)), "");
    // Between two looks.
    world.begin(Cause::Words);
    world.harness.advance(Duration::from_secs(5));
    world.waits();
    assert_eq!(said(&world.after(1)), "over");
    assert_ne!(said(&world.after(10)), "");
}

#[test]
fn a_host_that_cannot_say_whether_it_waits_is_not_somebody_who_speaks() {
    let mut world = World::new();
    assert_ne!(said(&world.after(10)), "");
    let idle = std::mem::replace(&mut world.state, HostState::Unknown);
    world.after(5).assert_quiet();
    world.state = idle;
    world.after(14).assert_quiet();
    assert_eq!(
        said(&world.after(1)),
        "nobody spoke for 30 minutes; 1 file edited"
    );
}

#[test]
fn only_the_highest_level_is_told_after_a_suspend_and_the_time_in_it_counts() {
    let mut world = World::new();
    assert_eq!(
        said(&world.after(8 * 60)),
        "nobody spoke for 8 hours; 1 file edited"
    );
    world.after(60).assert_quiet();
}

#[test]
fn a_step_of_the_clock_changes_nothing() {
    let mut world = World::new();
    world.harness.clock().step_wall(86_400);
    world.after(9).assert_quiet();
    assert_ne!(said(&world.after(1)), "");
    world.harness.clock().step_wall(-2 * 86_400);
    world.look().assert_quiet();
    world.after(19).assert_quiet();
    assert_ne!(said(&world.after(1)), "");
}

#[test]
fn a_turn_that_its_own_line_began_does_not_begin_another_span() {
    let mut world = World::new();
    assert_ne!(said(&world.after(50)), "");
    // The line wakes the agent, which answers it.
    world.begin(Cause::Notice);
    assert_eq!(said(&world.look()), "over");
    world.waits();
    for _ in 0..30 {
        assert_eq!(said(&world.after(10)), "");
    }
    // What ends by itself is work again, and so is what somebody says.
    for cause in [Cause::Work, Cause::Words] {
        world.begin(cause);
        assert_eq!(said(&world.look()), "");
        world.waits();
        world.look().assert_quiet();
        assert_ne!(said(&world.after(50)), "");
        world.begin(Cause::Notice);
        assert_eq!(said(&world.look()), "over");
        world.waits();
        world.look().assert_quiet();
    }
}

#[test]
fn nothing_is_said_where_no_work_is_open() {
    let mut world = World::done();
    world.after(60).assert_quiet();
    // An edit of long ago, and one that was refused or still runs.
    world.edit("src/a.rs");
    let now = world.harness.now();
    world.own.edits[0].span = OwnSpan::new(now, None);
    world.look().assert_quiet();
    world.own.edits[0].span = OwnSpan::new(now, Some(now));
    world.after(25 * 60).assert_quiet();
    // One of another project.
    world.own = OwnChanges::default();
    world.edit("../a.rs");
    world.look().assert_quiet();
    world.own = OwnChanges::default();
    world.edit("src/b.rs");
    assert_ne!(said(&world.look()), "", "it is open now");
}

#[test]
fn what_is_committed_is_not_open() {
    let mut world = World::new();
    world.edit("src/b.rs");
    world.harness.write(".git/HEAD", "");
    assert_eq!(
        said(&world.after(10)),
        "nobody spoke for 10 minutes; 2 files edited and not committed"
    );
    world.commit();
    assert_eq!(said(&world.after(1)), "over", "its person commits");
    world.after(60).assert_quiet();
    world.harness.advance(Duration::from_secs(2));
    world.edit("src/b.rs");
    assert_eq!(
        said(&world.look()),
        "nobody spoke for 71 minutes; 1 file edited and not committed"
    );
}

#[test]
fn what_is_not_finished_is_open() {
    let mut world = World::done();
    world.harness.write(".git/HEAD", "");
    world.harness.write(".git/MERGE_HEAD", "");
    assert_eq!(
        said(&world.after(10)),
        "nobody spoke for 10 minutes; a merge is not finished"
    );
    world.harness.remove(".git/MERGE_HEAD");
    assert_eq!(said(&world.after(1)), "over");
    let mut call = OwnCall::new(OwnSpan::new(world.harness.now(), None));
    call.background = true;
    world.own.calls.push(call);
    assert_eq!(
        said(&world.after(40)),
        "nobody spoke for 51 minutes; a background command still runs"
    );
    world.own.calls[0].span.until = Some(world.harness.now());
    assert_eq!(said(&world.after(1)), "over");
}

#[test]
fn nothing_is_told_again_after_a_restart() {
    let mut world = World::new();
    assert_ne!(said(&world.after(30)), "");
    world.restart();
    world.after(1).assert_quiet();
    // The new loop places the same moments a little otherwise.
    if let HostState::Idle { since } = world.state {
        let since = since.after(attend_core::dynamics::TickDelta::new(1));
        world.state = HostState::Idle { since };
    }
    world.restart();
    world.look().assert_quiet();
    world.begin(Cause::Words);
    world.restart();
    assert_eq!(said(&world.look()), "over");
}

#[test]
fn without_a_transcript_every_wait_is_a_span() {
    let mut world = World::new();
    let host = world.harness.host().clone();
    for _ in 0..2 {
        world.waits();
        world.look();
        world.harness.advance(Duration::from_mins(50));
        host.answer(
            attend_core::sensor::HostRequest::Turns,
            Ok(attend_core::sensor::HostAnswer::Unknown),
        );
        let polled = world.harness.poll(world.sensor.as_mut());
        assert_eq!(polled.magnitudes(), [5.0]);
        world.begin(Cause::Words);
        world.look();
    }
}

#[test]
fn levels_can_be_configured() {
    let mut config = IdleConfig::default();
    config.levels = vec![Level::new(1, 3.5)];
    let mut world = World::configured(config);
    assert_eq!(world.after(1).magnitudes(), [3.5]);
    world.after(500).assert_quiet();
}
