//! Unrecorded: which events came and went since that was last written down.

use serde::{Deserialize, Serialize};

use crate::attention::id::EventId;
use crate::attention::text::sanitise;
use crate::dynamics::Tick;
use crate::sensor::{Key, Magnitude, Observation, Signal};

/// How much waits before it is written down though nothing else is to be said of the sensor.
const MANY: usize = 32;

/// Characters of an event's text that its arrival keeps.
const MAX_TEXT: usize = 200;

/// An event that a sensor reported and the engine took in.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Arrival {
    /// Which.
    pub event: EventId,
    /// When.
    pub at: Tick,
    /// How much it matters.
    pub magnitude: Magnitude,
    /// Its key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<Key>,
    /// The signal that it carries.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signal: Option<Signal>,
    /// What it says, made harmless and cut to 200 characters.
    pub text: String,
    /// What its sensor added up to with it, in thousandths.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sum: Option<u64>,
}

/// An event that went without being told.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Departure {
    /// Which.
    pub event: EventId,
    /// When.
    pub at: Tick,
    /// How.
    #[serde(flatten)]
    pub how: Departed,
}

/// How an event went that was neither told nor grew too old.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "how")]
#[non_exhaustive]
pub enum Departed {
    /// A later one with its key took its place.
    Replaced {
        /// That one.
        by: EventId,
    },
    /// Its key was cleared.
    Cleared,
    /// It stands, and is no more than what was already told.
    Repeated,
    /// It made room for larger ones.
    OverCap,
}

/// What befell the events of one sensor since its last journal record.
#[derive(Clone, PartialEq, Debug, Default)]
pub(in crate::attention) struct Unrecorded {
    pub(in crate::attention) came: Vec<Arrival>,
    pub(in crate::attention) gone: Vec<Departure>,
}

impl Unrecorded {
    pub(in crate::attention) fn is_empty(&self) -> bool {
        self.came.is_empty() && self.gone.is_empty()
    }

    /// Whether so much waits that it should be written down.
    pub(in crate::attention) fn is_much(&self) -> bool {
        self.came.len() + self.gone.len() >= MANY
    }

    /// What came is part of this sum.
    pub(in crate::attention) fn add_up(&mut self, sum: u64) {
        let new = self.came.iter_mut().rev();
        for arrival in new.take_while(|arrival| arrival.sum.is_none()) {
            arrival.sum = Some(sum);
        }
    }

    pub(super) fn came(&mut self, event: EventId, at: Tick, reported: &Observation) {
        self.came.push(Arrival {
            event,
            at,
            magnitude: reported.magnitude(),
            key: reported.key().cloned(),
            signal: reported.signal().cloned(),
            text: excerpt(reported.text(), MAX_TEXT),
            sum: None,
        });
    }

    pub(super) fn gone(&mut self, event: EventId, at: Tick, how: Departed) {
        self.gone.push(Departure { event, at, how });
    }
}

/// The beginning of a text from outside, made harmless.
pub(in crate::attention) fn excerpt(text: &str, most: usize) -> String {
    let end = text.char_indices().nth(most).map(|(at, _)| at);
    sanitise(text.split_at(end.unwrap_or(text.len())).0)
}
