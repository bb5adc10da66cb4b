//! Held: the events of one sensor, between their report and the moment they are told or dropped.

use crate::dynamics::{Curve, EngagementState, Tick};
use crate::sensor::{Item, Key, MAX_HELD, Magnitude, Observation, Report, SensorName};

use super::id::EventId;
use super::line::Priority;
use super::mode::{HandledSignals, mode};

mod counts;
pub use counts::Tally;

mod unrecorded;
pub use unrecorded::{Arrival, Departed, Departure};
pub(in crate::attention) use unrecorded::{Unrecorded, excerpt};

mod standing;
use standing::Standing;
pub(in crate::attention) use standing::StandingMemory;

mod wait;
pub(in crate::attention) use wait::BusyWait;

mod entry;
pub use entry::Entry;
pub(in crate::attention) use entry::Landing;

mod outlook;
pub(in crate::attention) use outlook::{Outlook, Reach, Terms};

mod aging;

mod flight;

/// One sensor's events and engagement.
#[derive(Clone, PartialEq, Debug)]
pub struct Held {
    pub(in crate::attention) name: SensorName,
    pub(in crate::attention) threshold: Magnitude,
    /// In the order of their arrival.
    pub(in crate::attention) entries: Vec<Entry>,
    pub(in crate::attention) memory: StandingMemory,
    pub(in crate::attention) engagement: EngagementState,
    pub(in crate::attention) tally: Tally,
    /// For how long it has been a footnote while the host was not idle.
    pub(in crate::attention) footnote: BusyWait,
    /// Some of it is being written.
    pub(in crate::attention) in_flight: bool,
    /// What came and went since the last journal record.
    pub(in crate::attention) unrecorded: Unrecorded,
    /// What follows from all this for the gates; refreshed after every change.
    pub(in crate::attention) outlook: Outlook,
}

/// Where the ids of new events come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::attention) struct Ids(pub(in crate::attention) u64);

impl Ids {
    fn next(&mut self) -> EventId {
        self.0 += 1;
        EventId::new(self.0)
    }
}

impl Held {
    /// A sensor that reported nothing yet.
    pub(in crate::attention) fn new(name: SensorName, threshold: Magnitude, curve: Curve) -> Self {
        Self {
            name,
            threshold,
            entries: Vec::new(),
            memory: StandingMemory::default(),
            engagement: EngagementState::new(curve),
            tally: Tally::default(),
            footnote: BusyWait::default(),
            in_flight: false,
            unrecorded: Unrecorded::default(),
            outlook: Outlook::NOTHING,
        }
    }

    /// The sensor's name.
    pub fn name(&self) -> &SensorName {
        &self.name
    }

    /// The sum below which it is silent.
    pub fn threshold(&self) -> Magnitude {
        self.threshold
    }

    /// What it holds, in the order of arrival.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Its fire history.
    pub fn engagement(&self) -> &EngagementState {
        &self.engagement
    }

    /// What became of everything it reported.
    pub fn tally(&self) -> Tally {
        self.tally
    }

    /// The sum of what counts, in thousandths: all that is held, less what is muted, inhibited or
    /// being written.
    pub fn sum(&self) -> u64 {
        self.outlook.sum
    }

    /// Whether anything of it is being written.
    pub fn is_in_flight(&self) -> bool {
        self.in_flight
    }

    /// Whether some condition that stands holds `entry` back.
    pub fn is_inhibited(&self, entry: &Entry) -> bool {
        !self.memory.is_calm()
            && entry
                .event
                .key()
                .is_some_and(|key| self.memory.inhibits(key))
    }

    /// How much it may interrupt: by the larger of its largest event and half its sum.
    pub fn priority(&self) -> Priority {
        self.outlook.priority
    }

    /// Takes in what one look found. The outlook must be refreshed afterwards.
    pub(in crate::attention) fn accept(
        &mut self,
        now: Tick,
        report: Report,
        handled: &HandledSignals,
        ids: &mut Ids,
    ) {
        let absorbed = report.absorbed();
        self.tally.reported += absorbed.total();
        self.tally.replaced += absorbed.replaced;
        self.tally.cleared += absorbed.cleared;
        self.tally.over_cap += absorbed.over_cap;
        for item in report.into_items() {
            match item {
                Item::Event(event) => self.observe(now, event, handled, ids.next()),
                Item::Clear(key) => self.clear(now, &key),
            }
        }
    }

    fn observe(&mut self, now: Tick, event: Observation, handled: &HandledSignals, id: EventId) {
        self.tally.reported += 1;
        self.unrecorded.came(id, now, &event);
        let mode = mode(&event, handled);
        if let (true, Some(key)) = (event.is_standing(), event.key()) {
            self.memory.inhibit(key, event.inhibits());
            if self.memory.compare(key, event.magnitude(), mode) == Standing::Repeated {
                let key = key.clone();
                let by_it = Departed::Replaced { by: id };
                self.tally.replaced += self.remove(now, by_it, |entry| {
                    entry.is_resting() && entry.has_key(&key)
                });
                self.tally.repeated += 1;
                self.unrecorded.gone(id, now, Departed::Repeated);
                return;
            }
        }
        let place = event.key().and_then(|key| {
            self.entries
                .iter_mut()
                .find(|entry| entry.is_resting() && entry.has_key(key))
        });
        if let Some(held) = place {
            let replaced = std::mem::replace(&mut held.id, id);
            (held.event, held.mode, held.last) = (event, mode, now);
            self.tally.replaced += 1;
            self.unrecorded
                .gone(replaced, now, Departed::Replaced { by: id });
        } else {
            self.entries.push(Entry::new(id, event, mode, now));
            if self.entries.len() > MAX_HELD {
                self.displace(now);
            }
        }
    }

    fn clear(&mut self, now: Tick, key: &Key) {
        self.memory.clear(key);
        self.tally.cleared += self.remove(now, Departed::Cleared, |entry| {
            entry.is_resting() && entry.has_key(key)
        });
        for flight in self
            .entries
            .iter_mut()
            .filter(|entry| entry.has_key(key))
            .filter_map(|entry| entry.flight.as_mut())
        {
            flight.cleared = true;
        }
    }

    /// Drops the smallest event that is not being written, the oldest of equal ones.
    fn displace(&mut self, now: Tick) {
        let resting = self
            .entries
            .iter()
            .enumerate()
            .filter(|(_, entry)| entry.is_resting());
        let smallest = resting.min_by_key(|(at, entry)| (entry.event.magnitude(), *at));
        if let Some((at, _)) = smallest {
            let entry = self.entries.remove(at);
            self.tally.over_cap += 1;
            self.unrecorded.gone(entry.id, now, Departed::OverCap);
        }
    }

    /// Gives every event the mode that follows from another set of handled signals, and drops
    /// conditions that thereby are no more than what was told.
    pub(in crate::attention) fn rephrase(&mut self, now: Tick, handled: &HandledSignals) {
        for entry in &mut self.entries {
            entry.mode = mode(&entry.event, handled);
        }
        self.drop_repeated(now);
    }

    /// Removes what matches and says how much that was.
    fn remove(&mut self, now: Tick, how: Departed, matches: impl Fn(&Entry) -> bool) -> u64 {
        let before = self.entries.len();
        let unrecorded = &mut self.unrecorded;
        self.entries.retain(|entry| {
            let leaves = matches(entry);
            if leaves {
                unrecorded.gone(entry.id, now, how);
            }
            !leaves
        });
        (before - self.entries.len()) as u64
    }
}
