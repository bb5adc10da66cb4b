//! In flight: events of a batch that is being written, until it was or was not.

use crate::dynamics::Tick;

use super::super::id::{BatchId, EventId};
use super::entry::{Flight, Landing};
use super::standing::Standing;
use super::{Departed, Entry, Held};

impl Held {
    /// Marks what `boarded`, in the order of ids, names as being written, and says whether any of
    /// it has a line; none where nothing of this sensor is among it.
    pub(in crate::attention) fn board(
        &mut self,
        batch: BatchId,
        boarded: &[(EventId, Landing)],
    ) -> Option<bool> {
        let mut has_line = None;
        for entry in &mut self.entries {
            let Ok(at) = boarded.binary_search_by_key(&entry.id, |(id, _)| *id) else {
                continue;
            };
            let landing = boarded[at].1;
            entry.flight = Some(Flight {
                batch,
                landing,
                cleared: false,
            });
            self.in_flight = true;
            has_line = Some(has_line == Some(true) || landing == Landing::Shown);
        }
        has_line
    }

    /// The batch was written, as is known at `now`: its events are told. `fires` says when that
    /// was a fire, if it was one.
    pub(in crate::attention) fn land(&mut self, now: Tick, batch: BatchId, fires: Option<Tick>) {
        let (told, kept): (Vec<Entry>, Vec<Entry>) = self
            .entries
            .drain(..)
            .partition(|entry| entry.batch() == Some(batch));
        self.entries = kept;
        self.in_flight = false;
        for entry in told {
            let Some(flight) = entry.flight else { continue };
            match flight.landing {
                Landing::Shown => self.tally.shown += 1,
                Landing::Named | Landing::Counted => self.tally.footnoted += 1,
            }
            let told = flight.landing != Landing::Counted;
            if let (true, Some(key)) = (told && entry.event.is_standing(), entry.event.key()) {
                self.memory
                    .tell(key.clone(), entry.event.magnitude(), entry.mode);
                if flight.cleared {
                    self.memory.forget(key);
                }
            }
        }
        self.drop_repeated(now);
        if let Some(at) = fires {
            self.engagement.record_fire(at);
        }
        self.footnote.reset();
        self.outlook.ready_at = None;
    }

    /// The batch was not written: its events are held as before, less what was cleared or
    /// reported again meanwhile.
    pub(in crate::attention) fn return_from(&mut self, now: Tick, batch: BatchId) {
        let cleared = |entry: &Entry| entry.flight.is_some_and(|f| f.batch == batch && f.cleared);
        self.tally.cleared += self.remove(now, Departed::Cleared, cleared);
        self.in_flight = false;
        let mut at = 0;
        while let Some(entry) = self.entries.get(at) {
            if entry.batch() != Some(batch) {
                at += 1;
                continue;
            }
            let first = entry.first;
            let newer = entry.event.key().and_then(|key| {
                self.entries
                    .iter()
                    .position(|other| other.is_resting() && other.has_key(key))
            });
            if let Some(newer) = newer {
                self.entries[newer].first = self.entries[newer].first.min(first);
                let waited = self.entries[at].waited_since;
                self.entries[newer].waited_since = waited.or(self.entries[newer].waited_since);
                let by = self.entries[newer].id;
                let older = self.entries.remove(at);
                self.tally.replaced += 1;
                self.unrecorded
                    .gone(older.id, now, Departed::Replaced { by });
            } else {
                self.entries[at].flight = None;
                at += 1;
            }
        }
    }

    /// Drops standing events that are no more than what was told.
    pub(super) fn drop_repeated(&mut self, now: Tick) {
        let memory = std::mem::take(&mut self.memory);
        self.tally.repeated += self.remove(now, Departed::Repeated, |entry| {
            let key = entry
                .event
                .key()
                .filter(|_| entry.is_resting() && entry.event.is_standing());
            key.is_some_and(|key| {
                memory.compare(key, entry.event.magnitude(), entry.mode) == Standing::Repeated
            })
        });
        self.memory = memory;
    }
}
