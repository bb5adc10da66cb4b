//! Readers killed at random instants while messages come: all of them are printed, none unmarked twice.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use attend_core::testkit::SimulatedMonitor;
use rustix::process::Signal;

use crate::killed::Dice;
use crate::live::{Live, eventually};
use crate::monitor_pipe::MonitorPipe;
use crate::reader::{Session, Shown, without_cooldown};
use crate::world::World;

/// How many send at once, and how often each.
const SENDERS: usize = 2;
const SENDS: usize = 110;

/// The longest life of a reader, in milliseconds.
const LIFE: u64 = 500;

/// How many messages are left to the last reader, at most: what the line budget lets through at
/// once.
const AT_LAST: usize = 56;

/// The messages in these lines.
fn ids(lines: Vec<String>) -> impl Iterator<Item = String> {
    Shown::all(lines).into_iter().map(|shown| shown.id)
}

/// Starts a reader under Monitor, and kills it after so many milliseconds.
fn killed_after(session: &Session<'_>, millis: u64) -> SimulatedMonitor {
    let (monitor, out) = MonitorPipe::new();
    let live = Live::start_on(&mut session.attend(&["run", "--rearm"]), out);
    monitor.pass(Duration::from_millis(millis));
    live.signal(Signal::KILL);
    assert_eq!(live.silent_end(), (None, String::new()));
    monitor.ended()
}

#[test]
fn whatever_reader_is_killed_all_is_printed_and_nothing_unmarked_twice() {
    let world = World::new();
    without_cooldown(&world);
    let session = Session::new(&world, 0);
    let mut monitors = Vec::new();
    let sent = Mutex::new(BTreeMap::new());
    let left = AtomicUsize::new(SENDERS);
    thread::scope(|scope| {
        for sender in 0..SENDERS {
            let (session, sent, left) = (&session, &sent, &left);
            scope.spawn(move || {
                for n in 0..SENDS {
                    let body = format!("{sender}/{n}");
                    let id = session.told(&body);
                    sent.lock().expect("no panic").insert(id, body);
                }
                left.fetch_sub(1, Ordering::SeqCst);
            });
        }
        let mut dice = Dice::new(7);
        let mut shown = BTreeSet::new();
        while left.load(Ordering::SeqCst) > 0 || shown.len() + AT_LAST < SENDERS * SENDS {
            let monitor = killed_after(&session, dice.below(LIFE));
            shown.extend(ids(monitor.lines()));
            monitors.push(monitor);
        }
    });
    let sent = sent.into_inner().expect("no panic");
    // The last lives until it has printed what is left.
    let before: BTreeSet<String> = monitors.iter().flat_map(|it| ids(it.lines())).collect();
    let (last, out) = MonitorPipe::new();
    let live = Live::start_on(&mut session.attend(&["run", "--rearm"]), out);
    eventually("everything is delivered", || {
        let now: Vec<String> = ids(last.lines()).collect();
        let mut all = sent.keys();
        all.all(|id| before.contains(id) || now.contains(id))
    });
    live.signal(Signal::KILL);
    live.silent_end();
    assert!(monitors.len() >= 5, "{} were killed", monitors.len());
    monitors.push(last.ended());

    let mut marks = BTreeMap::<String, Vec<bool>>::new();
    for monitor in &monitors {
        monitor.assert_harmless();
        for shown in Shown::all(monitor.lines()) {
            assert_eq!(sent.get(&shown.id), Some(&shown.body), "{shown:?}");
            marks.entry(shown.id).or_default().push(shown.again);
        }
    }
    assert_eq!(marks.len(), sent.len());
    assert_eq!(sent.len(), SENDERS * SENDS);
    for (id, marks) in &marks {
        let unmarked = marks.iter().filter(|again| !**again).count();
        assert!(unmarked <= 1, "{id}: {marks:?}");
    }
}
