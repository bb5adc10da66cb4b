//! What the agent does, and its person with it.

use attend_core::attention::Input;
use attend_core::sensor::{
    Cause, Compaction, Growth, HostState, OwnCall, OwnEdit, OwnSpan, Sample, Turn,
};

use super::desk::Office;

/// Turns of which the growth is known.
const TURNS: usize = 5;

/// Edits and calls that a host remembers.
const KEPT: usize = 64;

impl Office {
    /// A person asks for something that takes the agent `seconds` and `tokens`; then it waits.
    pub fn turn(&mut self, seconds: u64, tokens: u64) {
        self.turns.began.push(Turn::new(self.tick(), Cause::Words));
        let number = self.usage.turn.unwrap_or(0) + 1;
        self.usage.turn = Some(number);
        self.host(HostState::Busy);
        // Answers come about once a minute.
        let steps = (seconds / 60).max(1);
        for step in 1..=steps {
            let grown = tokens * step / steps - tokens * (step - 1) / steps;
            self.later(seconds * step / steps, move |office| office.grow(grown));
        }
        self.later(seconds, move |office| {
            // Another turn may have begun.
            if office.usage.turn == Some(number) {
                office.grew.push(tokens);
                let last = office.grew.len().saturating_sub(TURNS);
                office.usage.growth = office.grew.get(last..).and_then(Growth::of);
                let since = office.tick();
                office.host(HostState::Idle { since });
            }
        });
    }

    fn grow(&mut self, tokens: u64) {
        let now = self.tick();
        let tokens = self.usage.tokens.unwrap_or_default() + tokens;
        self.usage.tokens = Some(tokens);
        self.usage.samples.push(Sample::new(now, tokens));
        let over = self.usage.samples.len().saturating_sub(KEPT);
        self.usage.samples.drain(..over);
        self.stir(&["context", "overlap", "idle"]);
    }

    /// The context is compacted to so many tokens.
    pub fn compacted(&mut self, automatic: bool, left: u64) {
        let before = self.usage.tokens;
        self.usage.compaction = Some(Compaction::new(automatic, before));
        let epoch = self.usage.epoch.take().unwrap_or_default();
        self.usage.epoch = Some(epoch + "'");
        self.usage.samples.clear();
        self.usage.tokens = Some(left);
        self.stir(&["context", "idle", "disclosure"]);
    }

    /// The host is in another state from now on.
    pub fn host(&mut self, state: HostState) {
        if self.state != state {
            self.state = state;
            self.input(Input::Host(state));
            self.stir(&["git", "idle", "overlap"]);
        }
    }

    /// The agent edits a file.
    pub fn edit(&mut self, path: &str) {
        let edit = self.edit_of(path);
        self.own.edits.retain(|known| known.path != edit.path);
        self.own.edits.push(edit);
        let over = self.own.edits.len().saturating_sub(KEPT);
        self.own.edits.drain(..over);
        self.shell.said().git.dirty.insert(path.to_owned());
        self.stir(&["git", "files", "overlap"]);
    }

    pub(super) fn edit_of(&self, path: &str) -> OwnEdit {
        let path = self.harness.work().join(path);
        if let Some(above) = path.parent() {
            std::fs::create_dir_all(above).expect("a directory of the office");
        }
        let now = self.tick();
        OwnEdit::new(path, OwnSpan::new(now, Some(now)))
    }

    /// The agent commits all that is dirty, by a call that names git.
    pub fn commit(&mut self, subject: &str) {
        let now = self.tick();
        let mut call = OwnCall::new(OwnSpan::new(now, Some(now)));
        call.version_control = true;
        self.own.calls.push(call);
        let over = self.own.calls.len().saturating_sub(KEPT);
        self.own.calls.drain(..over);
        self.add_commit(subject, true);
    }

    /// A commit on the branch that is checked out, which leaves the work tree clean or as it is.
    pub(super) fn add_commit(&mut self, subject: &str, cleans: bool) {
        let mut said = self.shell.said();
        let before = said.git.head;
        let after = said.git.commit(before, subject);
        said.git.head = after;
        if cleans {
            said.git.dirty.clear();
        }
        drop(said);
        self.log_head(before, after);
        self.stir(&["git", "idle", "overlap"]);
    }
}
