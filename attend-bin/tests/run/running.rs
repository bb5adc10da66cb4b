//! The loop while it runs: what it says first, what it says later, and how it is ended.

use std::fs;
use std::thread;

use rustix::process::Signal;

use crate::live::eventually;
use crate::world::{Told, World};

#[test]
fn what_changes_is_told_after_the_banner() {
    let world = World::new();
    let mut live = world.noting(&["run"]);
    let banner = live.line();
    assert!(banner.starts_with("[attend] attend "), "{banner}");
    assert!(banner.contains(" watches project with git"), "{banner}");
    world.looked(1);
    world.git(["switch", "-qc", "feat/x"]);
    let told = live.line();
    assert!(told.ends_with("] branch changed: main → feat/x"), "{told}");
    assert_eq!(world.status().0["pid"], live.pid());
    live.signal(Signal::TERM);
    let (code, lines, errors) = live.ended();
    assert_eq!((code, lines.len(), errors.as_str()), (Some(0), 0, ""));
    assert!(world.status().0["pid"].is_null());
}

#[test]
fn two_hundred_touched_files_are_one_event() {
    let world = World::new();
    let names: Vec<String> = (0..200).map(|n| format!("file-{n:03}")).collect();
    let touch = |text: &str| names.iter().for_each(|name| world.write(name, text));
    touch("new");
    world.git(["add", "-A"]);
    world.git(["commit", "-qm", "many"]);
    let mut live = world.noting(&["run"]);
    live.line();
    world.looked(1);
    touch("touched");
    let told = live.line();
    assert!(
        told.contains("] 200 files newly dirty: file-000, file-001, "),
        "{told}"
    );
    live.signal(Signal::TERM);
    assert_eq!(live.ended().1, [""; 0]);
    let status = world.status();
    status.assert_adds_up();
    assert_eq!((status.count("reported"), status.count("shown")), (1, 1));
}

#[test]
fn a_reader_that_goes_ends_it_while_nothing_happens() {
    thread::scope(|scope| {
        for looks in [0, 1] {
            scope.spawn(move || {
                let world = World::new();
                let mut live = world.noting(&["run"]);
                live.line();
                world.looked(looks);
                live.close();
                let (code, _, errors) = live.ended();
                assert_eq!(
                    (code, errors.as_str()),
                    (Some(0), ""),
                    "after {looks} looks"
                );
                assert!(world.checkpoint().is_some());
            });
        }
    });
}

#[test]
fn signals_end_it_and_leave_a_checkpoint() {
    thread::scope(|scope| {
        for signal in [Signal::TERM, Signal::INT, Signal::HUP] {
            for looks in [0, 1] {
                scope.spawn(move || ends_by(signal, looks));
            }
        }
    });
}

fn ends_by(signal: Signal, looks: u64) {
    let world = World::new();
    let mut live = world.noting(&["run"]);
    live.line();
    world.looked(looks);
    live.signal(signal);
    let (code, lines, errors) = live.ended();
    assert_eq!(
        (code, lines.len(), errors.as_str()),
        (Some(0), 0, ""),
        "{signal:?} after {looks} looks"
    );
    let checkpoint = world.checkpoint().expect("a checkpoint");
    assert!(checkpoint["banner"].is_string(), "{checkpoint}");
}

#[test]
fn a_second_observer_remembers_nothing_and_takes_nothing() {
    let world = World::new();
    let mut first = world.noting(&["run"]);
    first.line();
    world.looked(1);
    let mut second = world.noting(&["run"]);
    second.line();
    let notice = second.line();
    assert!(notice.starts_with("[attend] notice: nothing is remembered over a restart: "));
    world.looked(2);
    world.git(["switch", "-qc", "feat/x"]);
    for live in [&mut first, &mut second] {
        let told = live.line();
        assert!(told.ends_with("branch changed: main → feat/x"), "{told}");
    }
    let kept = fs::read(world.state().join("checkpoint.json")).expect("a checkpoint");
    let holder = first.pid();
    second.signal(Signal::TERM);
    let (code, lines, errors) = second.ended();
    assert_eq!((code, errors.lines().count()), (Some(0), 1), "{errors}");
    assert!(
        errors.contains(&format!("process {holder} keeps its state in")),
        "{errors}"
    );
    assert_eq!(lines, [""; 0]);
    assert_eq!(world.status().0["pid"], holder);
    let now = fs::read(world.state().join("checkpoint.json")).expect("a checkpoint");
    assert!(
        now == kept || world.checkpoint().is_some(),
        "it is the first one's"
    );
    first.signal(Signal::TERM);
    assert_eq!(first.ended().1, [""; 0]);
    let status = world.status();
    assert_eq!((status.count("reported"), status.count("shown")), (1, 1));
    assert!(world.once().lines.is_empty(), "it was told");
}

#[test]
fn looks_that_found_nothing_are_not_written_down_and_known_all_the_same() {
    let world = World::new();
    let mut live = world.noting(&["run"]);
    live.line();
    world.looked(1);
    eventually("the last look is an estimate", || {
        let Some(mut saved) = world.checkpoint() else {
            return false;
        };
        // As it stands there after an hour in which nothing changed.
        for time in ["last_look", "next_look"] {
            let at = saved["health"][0][time].as_u64().unwrap_or_default();
            saved["health"][0][time] = at.saturating_sub(3_600).into();
        }
        fs::write(world.state().join("checkpoint.json"), saved.to_string()).expect("a file");
        let listed = Told::by(&mut world.home.attend(&["sensors"]));
        listed.count("git         healthy, looked within the last 30s") == 1
    });
    live.signal(Signal::TERM);
    assert_eq!(live.ended().0, Some(0));
}
