//! Readers that stand still in the middle of their mail for longer than their claim holds.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Read};
use std::iter;
use std::time::{Duration, Instant};

use rustix::process::Signal;

use crate::delivered::Delivered;
use crate::live::{Live, PATIENCE, eventually};
use crate::monitor_pipe::MonitorPipe;
use crate::outputs::fill;
use crate::reader::{Session, Shown};
use crate::world::World;

/// How long a claim holds.
const LEASE: Duration = Duration::from_secs(30);

/// How many messages wait: more than is written at once, but no more than a batch holds.
const COUNT: usize = 4;

/// A reader that claimed all of its mail, wrote some of it, and was stopped before the rest.
struct Stopped<'w> {
    session: Session<'w>,
    live: Live,
    /// What nobody reads yet, and how much noise is left in front of what attend wrote: a Monitor
    /// would make lines of it.
    pipe: Option<(io::PipeReader, usize)>,
    /// Monitor, once it goes on.
    delivered: Option<Delivered>,
    /// Each message, and whether its showings were marked.
    marks: BTreeMap<String, Vec<bool>>,
}

impl<'w> Stopped<'w> {
    fn new(world: &'w World, n: usize) -> Self {
        // The name stands in the banner, which is thus too long to share a page with the mail.
        let dir = world.beside(&format!("{n}-{}", "long".repeat(30)));
        fs::create_dir(&dir).expect("a directory");
        let session = Session::in_dir(world, &dir, n);
        let wide = "漢".repeat(405);
        let ids: Vec<String> = (0..COUNT).map(|_| session.told(&wide)).collect();
        let (mut pipe, writer) = io::pipe().expect("a pipe");
        let mut noise = fill(&writer);
        let live = Live::start_on(&mut session.attend(&["run"]), writer.into());
        // Each page that is read makes room for one write: the banner may be one of its own.
        loop {
            let mut page = [0; 4_096];
            pipe.read_exact(&mut page).expect("the pipe was full");
            noise -= page.len();
            let waiting = || rustix::io::ioctl_fionread(&pipe).expect("it can be asked");
            let before = waiting();
            eventually("it writes", || waiting() > before);
            if waiting() > before + 1_000 {
                break;
            }
        }
        live.signal(Signal::STOP);
        eventually("it stands still", || is_in_state(live.pid(), 'T'));
        let marks = ids.into_iter().map(|id| (id, Vec::new())).collect();
        Self {
            session,
            live,
            pipe: Some((pipe, noise)),
            delivered: None,
            marks,
        }
    }

    fn ended(&self) {
        eventually("it ends", || is_in_state(self.live.pid(), 'Z'));
    }

    fn note<S: AsRef<str>>(&mut self, lines: impl IntoIterator<Item = S>) -> usize {
        let shown = Shown::all(lines);
        for shown in &shown {
            let marks = self.marks.get_mut(&shown.id).expect("it was sent");
            marks.push(shown.again);
        }
        shown.len()
    }

    /// How many another reader is shown now.
    fn unread(&mut self) -> usize {
        let unread = self.session.desk.run("attend inbox --unread").ok();
        self.note(unread.lines())
    }

    /// Monitor goes on, which makes room; takes what it delivered within `time`.
    fn drain(&mut self, time: Duration) {
        if let Some((mut pipe, noise)) = self.pipe.take() {
            let mut bytes = vec![0; noise];
            pipe.read_exact(&mut bytes).expect("the pipe was full");
            self.delivered = Some(Delivered::by(MonitorPipe::at(pipe)));
        }
        let delivered = self.delivered.as_mut().expect("it goes on");
        let lines: Vec<String> = iter::from_fn(|| delivered.line_within(time)).collect();
        self.note(lines);
    }

    /// The same for one that has ended: all that it wrote, and no torn line.
    fn drained(&mut self) {
        self.drain(PATIENCE);
        let delivered = self.delivered.as_ref().expect("it goes on");
        assert!(!delivered.monitor().was_torn());
    }

    /// Each was shown by another, marked, and unmarked once at most.
    fn holds(&self) {
        for (id, marks) in &self.marks {
            let unmarked = marks.iter().filter(|again| !**again).count();
            assert!(unmarked <= 1, "{id}: {marks:?}");
            assert!(marks.contains(&true), "{id}: {marks:?}");
        }
    }
}

fn is_in_state(pid: u32, state: char) -> bool {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat"));
    stat.is_ok_and(|stat| stat.contains(&format!(") {state} ")))
}

#[test]
fn what_another_showed_while_a_reader_stood_still_is_printed_unmarked_at_most_once() {
    let world = World::new();
    let mut late = Stopped::new(&world, 0);
    // Whoever asks for it is shown it at once, whoever holds it.
    assert_eq!(late.unread(), COUNT);
    late.drain(Duration::ZERO);
    late.live.signal(Signal::CONT);
    eventually("it writes the rest", || {
        late.drain(Duration::ZERO);
        late.marks.values().all(|marks| marks.contains(&false))
    });
    late.holds();
    assert_eq!(late.unread(), 0, "nothing is left");
}

#[test]
#[ignore = "takes the 30 s of a lease"]
fn a_reader_that_stood_still_beyond_its_lease_ends_and_what_it_held_is_unmarked_at_most_once() {
    let world = World::new();
    let mut full = Stopped::new(&world, 0);
    let mut late = Stopped::new(&world, 1);
    let stopped = Instant::now();
    eventually("the lease is over", || stopped.elapsed() > LEASE);
    for one in [&mut full, &mut late] {
        assert_eq!(one.unread(), COUNT);
    }
    // Where there is no room still, the rest of the batch is dropped, and the reader ends.
    full.live.signal(Signal::CONT);
    full.ended();
    full.drained();
    full.holds();
    let written = full.marks.values().filter(|marks| marks.contains(&false));
    let written = written.count();
    assert!(
        (1..COUNT).contains(&written),
        "{written} were written in time"
    );
    // Where there is, the rest may still be written, once, late and unmarked.
    late.drain(Duration::ZERO);
    late.live.signal(Signal::CONT);
    late.live.signal(Signal::TERM);
    late.ended();
    late.drained();
    late.holds();
    for one in [&mut full, &mut late] {
        assert_eq!(one.unread(), 0, "nothing is left");
    }
}
