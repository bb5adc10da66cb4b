//! Checkpoints: everything the engine must remember over a restart, in a form fit for a file.

use serde::{Deserialize, Serialize};

use crate::dynamics::{EngagementState, Governor, Tick};
use crate::sensor::{Magnitude, Observation, SensorName};

use super::gate::EventGovernor;
use super::held::{BusyWait, Entry, Held, Outlook, StandingMemory, Tally};
use super::id::EventId;
use super::mode::mode;

/// The engine's memory: what is held, what fired when, what was told of standing conditions,
/// and what the governor let through.
///
/// Taken while a batch is being written, it is the state after that batch was acknowledged at
/// its own tick: written to disk before the lines, it makes sure that no event is told twice.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Checkpoint {
    pub(super) sensors: Vec<SavedSensor>,
    pub(super) governor: EventGovernor,
    pub(super) mail_governor: Governor,
    pub(super) reply_hint: bool,
    pub(super) events: u64,
    pub(super) batches: u64,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) notices: Vec<String>,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct SavedSensor {
    name: SensorName,
    threshold: Magnitude,
    engagement: EngagementState,
    standing: StandingMemory,
    held: Vec<SavedEvent>,
    tally: Tally,
    #[serde(default)]
    footnote: BusyWait,
    #[serde(default)]
    waited: bool,
    /// Since when it passed every gate of its own.
    #[serde(default)]
    ready_at: Option<Tick>,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct SavedEvent {
    id: EventId,
    first: Tick,
    last: Tick,
    #[serde(flatten)]
    event: Observation,
}

impl SavedSensor {
    pub(super) fn of(held: &Held) -> Self {
        Self {
            name: held.name.clone(),
            threshold: held.threshold,
            engagement: held.engagement.clone(),
            standing: held.memory.clone(),
            held: held.entries.iter().map(SavedEvent::of).collect(),
            tally: held.tally,
            footnote: held.footnote,
            waited: held.waited,
            ready_at: held.outlook.ready_at,
        }
    }

    pub(super) fn restored(self, now: Tick) -> Held {
        let mut held = Held::new(self.name, self.threshold, self.engagement.curve().clone());
        held.engagement = self.engagement;
        held.engagement.settle_future(now);
        held.memory = self.standing;
        held.tally = self.tally;
        held.footnote = self.footnote;
        held.footnote.settle_future(now);
        held.waited = self.waited;
        held.entries = self
            .held
            .into_iter()
            .map(|event| event.restored(now))
            .collect();
        held.outlook = Outlook {
            ready_at: self.ready_at,
            ..Outlook::NOTHING
        };
        held
    }
}

impl SavedEvent {
    fn of(entry: &Entry) -> Self {
        Self {
            id: entry.id,
            first: entry.first,
            last: entry.last,
            event: entry.event.clone(),
        }
    }

    fn restored(self, now: Tick) -> Entry {
        let mode = mode(&self.event, &std::collections::BTreeMap::new());
        let (first, last) = (self.first.min(now), self.last.min(now));
        Entry {
            id: self.id,
            event: self.event,
            mode,
            first,
            last,
            flight: None,
            muted: false,
        }
    }
}
