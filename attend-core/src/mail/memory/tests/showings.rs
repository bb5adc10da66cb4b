//! What is known of showings: to whom, how often, and what became of them.

use super::truth::{Chair, Truth};
use crate::mail::envelope::Seq;
use crate::mail::evidence::MOST_SHOWN;

impl Truth {
    /// It was shown to `session`, and whoever did so has said it.
    pub(super) fn settle(&mut self, chair: Chair, seq: Seq, session: &str) {
        if !self.follows {
            return;
        }
        let pair = (chair, seq);
        let is_followed = !self.untracked.contains(session) && !self.seen.contains(&pair);
        let showing = self.showings.entry(pair).or_default();
        if showing.session != session {
            session.clone_into(&mut showing.session);
            showing.sessions = (showing.sessions + 1).min(2);
            showing.times = 0;
        }
        showing.times = (showing.times + 1).min(MOST_SHOWN);
        showing.is_awaited = is_followed;
        self.unseen.remove(&pair);
    }

    /// Whether it may be shown to `session` though nobody there asked for it.
    pub(super) fn repeat(&self, chair: Chair, seq: Seq, session: &str) -> Result<(), String> {
        if self.seen.contains(&(chair, seq)) {
            return Err(format!("{seq:?} was seen at {chair}, and is granted again"));
        }
        let Some(showing) = self.showings.get(&(chair, seq)) else {
            return Ok(());
        };
        let is_same = showing.session == session;
        let broken = if is_same && showing.times >= MOST_SHOWN {
            "was shown to one session often enough"
        } else if is_same && self.untracked.contains(session) {
            "was printed where nobody looks for evidence"
        } else if is_same && showing.is_awaited {
            "was not missed"
        } else if !is_same && showing.sessions >= 2 {
            "was shown to two sessions"
        } else {
            return Ok(());
        };
        Err(format!("{seq:?} {broken} at {chair}, and is granted again"))
    }

    /// Whether a miss of this showing means the last one, of which nothing else is known.
    pub(super) fn is_missed(&self, (chair, seq): (Chair, Seq), session: &str, times: u32) -> bool {
        let showing = self.showings.get(&(chair, seq));
        showing.is_some_and(|showing| {
            showing.is_awaited && showing.session == session && showing.times == times
        })
    }

    /// It was missed, and has to be told of anew.
    pub(super) fn miss(&mut self, chair: Chair, seq: Seq) {
        let pair = (chair, seq);
        self.owed.insert(pair);
        self.counted.remove(&pair);
        if let Some(showing) = self.showings.get_mut(&pair) {
            showing.is_awaited = false;
            if showing.times >= MOST_SHOWN {
                self.unseen.insert(pair);
            }
        }
    }

    pub(super) fn see(&mut self, chair: Chair, seq: Seq) {
        let pair = (chair, seq);
        self.seen.insert(pair);
        self.owed.remove(&pair);
        self.unseen.remove(&pair);
        if let Some(showing) = self.showings.get_mut(&pair) {
            showing.is_awaited = false;
        }
    }

    /// Nobody looks for evidence in `session` any more: what was printed there is done, but for
    /// what is left to be asked for.
    pub(super) fn stop_looking(&mut self, session: &str) {
        self.untracked.insert(session.to_owned());
        for (pair, showing) in &mut self.showings {
            if showing.session == session {
                showing.is_awaited = false;
                if !self.unseen.contains(pair) && !self.counted.contains(pair) {
                    self.owed.remove(pair);
                }
            }
        }
    }

    /// What was not seen is for the next session, unless two have had it.
    pub(super) fn hand_showings_over(&mut self, chair: Chair) {
        for (pair, showing) in &mut self.showings {
            let is_open = showing.is_awaited || self.owed.contains(pair);
            if pair.0 == chair && is_open {
                showing.is_awaited = false;
                self.owed.insert(*pair);
                if showing.sessions < 2 {
                    self.unseen.remove(pair);
                } else {
                    self.unseen.insert(*pair);
                }
            }
        }
    }
}
