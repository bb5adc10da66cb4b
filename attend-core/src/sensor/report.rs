//! Reports: what one look of a sensor found, in the order in which it said so.

use std::collections::HashMap;

use super::event::{Event, Magnitude, Observation, Refusal};
use super::name::Key;

/// How many events one report, and one sensor in the engine, holds at most.
pub const MAX_HELD: usize = 256;

/// How many distinct keys one report clears at most.
const MAX_CLEARS: usize = 1_024;

/// What one look found: events and clears in call order, coalesced and bounded.
///
/// A flood is dealt with here, where it costs the sensor's thread and not the engine: a later
/// event with the same key takes the place of an earlier one, a clear removes it, and beyond
/// 256 events the smallest, oldest first, makes room. [`absorbed`](Self::absorbed) counts what
/// went that way, so that totals add up.
///
/// ```
/// use attend_core::sensor::{Event, Report};
///
/// let mut report = Report::new();
/// report.event(Event::new(1.5, "1 file newly dirty").key("dirty"))?;
/// report.event(Event::new(2.0, "7 files newly dirty").key("dirty"))?;
/// assert_eq!((report.len(), report.absorbed().replaced), (1, 1));
/// # Ok::<(), attend_core::sensor::Refusal>(())
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Report {
    /// Slots in call order; a slot is emptied when what stood there was absorbed.
    items: Vec<Option<Item>>,
    /// Where the latest item of each key stands.
    latest: HashMap<Key, usize>,
    events: usize,
    clears: usize,
    absorbed: Absorbed,
}

/// One entry of a [`Report`].
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum Item {
    /// Something happened.
    Event(Observation),
    /// What was said under this key no longer holds.
    Clear(Key),
}

/// How many events of one look never left the report.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Absorbed {
    /// Events whose place a later one with the same key took.
    pub replaced: u64,
    /// Events whose key was cleared later in the same look.
    pub cleared: u64,
    /// Events that made room for larger ones.
    pub over_cap: u64,
}

impl Absorbed {
    /// All of them.
    pub fn total(self) -> u64 {
        self.replaced + self.cleared + self.over_cap
    }
}

impl Report {
    /// A report that says nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds an event.
    ///
    /// # Errors
    ///
    /// An event that [`Event::check`] refuses. The report stays as it was.
    pub fn event(&mut self, event: Event) -> Result<(), Refusal> {
        self.add(event.check()?);
        Ok(())
    }

    fn add(&mut self, observation: Observation) {
        if let Some(key) = observation.key() {
            let place = self.latest.get(key).copied();
            if let Some(Some(Item::Event(held))) = place.map(|at| &mut self.items[at]) {
                *held = observation;
                self.absorbed.replaced += 1;
                return;
            }
            self.latest.insert(key.clone(), self.items.len());
        }
        self.items.push(Some(Item::Event(observation)));
        self.events += 1;
        if self.events > MAX_HELD {
            self.displace();
        }
    }

    /// Says that what was reported under `key` no longer holds.
    ///
    /// # Errors
    ///
    /// More than 1,024 clears of distinct keys in one report.
    pub fn clear(&mut self, key: impl Into<Key>) -> Result<(), Refusal> {
        let key = key.into();
        let place = self.latest.get(&key).copied();
        match place.and_then(|at| self.items[at].as_ref()) {
            Some(Item::Clear(_)) => return Ok(()),
            _ if self.clears == MAX_CLEARS => return Err(Refusal::TooManyClears),
            Some(Item::Event(_)) => {
                if let Some(at) = place {
                    self.items[at] = None;
                }
                self.events -= 1;
                self.absorbed.cleared += 1;
            }
            None => {}
        }
        self.clears += 1;
        self.latest.insert(key.clone(), self.items.len());
        self.items.push(Some(Item::Clear(key)));
        Ok(())
    }

    /// How many entries it has.
    pub fn len(&self) -> usize {
        self.events + self.clears
    }

    /// Whether it says nothing.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The entries in call order.
    pub fn items(&self) -> impl Iterator<Item = &Item> {
        self.items.iter().flatten()
    }

    /// The events in call order.
    pub fn events(&self) -> impl Iterator<Item = &Observation> {
        self.items().filter_map(|item| match item {
            Item::Event(observation) => Some(observation),
            Item::Clear(_) => None,
        })
    }

    /// What was coalesced away before anybody saw it.
    pub fn absorbed(&self) -> Absorbed {
        self.absorbed
    }

    /// Adds what another report says, after what this one says.
    ///
    /// # Errors
    ///
    /// More than 1,024 clears of distinct keys in both together; the rest is still added.
    pub fn append(&mut self, other: Self) -> Result<(), Refusal> {
        let Absorbed {
            replaced,
            cleared,
            over_cap,
        } = other.absorbed;
        self.absorbed.replaced += replaced;
        self.absorbed.cleared += cleared;
        self.absorbed.over_cap += over_cap;
        let mut refused = Ok(());
        for item in other.into_items() {
            match item {
                Item::Event(observation) => self.add(observation),
                Item::Clear(key) => refused = self.clear(key).and(refused),
            }
        }
        refused
    }

    /// The entries in call order, given away.
    pub(crate) fn into_items(self) -> impl Iterator<Item = Item> {
        self.items.into_iter().flatten()
    }

    /// Drops the smallest event, the oldest of equal ones.
    fn displace(&mut self) {
        let magnitude = |item: &Option<Item>| match item {
            Some(Item::Event(observation)) => Some(observation.magnitude()),
            _ => None,
        };
        let smallest: Option<(usize, Magnitude)> = self
            .items
            .iter()
            .enumerate()
            .filter_map(|(at, item)| magnitude(item).map(|m| (at, m)))
            .min_by_key(|(at, m)| (*m, *at));
        let Some((at, _)) = smallest else { return };
        if let Some(Item::Event(observation)) = self.items[at].take()
            && let Some(key) = observation.key()
        {
            self.latest.remove(key);
        }
        self.events -= 1;
        self.absorbed.over_cap += 1;
        self.compact();
    }

    /// Squeezes out emptied slots once they are the greater part, so that a flood stays bounded.
    fn compact(&mut self) {
        if self.items.len() < 2 * (self.len() + MAX_HELD) {
            return;
        }
        self.items.retain(Option::is_some);
        self.latest.clear();
        for (at, item) in self.items.iter().enumerate() {
            let key = match item {
                Some(Item::Event(observation)) => observation.key().cloned(),
                Some(Item::Clear(key)) => Some(key.clone()),
                None => None,
            };
            if let Some(key) = key {
                self.latest.insert(key, at);
            }
        }
    }
}
