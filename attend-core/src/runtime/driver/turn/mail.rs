//! The mailbox's part of a turn.

use super::Turn;
use crate::attention::{Batch, Claiming, Input, Mutes};
use crate::mail::Draft;
use crate::runtime::delivery::MailOutcome;
use crate::runtime::driver::Ended;
use crate::runtime::driver::axis::Now;
use crate::runtime::roster::HostReply;
use crate::sensor::Key;

impl Turn {
    /// Tells the engine what the mailbox answered.
    pub(super) fn hear_mailbox(&mut self, now: Now) -> Option<Ended> {
        let delivery = self.delivery.as_mut()?;
        for news in delivery.take(now.boot) {
            let input = match news {
                MailOutcome::Muted(muted) => {
                    self.memory.changed(now.boot);
                    Input::Mute(Mutes::of_mail(&muted, now.wall, now.tick))
                }
                MailOutcome::Waiting(waiting) => Input::MailWaiting(waiting),
                MailOutcome::Claimed(claim) => {
                    let unasked = claim.is_empty().then_some(claim.id);
                    self.engine.input(now.tick, Input::Claimed(claim));
                    // A claim that got nothing has nothing to be settled either.
                    if let (Some(id), Some(delivery)) = (unasked, &mut self.delivery) {
                        delivery.wrote(now.boot, id, Vec::new(), false);
                    }
                    continue;
                }
                MailOutcome::ClaimFailed => Input::ClaimFailed,
                MailOutcome::Trouble(text) => {
                    self.say(now.tick, text);
                    continue;
                }
                MailOutcome::Recovered(text) => Input::Solved(text),
                MailOutcome::Displaced => return Some(Ended::Displaced),
            };
            self.engine.input(now.tick, input);
        }
        None
    }

    /// Asks the mailbox what is to be asked now. While a batch is under way, what waits behind it
    /// is not looked at: it is known anew once the batch is settled.
    pub(super) fn ask_mailbox(&mut self, now: Now) {
        let above = self.engine.settings().digest_above;
        let may_look = self.writing.is_none();
        let Some(delivery) = &mut self.delivery else {
            return;
        };
        match self.looks.roster.answered() {
            Some(HostReply::Seen(seen)) => delivery.answered(now.boot, Some(seen)),
            Some(HostReply::Nothing) => delivery.answered(now.boot, None),
            None => {}
        }
        delivery.begin((now.boot, now.wall), above, may_look);
        if let Some(question) = delivery.question(now.boot) {
            self.looks.roster.inquire(question);
        }
    }

    /// Claims what the engine wants to write; gives whether there is somebody to claim it from.
    pub(super) fn claim(&mut self, claiming: Claiming) -> bool {
        self.claimed_at = Some(self.now().boot);
        match &mut self.delivery {
            Some(delivery) if !delivery.is_busy() => {
                delivery.claim(claiming);
                true
            }
            Some(delivery) => {
                delivery.look_again();
                false
            }
            None => false,
        }
    }

    /// Remembers what of a batch's mail stands in its first `bytes` bytes.
    pub(super) fn wrote_mail(&mut self, now: Now, batch: &Batch, bytes: usize) {
        if let (Some(mail), Some(delivery)) = (batch.mail(), &mut self.delivery) {
            let (printed, counted) = batch.mail_within(bytes);
            delivery.wrote(now.boot, mail.claim, printed, counted);
        }
    }

    /// Passes on what sensors wrote on behalf of somebody.
    pub(super) fn post(&mut self, now: Now, drafts: Vec<(Key, Draft)>) {
        let count = drafts.len();
        let Some(delivery) = &mut self.delivery else {
            if count > 0 {
                let text = format!("{count} messages were not sent: there is no mailbox");
                self.say(now.tick, text);
            }
            return;
        };
        let drafts = drafts.into_iter();
        let refused: Vec<String> = drafts
            .filter_map(|(key, draft)| delivery.post(&key, draft))
            .collect();
        for text in refused {
            self.say(now.tick, text);
        }
    }
}
