//! What the driver keeps on disk, where it has a place for it.

use std::time::Duration;

use super::axis::Now;
use crate::attention::{Attention, Record};
use crate::runtime::budget::BudgetLeft;
use crate::runtime::roster::Roster;
use crate::runtime::state::{Journal, Saved, StateDir, StateErrorKind, StateLock, StatePlace};

/// How long a change may wait to be written.
const SOON: Duration = Duration::from_secs(5);

/// How long a loop that is armed again waits for the last one to let go of the state.
const HANDOVER: Duration = Duration::from_secs(2);

/// How long a change may wait that a restart can do without.
const LATER: Duration = Duration::from_mins(1);

/// The checkpoint and the journal of one loop, or nothing where it has no state directory.
#[derive(Debug)]
pub(super) struct Memory {
    kept: Option<Kept>,
    banner: Option<String>,
    budget: Option<BudgetLeft>,
    due: Option<Duration>,
    /// How many sensors' memories stand in the checkpoint.
    known: usize,
    /// What is wrong with the checkpoint, and with the journal.
    unstored: Trouble,
    unflushed: Trouble,
}

/// Something about attend itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Word {
    /// It has to be said once.
    Say(String),
    /// It holds no longer.
    Solved(String),
}

/// What goes wrong again and again, and is said once until it goes well.
#[derive(Debug, Default)]
struct Trouble(Option<String>);

#[derive(Debug)]
struct Kept {
    dir: StateDir,
    journal: Journal,
    _lock: StateLock,
}

impl Memory {
    /// Keeps nothing.
    pub(super) fn none() -> Self {
        Self {
            kept: None,
            banner: None,
            budget: None,
            due: None,
            known: 0,
            unstored: Trouble::default(),
            unflushed: Trouble::default(),
        }
    }

    /// Keeps state at `place` and reads what is there. What went wrong is added to `notices`,
    /// with `advice` for a place that cannot be used. `rearmed` says that the loop before this
    /// one may still be about to end.
    pub(super) fn open(
        place: StatePlace,
        advice: Option<&str>,
        rearmed: bool,
        notices: &mut Vec<String>,
    ) -> (Self, Option<Saved>) {
        let mut memory = Self::none();
        let patience = if rearmed { HANDOVER } else { Duration::ZERO };
        let opened = StateDir::open(place).and_then(|dir| {
            let lock = dir.lock_within(patience)?;
            Ok((lock, Saved::load(&dir)?, dir))
        });
        let (lock, loaded, dir) = match opened {
            Ok(opened) => opened,
            Err(error) => {
                let advice = advice.filter(|_| error.kind() == StateErrorKind::Unusable);
                let advice = advice
                    .map(|advice| format!("; {advice}"))
                    .unwrap_or_default();
                notices.push(format!(
                    "nothing is remembered over a restart: {error}{advice}"
                ));
                return (memory, None);
            }
        };
        notices.extend(loaded.notice);
        memory.kept = Some(Kept {
            journal: Journal::open(&dir, notices),
            dir,
            _lock: lock,
        });
        (memory, loaded.saved)
    }

    /// What was said first, to be known after a restart.
    pub(super) fn banner(&mut self, banner: String) {
        self.banner = Some(banner);
    }

    /// What is left of the line budget, for whoever asks how the loop fares.
    pub(super) fn budget(&mut self, left: BudgetLeft) {
        self.budget = Some(left);
    }

    /// So many sensors remember something now. One that did not before has a baseline, without
    /// which a restart would take for old what is new: it is written at once.
    pub(super) fn remember(&mut self, sensors: usize, now: Duration) {
        if sensors > self.known {
            self.due_at(now);
        }
    }

    /// Something changed: it is written soon.
    pub(super) fn changed(&mut self, now: Duration) {
        self.due_at(now.saturating_add(SOON));
    }

    /// Something changed that a restart can do without: it is written some time.
    pub(super) fn changed_little(&mut self, now: Duration) {
        self.due_at(now.saturating_add(LATER));
    }

    fn due_at(&mut self, at: Duration) {
        if self.kept.is_some() {
            self.due = Some(self.due.map_or(at, |due| due.min(at)));
        }
    }

    /// When something is to be written, on the boot clock.
    pub(super) fn due(&self) -> Option<Duration> {
        self.due
    }

    /// Takes the engine's new records for the journal. Tells whether there were any.
    pub(super) fn note(&mut self, records: &[Record]) -> bool {
        if let Some(kept) = &mut self.kept {
            for record in records {
                kept.journal.push(record);
            }
        }
        !records.is_empty()
    }

    /// Writes the checkpoint, and returns what has to be said if that fails for the first time,
    /// or goes well again.
    pub(super) fn store(&mut self, now: Now, engine: &Attention, roster: &Roster) -> Option<Word> {
        let kept = self.kept.as_ref()?;
        let unflushed = kept.journal.is_waiting();
        self.due = unflushed.then(|| now.boot.saturating_add(SOON));
        let mut saved = Saved::new(now.wall, engine.checkpoint());
        saved.banner = self.banner.clone().filter(|_| !engine.banner_waits());
        saved.budget = self.budget;
        saved.snapshots = roster.snapshots();
        self.known = saved.snapshots.len();
        saved.health = roster.health(now.boot, now.wall);
        let mut stored = saved.store(&kept.dir);
        let mut shed = Vec::new();
        // A sensor that remembers too much costs its own memory only.
        while stored
            .as_ref()
            .is_err_and(|error| error.kind() == StateErrorKind::TooLarge)
            && let Some(name) = saved.shed()
        {
            shed.push(name.to_string());
            stored = saved.store(&kept.dir);
        }
        match stored {
            Ok(()) if shed.is_empty() => self.unstored.ended(),
            Ok(()) => {
                let shed = shed.join(", ");
                self.unstored.told(format!(
                    "a restart would begin afresh for {shed}: it remembers too much"
                ))
            }
            Err(error) => {
                self.due_at(now.boot.saturating_add(LATER));
                self.unstored
                    .told(format!("a restart would begin afresh: {error}"))
            }
        }
    }

    /// Writes what waits for the journal, and returns what has to be said if that fails for the
    /// first time, or goes well again.
    pub(super) fn flush_journal(&mut self, engine: &Attention) -> Option<Word> {
        let kept = self.kept.as_mut()?;
        if !kept.journal.is_waiting() {
            return None;
        }
        match kept.journal.flush(&engine.totals()) {
            Err(error) => self
                .unflushed
                .told(format!("`attend explain` has gaps: {error}")),
            Ok(()) if kept.journal.is_waiting() => None,
            Ok(()) => self.unflushed.ended(),
        }
    }
}

impl Trouble {
    /// It went wrong. Only the first time is worth a word.
    fn told(&mut self, text: String) -> Option<Word> {
        if self.0.is_some() {
            return None;
        }
        self.0 = Some(text.clone());
        Some(Word::Say(text))
    }

    /// It went well.
    fn ended(&mut self) -> Option<Word> {
        self.0.take().map(Word::Solved)
    }
}
