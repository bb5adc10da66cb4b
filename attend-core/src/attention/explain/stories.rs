//! All stories that a journal tells.

use std::collections::{BTreeMap, HashMap};

use super::story::{Fate, Stage, Story};
use crate::attention::engine::Attention;
use crate::attention::held::Departed;
use crate::attention::id::{BatchId, EventId};
use crate::attention::journal::{Change, Record};
use crate::dynamics::Tick;
use crate::sensor::SensorName;

/// What became of every event that a journal knows, and where every sensor stood.
#[derive(Clone, PartialEq, Debug)]
pub struct Stories<'a> {
    pub(super) lanes: BTreeMap<&'a SensorName, Lane<'a>>,
    /// How many events each batch told, in lines and in passing.
    pub(super) batches: HashMap<(BatchId, Tick), (usize, usize)>,
    pub(in crate::attention) state: &'a Attention,
}

/// One sensor.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Lane<'a> {
    pub(super) stages: Vec<Stage<'a>>,
    pub(super) stories: Vec<Story<'a>>,
    /// The story of each event that is held, as of the latest record.
    open: HashMap<EventId, usize>,
    shown: Option<Tick>,
}

impl<'a> Stories<'a> {
    /// Reads `records`, oldest first. `state` is the engine as it was stored `as_of` a tick:
    /// what came later than that counts as held unless the journal knows better.
    pub fn of(
        records: impl IntoIterator<Item = &'a Record>,
        state: &'a Attention,
        as_of: Tick,
    ) -> Self {
        let mut stories = Self {
            lanes: BTreeMap::new(),
            batches: HashMap::new(),
            state,
        };
        for record in records {
            let lane = stories.lanes.entry(&record.sensor).or_default();
            lane.take(record);
            let told = |told: &mut (usize, usize)| match record.change {
                Change::Shown { .. } => told.0 += record.events.len(),
                _ => told.1 += record.events.len(),
            };
            if let Change::Shown { batch } | Change::Footnoted { batch } = record.change {
                told(stories.batches.entry((batch, record.tick)).or_default());
            }
        }
        stories.compare(as_of);
        stories
    }

    /// Each event, those of one sensor in the order in which they became known.
    pub fn iter(&self) -> impl Iterator<Item = &Story<'a>> {
        self.lanes.values().flat_map(|lane| &lane.stories)
    }

    /// Where the sensor stood from the moment on at which the event came.
    pub fn stages(&self, story: &Story<'a>) -> &[Stage<'a>] {
        let stages = self.lanes.get(story.sensor).map(|lane| &*lane.stages);
        let (from, to) = story.stages;
        stages.and_then(|all| all.get(from..to)).unwrap_or_default()
    }

    /// Where the sensor called `name` stood, one after the other.
    pub fn all_stages(&self, name: &SensorName) -> &[Stage<'a>] {
        self.lanes.get(name).map_or(&[], |lane| &lane.stages)
    }

    /// The sensors of which the journal knows something, and those that hold something.
    pub fn sensors(&self) -> impl Iterator<Item = &'a SensorName> {
        self.lanes.keys().copied()
    }

    /// Completes what the journal tells by what is held.
    fn compare(&mut self, as_of: Tick) {
        for held in self.state.sensors() {
            if held.entries().is_empty() {
                continue;
            }
            let lane = self.lanes.entry(held.name()).or_default();
            for entry in held.entries() {
                if let Some(place) = lane.open.remove(&entry.id()) {
                    lane.hold(place);
                } else if !lane.knows(entry.id()) {
                    let at = lane.stages.len();
                    lane.stories.push(Story::held(held.name(), entry, at));
                }
            }
        }
        for lane in self.lanes.values_mut() {
            for place in std::mem::take(&mut lane.open).into_values() {
                if lane.stories[place].came.is_some_and(|came| came >= as_of) {
                    lane.hold(place);
                } else {
                    lane.stories[place].stages.1 = lane.stages.len();
                }
            }
        }
    }
}

impl<'a> Lane<'a> {
    fn take(&mut self, record: &'a Record) {
        let stage = match record.change {
            Change::Held { .. } | Change::Admitted | Change::Returned { .. } => true,
            Change::Shown { .. } | Change::Footnoted { .. } | Change::AgedOut | Change::Noted => {
                false
            }
        };
        let standing = self.stages.len();
        if stage {
            let shown = self.shown;
            self.stages.push(Stage { record, shown });
        }
        for arrival in &record.came {
            // What came before this stage stood where the sensor stood then.
            let first = if stage && arrival.at == record.tick {
                standing
            } else {
                standing.saturating_sub(1)
            };
            let story = Story::came(&record.sensor, arrival, first);
            self.open.insert(arrival.event, self.stories.len());
            self.stories.push(story);
        }
        for gone in &record.gone {
            self.end(gone.event, Fate::Gone(gone.how), gone.at, record);
        }
        let fate = match record.change {
            Change::Shown { batch } => Fate::Shown { batch },
            Change::Footnoted { batch } => Fate::Footnoted { batch },
            Change::AgedOut => Fate::AgedOut,
            _ => return,
        };
        for event in &record.events {
            self.end(*event, fate, record.tick, record);
        }
        if matches!(fate, Fate::Shown { .. }) {
            self.shown = Some(record.tick);
        }
    }

    fn end(&mut self, event: EventId, fate: Fate, at: Tick, record: &'a Record) {
        let place = self.open.remove(&event).unwrap_or_else(|| {
            let at = self.stages.len();
            self.stories.push(Story::ended(event, record, at));
            self.stories.len() - 1
        });
        let stages = &self.stages;
        let story = &mut self.stories[place];
        (story.fate, story.fate_at) = (fate, at);
        // A stage that was written down together with the end came after it.
        let after = stages.iter().rev();
        let after = after
            .take_while(|stage| std::ptr::eq(stage.record, record))
            .count();
        story.stages.1 = (stages.len() - after).max(story.stages.0);
    }

    fn hold(&mut self, place: usize) {
        let (end, latest) = (self.stages.len(), self.stages.last());
        let story = &mut self.stories[place];
        story.fate = Fate::Held;
        story.fate_at = latest.map_or(story.fate_at, |stage| stage.record.tick.max(story.fate_at));
        story.stages.1 = end;
    }

    /// Whether the journal tells of the event; of one number the latest counts.
    fn knows(&self, event: EventId) -> bool {
        self.stories.iter().any(|story| story.event == event)
    }
}

impl Fate {
    /// Whether the event went without being told.
    pub fn is_dropped(self) -> bool {
        matches!(self, Self::AgedOut | Self::Gone(Departed::OverCap))
    }
}
