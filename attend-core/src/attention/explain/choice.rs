//! The choice: which stories somebody asks for, each with those whose place it took.

use std::collections::HashMap;

use super::stories::Stories;
use super::story::{Fate, Story};
use crate::attention::id::EventId;
use crate::attention::journal::{Change, Record};
use crate::dynamics::Tick;
use crate::sensor::{SensorName, Signal};

/// Which stories somebody asks for.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Choice {
    /// Only the one with this event in it.
    pub event: Option<EventId>,
    /// Only those of this sensor.
    pub sensor: Option<SensorName>,
    /// Only those with this signal.
    pub signal: Option<Signal>,
    /// Only those that ended since then, or did not end.
    pub since: Tick,
    /// Only so many of these, the newest.
    pub last: usize,
}

/// An event with those whose place it took, oldest first.
#[derive(Clone, PartialEq, Debug)]
pub struct Chain<'s, 'a> {
    /// The newest: what became of it became of all.
    pub newest: &'s Story<'a>,
    /// Those before it.
    pub older: Vec<&'s Story<'a>>,
}

impl Default for Choice {
    /// All that there are.
    fn default() -> Self {
        Self {
            event: None,
            sensor: None,
            signal: None,
            since: Tick::new(0),
            last: usize::MAX,
        }
    }
}

impl Choice {
    /// What is asked for, in the order in which it ended, and last what is held still.
    pub fn of<'s, 'a>(&self, stories: &'s Stories<'a>) -> Vec<Chain<'s, 'a>> {
        let mut chains = Vec::new();
        for (name, lane) in &stories.lanes {
            if self.sensor.as_ref().is_none_or(|asked| asked == *name) {
                chains.extend(chained(&lane.stories));
            }
        }
        chains.retain(|chain| self.takes(chain));
        chains.sort_by_key(|chain| {
            let newest = chain.newest;
            (newest.fate == Fate::Held, newest.fate_at, newest.event)
        });
        chains.split_off(chains.len().saturating_sub(self.last))
    }

    fn takes(&self, chain: &Chain<'_, '_>) -> bool {
        let event = |asked| chain.stories().any(|story| story.event == asked);
        let signal = |asked| chain.stories().any(|story| story.signal == Some(asked));
        let newest = chain.newest;
        self.event.is_none_or(event)
            && self.signal.as_ref().is_none_or(signal)
            && (newest.fate == Fate::Held || newest.fate_at >= self.since)
    }
}

impl<'s, 'a> Chain<'s, 'a> {
    /// All of it, oldest first.
    pub fn stories(&self) -> impl Iterator<Item = &'s Story<'a>> {
        self.older.iter().copied().chain([self.newest])
    }

    /// Whether `record` tells of it: of one of its events, or of where its sensor stood then.
    pub fn is_told_by(&self, record: &Record) -> bool {
        let named = |event: EventId| {
            record.events.contains(&event)
                || record.came.iter().any(|came| came.event == event)
                || record.gone.iter().any(|gone| gone.event == event)
        };
        let meanwhile = |story: &Story<'_>| {
            let begun = story.came.unwrap_or(story.fate_at);
            let is_stage = matches!(
                record.change,
                Change::Held { .. } | Change::Admitted | Change::Returned { .. }
            );
            is_stage && begun <= record.tick && record.tick <= story.fate_at
        };
        record.sensor == *self.newest.sensor
            && self
                .stories()
                .any(|story| named(story.event) || meanwhile(story))
    }
}

/// Ties each story to the one that took its place.
fn chained<'s, 'a>(stories: &'s [Story<'a>]) -> Vec<Chain<'s, 'a>> {
    let mut chains: Vec<Chain<'s, 'a>> = Vec::new();
    // Which chain waits for an event to go on with.
    let mut waiting: HashMap<EventId, usize> = HashMap::new();
    for story in stories {
        let place = if let Some(place) = waiting.remove(&story.event) {
            let chain = &mut chains[place];
            let older = std::mem::replace(&mut chain.newest, story);
            chain.older.push(older);
            place
        } else {
            chains.push(Chain {
                newest: story,
                older: Vec::new(),
            });
            chains.len() - 1
        };
        if let Some(heir) = story.heir() {
            waiting.insert(heir, place);
        }
    }
    chains
}
