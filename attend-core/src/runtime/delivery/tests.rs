//! The ladder from printed to seen, second by second, with a mailbox and a host.

mod day;
mod posts;
mod sweeps;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use futures::executor::block_on;

use super::{Delivery, News};
use crate::attention::Claiming;
use crate::mail::{
    Answer, Change, Changed, Claim, ClaimId, ClaimRequest, Clock as _, Draft, MailError,
    MailErrorKind, MailWaker, Mailbox, MailboxExt as _, MemoryMailbox, MessageId, Name, Place,
    Query, Reader, Receipt, Sender, Seq, Settled, Sitter, State, Submission, Waiting,
};
use crate::sensor::{Host as _, HostAnswer, HostRequest, HostState};
use crate::testkit::{FakeAround, FakeHost, FakeWatcher};

/// A mailbox that cannot do what evidence needs while it is told so.
struct Failing {
    inner: MemoryMailbox,
    lists: AtomicBool,
    keeps: AtomicBool,
    asked: AtomicU64,
}

impl Failing {
    fn fails(&self, fails: &AtomicBool) -> Result<(), MailError> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        if fails.load(Ordering::Relaxed) {
            return Err(MailError::new(MailErrorKind::Full, "the disk is full"));
        }
        Ok(())
    }
}

#[async_trait]
impl Mailbox for Failing {
    async fn send(&self, submission: &Submission) -> Result<Receipt, MailError> {
        self.inner.send(submission).await
    }

    async fn claim(&self, request: &ClaimRequest) -> Result<Claim, MailError> {
        self.inner.claim(request).await
    }

    async fn settle(&self, claim: ClaimId, settled: &Settled) -> Result<(), MailError> {
        self.inner.settle(claim, settled).await
    }

    async fn read(&self, query: &Query) -> Result<Answer, MailError> {
        if let Query::Awaited(_) = query {
            self.fails(&self.lists)?;
        }
        self.inner.read(query).await
    }

    async fn change(&self, change: &Change) -> Result<Changed, MailError> {
        if let Change::Evidence(_) = change {
            self.fails(&self.keeps)?;
        }
        self.inner.change(change).await
    }

    fn waker(&self, _: &Reader) -> Option<MailWaker> {
        None
    }
}

/// A loop without an engine: what waits is claimed and written at once.
struct Loop {
    around: FakeAround,
    mailbox: Arc<Failing>,
    host: FakeHost,
    state: HostState,
    reader: Reader,
    name: String,
    delivery: Delivery,
    /// What was written, and whether it was marked.
    written: Vec<(MessageId, bool)>,
    said: Vec<String>,
    /// Whether what is written comes to stand in the transcript.
    delivers: bool,
}

impl Loop {
    fn new() -> Self {
        let around = FakeAround::new();
        let mailbox = Arc::new(Failing {
            inner: MemoryMailbox::new(Arc::new(around.clone())),
            lists: AtomicBool::new(false),
            keeps: AtomicBool::new(false),
            asked: AtomicU64::new(0),
        });
        let sitter = Sitter::Session {
            session: "s1".to_owned(),
            process: around.process(1),
            place: Place::new("/api", "/api"),
        };
        let seated = block_on(mailbox.sit(sitter)).unwrap();
        let reader = seated.reader("s1", around.process(2));
        let (delivery, _) = Delivery::new(mailbox.clone(), reader.clone(), &FakeWatcher::new());
        let host = FakeHost::new();
        host.deliver([]);
        Self {
            around,
            mailbox,
            host,
            state: HostState::Busy,
            reader,
            name: seated.name,
            delivery,
            written: Vec::new(),
            said: Vec::new(),
            delivers: true,
        }
    }

    fn send(&self, body: &str) -> Seq {
        let draft = Draft::new(body).to(Name::parse(&self.name).unwrap());
        let submission = Submission::new(Sender::Program, draft);
        block_on(self.mailbox.send(&submission)).unwrap().seq
    }

    fn state(&self, seq: Seq) -> Option<State> {
        let query = Query::Entries {
            seat: self.reader.seat,
            seqs: vec![seq],
        };
        match block_on(self.mailbox.read(&query)).unwrap() {
            Answer::Entries(entries) => entries[0].state,
            other => panic!("{other:?}"),
        }
    }

    /// Lets so many seconds pass.
    fn pass(&mut self, seconds: u64) {
        for _ in 0..seconds {
            self.turns();
            self.around.clock().advance(Duration::from_secs(1));
        }
        self.turns();
    }

    /// Does all that is due now.
    fn turns(&mut self) {
        let now = (self.around.boot(), self.around.wall());
        self.delivery.host(now.0, self.state);
        for _ in 0..100 {
            for news in self.delivery.take(now.0) {
                self.hear(news);
            }
            self.delivery.begin(now, 8, true);
            if let Some(question) = self.delivery.question(now.0) {
                let answer = block_on(self.host.ask(&HostRequest::Shown(question)));
                let seen = match answer {
                    Ok(HostAnswer::Shown(seen)) => Some(seen),
                    _ => None,
                };
                self.delivery.answered(now.0, seen);
            }
            if !self.delivery.is_busy() {
                if self
                    .delivery
                    .due(now.0, now.1)
                    .is_none_or(|due| due > now.0)
                {
                    return;
                }
                continue;
            }
            block_on(self.delivery.next());
        }
        panic!("it never rests");
    }

    fn hear(&mut self, news: News) {
        match news {
            News::Waiting(Waiting::Few(letters)) if !letters.is_empty() => {
                let seqs = letters.iter().map(|letter| letter.seq).collect();
                self.delivery.claim(Claiming::Print(seqs));
            }
            News::Waiting(Waiting::Many { upto, directed, .. }) => {
                let print = directed.iter().map(|letter| letter.seq).collect();
                self.delivery.claim(Claiming::Digest { print, upto });
            }
            News::Claimed(claim) => self.write(&claim),
            News::Trouble(text) => self.said.push(text),
            News::Displaced => panic!("displaced"),
            _ => {}
        }
    }

    fn write(&mut self, claim: &Claim) {
        let seqs: Vec<Seq> = claim.granted.iter().map(|granted| granted.seq).collect();
        let query = Query::Letters {
            seat: self.reader.seat,
            seqs: seqs.clone(),
        };
        let Ok(Answer::Letters(letters)) = block_on(self.mailbox.read(&query)) else {
            panic!("no letters");
        };
        for (letter, granted) in letters.iter().zip(&claim.granted) {
            self.written.push((letter.id.clone(), granted.again));
            if self.delivers {
                self.host.deliver([letter.id.clone()]);
            }
        }
        let counted = claim.counts.is_some();
        self.delivery
            .wrote(self.around.boot(), claim.id, seqs, counted);
    }

    fn marks(&self) -> Vec<bool> {
        self.written.iter().map(|(_, again)| *again).collect()
    }
}

#[test]
fn what_stands_in_the_transcript_is_seen_within_seconds() {
    let mut here = Loop::new();
    here.pass(1);
    let seq = here.send("ship it");
    here.pass(12);
    assert_eq!(here.state(seq), Some(State::Seen));
    here.pass(600);
    assert_eq!(here.marks(), [false]);
    assert_eq!(here.said, [""; 0]);
}

#[test]
fn what_was_dropped_is_shown_again_twice_and_is_unseen_then() {
    let mut here = Loop::new();
    here.delivers = false;
    here.pass(1);
    let seq = here.send("ship it");
    here.pass(55);
    assert_eq!(here.marks(), [false], "a minute is given to the host");
    here.pass(40);
    assert_eq!(here.marks(), [false, true]);
    here.pass(100);
    assert_eq!(here.marks(), [false, true, true]);
    here.pass(600);
    assert_eq!(here.marks(), [false, true, true]);
    assert_eq!(here.state(seq), Some(State::Unseen));
    assert_eq!(here.said, [""; 0]);
}

#[test]
fn a_second_showing_that_arrives_is_the_last() {
    let mut here = Loop::new();
    here.delivers = false;
    here.pass(1);
    let seq = here.send("ship it");
    here.pass(30);
    here.delivers = true;
    here.pass(600);
    assert_eq!(here.marks(), [false, true]);
    assert_eq!(here.state(seq), Some(State::Seen));
}

#[test]
fn an_idle_host_has_no_time_to_miss_anything() {
    let mut here = Loop::new();
    here.delivers = false;
    here.pass(1);
    here.send("ship it");
    here.pass(10);
    here.state = HostState::Idle {
        since: crate::dynamics::Tick::new(0),
    };
    here.pass(3_600);
    assert_eq!(here.marks(), [false]);
    here.state = HostState::Busy;
    here.pass(40);
    assert_eq!(here.marks(), [false]);
    here.pass(60);
    assert_eq!(here.marks(), [false, true]);
}

#[test]
fn a_transcript_that_shows_nothing_ends_the_repeats() {
    for pause in [0, 61, 200] {
        let mut here = Loop::new();
        here.delivers = false;
        here.pass(1);
        for n in 0..20 {
            here.send(&format!("number {n}"));
            here.pass(pause);
        }
        here.pass(2_000);
        let repeats = here.marks().iter().filter(|again| **again).count();
        let first = here.marks().iter().filter(|again| !**again).count();
        assert_eq!(first, 20, "with pauses of {pause} s");
        assert!(repeats <= 10, "{repeats} repeats with pauses of {pause} s");
        assert_eq!(here.said.len(), 1, "{:?}", here.said);
        here.send("one more");
        here.pass(2_000);
        assert_eq!(
            here.marks().len(),
            21 + repeats,
            "nothing is repeated any more"
        );
    }
}

#[test]
fn without_a_transcript_printed_is_the_end() {
    let mut here = Loop::new();
    here.host = FakeHost::new();
    here.pass(1);
    let seq = here.send("ship it");
    here.pass(1_000);
    assert_eq!(here.marks(), [false]);
    assert_eq!(here.state(seq), Some(State::Printed));
}

#[test]
fn a_reminder_is_shown_at_its_second() {
    let mut here = Loop::new();
    here.pass(1);
    let due = here.around.wall() + Duration::from_secs(77);
    let id = block_on(
        here.mailbox
            .remind(here.reader.seat, due, "look".to_owned()),
    )
    .unwrap();
    // A loop in another process would be rung.
    here.delivery.look_again();
    here.pass(76);
    assert_eq!(here.marks().len(), 0);
    here.pass(1);
    assert_eq!(here.written, [(id, false)]);
}

#[test]
fn a_reminder_that_came_due_during_a_suspend_says_so_at_once() {
    let mut here = Loop::new();
    here.pass(1);
    let due = here.around.wall() + Duration::from_mins(10);
    let id = block_on(
        here.mailbox
            .remind(here.reader.seat, due, "look".to_owned()),
    )
    .unwrap();
    here.delivery.look_again();
    here.pass(1);
    here.around.clock().advance(Duration::from_hours(1));
    here.turns();
    assert_eq!(here.written, [(id.clone(), false)]);
    let query = Query::Message { id, seat: None };
    match block_on(here.mailbox.read(&query)).unwrap() {
        Answer::Message(Some(whole)) => {
            assert_eq!(whole.entry.body, "reminder, 50m late: look");
        }
        other => panic!("{other:?}"),
    }
    here.pass(120);
    assert_eq!(here.written.len(), 1, "seen, and never again");
}

#[test]
fn a_mailbox_that_cannot_list_is_asked_now_and_then() {
    let mut here = Loop::new();
    here.pass(1);
    here.mailbox.lists.store(true, Ordering::Relaxed);
    let seq = here.send("ship it");
    here.pass(600);
    let asked = here.mailbox.asked.load(Ordering::Relaxed);
    assert!((10..=60).contains(&asked), "{asked} times in ten minutes");
    assert_eq!(here.said.len(), 1, "{:?}", here.said);
    here.mailbox.lists.store(false, Ordering::Relaxed);
    here.pass(60);
    assert_eq!(here.state(seq), Some(State::Seen));
    assert_eq!(here.marks(), [false]);
}

#[test]
fn evidence_that_cannot_be_kept_is_kept_later() {
    let mut here = Loop::new();
    here.pass(1);
    here.mailbox.keeps.store(true, Ordering::Relaxed);
    let seq = here.send("ship it");
    here.pass(600);
    let asked = here.mailbox.asked.load(Ordering::Relaxed);
    assert!((10..=200).contains(&asked), "{asked} times in ten minutes");
    assert_eq!(here.state(seq), Some(State::Printed));
    here.mailbox.keeps.store(false, Ordering::Relaxed);
    here.pass(10);
    assert_eq!(here.state(seq), Some(State::Seen));
    here.pass(600);
    assert_eq!(here.marks(), [false]);
    assert_eq!(here.said.len(), 1, "{:?}", here.said);
}
