//! The journal: why each thing was shown, held or dropped.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use crate::dynamics::Tick;
use crate::sensor::{Key, Magnitude, Observation, SensorName};

use super::gate::Reason;
use super::held::{Entry, Held, Tally};
use super::id::{BatchId, EventId};
use super::text::sanitise;

/// How many records wait at most for somebody to drain them.
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
    /// Events that were replaced, cleared or displaced since the last record, the first 32.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub absorbed: Vec<EventId>,
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

/// Records that wait to be drained. The oldest go first when nobody does.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Journal {
    records: VecDeque<Record>,
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
        let absorbed = std::mem::take(&mut held.absorbed);
        let concerned = held
            .entries()
            .iter()
            .filter(|entry| ids.is_empty() || ids.contains(&entry.id()));
        let largest = concerned
            .map(Entry::event)
            .max_by_key(|event| event.magnitude());
        if self.records.len() == MAX_WAITING {
            self.records.pop_front();
        }
        self.records.push_back(Record {
            tick: now,
            sensor: held.name().clone(),
            change,
            events: ids.to_vec(),
            absorbed,
            key: largest.and_then(|event| event.key().cloned()),
            magnitude: largest.map(Observation::magnitude),
            text: largest.map(|event| excerpt(event.text())),
            sum: held.sum(),
            threshold: held.threshold(),
            multiplier: Some(held.engagement().multiplier(now)).filter(|m| m.is_finite()),
            until,
        });
    }

    /// Gives the records away.
    pub(super) fn drain(&mut self) -> Vec<Record> {
        self.records.drain(..).collect()
    }
}

fn excerpt(text: &str) -> String {
    let end = text.char_indices().nth(MAX_TEXT).map(|(at, _)| at);
    sanitise(text.split_at(end.unwrap_or(text.len())).0)
}
