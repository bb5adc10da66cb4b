//! Delivery: looks for mail, claims what the engine wants to show, and settles what was written.
//!
//! One thing is done at a time, and none of it on this thread: the mailbox answers when it can.

use std::collections::VecDeque;
use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use super::doorbell::Doorbell;
use crate::attention::Claiming;
use crate::mail::{
    Answer, Claim, ClaimId, ClaimRequest, Draft, MailError, MailErrorKind, Mailbox, MailboxExt,
    Muted, Query, Reader, Sender, Settled, Submission, Waiting, Wanted,
};
use crate::sensor::Watcher;

/// How often a reader looks though nothing rang.
const SAFETY: Duration = Duration::from_secs(5);

/// How many messages of sensors wait to be sent.
const MOST_DRAFTS: usize = 256;

type Doing<T> = Pin<Box<dyn Future<Output = Result<T, MailError>> + Send>>;

/// The mail of one seat.
pub(super) struct Delivery {
    mailbox: Arc<dyn Mailbox>,
    reader: Reader,
    doorbell: Doorbell,
    work: Option<Work>,
    done: Option<Done>,
    /// What was written and is not settled yet.
    unsettled: VecDeque<(ClaimId, Settled)>,
    drafts: VecDeque<Draft>,
    /// When to look next, on the clock that never steps.
    look_at: Duration,
    /// What is muted, as of the last look.
    muted: Option<Vec<Muted>>,
    /// What went wrong last, which is said once.
    complaint: Option<String>,
}

/// What the mailbox was asked, and has not answered yet.
enum Work {
    Look(Doing<(Waiting, Vec<Muted>)>),
    Claim(Doing<Claim>),
    Settle(Doing<()>),
    Send(Doing<()>),
}

/// The mailbox's answer.
enum Done {
    Looked(Result<(Waiting, Vec<Muted>), MailError>),
    Claimed(Result<Claim, MailError>),
    Settled(Result<(), MailError>),
    Sent(Result<(), MailError>),
}

/// What an answer of the mailbox means for the engine and for people.
#[derive(Debug)]
pub(super) enum News {
    /// This is muted from now on, and nothing else.
    Muted(Vec<Muted>),
    /// This waits.
    Waiting(Waiting),
    /// This was claimed.
    Claimed(Claim),
    /// The claim could not be made.
    ClaimFailed,
    /// Something went wrong, and is said once.
    Trouble(String),
    /// What was said went well again.
    Recovered(String),
    /// The seat is another's, or its session has ended.
    Displaced,
}

impl Delivery {
    /// The mail that `reader` reads from `mailbox`. Also says what to tell people where the
    /// reader cannot be woken.
    pub(super) fn new(
        mailbox: Arc<dyn Mailbox>,
        reader: Reader,
        watcher: &dyn Watcher,
    ) -> (Self, Option<String>) {
        let (doorbell, failed) = Doorbell::listen(mailbox.waker(&reader), watcher);
        let degraded = failed.map(|error| {
            format!(
                "mail is looked for every {} s, since nothing tells of it: {error}",
                SAFETY.as_secs()
            )
        });
        let delivery = Self {
            mailbox,
            reader,
            doorbell,
            work: None,
            done: None,
            unsettled: VecDeque::new(),
            drafts: VecDeque::new(),
            look_at: Duration::ZERO,
            muted: None,
            complaint: None,
        };
        (delivery, degraded)
    }

    /// Begins what is to be done next, if nothing is under way. `may_look` where an answer of a
    /// look can be used now.
    pub(super) fn begin(&mut self, now: Duration, above: usize, may_look: bool) {
        if self.is_busy() {
            return;
        }
        if let Some((claim, settled)) = self.unsettled.front().cloned()
            && self.look_at_of_settlement(now)
        {
            let mailbox = self.mailbox.clone();
            self.work = Some(Work::Settle(Box::pin(async move {
                mailbox.settle(claim, &settled).await
            })));
        } else if let Some(draft) = self.drafts.front().cloned() {
            let (mailbox, reader) = (self.mailbox.clone(), &self.reader);
            let sender = Sender::Seat {
                seat: reader.seat,
                session: Some(reader.session.clone()),
            };
            let submission = Submission::new(sender, draft);
            self.work = Some(Work::Send(Box::pin(async move {
                mailbox.send(&submission).await.map(|_| ())
            })));
        } else if may_look && self.look_at <= now {
            self.look_at = now.saturating_add(SAFETY);
            let (mailbox, reader) = (self.mailbox.clone(), self.reader.clone());
            self.work = Some(Work::Look(Box::pin(async move {
                let waiting = mailbox.look(&reader, above).await?;
                match mailbox.read(&Query::Mutes(reader.seat)).await? {
                    Answer::Mutes(muted) => Ok((waiting, muted)),
                    _ => Ok((waiting, Vec::new())),
                }
            })));
        }
    }

    /// A settlement that failed is tried again with the next look; a new one at once.
    fn look_at_of_settlement(&self, now: Duration) -> bool {
        self.complaint.is_none() || self.look_at <= now
    }

    /// Claims what is about to be written.
    pub(super) fn claim(&mut self, claiming: Claiming) {
        let what = match claiming {
            Claiming::Print(seqs) => Wanted::Print(seqs),
            Claiming::Digest { print, upto } => Wanted::Digest { print, upto },
        };
        let request = ClaimRequest::new(self.reader.clone(), what);
        let mailbox = self.mailbox.clone();
        let claim = async move { mailbox.claim(&request).await };
        self.work = Some(Work::Claim(Box::pin(claim)));
    }

    /// Remembers what was written of a claim, to be settled.
    pub(super) fn wrote(&mut self, claim: ClaimId, printed: Vec<crate::mail::Seq>, counted: bool) {
        let settled = Settled::printed(self.reader.clone(), printed).counted(counted);
        self.unsettled.push_back((claim, settled));
    }

    /// Takes words of a sensor, to be sent. Says where there are too many.
    pub(super) fn post(&mut self, draft: Draft) -> Option<String> {
        if self.drafts.len() >= MOST_DRAFTS {
            return Some(format!(
                "a message was not sent: {MOST_DRAFTS} others wait for the mail store"
            ));
        }
        self.drafts.push_back(draft);
        None
    }

    /// Whether the mailbox was asked something and has not answered.
    pub(super) fn is_busy(&self) -> bool {
        self.work.is_some() || self.done.is_some()
    }

    /// Whether everything is settled and sent, and nothing is under way.
    pub(super) fn is_at_rest(&self) -> bool {
        !self.is_busy() && self.unsettled.is_empty() && self.drafts.is_empty()
    }

    /// When it looks next.
    pub(super) fn due(&self) -> Option<Duration> {
        (!self.is_busy()).then_some(self.look_at)
    }

    /// Waits for an answer, or for the doorbell. Safe to cancel.
    pub(super) async fn next(&mut self) {
        let Self {
            work,
            done,
            doorbell,
            look_at,
            ..
        } = self;
        let answered = async {
            match work {
                Some(Work::Look(look)) => Done::Looked(look.as_mut().await),
                Some(Work::Claim(claim)) => Done::Claimed(claim.as_mut().await),
                Some(Work::Settle(settle)) => Done::Settled(settle.as_mut().await),
                Some(Work::Send(send)) => Done::Sent(send.as_mut().await),
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            answer = answered => {
                *done = Some(answer);
                *work = None;
            }
            () = doorbell.rings() => *look_at = Duration::ZERO,
        }
    }

    /// What the mailbox answered.
    pub(super) fn take(&mut self, now: Duration) -> Vec<News> {
        let Some(done) = self.done.take() else {
            return Vec::new();
        };
        let mut news = Vec::new();
        match done {
            Done::Looked(Ok((waiting, muted))) => {
                if self.muted.as_ref() != Some(&muted) {
                    self.muted = Some(muted.clone());
                    news.push(News::Muted(muted));
                }
                news.push(News::Waiting(waiting));
                news.extend(self.recovered());
            }
            Done::Claimed(Ok(claim)) => news.push(News::Claimed(claim)),
            Done::Settled(Ok(())) => {
                self.unsettled.pop_front();
                // There may be more than one batch holds.
                self.look_at = now;
            }
            Done::Sent(Ok(())) => _ = self.drafts.pop_front(),
            Done::Looked(Err(error)) => news.extend(self.trouble("looked for", &error)),
            Done::Claimed(Err(error)) => {
                let trouble = self.trouble("claimed", &error);
                news.push(News::ClaimFailed);
                news.extend(trouble);
            }
            Done::Settled(Err(error)) => {
                self.look_at = now.saturating_add(SAFETY);
                news.extend(self.trouble("settled", &error));
            }
            Done::Sent(Err(error)) => {
                // What cannot be delivered now is not held for ever before everything else.
                self.drafts.pop_front();
                news.push(News::Trouble(format!(
                    "a message of a sensor was not sent: {error}"
                )));
            }
        }
        news
    }

    fn trouble(&mut self, what: &str, error: &MailError) -> Option<News> {
        if error.kind() == MailErrorKind::Displaced {
            self.unsettled.clear();
            return Some(News::Displaced);
        }
        let text = format!("mail cannot be {what}: {error}");
        let known = self.complaint.replace(text.clone());
        (known.as_ref() != Some(&text)).then_some(News::Trouble(text))
    }

    fn recovered(&mut self) -> Option<News> {
        self.complaint.take().map(News::Recovered)
    }

    /// Settles what is left, before the end.
    pub(super) async fn end(mut self) {
        // What was asked is answered first: it may have been the settlement.
        match self.work.take() {
            Some(Work::Settle(settle)) => {
                if let Ok(()) = settle.await {
                    self.unsettled.pop_front();
                }
            }
            Some(Work::Claim(claim)) => {
                if let Ok(claim) = claim.await {
                    // Nothing of it was written.
                    let nothing = Settled::printed(self.reader.clone(), []);
                    self.unsettled.push_back((claim.id, nothing));
                }
            }
            _ => {}
        }
        for (claim, settled) in std::mem::take(&mut self.unsettled) {
            // What cannot be settled is shown again, marked.
            let _ = self.mailbox.settle(claim, &settled).await;
        }
    }
}

impl fmt::Debug for Delivery {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Delivery")
            .field("reader", &self.reader)
            .finish_non_exhaustive()
    }
}
