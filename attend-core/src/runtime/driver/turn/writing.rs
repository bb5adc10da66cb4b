//! Writing a batch, and what becomes of it.

use std::pin::Pin;
use std::time::Duration;

use super::Turn;
use crate::attention::{Batch, units};
use crate::mail::CLAIM_LEASE;
use crate::runtime::driver::axis::Now;
use crate::runtime::driver::{DriverError, DriverErrorKind, Ended};
use crate::runtime::system::Unwritten;

/// A batch that is being written.
pub(super) struct Writing {
    batch: Batch,
    pub(super) done: Pin<Box<dyn Future<Output = Result<(), Unwritten>> + Send>>,
    /// When it is given up, on the clock that never steps; never where it carries no mail.
    pub(super) until: Option<Duration>,
}

impl Turn {
    /// First the checkpoint, which is already the state after the write, then the lines. Mail
    /// alone waits for no checkpoint: the mailbox remembers it.
    pub(super) fn write(&mut self, now: Now, batch: Batch, millis: u64) {
        let (output, text) = (self.output.clone(), batch.to_string());
        self.budget.take(millis, units(&text));
        if batch.is_mail_only() {
            self.memory.changed(now.boot);
        } else {
            self.store(now);
            self.flush(now);
        }
        let since = self.claimed_at.take().unwrap_or(now.boot);
        let until = batch.mail().map(|_| since.saturating_add(CLAIM_LEASE));
        self.writing = Some(Writing {
            batch,
            done: Box::pin(async move { output.write(&text).await }),
            until,
        });
    }

    pub(super) fn settle(
        &mut self,
        now: Now,
        written: Result<(), Unwritten>,
    ) -> Result<Option<Ended>, DriverError> {
        let Some(writing) = self.writing.take() else {
            return Ok(None);
        };
        let Err(unwritten) = written else {
            self.engine.ack(now.tick, writing.batch.id());
            self.wrote_mail(now, &writing.batch, usize::MAX);
            self.flush(now);
            return Ok(None);
        };
        self.settle_unwritten(now, &writing, unwritten.written);
        if unwritten.closed {
            return Ok(Some(Ended::Closed));
        }
        Err(DriverError::new(DriverErrorKind::Write)(unwritten.error))
    }

    /// A batch of which something got out counts as told: an event may be dropped, but is not
    /// told twice. Of its mail, what stands there in full is told.
    pub(super) fn settle_unwritten(&mut self, now: Now, writing: &Writing, written: usize) {
        let batch = &writing.batch;
        let text = batch.to_string();
        if written > 0 && text.as_bytes().get(written - 1) != Some(&b'\n') {
            self.output.close_line();
        }
        if written > 0 {
            self.engine.ack(now.tick, batch.id());
        } else {
            self.engine.nack(now.tick, batch.id());
        }
        self.wrote_mail(now, batch, written);
    }

    /// Drops the rest of a batch that is not written by the time that its mail is another's.
    pub(super) fn give_up(&mut self, now: Now) -> Option<Ended> {
        let writing = self.writing.as_ref()?;
        if writing.until.is_none_or(|until| now.boot < until) {
            return None;
        }
        let writing = self.writing.take()?;
        self.settle_unwritten(now, &writing, self.output.written());
        Some(Ended::Stalled)
    }
}
