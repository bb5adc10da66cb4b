//! What an answer of the mailbox means for the engine and for people.

use std::time::Duration;

use super::work::{Done, Step, may_pass};
use super::{Complaint, Delivery, SAFETY};
use crate::mail::{Claim, MailError, MailErrorKind, Muted, Tracking, Waiting};

/// What an answer of the mailbox means for the engine and for people.
#[derive(Debug)]
pub(in crate::runtime) enum MailOutcome {
    /// This is muted from now on, and nothing else.
    Muted(Vec<Muted>),
    /// This waits.
    Waiting(Waiting),
    /// This was claimed.
    Claimed(Claim),
    /// The claim could not be made.
    ClaimFailed,
    /// Something has to be said, once.
    Trouble(String),
    /// What was said went well again.
    Recovered(String),
    /// The seat is another's, or its session has ended.
    Displaced,
}

impl Delivery {
    /// What the mailbox answered.
    pub(in crate::runtime) fn take(&mut self, now: Duration) -> Vec<MailOutcome> {
        let Some(done) = self.done.take() else {
            return Vec::new();
        };
        match done {
            Done::Looked(looked) => self.looked(now, looked),
            Done::Claimed(Ok(claim)) => {
                let claimed = [MailOutcome::Claimed(claim)].into_iter();
                claimed.chain(self.recovered(Step::Claim)).collect()
            }
            Done::Claimed(Err(error)) => {
                let failed = [MailOutcome::ClaimFailed].into_iter();
                failed
                    .chain(self.trouble(now, Step::Claim, &error))
                    .collect()
            }
            Done::Settled(settled) => self.heard_settled(now, settled),
            Done::Sent(sent) => self.heard_sent(now, sent),
            Done::Reminded(Ok(_)) => {
                self.remind_at = None;
                self.look_again();
                self.recovered(Step::Remind).into_iter().collect()
            }
            Done::Reminded(Err(error)) => self.later(now, Step::Remind, &error),
            Done::Listed(Ok(awaiting)) => {
                self.question = self.ladder.list(now, awaiting);
                self.recovered(Step::List).into_iter().collect()
            }
            Done::Listed(Err(error)) => {
                self.ladder.unlisted(now);
                self.later(now, Step::List, &error)
            }
            Done::Known(Ok(projects)) => {
                if let Some(sweeper) = &mut self.sweeper {
                    sweeper.known(now, projects);
                }
                Vec::new()
            }
            Done::Swept(Ok(_)) => {
                self.at_rest(now);
                self.recovered(Step::Sweep).into_iter().collect()
            }
            Done::Known(Err(error)) | Done::Swept(Err(error)) => self.unswept(now, &error),
            Done::Kept(Ok(tracking)) => self.heard_kept(tracking),
            Done::Kept(Err(error)) => self.later(now, Step::Keep, &error),
        }
    }

    fn looked(
        &mut self,
        now: Duration,
        looked: Result<crate::mail::News, MailError>,
    ) -> Vec<MailOutcome> {
        let found = match looked {
            Ok(found) => found,
            Err(error) => return self.trouble(now, Step::Look, &error).into_iter().collect(),
        };
        self.remind_at = found.due;
        self.ladder.note(found.is_awaited);
        let mut news = Vec::new();
        if self.muted.as_ref() != Some(&found.muted) {
            self.muted = Some(found.muted.clone());
            news.push(MailOutcome::Muted(found.muted));
        }
        news.push(MailOutcome::Waiting(found.waiting));
        news.extend(self.recovered(Step::Look));
        news
    }

    fn heard_settled(&mut self, now: Duration, settled: Result<(), MailError>) -> Vec<MailOutcome> {
        if let Err(error) = settled {
            return self.later(now, Step::Settle, &error);
        }
        self.unsettled.pop_front();
        // There may be more than one batch holds.
        self.look_at = now;
        self.recovered(Step::Settle).into_iter().collect()
    }

    fn heard_sent(&mut self, now: Duration, sent: Result<(), MailError>) -> Vec<MailOutcome> {
        match sent {
            Ok(()) => {
                self.drafts.pop_front();
                // It may be for this seat.
                self.look_again();
                self.recovered(Step::Send).into_iter().collect()
            }
            // What may be sent later is.
            Err(error) if may_pass(error.kind()) => self.later(now, Step::Send, &error),
            Err(error) => {
                self.drafts.pop_front();
                let text = format!("a message of a sensor was not sent: {error}");
                vec![MailOutcome::Trouble(text)]
            }
        }
    }

    fn heard_kept(&mut self, tracking: Tracking) -> Vec<MailOutcome> {
        self.ladder.kept(tracking);
        self.evidence = None;
        // What was missed is new again.
        self.look_again();
        let told = tracking
            .notice()
            .map(|text| MailOutcome::Trouble(text.to_owned()));
        told.into_iter().chain(self.recovered(Step::Keep)).collect()
    }

    /// What could not be cleaned up is left to the next time.
    fn unswept(&mut self, now: Duration, error: &MailError) -> Vec<MailOutcome> {
        self.at_rest(now);
        self.trouble(now, Step::Sweep, error).into_iter().collect()
    }

    fn at_rest(&mut self, now: Duration) {
        if let Some(sweeper) = &mut self.sweeper {
            sweeper.rest(now);
        }
    }

    /// What failed is tried again after a while.
    fn later(&mut self, now: Duration, step: Step, error: &MailError) -> Vec<MailOutcome> {
        self.trouble(now, step, error).into_iter().collect()
    }

    fn trouble(&mut self, now: Duration, step: Step, error: &MailError) -> Option<MailOutcome> {
        let lost = [MailErrorKind::Displaced, MailErrorKind::UnknownSeat];
        if lost.contains(&error.kind()) {
            self.unsettled.clear();
            return Some(MailOutcome::Displaced);
        }
        let text = format!("mail cannot be {}: {error}", step.what());
        let complaint = Complaint {
            text: text.clone(),
            again: now.saturating_add(SAFETY),
        };
        // Said once, however often it fails: the numbers in it may differ.
        let known = self.complaints.insert(step, complaint);
        known.is_none().then_some(MailOutcome::Trouble(text))
    }

    fn recovered(&mut self, step: Step) -> Option<MailOutcome> {
        let complaint = self.complaints.remove(&step)?;
        Some(MailOutcome::Recovered(complaint.text))
    }
}
