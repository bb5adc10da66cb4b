//! A loop that ends at any moment, however, and one that goes on from there.

use std::fs::File;
use std::thread;
use std::time::Duration;

use rustix::process::Signal;

use crate::live::Live;
use crate::world::World;

const CHANGE: &str = "branch changed: main → feat/x";

#[derive(Clone, Copy, PartialEq, Debug)]
enum Way {
    Kill,
    Terminate,
    Close,
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Moment {
    /// As soon as it was started.
    Started,
    /// Something changed a moment ago.
    Changed,
    /// Its line was read a moment ago.
    Told,
    /// So long after the start.
    After(Duration),
}

#[test]
fn an_end_at_any_moment_repeats_nothing_and_loses_at_most_what_a_kill_cuts_off() {
    let ways = [Way::Kill, Way::Terminate, Way::Close];
    let moments = [Moment::Started, Moment::Changed, Moment::Told];
    thread::scope(|scope| {
        for way in ways {
            for moment in moments {
                scope.spawn(move || ends(way, moment));
            }
        }
    });
}

#[test]
fn a_kill_at_any_instant_repeats_nothing() {
    thread::scope(|scope| {
        for n in 0..11 {
            let moment = Moment::After(Duration::from_millis(n * 200));
            scope.spawn(move || ends(Way::Kill, moment));
        }
    });
}

fn ends(way: Way, moment: Moment) {
    let world = World::known();
    let change = || world.git(["switch", "-qc", "feat/x"]);
    if moment != Moment::Changed {
        change();
    }
    let mut live = world.noting(&["run", "--rearm"]);
    let mut lines = Vec::new();
    match moment {
        Moment::Started => {}
        Moment::Changed => {
            world.looked(1);
            change();
        }
        Moment::Told => lines.push(live.line()),
        Moment::After(time) => lines.extend(live.line_within(time)),
    }
    lines.extend(end(way, live));
    let printed = lines.len();
    lines.extend(world.once().lines);

    let what = format!("{way:?} at {moment:?}: {lines:?}");
    assert!(lines.iter().all(|line| line.contains(CHANGE)), "{what}");
    let status = world.status();
    status.assert_adds_up();
    assert!(lines.len() <= 1, "{what}");
    // What a kill cuts off between checkpoint and line counts as shown.
    let lost = way == Way::Kill && moment != Moment::Told && status.count("shown") == 1;
    assert!(lines.len() == 1 || lost, "{what}");
    assert!(moment != Moment::Told || printed == 1, "{what}");
    assert!(world.once().lines.is_empty(), "nothing changed: {what}");
    rests(&world, &what);
}

/// What was just told makes the sensor rest, also over the restart.
fn rests(world: &World, what: &str) {
    let before = world.status();
    assert!(before.0["governor_ready_in"].as_u64() > Some(0), "{what}");
    world.git(["switch", "-q", "main"]);
    assert!(world.once().lines.is_empty(), "{what}");
    let after = world.status();
    assert_eq!(after.held(), ["branch changed: feat/x → main"], "{what}");
    assert_eq!(
        after.git()["reason"],
        "shown just now; nothing leaves yet",
        "{what}"
    );
    let until = after.git()["until_in"]
        .as_u64()
        .expect("an end of the rest");
    assert!((30..=61).contains(&until), "{until}, {what}");
}

fn end(way: Way, mut live: Live) -> Vec<String> {
    match way {
        Way::Kill => live.signal(Signal::KILL),
        Way::Terminate => live.signal(Signal::TERM),
        Way::Close => live.close(),
    }
    let (code, lines, errors) = live.ended();
    assert_eq!(errors, "");
    // Nothing listens yet in a program that has hardly begun.
    let may_be_killed = way != Way::Close;
    assert!(code == Some(0) || may_be_killed, "{way:?}: {code:?}");
    lines
}

#[test]
fn a_start_without_rearm_says_the_banner_again() {
    let world = World::known();
    assert!(world.once().lines.is_empty());
    let mut live = world.live(&["run"]);
    assert!(live.line().contains(" watches project "));
}

#[test]
fn a_loop_that_is_armed_again_waits_for_the_last_one_to_end() {
    let world = World::known();
    let lock = File::options().write(true).open(world.state().join("lock"));
    let lock = lock.expect("a lock");
    lock.lock().expect("nobody holds it");
    let mut live = world.noting(&["run", "--rearm"]);
    assert_eq!(live.line_within(Duration::from_millis(300)), None);
    drop(lock);
    world.looked(1);
    live.signal(Signal::TERM);
    let (code, lines, errors) = live.ended();
    assert_eq!((code, lines.len(), errors.as_str()), (Some(0), 0, ""));
}
