//! The store in memory: the contract in its plainest form, for tests and as a model of the others.

mod book;

mod names;

mod send;

mod rooms;

mod occupants;

mod seats;

mod news;

mod mutes;

mod claims;

mod evidence;

mod reminders;

mod cleanup;

mod ledger;

#[cfg(test)]
mod tests;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;

use self::book::Book;
use super::around::Around;
use super::change::{Change, Changed};
use super::claim::{Claim, ClaimId, ClaimRequest, Settled};
use super::error::MailError;
use super::mailbox::{MailWaker, Mailbox};
use super::request::{Answer, Query, Receipt, Submission};
use super::seat::Reader;

/// A mailbox that lasts as long as its process.
///
/// Clones are the same mailbox.
#[derive(Clone)]
pub struct MemoryMailbox {
    book: Arc<Mutex<Book>>,
    around: Arc<dyn Around>,
}

impl MemoryMailbox {
    /// An empty mailbox.
    pub fn new(around: Arc<dyn Around>) -> Self {
        Self {
            book: Arc::default(),
            around,
        }
    }

    /// Does `action` on the whole, or leaves everything as it was.
    fn transact<T>(
        &self,
        action: impl FnOnce(&mut Book, &dyn Around) -> Result<T, MailError>,
    ) -> Result<T, MailError> {
        let mut book = self.book();
        let mut next = book.clone();
        let done = action(&mut next, self.around.as_ref())?;
        *book = next;
        Ok(done)
    }

    /// A panic cannot leave it half changed: changes are made on a copy.
    fn book(&self) -> MutexGuard<'_, Book> {
        self.book.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl std::fmt::Debug for MemoryMailbox {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("MemoryMailbox").finish_non_exhaustive()
    }
}

#[async_trait]
impl Mailbox for MemoryMailbox {
    async fn send(&self, submission: &Submission) -> Result<Receipt, MailError> {
        self.transact(|book, around| book.send(submission, around))
    }

    async fn claim(&self, request: &ClaimRequest) -> Result<Claim, MailError> {
        self.transact(|book, around| book.claim(request, around))
    }

    async fn settle(&self, claim: ClaimId, settled: &Settled) -> Result<(), MailError> {
        self.transact(|book, around| book.settle(claim, settled, around))
    }

    async fn read(&self, query: &Query) -> Result<Answer, MailError> {
        self.book().read(query, self.around.as_ref())
    }

    async fn change(&self, change: &Change) -> Result<Changed, MailError> {
        self.transact(|book, around| book.change(change, around))
    }

    fn waker(&self, _: &Reader) -> Option<MailWaker> {
        None
    }
}
