//! Delivery: looks for mail, claims what the engine wants to show, and settles what was written.
//!
//! One thing is done at a time, and none of it on this thread: the mailbox answers when it can.

mod work;

mod ladder;

mod sweeper;
pub(super) use sweeper::Sweeper;

mod hear;
pub(super) use hear::MailOutcome;

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use self::ladder::{Ladder, Next};
use self::work::{Done, Step, Work};
use super::cleanup::Cleanup;
use super::doorbell::Doorbell;
use crate::attention::Claiming;
use crate::mail::{
    ClaimId, ClaimRequest, Draft, Evidence, Mailbox, Muted, Reader, Sender, Settled, Submission,
    Wanted,
};
use crate::sensor::{HostState, Key, Seen, Shown, Watcher};

/// How often a reader looks though nothing rang.
const SAFETY: Duration = Duration::from_secs(5);

/// How much earlier it looks where the loop is awake anyway: what looks as often, such as at the
/// host, then goes on beside it, and the loop sleeps more.
const EARLY: Duration = Duration::from_secs(1);

/// How many messages of sensors wait to be sent.
const MOST_DRAFTS: usize = 256;

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
    /// When a reminder is due, by the clock on the wall.
    remind_at: Option<SystemTime>,
    /// What is muted, as of the last look.
    muted: Option<Vec<Muted>>,
    /// What was printed and is not known to be seen.
    ladder: Ladder,
    /// What the host is to be asked about them.
    question: Option<Shown>,
    /// What its answer means, to be kept.
    evidence: Option<Evidence>,
    /// Cleans up after projects that are gone.
    sweeper: Option<Sweeper>,
    /// What goes wrong, by what was to be done: each is said once.
    complaints: BTreeMap<Step, Complaint>,
}

/// What went wrong.
struct Complaint {
    /// As it was said.
    text: String,
    /// When it is tried again, on the clock that never steps.
    again: Duration,
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
            remind_at: None,
            muted: None,
            ladder: Ladder::default(),
            question: None,
            evidence: None,
            sweeper: None,
            complaints: BTreeMap::new(),
        };
        (delivery, degraded)
    }

    /// The same, which also cleans up.
    pub(super) fn sweeping(mut self, sweeper: Sweeper) -> Self {
        self.sweeper = Some(sweeper);
        self
    }

    /// From now on it is cleaned up so.
    pub(super) fn clean_up(&mut self, cleanup: Cleanup) {
        if let Some(sweeper) = &mut self.sweeper {
            sweeper.follow(cleanup);
        }
    }

    /// Begins what is to be done next, if nothing is under way. `may_look` where an answer of a
    /// look can be used now.
    pub(super) fn begin(
        &mut self,
        (now, wall): (Duration, SystemTime),
        above: usize,
        may_look: bool,
    ) {
        if self.is_busy() {
            return;
        }
        let mailbox = self.mailbox.clone();
        let reader = || self.reader.clone();
        if let Some((claim, settled)) = self.unsettled.front().cloned()
            && self.may_try(Step::Settle, now)
        {
            self.work = Some(Work::settle(mailbox, claim, settled));
        } else if let Some(draft) = self.drafts.front().cloned()
            && self.may_try(Step::Send, now)
        {
            self.work = Some(Work::send(mailbox, by_sensor(draft)));
        } else if self.remind_at.is_some_and(|due| due <= wall) && self.may_try(Step::Remind, now) {
            self.work = Some(Work::remind(mailbox, &self.reader));
        } else if may_look && self.look_at <= now.saturating_add(EARLY) {
            self.work = Some(Work::look(mailbox, reader(), above));
            self.look_at = now.saturating_add(SAFETY);
        } else if let Some(evidence) = self.evidence.clone()
            && self.may_try(Step::Keep, now)
        {
            self.work = Some(Work::keep(mailbox, evidence));
        } else if self.ladder.begin(now) {
            self.work = Some(Work::list(mailbox, self.reader.clone()));
        } else if let Some(sweeper) = &mut self.sweeper {
            if let Some(sweep) = sweeper.sweep() {
                self.work = Some(Work::sweep(mailbox, sweep));
            } else if sweeper.begin(now) {
                self.work = Some(Work::projects(mailbox));
            }
        }
    }

    /// What the engine knows of what waits is out of date.
    pub(super) fn look_again(&mut self) {
        self.look_at = Duration::ZERO;
    }

    /// What failed is tried again after a while; anything else at once.
    fn may_try(&self, step: Step, now: Duration) -> bool {
        self.again(step, now) <= now
    }

    /// Claims what is about to be written.
    pub(super) fn claim(&mut self, claiming: Claiming) {
        let what = match claiming {
            Claiming::Print(seqs) => Wanted::Print(seqs),
            Claiming::Digest { print, upto } => Wanted::Digest { print, upto },
        };
        let request = ClaimRequest::new(self.reader.clone(), what);
        self.work = Some(Work::claim(self.mailbox.clone(), request));
    }

    /// Remembers what was written of a claim, to be settled.
    pub(super) fn wrote(
        &mut self,
        now: Duration,
        claim: ClaimId,
        printed: Vec<crate::mail::Seq>,
        counted: bool,
    ) {
        if !printed.is_empty() {
            self.ladder.printed(now);
        }
        let settled = Settled::printed(self.reader.clone(), printed)
            .counted(counted)
            .tracked(self.ladder.tracks());
        self.unsettled.push_back((claim, settled));
    }

    /// The host does this now.
    pub(super) fn host(&mut self, now: Duration, state: HostState) {
        self.ladder.host(now, state);
    }

    /// What the host is to be asked about messages.
    pub(super) fn question(&mut self, now: Duration) -> Option<Shown> {
        self.question.take().or_else(|| self.ladder.probe(now))
    }

    /// What the host answered.
    pub(super) fn answered(&mut self, now: Duration, seen: Option<Seen>) {
        match self.ladder.answer(now, seen, &self.reader) {
            Some(Next::Ask(question)) => self.question = Some(question),
            Some(Next::Keep(evidence)) => self.evidence = Some(evidence),
            None => {}
        }
    }

    /// Takes words of a sensor, to be sent under `key`. Says where there are too many.
    pub(super) fn post(&mut self, key: &Key, draft: Draft) -> Option<String> {
        if self.drafts.len() >= MOST_DRAFTS {
            return Some(format!(
                "a message was not sent: {MOST_DRAFTS} others wait for the mail store"
            ));
        }
        // Programs share their keys, and each session's sensors have their own.
        let key = format!("sensor:{}:{}", self.reader.session, key.as_str());
        self.drafts.push_back(draft.key(key));
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

    /// When it has something to do next, on the clock that never steps. `wall` is now by the clock
    /// on the wall.
    pub(super) fn due(&self, now: Duration, wall: SystemTime) -> Option<Duration> {
        if self.is_busy() {
            return None;
        }
        let remind_at = self.remind_at.map(|due| {
            let wait = due.duration_since(wall).unwrap_or_default();
            self.again(Step::Remind, now.saturating_add(wait))
        });
        let evidence = self.evidence.as_ref();
        let evidence = evidence.map(|_| self.again(Step::Keep, now));
        let sweep = self.sweeper.as_ref().and_then(|sweeper| sweeper.due(now));
        let unsettled = self.unsettled.front();
        let drafts = self.drafts.front();
        let due = [
            Some(self.look_at),
            unsettled.map(|_| self.again(Step::Settle, now)),
            drafts.map(|_| self.again(Step::Send, now)),
            remind_at,
            self.ladder.due(),
            evidence,
            sweep,
        ];
        due.into_iter().flatten().min()
    }

    /// When `step` is done that is due at `due`.
    fn again(&self, step: Step, due: Duration) -> Duration {
        let complaint = self.complaints.get(&step);
        complaint.map_or(due, |complaint| due.max(complaint.again))
    }

    /// Waits for an answer, or for the doorbell. Safe to cancel.
    pub(super) async fn next(&mut self) {
        let Self {
            work,
            done,
            doorbell,
            look_at,
            sweeper,
            ..
        } = self;
        let looked = async {
            match sweeper {
                Some(sweeper) => sweeper.looked().await,
                None => std::future::pending().await,
            }
        };
        let answered = async {
            match work {
                Some(work) => work.done().await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            answer = answered => {
                *done = Some(answer);
                *work = None;
            }
            () = looked => {}
            () = doorbell.rings() => *look_at = Duration::ZERO,
        }
    }

    /// Settles what is left, before the end.
    pub(super) async fn end(mut self) {
        // What was asked is answered first: it may have been the settlement.
        let done = match (self.done.take(), self.work.take()) {
            (Some(done), _) => Some(done),
            (None, Some(mut work)) if work.is_a_change() => Some(work.done().await),
            _ => None,
        };
        match done {
            Some(Done::Settled(Ok(()))) => _ = self.unsettled.pop_front(),
            Some(Done::Claimed(Ok(claim))) => {
                // Nothing of it was written.
                let nothing = Settled::printed(self.reader.clone(), []);
                self.unsettled.push_back((claim.id, nothing));
            }
            Some(Done::Sent(Ok(()))) => _ = self.drafts.pop_front(),
            _ => {}
        }
        for (claim, settled) in std::mem::take(&mut self.unsettled) {
            // What cannot be settled is shown again, marked.
            let _ = self.mailbox.settle(claim, &settled).await;
        }
        // The sensors remember that they posted these.
        while let Some(draft) = self.drafts.pop_front() {
            let _ = self.mailbox.send(&by_sensor(draft)).await;
        }
    }
}

/// Words that a sensor passes on. They are no words of the session beside which it looks: that
/// is to see them too, where they are for it.
fn by_sensor(draft: Draft) -> Submission {
    Submission::new(Sender::Program, draft)
}

impl fmt::Debug for Delivery {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Delivery")
            .field("reader", &self.reader)
            .finish_non_exhaustive()
    }
}
