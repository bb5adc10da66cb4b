//! Delivery: looks for mail, claims what the engine wants to show, and settles what was written.
//!
//! One thing is done at a time, and none of it on this thread: the mailbox answers when it can.

use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use super::doorbell::Doorbell;
use crate::attention::Claiming;
use crate::mail::{
    Claim, ClaimId, ClaimRequest, Draft, MailError, MailErrorKind, Mailbox, MailboxExt, Muted,
    Reader, Sender, Settled, Submission, Waiting, Wanted,
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
    /// What goes wrong, by what was to be done: each is said once.
    complaints: BTreeMap<Step, String>,
}

/// What is done with mail.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Step {
    Look,
    Claim,
    Settle,
    Send,
}

/// Whether what failed so may go well later.
fn may_pass(kind: MailErrorKind) -> bool {
    use MailErrorKind::{Busy, Denied, Displaced, Failed, Full};
    matches!(kind, Busy | Denied | Displaced | Failed | Full)
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
            complaints: BTreeMap::new(),
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
            && self.may_try(Step::Settle, now)
        {
            let mailbox = self.mailbox.clone();
            self.work = Some(Work::Settle(Box::pin(async move {
                mailbox.settle(claim, &settled).await
            })));
        } else if let Some(draft) = self.drafts.front().cloned()
            && self.may_try(Step::Send, now)
        {
            let (mailbox, submission) = (self.mailbox.clone(), self.submission(draft));
            self.work = Some(Work::Send(Box::pin(async move {
                mailbox.send(&submission).await.map(|_| ())
            })));
        } else if may_look && self.look_at <= now {
            self.look_at = now.saturating_add(SAFETY);
            let (mailbox, reader) = (self.mailbox.clone(), self.reader.clone());
            self.work = Some(Work::Look(Box::pin(async move {
                let waiting = mailbox.look(&reader, above).await?;
                Ok((waiting, mailbox.mutes(reader.seat).await?))
            })));
        }
    }

    fn submission(&self, draft: Draft) -> Submission {
        let sender = Sender::Seat {
            seat: self.reader.seat,
            session: Some(self.reader.session.clone()),
        };
        Submission::new(sender, draft)
    }

    /// What the engine knows of what waits is out of date.
    pub(super) fn look_again(&mut self) {
        self.look_at = Duration::ZERO;
    }

    /// What failed is tried again when the next look is due; anything else at once.
    fn may_try(&self, step: Step, now: Duration) -> bool {
        !self.complaints.contains_key(&step) || self.look_at <= now
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
                news.extend(self.recovered(Step::Look));
            }
            Done::Claimed(Ok(claim)) => {
                news.push(News::Claimed(claim));
                news.extend(self.recovered(Step::Claim));
            }
            Done::Settled(Ok(())) => {
                self.unsettled.pop_front();
                // There may be more than one batch holds.
                self.look_at = now;
                news.extend(self.recovered(Step::Settle));
            }
            Done::Sent(Ok(())) => {
                self.drafts.pop_front();
                news.extend(self.recovered(Step::Send));
            }
            Done::Looked(Err(error)) => news.extend(self.trouble(Step::Look, &error)),
            Done::Claimed(Err(error)) => {
                let trouble = self.trouble(Step::Claim, &error);
                news.push(News::ClaimFailed);
                news.extend(trouble);
            }
            Done::Settled(Err(error)) => {
                self.look_at = now.saturating_add(SAFETY);
                news.extend(self.trouble(Step::Settle, &error));
            }
            // What may be sent later is.
            Done::Sent(Err(error)) if may_pass(error.kind()) => {
                self.look_at = now.saturating_add(SAFETY);
                news.extend(self.trouble(Step::Send, &error));
            }
            Done::Sent(Err(error)) => {
                self.drafts.pop_front();
                news.push(News::Trouble(format!(
                    "a message of a sensor was not sent: {error}"
                )));
            }
        }
        news
    }

    fn trouble(&mut self, step: Step, error: &MailError) -> Option<News> {
        let lost = [MailErrorKind::Displaced, MailErrorKind::UnknownSeat];
        if lost.contains(&error.kind()) {
            self.unsettled.clear();
            return Some(News::Displaced);
        }
        let what = match step {
            Step::Look => "looked for",
            Step::Claim => "claimed",
            Step::Settle => "settled",
            Step::Send => "sent for a sensor",
        };
        let text = format!("mail cannot be {what}: {error}");
        // Said once, however often it fails: the numbers in it may differ.
        let known = self.complaints.insert(step, text.clone());
        known.is_none().then_some(News::Trouble(text))
    }

    fn recovered(&mut self, step: Step) -> Option<News> {
        self.complaints.remove(&step).map(News::Recovered)
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
            Some(Work::Send(send)) => {
                if let Ok(()) = send.await {
                    self.drafts.pop_front();
                }
            }
            _ => {}
        }
        for (claim, settled) in std::mem::take(&mut self.unsettled) {
            // What cannot be settled is shown again, marked.
            let _ = self.mailbox.settle(claim, &settled).await;
        }
        // The sensors remember that they posted these.
        while let Some(draft) = self.drafts.pop_front() {
            let _ = self.mailbox.send(&self.submission(draft)).await;
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
