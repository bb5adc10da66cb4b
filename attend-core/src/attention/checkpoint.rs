//! Checkpoints: everything the engine must remember over a restart, in a form fit for a file.

use serde::{Deserialize, Serialize};

use crate::dynamics::{EngagementState, Governor, Tick};
use crate::sensor::{HostState, Magnitude, Observation, SensorName};

use super::gate::EventGovernor;
use super::held::{BusyWait, Entry, Held, Outlook, StandingMemory, Tally};
use super::id::EventId;
use super::journal::Change;
use super::mode::{HandledSignals, Mode};
use super::mute::Mutes;

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
    #[serde(default)]
    pub(super) host: HostState,
    #[serde(default)]
    pub(super) mutes: Mutes,
    #[serde(default)]
    pub(super) handled: HandledSignals,
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
    /// Since when it passed every gate of its own.
    #[serde(default)]
    ready_at: Option<Tick>,
    /// Where it stood when that was last written down.
    #[serde(default)]
    pub(super) stage: Option<Change>,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct SavedEvent {
    id: EventId,
    mode: Mode,
    first: Tick,
    last: Tick,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    ages_since: Option<Tick>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    waited_since: Option<Tick>,
    #[serde(flatten)]
    event: Observation,
}

impl SavedSensor {
    pub(super) fn of(held: &Held, stage: Option<Change>) -> Self {
        Self {
            name: held.name.clone(),
            threshold: held.threshold,
            engagement: held.engagement.clone(),
            standing: held.memory.clone(),
            held: held.entries.iter().map(SavedEvent::of).collect(),
            tally: held.tally,
            footnote: held.footnote,
            ready_at: held.outlook.ready_at,
            stage,
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
            mode: entry.mode,
            first: entry.first,
            last: entry.last,
            ages_since: entry.ages_since,
            waited_since: entry.waited_since,
            event: entry.event.clone(),
        }
    }

    fn restored(self, now: Tick) -> Entry {
        let mut entry = Entry::new(self.id, self.event, self.mode, self.first.min(now));
        entry.last = self.last.min(now);
        entry.ages_since = self.ages_since.map(|since| since.min(now));
        entry.waited_since = self.waited_since.map(|since| since.min(now));
        entry
    }
}
