//! The outlook: what follows from the held events for the gates, computed once per change.

use crate::dynamics::{Tick, TickDelta, first_tick};

use super::super::line::Priority;
use super::super::mode::Mode;
use super::super::mute::Mutes;
use super::super::settings::Settings;
use super::standing::Standing;
use super::{Entry, Held};

/// A magnitude from which on something may wake an idle host.
const HIGH: u64 = 5_000;

/// A magnitude from which on something may wake at all.
const MEDIUM: u64 = 3_000;

/// What the gates ask of the surroundings when the outlook is computed.
#[derive(Clone, Copy, Debug)]
pub(in crate::attention) struct Terms<'a> {
    pub(in crate::attention) settings: &'a Settings,
    pub(in crate::attention) mutes: &'a Mutes,
    /// The host is busy, or nobody knows.
    pub(in crate::attention) is_busy: bool,
}

/// What the held events of one sensor add up to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::attention) struct Outlook {
    /// Of what counts, in thousandths.
    pub(in crate::attention) sum: u64,
    /// Of the conditions among it that are told for the first time, or as more than before.
    pub(in crate::attention) fresh: u64,
    /// By the larger of the largest event and half the sum.
    pub(in crate::attention) priority: Priority,
    /// Some event that counts is critical.
    pub(in crate::attention) critical: bool,
    /// Somebody asked for quiet from some event.
    pub(in crate::attention) muted: bool,
    /// Since when some event that counts waits for room.
    pub(in crate::attention) waited_since: Option<Tick>,
    /// Since when it passes every gate of its own; for what the refractory holds, from when on.
    pub(in crate::attention) ready_at: Option<Tick>,
    /// When the next event will have aged away.
    pub(in crate::attention) expires_at: Option<Tick>,
    /// The age at which an event is dropped.
    pub(in crate::attention) lifetime: Option<TickDelta>,
}

impl Outlook {
    /// Of a sensor that holds nothing.
    pub(in crate::attention) const NOTHING: Self = Self {
        sum: 0,
        fresh: 0,
        priority: Priority::Low,
        critical: false,
        muted: false,
        waited_since: None,
        ready_at: None,
        expires_at: None,
        lifetime: None,
    };
}

/// How far a sensor's own gates let it go, with nothing said about the host and the governor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::attention) enum Reach {
    /// Below the threshold, or nothing counts.
    Silent,
    /// It rides along, named in a footnote.
    Footnote,
    /// It may wake, once the refractory lets it.
    Wake,
}

impl Held {
    /// How far its own gates let it go.
    pub(in crate::attention) fn reach(&self) -> Reach {
        if self.outlook.sum < self.threshold.thousandths() || self.outlook.sum == 0 {
            Reach::Silent
        } else if self.outlook.priority == Priority::Low {
            Reach::Footnote
        } else {
            Reach::Wake
        }
    }

    /// Whether it passes every gate of its own at `now` and so may ride in full.
    pub(in crate::attention) fn is_ready(&self, now: Tick) -> bool {
        self.outlook.ready_at.is_some_and(|at| at <= now)
    }

    /// The events that count: neither muted, inhibited nor being written.
    pub(in crate::attention) fn counted(&self) -> impl Iterator<Item = &Entry> {
        let counts =
            |entry: &&Entry| entry.is_resting() && !entry.muted && !self.is_inhibited(entry);
        self.entries.iter().filter(counts)
    }

    /// Computes the outlook anew after a change at `now`.
    ///
    /// While something of it is being written the clocks stand: whether it was, or goes on as
    /// before, is known only then.
    pub(in crate::attention) fn refresh(&mut self, now: Tick, terms: Terms<'_>) {
        self.outlook.muted = false;
        for entry in &mut self.entries {
            entry.muted =
                !terms.mutes.is_empty() && terms.mutes.holds(&self.name, entry.event.signal(), now);
            self.outlook.muted |= entry.muted;
        }
        self.add_up();
        if !self.is_in_flight() {
            self.outlook.ready_at = self.ready_from(now);
            match self.reach() {
                Reach::Footnote => self.footnote.run(now, terms.is_busy),
                Reach::Silent | Reach::Wake => self.footnote.reset(),
            }
        }
        self.run_clocks(now, terms.settings);
    }

    /// Adds up what counts.
    fn add_up(&mut self) {
        let (mut sum, mut fresh, mut largest) = (0, 0, 0);
        let (mut critical, mut waited_since) = (false, None);
        for entry in self.counted() {
            let magnitude = entry.event.magnitude().thousandths();
            sum += magnitude;
            largest = magnitude.max(largest);
            critical |= entry.mode == Mode::Critical;
            waited_since = waited_since
                .or(entry.waited_since)
                .min(entry.waited_since.or(waited_since));
            if self.is_fresh(entry) {
                fresh += magnitude;
            }
        }
        let priority = match largest.max(sum / 2) {
            _ if critical => Priority::High,
            HIGH.. => Priority::High,
            MEDIUM.. => Priority::Medium,
            _ => Priority::Low,
        };
        self.outlook = Outlook {
            sum,
            fresh,
            priority,
            critical,
            waited_since,
            ..self.outlook
        };
    }

    /// When it passes every gate of its own.
    ///
    /// A sensor that was ready and still is stays ready since then; otherwise it becomes ready
    /// at the first tick from `now` on at which the refractory lets it pass. What is critical
    /// passes it; conditions that are fresh pass its multiplier, if they reach the threshold by
    /// themselves.
    fn ready_from(&self, now: Tick) -> Option<Tick> {
        if self.reach() != Reach::Wake {
            return None;
        }
        let since = self.outlook.ready_at.filter(|at| *at <= now).unwrap_or(now);
        if self.outlook.critical {
            return Some(since);
        }
        let (sum, threshold) = (self.outlook.sum, self.threshold.thousandths());
        let passes_multiplier = self.outlook.fresh > 0 && self.outlook.fresh >= threshold;
        first_tick(since, |at| {
            if passes_multiplier {
                !self.engagement.is_absolute(at)
            } else {
                self.engagement.admits(at, sum, threshold)
            }
        })
    }

    /// Whether `entry` is a condition on its first showing, or on a rise.
    fn is_fresh(&self, entry: &Entry) -> bool {
        entry.event.is_standing()
            && entry.event.key().is_some_and(|key| {
                let (magnitude, mode) = (entry.event.magnitude(), entry.mode);
                self.memory.compare(key, magnitude, mode) == Standing::Fresh
            })
    }
}
