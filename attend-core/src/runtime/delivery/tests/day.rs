//! A day in virtual time: loops that are armed again every half an hour, hooks beside them, and a
//! host that drops lines.

use std::collections::BTreeMap;
use std::time::Duration;

use futures::executor::block_on;

use super::{Answer, Delivery, Loop, Waiting};
use crate::mail::{
    Around as _, ClaimRequest, Clock as _, Mailbox as _, MailboxExt as _, MessageId, Query, Reader,
    Seq, Settled, State, Wanted,
};
use crate::testkit::{FakeWatcher, SimulatedMonitor};

const DAY: u64 = 86_400;
const HALF_AN_HOUR: u64 = 1_800;

/// Seconds between two batches of messages, as the engine leaves them.
const COOLDOWN: u64 = 3;

struct Day {
    here: Loop,
    monitors: Vec<SimulatedMonitor>,
    /// When the loop that runs was armed.
    armed: u64,
    /// How many of what was written Monitor was given, and when that was last.
    given: usize,
    last: u64,
    processes: u32,
    dropped: usize,
    sent: Vec<Seq>,
    /// When many came at once.
    many: u64,
}

impl Day {
    fn new() -> Self {
        Self {
            here: Loop::new(),
            monitors: vec![SimulatedMonitor::new()],
            armed: 0,
            given: 0,
            last: 0,
            processes: 2,
            dropped: 0,
            sent: Vec::new(),
            many: 0,
        }
    }

    fn random(&self, below: u64) -> u64 {
        self.here.around.random() % below
    }

    /// A reader of the same seat in a process of its own.
    fn another(&mut self) -> Reader {
        self.processes += 1;
        let process = self.here.around.process(self.processes);
        Reader {
            process,
            ..self.here.reader.clone()
        }
    }

    /// The loop is killed, whatever it has not settled, and another is armed.
    fn arm_again(&mut self, second: u64) {
        self.here.around.end(&self.here.reader.process.clone());
        let reader = self.another();
        self.here.reader = reader.clone();
        let mailbox = self.here.mailbox.clone();
        (self.here.delivery, _) = Delivery::new(mailbox, reader, &FakeWatcher::new());
        self.monitors.push(SimulatedMonitor::new());
        self.armed = second;
    }

    /// A hook takes what waits and puts it before the model, or is killed before it writes.
    fn hook(&mut self, is_killed: bool) {
        let reader = self.another();
        let mailbox = self.here.mailbox.clone();
        let waiting = block_on(mailbox.look(&reader, 8)).unwrap();
        let letters = match waiting {
            Waiting::Few(letters) => letters,
            Waiting::Many { directed, .. } => directed,
        };
        let seqs = letters.iter().map(|letter| letter.seq).collect();
        let request = ClaimRequest::new(reader.clone(), Wanted::Print(seqs));
        let claim = block_on(mailbox.claim(&request)).unwrap();
        if !is_killed {
            let granted: BTreeMap<Seq, bool> = claim
                .granted
                .iter()
                .map(|one| (one.seq, one.again))
                .collect();
            for letter in letters {
                if let Some(again) = granted.get(&letter.seq) {
                    self.here.written.push((letter.id.clone(), *again));
                    self.here.host.deliver([letter.id]);
                }
            }
            let printed: Vec<Seq> = granted.into_keys().collect();
            let settled = Settled::printed(reader.clone(), printed).tracked(true);
            block_on(mailbox.settle(claim.id, &settled)).unwrap();
            // None of it went through Monitor.
            self.given = self.here.written.len();
        }
        self.here.around.end(&reader.process);
    }

    /// The loop does what is due, and Monitor is given what it wrote.
    fn turn(&mut self, second: u64) {
        let (boot, wall) = (self.here.around.boot(), self.here.around.wall());
        let due = self.here.delivery.due(boot, wall);
        if second < self.last + COOLDOWN || due.is_none_or(|due| due > boot) {
            return;
        }
        // Where ten in a row are never found, nobody looks any more.
        let is_dropped = self.random(40) == 0 && second > self.many + 300;
        self.here.delivers = !is_dropped;
        self.here.turns();
        let lines: Vec<String> = self.here.written[self.given..]
            .iter()
            .map(|(id, _)| format!("[attend sensor=messages priority=high] {id} words\n"))
            .collect();
        if lines.is_empty() {
            return;
        }
        (self.given, self.last) = (self.here.written.len(), second);
        let monitor = self.monitors.last_mut().unwrap();
        if is_dropped && second.is_multiple_of(2) {
            monitor.suppress_next(1);
        } else if is_dropped {
            monitor.lose_next(1);
        }
        self.dropped += usize::from(is_dropped);
        assert!(
            monitor.write((second - self.armed) * 1_000, lines.concat()),
            "it stopped"
        );
    }

    /// One second passes.
    fn second(&mut self, second: u64) {
        let is_open = second < DAY - HALF_AN_HOUR;
        if second > 0 && second.is_multiple_of(HALF_AN_HOUR) {
            self.arm_again(second);
        }
        // Now one, now many at once.
        let count = match self.random(800) {
            0..4 if is_open => 1 + self.random(3),
            4 if is_open => 12,
            _ => 0,
        };
        if count > 8 {
            self.many = second;
        }
        for n in 0..count {
            self.sent.push(self.here.send(&format!("{second}/{n}")));
        }
        match self.random(300) {
            0 => self.hook(false),
            1 if is_open => self.hook(true),
            _ => {}
        }
        self.turn(second);
        self.here.around.clock().advance(Duration::from_secs(1));
    }
}

#[test]
fn a_day_loses_nothing_and_shows_nothing_unmarked_twice() {
    let mut day = Day::new();
    for second in 0..DAY {
        day.second(second);
    }
    assert!(day.sent.len() > 200 && day.monitors.len() == 48);
    let mut undelivered = 0;
    for monitor in &mut day.monitors {
        monitor.advance(HALF_AN_HOUR * 1_000 + 1_000);
        assert_eq!(monitor.stopped(), None);
        let notifications = monitor.notifications().iter();
        undelivered += notifications.filter(|told| !told.is_delivered()).count();
    }
    assert!(day.dropped > 5);
    assert_eq!(undelivered, day.dropped, "Monitor itself left nothing out");
    let mut unmarked = BTreeMap::<&MessageId, usize>::new();
    for (id, again) in &day.here.written {
        *unmarked.entry(id).or_default() += usize::from(!again);
    }
    assert_eq!(unmarked.len(), day.sent.len(), "all of it was shown");
    assert!(unmarked.values().all(|count| *count <= 1));
    assert!(
        day.here.marks().contains(&true),
        "what was dropped was shown again"
    );
    let query = Query::Entries {
        seat: day.here.reader.seat,
        seqs: day.sent.clone(),
    };
    let Answer::Entries(entries) = block_on(day.here.mailbox.read(&query)).unwrap() else {
        panic!("no entries")
    };
    assert!(entries.iter().all(|entry| entry.state == Some(State::Seen)));
    assert_eq!(day.here.said, [""; 0]);
}
