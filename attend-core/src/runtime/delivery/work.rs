//! What the mailbox is asked, one thing at a time, and what it answers.

use std::pin::Pin;
use std::sync::Arc;

use crate::mail::{
    Awaiting, Claim, ClaimId, ClaimRequest, Evidence, MailError, MailErrorKind, Mailbox,
    MailboxExt, News, Projects, Reader, Settled, Submission, Sweep, Swept, Tracking,
};

type Doing<T> = Pin<Box<dyn Future<Output = Result<T, MailError>> + Send>>;

/// What is done with mail.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Step {
    Look,
    Claim,
    Settle,
    Send,
    Remind,
    List,
    Keep,
    Sweep,
}

impl Step {
    /// What cannot be done, in a sentence that begins with "mail cannot be".
    pub(super) fn what(self) -> &'static str {
        match self {
            Self::Look => "looked for",
            Self::Claim => "claimed",
            Self::Settle => "settled",
            Self::Send => "sent for a sensor",
            Self::Remind => "sent for a reminder",
            Self::List => "looked through for what was seen",
            Self::Keep => "marked as seen",
            Self::Sweep => "cleaned up",
        }
    }
}

/// Whether what failed so may go well later.
pub(super) fn may_pass(kind: MailErrorKind) -> bool {
    use MailErrorKind::{Busy, Denied, Displaced, Failed, Full};
    matches!(kind, Busy | Denied | Displaced | Failed | Full)
}

/// What the mailbox was asked, and has not answered yet.
pub(super) enum Work {
    Look(Doing<News>),
    Claim(Doing<Claim>),
    Settle(Doing<()>),
    Send(Doing<()>),
    Remind(Doing<u64>),
    List(Doing<Awaiting>),
    Keep(Doing<Tracking>),
    Projects(Doing<Projects>),
    Sweep(Doing<Swept>),
}

/// The mailbox's answer.
pub(super) enum Done {
    Looked(Result<News, MailError>),
    Claimed(Result<Claim, MailError>),
    Settled(Result<(), MailError>),
    Sent(Result<(), MailError>),
    Reminded(Result<u64, MailError>),
    Listed(Result<Awaiting, MailError>),
    Kept(Result<Tracking, MailError>),
    Known(Result<Projects, MailError>),
    Swept(Result<Swept, MailError>),
}

impl Work {
    pub(super) fn look(mailbox: Arc<dyn Mailbox>, reader: Reader, above: usize) -> Self {
        Self::Look(Box::pin(async move { mailbox.news(&reader, above).await }))
    }

    pub(super) fn claim(mailbox: Arc<dyn Mailbox>, request: ClaimRequest) -> Self {
        Self::Claim(Box::pin(async move { mailbox.claim(&request).await }))
    }

    pub(super) fn settle(mailbox: Arc<dyn Mailbox>, claim: ClaimId, settled: Settled) -> Self {
        Self::Settle(Box::pin(
            async move { mailbox.settle(claim, &settled).await },
        ))
    }

    pub(super) fn send(mailbox: Arc<dyn Mailbox>, submission: Submission) -> Self {
        Self::Send(Box::pin(async move {
            mailbox.send(&submission).await.map(|_| ())
        }))
    }

    pub(super) fn remind(mailbox: Arc<dyn Mailbox>, reader: &Reader) -> Self {
        let seat = reader.seat;
        Self::Remind(Box::pin(async move { mailbox.due(seat).await }))
    }

    pub(super) fn list(mailbox: Arc<dyn Mailbox>, reader: Reader) -> Self {
        Self::List(Box::pin(async move { mailbox.awaited(&reader).await }))
    }

    pub(super) fn keep(mailbox: Arc<dyn Mailbox>, evidence: Evidence) -> Self {
        Self::Keep(Box::pin(async move { mailbox.evidence(evidence).await }))
    }

    pub(super) fn projects(mailbox: Arc<dyn Mailbox>) -> Self {
        Self::Projects(Box::pin(async move { mailbox.projects().await }))
    }

    pub(super) fn sweep(mailbox: Arc<dyn Mailbox>, sweep: Sweep) -> Self {
        Self::Sweep(Box::pin(async move { mailbox.sweep(sweep).await }))
    }

    /// Whether its answer matters also at the end: something is to be undone, or done once.
    pub(super) fn is_a_change(&self) -> bool {
        matches!(self, Self::Claim(_) | Self::Settle(_) | Self::Send(_))
    }

    pub(super) async fn done(&mut self) -> Done {
        match self {
            Self::Look(look) => Done::Looked(look.as_mut().await),
            Self::Claim(claim) => Done::Claimed(claim.as_mut().await),
            Self::Settle(settle) => Done::Settled(settle.as_mut().await),
            Self::Send(send) => Done::Sent(send.as_mut().await),
            Self::Remind(remind) => Done::Reminded(remind.as_mut().await),
            Self::List(list) => Done::Listed(list.as_mut().await),
            Self::Keep(keep) => Done::Kept(keep.as_mut().await),
            Self::Projects(ask) => Done::Known(ask.as_mut().await),
            Self::Sweep(sweep) => Done::Swept(sweep.as_mut().await),
        }
    }
}
