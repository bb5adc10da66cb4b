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
    /// By the larger of the largest event and half the sum.
    pub(in crate::attention) priority: Priority,
    /// Some event that counts is critical.
    pub(in crate::attention) critical: bool,
    /// Since when it passes every gate of its own; for what the refractory holds, from when on.
    pub(in crate::attention) ready_at: Option<Tick>,
    /// When the next event will have aged away.
    pub(in crate::attention) expires_at: Option<Tick>,
    pub(in crate::attention) lifetime: TickDelta,
}

impl Outlook {
    /// Of a sensor that holds nothing.
    pub(in crate::attention) const NOTHING: Self = Self {
        sum: 0,
        priority: Priority::Low,
        critical: false,
        ready_at: None,
        expires_at: None,
        lifetime: TickDelta::ZERO,
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
        self.entries
            .iter()
            .filter(|entry| entry.is_resting() && !entry.muted && !self.is_inhibited(entry))
    }

    /// Computes the outlook anew after a change at `now`.
    ///
    /// A sensor that was ready and still is stays ready since then; otherwise it becomes ready
    /// at the first tick from `now` on at which the refractory lets its sum pass.
    pub(in crate::attention) fn refresh(&mut self, now: Tick, terms: Terms<'_>) {
        for entry in &mut self.entries {
            entry.muted = terms.mutes.holds(&self.name, entry.event.signal(), now);
        }
        let since = self.outlook.ready_at.filter(|at| *at <= now).unwrap_or(now);
        let (mut sum, mut largest, mut critical, mut fresh) = (0, 0, false, false);
        for entry in self.counted() {
            let magnitude = entry.event.magnitude().thousandths();
            sum += magnitude;
            largest = magnitude.max(largest);
            critical |= entry.mode == Mode::Critical;
            fresh |= self.is_fresh(entry);
        }
        let threshold = self.threshold.thousandths();
        self.outlook.sum = sum;
        self.outlook.critical = critical;
        self.outlook.priority = match largest.max(sum / 2) {
            _ if critical => Priority::High,
            HIGH.. => Priority::High,
            MEDIUM.. => Priority::Medium,
            _ => Priority::Low,
        };
        let reach = self.reach();
        self.outlook.ready_at = match reach {
            Reach::Wake if critical => Some(since),
            Reach::Wake => first_tick(since, |at| {
                if fresh {
                    !self.engagement.is_absolute(at)
                } else {
                    self.engagement.admits(at, sum, threshold)
                }
            }),
            Reach::Silent | Reach::Footnote => None,
        };
        match reach {
            Reach::Footnote => self.footnote.run(now, terms.is_busy),
            Reach::Silent | Reach::Wake => self.footnote.reset(),
        }
        if let Some(lifetime) = terms.settings.aging.lifetime() {
            self.outlook.lifetime = lifetime;
            let ready = reach != Reach::Silent;
            let ageing = self.entries.iter().filter(|entry| self.ages(entry, ready));
            self.outlook.expires_at = ageing.map(|entry| entry.first.after(lifetime)).min();
        } else {
            self.outlook.expires_at = None;
        }
    }

    /// Whether `entry` is a condition on its first showing, or on a rise.
    fn is_fresh(&self, entry: &Entry) -> bool {
        entry.event.is_standing()
            && entry.event.key().is_some_and(|key| {
                self.memory
                    .compare(key, entry.event.magnitude(), entry.mode)
                    == Standing::Fresh
            })
    }
}
