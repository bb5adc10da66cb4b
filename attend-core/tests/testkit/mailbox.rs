//! The store in memory keeps the contract of a mailbox, and whoever breaks it is caught.

use std::sync::Arc;

use attend_core::mail::{
    Answer, Change, Changed, Claim, ClaimId, ClaimRequest, MailError, MailWaker, Mailbox,
    MailboxExt as _, MemoryMailbox, Query, Reader, Receipt, Settled, Submission,
};
use attend_core::testkit::{FakeAround, mailbox_conformance, mailboxes_agree};

fn memory(around: FakeAround) -> Box<dyn Mailbox> {
    Box::new(MemoryMailbox::new(Arc::new(around)))
}

#[test]
fn the_store_in_memory_keeps_the_contract() {
    mailbox_conformance(memory);
}

#[test]
fn two_stores_in_memory_agree() {
    for seed in 0..8 {
        mailboxes_agree(seed, 400, memory, memory);
    }
}

/// One rule that a mailbox may break.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Breach {
    /// No message is ever marked as one that may have been shown.
    NoMark,
    /// What was not written is settled all the same.
    SettlesAll,
    /// A digest counts nothing.
    CountsNothing,
    /// A miss counts, whichever showing it means.
    MissesAny,
    /// Nothing is sent when it is due.
    RemindsNever,
}

struct Broken {
    inner: MemoryMailbox,
    breach: Breach,
    granted: std::sync::Mutex<Vec<Claim>>,
}

fn broken(breach: Breach) -> impl Fn(FakeAround) -> Box<dyn Mailbox> {
    move |around| {
        Box::new(Broken {
            inner: MemoryMailbox::new(Arc::new(around)),
            breach,
            granted: std::sync::Mutex::default(),
        })
    }
}

#[async_trait::async_trait]
impl Mailbox for Broken {
    async fn send(&self, submission: &Submission) -> Result<Receipt, MailError> {
        self.inner.send(submission).await
    }

    async fn claim(&self, request: &ClaimRequest) -> Result<Claim, MailError> {
        let mut claim = self.inner.claim(request).await?;
        self.granted.lock().unwrap().push(claim.clone());
        if self.breach == Breach::NoMark {
            for granted in &mut claim.granted {
                granted.again = false;
            }
        }
        Ok(claim)
    }

    async fn settle(&self, claim: ClaimId, settled: &Settled) -> Result<(), MailError> {
        let mut settled = settled.clone();
        match self.breach {
            Breach::SettlesAll => {
                let known = self.granted.lock().unwrap();
                let granted = known.iter().filter(|known| known.id == claim);
                let granted = granted.flat_map(|claim| &claim.granted);
                settled.printed = granted.map(|granted| granted.seq).collect();
            }
            Breach::CountsNothing => settled.counted = false,
            _ => {}
        }
        self.inner.settle(claim, &settled).await
    }

    async fn read(&self, query: &Query) -> Result<Answer, MailError> {
        self.inner.read(query).await
    }

    async fn change(&self, change: &Change) -> Result<Changed, MailError> {
        match (self.breach, change) {
            (Breach::MissesAny, Change::Evidence(evidence)) => {
                let awaiting = self.inner.awaited(&evidence.reader).await?;
                let mut evidence = evidence.clone();
                for (seq, shown) in &mut evidence.missing {
                    let mut messages = awaiting.messages.iter();
                    if let Some(awaited) = messages.find(|awaited| awaited.seq == *seq) {
                        *shown = awaited.shown;
                    }
                }
                self.inner.change(&Change::Evidence(evidence)).await
            }
            (Breach::RemindsNever, Change::Due(_)) => Ok(Changed::Reminded(0)),
            _ => self.inner.change(change).await,
        }
    }

    fn waker(&self, reader: &Reader) -> Option<MailWaker> {
        self.inner.waker(reader)
    }
}

#[test]
#[should_panic(expected = "a message is marked exactly when it was claimed before")]
fn a_mailbox_that_marks_nothing_breaks_a_rule() {
    mailbox_conformance(broken(Breach::NoMark));
}

#[test]
#[should_panic(expected = "what was not written goes back, marked")]
fn a_mailbox_that_settles_all_breaks_a_rule() {
    mailbox_conformance(broken(Breach::SettlesAll));
}

#[test]
#[should_panic(expected = "a digest that was written counts what lies in rooms, and no more")]
fn a_mailbox_that_counts_nothing_breaks_a_rule() {
    mailbox_conformance(broken(Breach::CountsNothing));
}

#[test]
#[should_panic(expected = "a miss that means another showing changes nothing")]
fn a_mailbox_that_takes_any_miss_breaks_a_rule() {
    mailbox_conformance(broken(Breach::MissesAny));
}

#[test]
#[should_panic(expected = "reminders come in order of due, each once")]
fn a_mailbox_that_never_reminds_breaks_a_rule() {
    mailbox_conformance(broken(Breach::RemindsNever));
}

/// One of a few histories tells it from the store in memory.
fn differs(breach: Breach) {
    for seed in 0..8 {
        mailboxes_agree(seed, 400, memory, broken(breach));
    }
}

#[test]
#[should_panic(expected = "the mailboxes differ")]
fn a_mailbox_that_takes_any_miss_differs() {
    differs(Breach::MissesAny);
}

#[test]
#[should_panic(expected = "the mailboxes differ")]
fn a_mailbox_that_never_reminds_differs() {
    differs(Breach::RemindsNever);
}

#[test]
#[should_panic(expected = "the mailboxes differ")]
fn a_mailbox_that_marks_nothing_differs() {
    differs(Breach::NoMark);
}

#[test]
#[should_panic(expected = "the mailboxes differ")]
fn a_mailbox_that_settles_all_differs() {
    differs(Breach::SettlesAll);
}

#[test]
#[should_panic(expected = "the mailboxes differ")]
fn a_mailbox_that_counts_nothing_differs() {
    differs(Breach::CountsNothing);
}
