//! Checkpoints: everything the engine must remember over a restart, in a form fit for a file.

use serde::{Deserialize, Deserializer, Serialize};

use crate::dynamics::{EngagementState, Governor, Tick};
use crate::sensor::{HostState, Key, MAX_HELD, MAX_INHIBITS, Magnitude, Observation, SensorName};

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
///
/// What was stored is held to the same bounds as what is in memory, whoever wrote it: lists are
/// cut, counts stay so far from overflow that they never reach it, and an event that nobody
/// could have reported makes no checkpoint.
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

/// The most that a stored count is taken for. Nothing counts that far, and what is added to it
/// later does not overflow.
const MOST_COUNTED: u64 = 1 << 56;

/// A stored count.
pub(super) fn counted(stored: u64) -> u64 {
    stored.min(MOST_COUNTED)
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct SavedSensor {
    pub(super) name: SensorName,
    threshold: Magnitude,
    engagement: EngagementState,
    #[serde(deserialize_with = "standing")]
    standing: StandingMemory,
    held: Vec<SavedEvent>,
    #[serde(deserialize_with = "tally")]
    tally: Tally,
    #[serde(default, deserialize_with = "footnote")]
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
        held.footnote = self.footnote;
        held.footnote.settle_future(now);
        let entries = self.held.into_iter().take(MAX_HELD);
        held.entries = entries.map(|event| event.restored(now)).collect();
        held.tally = self.tally;
        held.tally.reported = held.tally.gone() + held.entries.len() as u64;
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
        let id = EventId::new(counted(self.id.get()));
        let mut entry = Entry::new(id, self.event, self.mode, self.first.min(now));
        entry.last = self.last.min(now);
        entry.ages_since = self.ages_since.map(|since| since.min(now));
        entry.waited_since = self.waited_since.map(|since| since.min(now));
        entry
    }
}

/// What was told of standing conditions, told again: so it keeps its bounds.
fn standing<'de, D: Deserializer<'de>>(from: D) -> Result<StandingMemory, D::Error> {
    #[derive(Deserialize)]
    struct Stored {
        told: Vec<Told>,
        inhibitions: Vec<Inhibition>,
    }
    #[derive(Deserialize)]
    struct Told {
        key: Key,
        magnitude: Magnitude,
        mode: Mode,
        cleared: bool,
    }
    #[derive(Deserialize)]
    struct Inhibition {
        by: Key,
        keys: Vec<Key>,
    }
    let stored = Stored::deserialize(from)?;
    let mut memory = StandingMemory::default();
    for told in stored.told {
        memory.tell(told.key.clone(), told.magnitude, told.mode);
        if told.cleared {
            memory.forget(&told.key);
        }
    }
    for Inhibition { by, mut keys } in stored.inhibitions {
        keys.truncate(MAX_INHIBITS);
        memory.inhibit(&by, &keys);
    }
    Ok(memory)
}

fn tally<'de, D: Deserializer<'de>>(from: D) -> Result<Tally, D::Error> {
    let mut tally = Tally::deserialize(from)?;
    for count in [
        &mut tally.reported,
        &mut tally.shown,
        &mut tally.footnoted,
        &mut tally.aged_out,
        &mut tally.replaced,
        &mut tally.cleared,
        &mut tally.repeated,
        &mut tally.over_cap,
    ] {
        *count = counted(*count);
    }
    Ok(tally)
}

/// What was waited, waited again.
fn footnote<'de, D: Deserializer<'de>>(from: D) -> Result<BusyWait, D::Error> {
    #[derive(Deserialize)]
    struct Stored {
        #[serde(default)]
        counted: u64,
        #[serde(default)]
        since: Option<Tick>,
    }
    let stored = Stored::deserialize(from)?;
    let mut wait = BusyWait::default();
    wait.run(Tick::new(0), true);
    wait.run(Tick::new(counted(stored.counted)), false);
    if let Some(since) = stored.since {
        wait.run(since, true);
    }
    Ok(wait)
}
