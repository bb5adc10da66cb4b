//! The mailbox: the seam behind which messages are kept.

use std::path::PathBuf;
use std::time::SystemTime;

use async_trait::async_trait;

use super::change::{Change, Changed};
use super::claim::{Claim, ClaimId, ClaimRequest, News, Settled, Waiting};
use super::cleanup::{Projects, Sweep, Swept};
use super::envelope::MessageId;
use super::error::{MailError, MailErrorKind};
use super::evidence::{Awaiting, Evidence, Tracking};
use super::mute::Muted;
use super::name::RoomName;
use super::reminder::Reminder;
use super::request::{Answer, Query, Receipt, Submission};
use super::seat::{Reader, SeatId, Seated, Sitter};

/// A store for messages.
///
/// Every method is one transaction: it happens whole or not at all, and two of them never see
/// each other half done. What [`send`](Self::send) acknowledged is durable, and reaches every
/// addressee; of all showings of one message to one seat at most one comes without the mark
/// [`again`](super::Granted::again). A suite in `testkit` holds a store to the whole contract.
///
/// A store must not interpret words, must not remove anything by age, must not deliver on its
/// own, and must not hold up its caller's thread.
#[async_trait]
pub trait Mailbox: Send + Sync {
    /// Keeps a message, with one delivery for each addressee, and says whom it reaches.
    ///
    /// It must not answer before that is durable, keep it for some addressees and not for others,
    /// wait for a reader, or learn from the words who the sender is.
    ///
    /// # Errors
    ///
    /// UnknownName, UnknownRoom, Ambiguous: of an addressee; nothing is kept then.
    /// UnknownMessage: what it answers. Invalid: no body, or one above
    /// [`MAX_BODY`](super::MAX_BODY). KeyReused: the key stands for another message.
    async fn send(&self, submission: &Submission) -> Result<Receipt, MailError>;

    /// Gives messages to a reader that is about to write them, and durably marks each as one that
    /// may have been shown.
    ///
    /// What another live claim holds, or is not new any more, is not among them.
    ///
    /// It must not answer before the marks are durable, give more than was asked for, or give one
    /// out of the order in which they were sent.
    ///
    /// # Errors
    ///
    /// Displaced: the seat has moved on to another epoch, or its session has ended.
    async fn claim(&self, request: &ClaimRequest) -> Result<Claim, MailError>;

    /// Says what was written of a claim. A claim that has lapsed or is void settles nothing that
    /// another has taken since.
    ///
    /// It must not count as written what was not, nor refuse a claim because it has lapsed, is
    /// void or was settled before.
    ///
    /// # Errors
    ///
    /// Displaced: the seat has moved on to another epoch, or its session has ended.
    async fn settle(&self, claim: ClaimId, settled: &Settled) -> Result<(), MailError>;

    /// Answers a question, and changes nothing.
    ///
    /// It must not claim, mark as shown or seen, seat anybody, or clean up; nor take longer because
    /// of what is old and not asked about.
    ///
    /// # Errors
    ///
    /// UnknownSeat, UnknownRoom, UnknownMessage: what is asked about.
    async fn read(&self, query: &Query) -> Result<Answer, MailError>;

    /// Changes something beside messages.
    ///
    /// It must not change the words, the sender or the order of a message, and removes none but
    /// with the [project](Change::Sweep) that is gone.
    ///
    /// # Errors
    ///
    /// Displaced: as for a claim; evidence only where something is missing. Taken: another loop is
    /// registered, and lives. UnknownSeat: the seat. UnknownRoom: a room to be muted that the seat
    /// is not in. Invalid: a reminder without words, or one too many.
    async fn change(&self, change: &Change) -> Result<Changed, MailError>;

    /// What tells a reader that something may have come; none where it has to look by itself. It
    /// must not block, panic, or make the file.
    fn waker(&self, reader: &Reader) -> Option<MailWaker>;
}

/// A file that changes whenever something may have come for one session.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct MailWaker {
    /// The file; it need not exist yet.
    pub path: PathBuf,
}

impl MailWaker {
    /// The file at `path` tells.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into() }
    }
}

/// Typed helpers over [`Mailbox::change`] and [`Mailbox::read`].
#[async_trait]
pub trait MailboxExt: Mailbox {
    /// Sits down, or finds the seat where `sitter` sits already.
    ///
    /// # Errors
    ///
    /// As [`Mailbox::change`].
    async fn sit(&self, sitter: Sitter) -> Result<Seated, MailError> {
        match self.change(&Change::Sit(sitter)).await? {
            Changed::Sat(seated) => Ok(seated),
            other => Err(unfit(&other)),
        }
    }

    /// Joins a room; gives how many messages it held, none if it was a member already.
    ///
    /// # Errors
    ///
    /// As [`Mailbox::change`].
    async fn join(&self, seat: SeatId, room: RoomName) -> Result<Option<u64>, MailError> {
        match self.change(&Change::Join { seat, room }).await? {
            Changed::Joined { earlier, is_new } => Ok(is_new.then_some(earlier)),
            other => Err(unfit(&other)),
        }
    }

    /// Leaves a room; gives how many unread messages stay to be delivered, none if it was no
    /// member.
    ///
    /// # Errors
    ///
    /// As [`Mailbox::change`].
    async fn leave(&self, seat: SeatId, room: RoomName) -> Result<Option<u64>, MailError> {
        match self.change(&Change::Leave { seat, room }).await? {
            Changed::Left { was_member, unread } => Ok(was_member.then_some(unread)),
            other => Err(unfit(&other)),
        }
    }

    /// What is new for `reader`, and what else its loop has to know; a digest starts above
    /// `above`.
    ///
    /// # Errors
    ///
    /// As [`Mailbox::read`].
    async fn news(&self, reader: &Reader, above: usize) -> Result<News, MailError> {
        let reader = reader.clone();
        match self.read(&Query::New { reader, above }).await? {
            Answer::New(news) => Ok(news),
            other => Err(unfit(&other)),
        }
    }

    /// Only what is new for `reader`; a digest starts above `above`.
    ///
    /// # Errors
    ///
    /// As [`Mailbox::read`].
    async fn look(&self, reader: &Reader, above: usize) -> Result<Waiting, MailError> {
        Ok(self.news(reader, above).await?.waiting)
    }

    /// What was shown to `reader`'s session and is not known to be seen.
    ///
    /// # Errors
    ///
    /// As [`Mailbox::read`].
    async fn awaited(&self, reader: &Reader) -> Result<Awaiting, MailError> {
        match self.read(&Query::Awaited(reader.clone())).await? {
            Answer::Awaited(awaiting) => Ok(awaiting),
            other => Err(unfit(&other)),
        }
    }

    /// Says what a look for evidence found; gives whether to go on looking.
    ///
    /// # Errors
    ///
    /// As [`Mailbox::change`].
    async fn evidence(&self, evidence: Evidence) -> Result<Tracking, MailError> {
        match self.change(&Change::Evidence(evidence)).await? {
            Changed::Tracked(tracking) => Ok(tracking),
            other => Err(unfit(&other)),
        }
    }

    /// Waits with these words until `due`; gives the id that the message will have.
    ///
    /// # Errors
    ///
    /// As [`Mailbox::change`].
    async fn remind(
        &self,
        seat: SeatId,
        due: SystemTime,
        text: String,
    ) -> Result<MessageId, MailError> {
        match self.change(&Change::Remind { seat, due, text }).await? {
            Changed::Reminding(id) => Ok(id),
            other => Err(unfit(&other)),
        }
    }

    /// Sends the reminders of `seat` that are due, at most
    /// [`MOST_DUE`](super::MOST_DUE) at once; gives how many there were.
    ///
    /// # Errors
    ///
    /// As [`Mailbox::change`].
    async fn due(&self, seat: SeatId) -> Result<u64, MailError> {
        match self.change(&Change::Due(seat)).await? {
            Changed::Reminded(count) => Ok(count),
            other => Err(unfit(&other)),
        }
    }

    /// Takes a reminder back; gives whether there was one.
    ///
    /// # Errors
    ///
    /// As [`Mailbox::change`].
    async fn cancel(&self, seat: SeatId, id: MessageId) -> Result<bool, MailError> {
        match self.change(&Change::Cancel { seat, id }).await? {
            Changed::Cancelled(was_there) => Ok(was_there),
            other => Err(unfit(&other)),
        }
    }

    /// The reminders of `seat` that are yet to come, the next one first.
    ///
    /// # Errors
    ///
    /// As [`Mailbox::read`].
    async fn reminders(&self, seat: SeatId) -> Result<Vec<Reminder>, MailError> {
        match self.read(&Query::Reminders(seat)).await? {
            Answer::Reminders(reminders) => Ok(reminders),
            other => Err(unfit(&other)),
        }
    }

    /// All projects, and when they were swept.
    ///
    /// # Errors
    ///
    /// As [`Mailbox::read`].
    async fn projects(&self) -> Result<Projects, MailError> {
        match self.read(&Query::Projects).await? {
            Answer::Projects(projects) => Ok(projects),
            other => Err(unfit(&other)),
        }
    }

    /// Removes some of what belongs to projects that are gone.
    ///
    /// # Errors
    ///
    /// As [`Mailbox::change`].
    async fn sweep(&self, sweep: Sweep) -> Result<Swept, MailError> {
        match self.change(&Change::Sweep(sweep)).await? {
            Changed::Swept(swept) => Ok(swept),
            other => Err(unfit(&other)),
        }
    }

    /// What is muted at `seat`.
    ///
    /// # Errors
    ///
    /// As [`Mailbox::read`].
    async fn mutes(&self, seat: SeatId) -> Result<Vec<Muted>, MailError> {
        match self.read(&Query::Mutes(seat)).await? {
            Answer::Mutes(mutes) => Ok(mutes),
            other => Err(unfit(&other)),
        }
    }

    /// How much is unread at `seat`.
    ///
    /// # Errors
    ///
    /// As [`Mailbox::read`].
    async fn unread(&self, seat: SeatId) -> Result<u64, MailError> {
        match self.read(&Query::Unread(seat)).await? {
            Answer::Unread(count) => Ok(count),
            other => Err(unfit(&other)),
        }
    }
}

impl<M: Mailbox + ?Sized> MailboxExt for M {}

/// A store that answers something else than it was asked breaks the contract.
fn unfit(answer: &dyn std::fmt::Debug) -> MailError {
    let text = format!("the mailbox gave an answer of another kind: {answer:?}");
    MailError::new(MailErrorKind::Failed, text)
}
