//! What is written down of a turn: the checkpoint and the journal.

use super::Turn;
use crate::runtime::driver::axis::Now;
use crate::runtime::driver::memory::Word;
use crate::runtime::system::monotonic_millis;

impl Turn {
    pub(super) fn store(&mut self, now: Now) {
        self.memory.budget(self.budget.left(monotonic_millis()));
        let mut word = self.memory.store(now, &self.engine, &self.looks.roster);
        if let Some(Word::Solved(_)) = word {
            self.heed(now.tick, word);
            // What was just written still says what holds no longer.
            word = self.memory.store(now, &self.engine, &self.looks.roster);
        }
        self.heed(now.tick, word);
    }

    /// What was decided up to now stands in the journal: whoever reads a line can ask at once
    /// why it was shown, also of a loop that was killed.
    pub(super) fn flush(&mut self, now: Now) {
        let noted = self.memory.note(&self.engine.drain_journal());
        let word = self.memory.flush_journal(&self.engine);
        if noted || word.is_some() {
            self.memory.changed(now.boot);
        }
        self.heed(now.tick, word);
        self.keep_tape(now.tick);
    }

    pub(super) fn save(&mut self, now: Now) {
        self.engine.note_rest(now.tick);
        self.memory.note(&self.engine.drain_journal());
        let word = self.memory.flush_journal(&self.engine);
        self.heed(now.tick, word);
        self.store(now);
        self.keep_tape(now.tick);
    }
}
