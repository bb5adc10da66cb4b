//! The story of one event: when it came, what held it, and what became of it.

use crate::attention::held::{Arrival, Departed, Entry};
use crate::attention::id::{BatchId, EventId};
use crate::attention::journal::Record;
use crate::dynamics::Tick;
use crate::sensor::{Key, Magnitude, SensorName, Signal};

/// One event, as far as the journal knows it.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Story<'a> {
    /// Which.
    pub event: EventId,
    /// Whose.
    pub sensor: &'a SensorName,
    /// When it came; none where that is no longer in the journal.
    pub came: Option<Tick>,
    /// How much it matters.
    pub magnitude: Option<Magnitude>,
    /// Its key.
    pub key: Option<&'a Key>,
    /// The signal that it carries.
    pub signal: Option<&'a Signal>,
    /// What it says; from outside.
    pub text: &'a str,
    /// What its sensor added up to when it came, in thousandths.
    pub sum: Option<u64>,
    /// What became of it.
    pub fate: Fate,
    /// Since when.
    pub fate_at: Tick,
    /// Which stages of its sensor it went through: from, and to before.
    pub(super) stages: (usize, usize),
}

/// What became of an event.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Fate {
    /// It is held still.
    Held,
    /// It had a line of its own.
    Shown {
        /// In this batch.
        batch: BatchId,
    },
    /// It was named or counted in a footnote.
    Footnoted {
        /// In this batch.
        batch: BatchId,
    },
    /// It stayed below the threshold for too long.
    AgedOut,
    /// It went in another way.
    Gone(Departed),
    /// The loop ended before that was written down.
    Unknown,
}

/// Where a sensor stood, and what was true then.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub struct Stage<'a> {
    /// What the journal says of it.
    pub record: &'a Record,
    /// When the sensor was last shown before.
    pub shown: Option<Tick>,
}

impl<'a> Story<'a> {
    pub(super) fn came(sensor: &'a SensorName, arrival: &'a Arrival, stage: usize) -> Self {
        Self {
            event: arrival.event,
            sensor,
            came: Some(arrival.at),
            magnitude: Some(arrival.magnitude),
            key: arrival.key.as_ref(),
            signal: arrival.signal.as_ref(),
            text: &arrival.text,
            sum: arrival.sum,
            fate: Fate::Unknown,
            fate_at: arrival.at,
            stages: (stage, stage),
        }
    }

    /// One of which the journal names only the end.
    pub(super) fn ended(event: EventId, record: &'a Record, stage: usize) -> Self {
        // What a record says of its largest event holds for its only one.
        let alone = record.events.len() == 1;
        Self {
            event,
            sensor: &record.sensor,
            came: None,
            magnitude: record.magnitude.filter(|_| alone),
            key: record.key.as_ref().filter(|_| alone),
            signal: None,
            text: record.text.as_deref().filter(|_| alone).unwrap_or_default(),
            sum: None,
            fate: Fate::Unknown,
            fate_at: record.tick,
            stages: (stage, stage),
        }
    }

    /// One that is held and of which the journal knows nothing.
    pub(super) fn held(sensor: &'a SensorName, entry: &'a Entry, stage: usize) -> Self {
        let event = entry.event();
        Self {
            event: entry.id(),
            sensor,
            came: Some(entry.last_seen()),
            magnitude: Some(event.magnitude()),
            key: event.key(),
            signal: event.signal(),
            text: event.text(),
            sum: None,
            fate: Fate::Held,
            fate_at: entry.last_seen(),
            stages: (stage, stage),
        }
    }

    /// The one that took its place.
    pub(super) fn heir(&self) -> Option<EventId> {
        match self.fate {
            Fate::Gone(Departed::Replaced { by }) => Some(by),
            _ => None,
        }
    }
}
