//! Ends of real processes, those of others included.

#![expect(
    clippy::disallowed_methods,
    reason = "these tests start real processes"
)]

use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use super::*;
use crate::runtime::system::SystemWatcher;
use crate::sensor::Watcher;

/// How long anything may take on a busy machine.
const PATIENCE: Duration = Duration::from_mins(1);

/// A shell that ends with `end` once its input does.
fn waits(end: &str) -> Child {
    let mut command = Command::new("sh");
    command.args(["-c", &format!("read line; {end}")]);
    let command = command.stdin(Stdio::piped()).stdout(Stdio::null());
    command.spawn().unwrap()
}

/// Lets it end, and takes note of that, as a parent does.
fn let_end(mut child: Child) {
    drop(child.stdin.take());
    child.wait().unwrap();
}

fn waker() -> (WakeHandle, Receiver<()>) {
    let (woken, wakes): (Sender<()>, _) = channel();
    let wake = WakeHandle::new(move || {
        // Nobody may wait for it any more.
        let _ = woken.send(());
    });
    (wake, wakes)
}

/// Whether this kernel tells how a process of others ended.
fn tells_codes() -> bool {
    let release = std::fs::read_to_string("/proc/sys/kernel/osrelease").unwrap();
    let mut numbers = release.split(|c: char| !c.is_ascii_digit());
    let mut number = || {
        numbers
            .next()
            .and_then(|text| text.parse::<u32>().ok())
            .unwrap()
    };
    (number(), number()) >= (6, 15)
}

fn told(exit: Exit) -> Option<Exit> {
    tells_codes().then_some(exit)
}

#[test]
fn the_end_of_a_process_is_told_once_with_its_code() {
    let (wake, _wakes) = waker();
    let mut exits = SystemWatcher::new().exits(wake).unwrap();
    for (end, exit) in [
        ("exit 0", Exit::Code(0)),
        ("exit 3", Exit::Code(3)),
        ("kill -KILL $$", Exit::Signal(9)),
        ("kill -TERM $$", Exit::Signal(15)),
    ] {
        let child = waits(end);
        let pid = child.id();
        exits.add(pid).unwrap();
        exits.add(pid).unwrap();
        assert_eq!(exits.take(), []);
        let_end(child);
        assert_eq!(exits.take(), [Ended::new(pid, told(exit))], "{end}");
        assert_eq!(exits.take(), []);
        assert!(exits.add(pid).is_err(), "{pid} is gone");
    }
}

#[test]
fn each_is_told_who_waits_for_it_and_nobody_else() {
    let watcher = SystemWatcher::new();
    let mut exits: Vec<_> = (0..3).map(|_| watcher.exits(waker().0).unwrap()).collect();
    let child = waits("exit 1");
    let pid = child.id();
    exits[0].add(pid).unwrap();
    exits[1].add(pid).unwrap();
    exits[1].remove(pid);
    let_end(child);
    let taken: Vec<usize> = exits.iter_mut().map(|exits| exits.take().len()).collect();
    assert_eq!(taken, [1, 0, 0]);
}

#[test]
fn more_ends_than_are_read_at_once_are_all_told() {
    let mut exits = SystemWatcher::new().exits(waker().0).unwrap();
    let children: Vec<Child> = (0..AT_ONCE + 10).map(|_| waits("exit 4")).collect();
    let mut pids: Vec<u32> = children.iter().map(Child::id).collect();
    for pid in &pids {
        exits.add(*pid).unwrap();
    }
    children.into_iter().for_each(let_end);
    let mut told: Vec<u32> = exits.take().iter().map(|ended| ended.pid).collect();
    told.sort_unstable();
    pids.sort_unstable();
    assert_eq!(told, pids);
}

#[test]
fn an_end_wakes_while_the_watcher_is_pumped() {
    let watcher = SystemWatcher::new();
    let (wake, wakes) = waker();
    let mut exits = watcher.exits(wake).unwrap();
    let child = waits("exit 0");
    exits.add(child.id()).unwrap();
    let (done, ended) = tokio::sync::oneshot::channel::<()>();
    let pump = std::thread::spawn(move || {
        let mut runtime = tokio::runtime::Builder::new_current_thread();
        let runtime = runtime.enable_all().build().unwrap();
        runtime.block_on(async {
            tokio::select! {
                () = watcher.pump() => {}
                _ = ended => {}
            }
        });
    });
    let pid = child.id();
    let_end(child);
    wakes.recv_timeout(PATIENCE).expect("it wakes");
    assert_eq!(exits.take(), [Ended::new(pid, told(Exit::Code(0)))]);
    done.send(()).unwrap();
    pump.join().unwrap();
}

#[test]
fn a_status_is_read_as_wait_gives_it() {
    assert_eq!(exit(0), Exit::Code(0));
    assert_eq!(exit(0x0200), Exit::Code(2));
    assert_eq!(exit(0xff00), Exit::Code(255));
    assert_eq!(exit(9), Exit::Signal(9));
    // With a core dumped.
    assert_eq!(exit(0x8b), Exit::Signal(11));
}
