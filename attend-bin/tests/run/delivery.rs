//! Mail that a running attend shows: once to each addressee, whatever ends it meanwhile.

use std::collections::BTreeMap;
use std::fs;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};

use crate::desk::program;
use crate::hosts_fake::{Beside, ONE, SILENCE, TWO, configure, host};
use crate::live::{Live, eventually};
use crate::world::World;

/// A loop under Monitor beside the session `session`, past its banner, and the name of its seat.
fn listening<'w>(world: &'w World, session: &'static str, script: &str) -> (Beside<'w>, String) {
    let mut beside = Beside::of(world, Live::monitored(&mut host(world, script)));
    beside.session = session;
    beside.prompt("secret words");
    beside.record("busy");
    let banner = beside.live.line();
    (beside, seat_in(&banner))
}

fn seat_in(banner: &str) -> String {
    let (_, rest) = banner.split_once(" as ").expect("a seat in the banner");
    let (seat, _) = rest.split_once(" watches ").expect("what it watches");
    seat.to_owned()
}

const RUN: &str = "\"$A\" run & wait";

/// The ids of what was sent, and whether a line is marked.
fn mail(line: &str) -> Option<(String, bool)> {
    let rest = line.strip_prefix("[attend sensor=messages priority=high] ")?;
    let id = rest.split(' ').next()?.to_owned();
    let told = rest.strip_prefix(&*id)?.trim_start();
    (id.len() == 6).then(|| (id, told.starts_with("(again)")))
}

fn send(world: &World, to: &str, words: &str) -> String {
    let receipt = program(world, &["send", "--json", "--to", to, words]).json();
    receipt["id"].as_str().expect("an id").to_owned()
}

#[test]
fn a_message_reaches_each_addressee_once() {
    let world = World::new();
    // Each would be told of the other's session, too.
    configure(&world, "sensors:\n  peers: {enabled: false}\n");
    let (mut one, first) = listening(&world, ONE, RUN);
    let (mut two, second) = listening(&world, TWO, RUN);
    assert_ne!(first, second);
    let text = format!("@{first} @{second} ship it");
    let receipt = program(&world, &["send", "--json", &text]).json();
    let states: Vec<_> = receipt["recipients"]
        .as_array()
        .expect("a list")
        .iter()
        .collect();
    assert!(
        states.iter().all(|to| to["state"] == "listening"),
        "{receipt}"
    );
    let id = receipt["id"].as_str().expect("an id");
    for (beside, other) in [(&mut one, &second), (&mut two, &first)] {
        let line = beside.live.line();
        let whole =
            format!("[attend sensor=messages priority=high] {id} program → you, @{other}: ship it");
        assert_eq!(line, whole);
        let hint = beside.live.line();
        assert!(hint.contains(&format!("attend reply --re {id}")), "{hint}");
    }
    let only = send(&world, &second, "only to you");
    assert!(two.live.line().ends_with(" program → you: only to you"));
    assert_eq!(one.live.line_within(SILENCE), None);
    let receipt = program(&world, &["send", "--json", "#open hello all"]).json();
    let open = receipt["id"].as_str().expect("an id");
    for beside in [&mut one, &mut two] {
        let line = beside.live.line();
        assert!(
            line.ends_with(&format!("{open} program → #open: hello all")),
            "{line}"
        );
    }
    one.live.assert_told(&[id, open]);
    two.live.assert_told(&[id, &only, open]);
}

/// The loop beside a host that begins it anew whenever it ends.
const AGAIN: &str = "while :; do \"$A\" run --rearm; done";

/// The process of the loop that the host has begun, once it is there.
fn reader(beside: &Beside<'_>) -> Pid {
    let host = beside.live.pid();
    let children = format!("/proc/{host}/task/{host}/children");
    let mut found = None;
    eventually("a loop", || {
        let text = fs::read_to_string(&children).unwrap_or_default();
        found = text
            .split_whitespace()
            .next()
            .and_then(|pid| pid.parse().ok());
        found.is_some()
    });
    found.and_then(Pid::from_raw).expect("a process")
}

#[test]
fn what_came_while_nobody_read_arrives_once() {
    let world = World::new();
    let (mut beside, seat) = listening(&world, ONE, "\"$A\" run; read go < go; \"$A\" run");
    let fifo = world.repo().join("go");
    rustix::fs::mkfifoat(rustix::fs::CWD, &fifo, rustix::fs::Mode::RWXU).expect("a pipe");
    kill_process(reader(&beside), Signal::KILL).expect("it runs");
    // Somebody else sits down, reads and leaves meanwhile.
    let id = send(&world, &seat, "while you were away");
    let (other, _) = listening(&world, TWO, RUN);
    drop(other);
    fs::write(&fifo, "go\n").expect("a reader");
    let banner = beside.live.line();
    assert!(banner.contains("; 1 unread"), "{banner}");
    let line = beside.live.line();
    assert_eq!(mail(&line), Some((id.clone(), false)), "{line}");
    assert!(beside.live.line().contains("to answer"));
    assert_eq!(beside.live.line_within(SILENCE), None);
    beside.live.assert_told(&[id]);
}

#[test]
fn one_loop_reads_a_seat() {
    let world = World::new();
    let script = "\"$A\" run & read go < go; \"$A\" run > out 2> err; echo $? >> out; \
                  \"$A\" run --rearm >> out 2>> err; echo $? >> out; echo > done; wait";
    let fifo = world.repo().join("go");
    rustix::fs::mkfifoat(rustix::fs::CWD, &fifo, rustix::fs::Mode::RWXU).expect("a pipe");
    let (_one, seat) = listening(&world, ONE, script);
    fs::write(&fifo, "go\n").expect("a reader");
    eventually("both have ended", || world.repo().join("done").exists());
    let read = |name: &str| fs::read_to_string(world.repo().join(name)).expect("a file");
    let (out, err) = (read("out"), read("err"));
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!((lines[0], lines[2]), ("1", "0"), "{out}{err}");
    assert!(
        lines[1].contains("reads this seat already") && lines[1].contains(&seat),
        "{out}"
    );
    assert!(err.contains("reads this seat already"), "{err}");
}

#[test]
fn a_loop_that_is_killed_loses_nothing_and_marks_what_it_may_have_shown() {
    let world = World::new();
    let (mut beside, seat) = listening(&world, ONE, AGAIN);
    let mut ids = Vec::new();
    let mut shown: BTreeMap<String, Vec<bool>> = BTreeMap::new();
    let mut note = |line: &str| {
        if let Some((id, again)) = mail(line) {
            shown.entry(id).or_default().push(again);
        }
        shown.len()
    };
    for round in 0..12 {
        for n in 0..3 {
            ids.push(send(&world, &seat, &format!("{round} {n}")));
        }
        // Now before, now after it has said something.
        if round % 3 == 0
            && let Some(line) = beside.live.line_within(Duration::from_millis(400))
        {
            note(&line);
        }
        let _ = kill_process(reader(&beside), Signal::KILL);
    }
    while note("") < ids.len() {
        note(&beside.live.line());
    }
    while let Some(line) = beside.live.line_within(SILENCE) {
        note(&line);
    }
    for id in &ids {
        let marks = &shown[id];
        let unmarked = marks.iter().filter(|again| !**again).count();
        assert!(unmarked <= 1, "{id} was shown {marks:?}");
    }
    assert_eq!(shown.len(), ids.len(), "and nothing else");
}
