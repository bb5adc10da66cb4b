//! The journal: why each thing was shown, held or dropped.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use crate::dynamics::Tick;
use crate::sensor::{Key, Magnitude, Observation, SensorName};

use super::gate::Reason;
use super::held::{Arrival, Departure, Entry, Held, Tally, Unrecorded, excerpt};
use super::id::{BatchId, EventId};

/// How many records, with the events that came and went in them, wait at most for somebody to
/// drain them.
const MAX_WAITING: usize = 4_096;

/// Characters of an event's text that a record keeps: all that a batch may show of it.
const MAX_TEXT: usize = 2_000;

/// One change of a sensor's stage, with the figures that explain it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Record {
    /// When.
    pub tick: Tick,
    /// Which sensor.
    pub sensor: SensorName,
    /// What happened to it.
    #[serde(flatten)]
    pub change: Change,
    /// The events that this is about.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub events: Vec<EventId>,
    /// Events that came since the last record.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub came: Vec<Arrival>,
    /// Events that went untold since the last record, but for those that grew too old.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub gone: Vec<Departure>,
    /// The key of the largest of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<Key>,
    /// The text of the largest of them, made harmless and cut.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The magnitude of the largest of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub magnitude: Option<Magnitude>,
    /// The sum of what counts, in thousandths.
    pub sum: u64,
    /// The sensor's threshold.
    pub threshold: Magnitude,
    /// How many times the threshold the sum must reach; none within the absolute refractory.
    pub multiplier: Option<f64>,
    /// The first tick at which that can change by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<Tick>,
}

/// What happened to a sensor's events.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "change")]
#[non_exhaustive]
pub enum Change {
    /// A gate holds them.
    Held {
        /// Which, and why.
        reason: Reason,
    },
    /// They may interrupt: a batch is being made.
    Admitted,
    /// They had a line of their own.
    Shown {
        /// In this batch.
        batch: BatchId,
    },
    /// They were named or counted in a footnote.
    Footnoted {
        /// In this batch.
        batch: BatchId,
    },
    /// The batch was not written: they are held again.
    Returned {
        /// That batch.
        batch: BatchId,
    },
    /// They stayed below the threshold for too long and were dropped.
    AgedOut,
    /// Nothing but that events came and went: the stage is as it was.
    Noted,
}

/// What became of all events of one sensor so far.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Totals {
    /// The sensor.
    pub sensor: SensorName,
    /// The counts.
    #[serde(flatten)]
    pub tally: Tally,
    /// Events that it still holds, in flight included.
    pub held: u64,
}

impl Totals {
    /// Where the events went, each count with the words for it.
    pub fn parts(&self) -> [(u64, &'static str); 8] {
        let tally = self.tally;
        [
            (tally.shown, "shown"),
            (tally.footnoted, "named in passing"),
            (tally.aged_out, "aged out"),
            (tally.replaced, "replaced"),
            (tally.cleared, "withdrawn"),
            (tally.repeated, "repeated"),
            (tally.over_cap, "over the cap"),
            (self.held, "held"),
        ]
    }

    /// `12 reported = 3 shown + 8 replaced + 1 held`
    pub fn equation(&self) -> String {
        let parts = self.parts();
        let parts = parts.iter().filter(|(count, _)| *count > 0);
        let parts: Vec<String> = parts
            .map(|(count, words)| format!("{count} {words}"))
            .collect();
        let reported = self.tally.reported;
        if parts.is_empty() {
            format!("{reported} reported")
        } else {
            format!("{reported} reported = {}", parts.join(" + "))
        }
    }

    /// Adds what became of the events of another sensor.
    pub(super) fn add(&mut self, other: &Self) {
        let (tally, more) = (&mut self.tally, &other.tally);
        tally.reported += more.reported;
        tally.shown += more.shown;
        tally.footnoted += more.footnoted;
        tally.aged_out += more.aged_out;
        tally.replaced += more.replaced;
        tally.cleared += more.cleared;
        tally.repeated += more.repeated;
        tally.over_cap += more.over_cap;
        self.held += other.held;
    }
}

/// Records that wait to be drained. The oldest go first when nobody does.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Journal {
    records: VecDeque<Record>,
    /// Of all of them.
    size: usize,
}

impl Record {
    fn size(&self) -> usize {
        1 + self.came.len() + self.gone.len()
    }
}

impl Journal {
    /// Records a change of `held` at `now`, about the events `ids`.
    pub(super) fn record(
        &mut self,
        now: Tick,
        held: &mut Held,
        change: Change,
        until: Option<Tick>,
        ids: &[EventId],
    ) {
        let Unrecorded { came, gone } = std::mem::take(&mut held.unrecorded);
        // Of what only came and went the arrivals tell.
        let entries = if change == Change::Noted {
            &[]
        } else {
            held.entries()
        };
        let concerned = entries
            .iter()
            .filter(|entry| ids.is_empty() || ids.contains(&entry.id()));
        let largest = concerned
            .map(Entry::event)
            .max_by_key(|event| event.magnitude());
        let record = Record {
            tick: now,
            sensor: held.name().clone(),
            change,
            events: ids.to_vec(),
            came,
            gone,
            key: largest.and_then(|event| event.key().cloned()),
            magnitude: largest.map(Observation::magnitude),
            text: largest.map(|event| excerpt(event.text(), MAX_TEXT)),
            sum: held.sum(),
            threshold: held.threshold(),
            multiplier: Some(held.engagement().multiplier(now)).filter(|m| m.is_finite()),
            until,
        };
        self.size += record.size();
        while self.size > MAX_WAITING
            && let Some(oldest) = self.records.pop_front()
        {
            self.size -= oldest.size();
        }
        self.records.push_back(record);
    }

    /// Gives the records away.
    pub(super) fn drain(&mut self) -> Vec<Record> {
        self.size = 0;
        self.records.drain(..).collect()
    }
}
