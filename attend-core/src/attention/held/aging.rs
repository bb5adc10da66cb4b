//! Aging: what stays below the threshold for too long is dropped.

use crate::dynamics::Tick;

use super::super::id::EventId;
use super::super::settings::Settings;
use super::outlook::Reach;
use super::{Entry, Held};

impl Held {
    /// When `entry` will be dropped unless more is reported; none for what does not age.
    pub fn expires(&self, entry: &Entry) -> Option<Tick> {
        let lifetime = self.outlook.lifetime?;
        entry.ages_since.map(|since| since.after(lifetime))
    }

    /// The events that aged away by `now`.
    pub(in crate::attention) fn aged(&self, now: Tick) -> Vec<EventId> {
        if self.outlook.expires_at.is_none_or(|due| due > now) {
            return Vec::new();
        }
        let aged = self
            .entries
            .iter()
            .filter(|entry| self.expires(entry).is_some_and(|due| due <= now));
        aged.map(Entry::id).collect()
    }

    /// Drops events that aged away.
    pub(in crate::attention) fn drop_aged(&mut self, aged: &[EventId]) {
        let before = self.entries.len();
        self.entries.retain(|entry| !aged.contains(&entry.id));
        self.tally.aged_out += (before - self.entries.len()) as u64;
    }

    /// Starts and stops the clocks of the events after a change at `now`.
    ///
    /// What a sensor holds below its threshold ages, and what does not count. What is ready
    /// never does: its clock starts anew once it is not.
    pub(super) fn run_clocks(&mut self, now: Tick, settings: &Settings) {
        let ready = self.reach() != Reach::Silent;
        let memory = &self.memory;
        for entry in self
            .entries
            .iter_mut()
            .filter(|entry| entry.flight.is_none())
        {
            let inhibited = entry.event.key().is_some_and(|key| memory.inhibits(key));
            let counts = !entry.muted && !inhibited;
            let ages =
                !entry.event.is_standing() && entry.waited_since.is_none() && !(ready && counts);
            entry.ages_since = ages.then(|| entry.ages_since.unwrap_or(now));
        }
        let lifetime = settings.aging.lifetime();
        let oldest = self.entries.iter().filter_map(|e| e.ages_since).min();
        self.outlook.lifetime = lifetime;
        self.outlook.expires_at = oldest
            .zip(lifetime)
            .map(|(since, lifetime)| since.after(lifetime));
    }
}
