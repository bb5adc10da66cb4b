//! What is said about attend itself.

use super::Turn;
use crate::attention::Input;
use crate::dynamics::Tick;
use crate::runtime::driver::memory::Word;
use crate::runtime::system::limit_named;

impl Turn {
    /// Says something about attend itself, once. A limit of the system keeps several from what
    /// they want; the first who says so says it for all of them.
    pub(in crate::runtime::driver) fn say(&mut self, now: Tick, notice: String) {
        (self.on_notice)(&notice);
        let is_known = limit_named(&notice).is_some_and(|limit| !self.limits.insert(limit));
        if !is_known {
            self.engine.input(now, Input::Notice(notice));
        }
    }

    /// Writes what of a recording waits. That it ends costs nothing else.
    pub(super) fn keep_tape(&mut self, now: Tick) {
        if let Some(ended) = self.engine.flush() {
            self.say(now, ended);
        }
    }

    /// Says something about attend itself, or leaves unsaid what holds no longer.
    pub(super) fn heed(&mut self, now: Tick, word: Option<Word>) {
        match word {
            Some(Word::Say(notice)) => self.say(now, notice),
            Some(Word::Solved(notice)) => self.engine.input(now, Input::Solved(notice)),
            None => {}
        }
    }
}
