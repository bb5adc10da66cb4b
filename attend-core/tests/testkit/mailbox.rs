//! The store in memory keeps the contract of a mailbox, and whoever breaks it is caught.

use std::sync::Arc;

use attend_core::mail::{
    Answer, Change, Changed, Claim, ClaimId, ClaimRequest, MailError, MailWaker, Mailbox,
    MemoryMailbox, Query, Reader, Receipt, Settled, Submission,
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
            Breach::NoMark => {}
        }
        self.inner.settle(claim, &settled).await
    }

    async fn read(&self, query: &Query) -> Result<Answer, MailError> {
        self.inner.read(query).await
    }

    async fn change(&self, change: &Change) -> Result<Changed, MailError> {
        self.inner.change(change).await
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
#[should_panic(expected = "the mailboxes differ")]
fn a_mailbox_that_marks_nothing_differs() {
    mailboxes_agree(1, 400, memory, broken(Breach::NoMark));
}

#[test]
#[should_panic(expected = "the mailboxes differ")]
fn a_mailbox_that_settles_all_differs() {
    mailboxes_agree(1, 400, memory, broken(Breach::SettlesAll));
}

#[test]
#[should_panic(expected = "the mailboxes differ")]
fn a_mailbox_that_counts_nothing_differs() {
    mailboxes_agree(1, 400, memory, broken(Breach::CountsNothing));
}
