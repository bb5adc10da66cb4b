//! Reports: what one look of a sensor found, in the order in which it said so.

use std::collections::HashMap;

use super::event::{Event, Observation, check_key};
use super::magnitude::Magnitude;
use super::name::Key;
use super::refusal::Refusal;

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
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Slots in call order; a slot is emptied when what stood there was absorbed.
    items: Vec<Option<Item>>,
    /// Where what was said under each key stands.
    places: HashMap<Key, Places>,
    events: usize,
    clears: usize,
    absorbed: Absorbed,
}

/// Slots of one key: a clear, and an event that was reported after it.
#[derive(Clone, Copy, Debug, Default)]
struct Places {
    clear: Option<usize>,
    event: Option<usize>,
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
#[non_exhaustive]
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
            let places = self.places.entry(key.clone()).or_default();
            if let Some(at) = places.event {
                self.items[at] = Some(Item::Event(observation));
                self.absorbed.replaced += 1;
                return;
            }
            places.event = Some(self.items.len());
        }
        self.items.push(Some(Item::Event(observation)));
        self.events += 1;
        if self.events > MAX_HELD {
            self.displace();
        }
        self.compact();
    }

    /// Says that what was reported under `key` no longer holds.
    ///
    /// # Errors
    ///
    /// A key under which nothing can be reported, as [`Event::check`] says. More than 1,024
    /// clears of distinct keys in one report; an event under `key` in this report goes all the
    /// same.
    pub fn clear(&mut self, key: impl Into<Key>) -> Result<(), Refusal> {
        let key = key.into();
        check_key(&key)?;
        let known = self.places.get(&key).copied().unwrap_or_default();
        if let Some(at) = known.event {
            self.items[at] = None;
            self.events -= 1;
            self.absorbed.cleared += 1;
        }
        if let Some(at) = known.clear {
            self.items[at] = None;
            self.clears -= 1;
        }
        if self.clears == MAX_CLEARS {
            self.places.remove(&key);
            return Err(Refusal::TooManyClears);
        }
        let clear = Some(self.items.len());
        self.places
            .insert(key.clone(), Places { clear, event: None });
        self.items.push(Some(Item::Clear(key)));
        self.clears += 1;
        self.compact();
        Ok(())
    }

    /// A report that says what another one said, and absorbed what that one did.
    pub(crate) fn again(items: impl IntoIterator<Item = Item>, absorbed: Absorbed) -> Self {
        let mut report = Self::new();
        for item in items {
            match item {
                Item::Event(observation) => report.add(observation),
                // A report has no more clears than it may have.
                Item::Clear(key) => _ = report.clear(key),
            }
        }
        report.absorbed = absorbed;
        report
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
            && let Some(places) = observation.key().and_then(|key| self.places.get_mut(key))
        {
            places.event = None;
        }
        self.events -= 1;
        self.absorbed.over_cap += 1;
    }

    /// Squeezes out emptied slots once they are the greater part, so that a flood stays bounded.
    fn compact(&mut self) {
        if self.items.len() < 2 * (self.len() + MAX_HELD) {
            return;
        }
        self.items.retain(Option::is_some);
        self.places.clear();
        for (at, item) in self.items.iter().enumerate() {
            match item {
                Some(Item::Event(observation)) => {
                    if let Some(key) = observation.key() {
                        self.places.entry(key.clone()).or_default().event = Some(at);
                    }
                }
                Some(Item::Clear(key)) => {
                    self.places.entry(key.clone()).or_default().clear = Some(at);
                }
                None => {}
            }
        }
    }
}

impl PartialEq for Report {
    /// Whether both say the same, wherever it stands inside.
    fn eq(&self, other: &Self) -> bool {
        self.absorbed == other.absorbed && self.items().eq(other.items())
    }
}
