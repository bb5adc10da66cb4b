//! A sender that is stopped while it holds the store: the next one names it, and nothing is lost.

use std::fs::{self, File};
use std::process::{Child, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rustix::fs::{FlockOperation, flock};
use rustix::process::{Pid, Signal, kill_process};

use crate::desk::{Desk, ONE, alone, program};
use crate::live::PATIENCE;
use crate::world::World;

/// A process that does not run until this is dropped.
struct Stopped(Child);

impl Stopped {
    fn signal(&self, signal: Signal) {
        let pid = Pid::from_child(&self.0);
        kill_process(pid, signal).expect("it is this test's");
    }

    /// Lets it go on, and gives whether it then did what it was asked.
    fn go_on(mut self) -> bool {
        self.signal(Signal::CONT);
        self.0.wait().expect("it ends").success()
    }
}

impl Drop for Stopped {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A sender of a large message, stopped at once when the lock names it; none where it had let go
/// of the store before it stood still.
fn stop_one(world: &World) -> Option<Stopped> {
    let input = world.beside("input");
    fs::write(&input, "word ".repeat((1 << 20) / 5)).expect("a file");
    let mut command = alone(world, &["send", "--broadcast", "-"]);
    command
        .stdin(File::open(&input).expect("a file"))
        .stdout(Stdio::null());
    let mut sender = Stopped(command.spawn().expect("it starts"));
    let pid = sender.0.id().to_string();
    let path = world.beside("attend/data/mail.lock");
    loop {
        let holder = fs::read_to_string(&path).unwrap_or_default();
        if holder.split_whitespace().next() == Some(&pid) {
            break;
        }
        if sender.0.try_wait().expect("it can be asked").is_some() {
            return None;
        }
        thread::yield_now();
    }
    sender.signal(Signal::STOP);
    let stat = format!("/proc/{pid}/stat");
    let is_still = || {
        let stat = fs::read_to_string(&stat).expect("it is not buried");
        stat.contains(") T ") || stat.contains(") Z ")
    };
    while !is_still() {
        thread::yield_now();
    }
    let lock = File::open(path).expect("the lock");
    let free = flock(&lock, FlockOperation::NonBlockingLockExclusive);
    free.is_err().then_some(sender)
}

#[test]
fn whoever_is_stopped_under_the_lock_is_named_by_the_next_and_loses_nothing() {
    let world = World::new();
    let mut desk = Desk::new(&world, ONE);
    desk.seat();
    let stopped = (0..100)
        .find_map(|_| stop_one(&world))
        .expect("one of them is stopped in time");
    let before = desk.run("attend inbox --json --limit 1000");

    let start = Instant::now();
    let said = program(&world, &["send", "--broadcast", "hello"]).refused();
    let waited = start.elapsed();
    let holder = format!("process {} has held the mail store for 10s", stopped.0.id());
    assert!(said.contains(&holder), "{said}");
    assert!(
        (Duration::from_secs(10)..PATIENCE).contains(&waited),
        "{waited:?}"
    );

    // Reading waits for nobody.
    let ledger = before.json();
    let there = ledger["messages"].as_array().expect("a list").len();
    assert!(stopped.go_on(), "its message is sent after all");
    program(&world, &["send", "--broadcast", "hello again"]).ok();
    let ledger = desk.run("attend inbox --json --limit 1000").json();
    let messages = ledger["messages"].as_array().expect("a list");
    assert_eq!(messages.len(), there + 2);
    assert_eq!(messages[there + 1]["body"], "hello again");
}
