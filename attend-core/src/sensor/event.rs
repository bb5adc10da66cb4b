//! Events: one fact that a sensor reports, with how much it matters.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};

use super::bounds::{MAX_INHIBITS, MAX_KEY, MAX_SIGNAL, MAX_STAKES, MAX_TEXT, cut};
use super::magnitude::Magnitude;
use super::name::{Key, Signal};
use super::refusal::Refusal;

/// Units that the text and the block of one event may take together, line prefixes included.
pub(crate) const MAX_EVENT_UNITS: usize = 2_000;

/// Units that the longest line prefix takes: `[attend sensor=`, 32 characters of name,
/// ` priority=medium] `.
const PREFIX_UNITS: usize = 15 + 32 + 18;

/// What is at stake if an event is not attended to.
///
/// ```
/// use attend_core::sensor::Stakes;
///
/// let ahead = Stakes::ahead("projected critical at turn 58 (3 turns remaining)");
/// assert!(!ahead.is_at_hand());
/// assert!(Stakes::at_hand("compaction in about 1 turn").is_at_hand());
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Stakes {
    text: String,
    at_hand: bool,
}

impl Stakes {
    /// Stakes that lie ahead, as a phrase that continues the fact.
    pub fn ahead(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            at_hand: false,
        }
    }

    /// Stakes that are at hand: the event becomes critical. `text` is the plain consequence.
    pub fn at_hand(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            at_hand: true,
        }
    }

    /// The phrase.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether the consequence is at hand.
    pub fn is_at_hand(&self) -> bool {
        self.at_hand
    }
}

/// One fact that a sensor reports. Building one never fails; reporting one checks it.
///
/// ```
/// use attend_core::sensor::Event;
///
/// let event = Event::new(3.0, "rebase in progress on feat/x").key("operation").standing().inhibits(["dirty", "head"]);
/// ```
#[derive(Clone, PartialEq, Debug)]
#[must_use = "an event says nothing until it is reported"]
pub struct Event {
    magnitude: f64,
    text: String,
    key: Option<Key>,
    standing: bool,
    signal: Option<Signal>,
    stakes: Option<Stakes>,
    block: Vec<String>,
    inhibits: Vec<Key>,
}

impl Event {
    /// A plain fact. `magnitude` is from 0 to 100: below 3 it rides along with something else,
    /// from 3 on it may interrupt, from 5 on it may wake an idle agent.
    pub fn new(magnitude: f64, text: impl Into<String>) -> Self {
        Self {
            magnitude,
            text: text.into(),
            key: None,
            standing: false,
            signal: None,
            stakes: None,
            block: Vec::new(),
            inhibits: Vec::new(),
        }
    }

    /// What it is about: it replaces what is held under the same key.
    pub fn key(mut self, key: impl Into<Key>) -> Self {
        self.key = Some(key.into());
        self
    }

    /// It holds until its key is cleared: it does not age, and it is shown again only when it
    /// rises or after a clear. Needs a key.
    pub fn standing(mut self) -> Self {
        self.standing = true;
        self
    }

    /// The name that ties it to guidance.
    pub fn signal(mut self, signal: impl Into<Signal>) -> Self {
        self.signal = Some(signal.into());
        self
    }

    /// What is at stake.
    pub fn stakes(mut self, stakes: Stakes) -> Self {
        self.stakes = Some(stakes);
        self
    }

    /// Further lines, printed together below the text and never split. Text and block take at
    /// most 2,000 UTF-16 units, line prefixes included.
    pub fn block(mut self, lines: impl IntoIterator<Item = String>) -> Self {
        self.block = lines.into_iter().collect();
        self
    }

    /// Keys of the same sensor that neither count nor leave while this event stands, from its
    /// report until its key is cleared. Needs [`standing`](Self::standing).
    pub fn inhibits(mut self, keys: impl IntoIterator<Item = impl Into<Key>>) -> Self {
        self.inhibits = keys.into_iter().map(Into::into).collect();
        self
    }

    /// Checks the event.
    ///
    /// | field | at most | else |
    /// |---|---|---|
    /// | text and block | 2,000 UTF-16 units, line prefixes included | refused |
    /// | text without a block | 8 KiB of UTF-8 | cut, and ends in `…` |
    /// | phrase of the stakes | 1 KiB | cut, and ends in `…` |
    /// | key, and each key that it inhibits | 512 bytes | refused |
    /// | signal | 128 bytes | refused |
    /// | inhibited keys | 64 different ones | refused |
    ///
    /// # Errors
    ///
    /// A magnitude that is not finite, below 0 or above 100; `standing` without a key;
    /// `inhibits` without `standing`; and what the table says.
    pub fn check(self) -> Result<Observation, Refusal> {
        let magnitude = Magnitude::new(self.magnitude).ok_or(Refusal::Magnitude)?;
        if self.standing && self.key.is_none() {
            return Err(Refusal::StandingWithoutKey);
        }
        if !self.inhibits.is_empty() && !self.standing {
            return Err(Refusal::InhibitsWithoutStanding);
        }
        let mut inhibits = self.inhibits;
        let mut known: HashSet<Key> = self.key.iter().cloned().collect();
        inhibits.retain(|key| known.insert(key.clone()));
        if inhibits.len() > MAX_INHIBITS {
            let keys = inhibits.len();
            return Err(Refusal::TooManyInhibits { keys });
        }
        self.key.iter().chain(&inhibits).try_for_each(check_key)?;
        if let Some(bytes) = self.signal.as_ref().map(|signal| signal.as_str().len())
            && bytes > MAX_SIGNAL
        {
            return Err(Refusal::SignalTooLong { bytes });
        }
        if !self.block.is_empty() {
            let lines = std::iter::once(&self.text).chain(&self.block);
            let units: usize = lines
                .map(|line| PREFIX_UNITS + line.encode_utf16().count() + 1)
                .sum();
            if units > MAX_EVENT_UNITS {
                return Err(Refusal::BlockTooLong { units });
            }
        }
        let stakes = self.stakes.map(|stakes| Stakes {
            text: cut(stakes.text, MAX_STAKES),
            ..stakes
        });
        Ok(Observation {
            magnitude,
            text: cut(self.text, MAX_TEXT),
            key: self.key,
            standing: self.standing,
            signal: self.signal,
            stakes,
            block: self.block,
            inhibits,
        })
    }
}

/// Checks a key under which something is reported or cleared.
pub(super) fn check_key(key: &Key) -> Result<(), Refusal> {
    match key.as_str().len() {
        bytes if bytes > MAX_KEY => Err(Refusal::KeyTooLong { bytes }),
        _ => Ok(()),
    }
}

/// An [`Event`] that was checked and accepted; one that was stored is checked again.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(try_from = "Stored")]
pub struct Observation {
    pub(crate) magnitude: Magnitude,
    pub(crate) text: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) key: Option<Key>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) standing: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) signal: Option<Signal>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) stakes: Option<Stakes>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) block: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) inhibits: Vec<Key>,
}

impl Observation {
    /// How much it matters.
    pub fn magnitude(&self) -> Magnitude {
        self.magnitude
    }

    /// The fact, as the sensor wrote it: not yet fit for a terminal.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What it is about.
    pub fn key(&self) -> Option<&Key> {
        self.key.as_ref()
    }

    /// Whether it holds until cleared.
    pub fn is_standing(&self) -> bool {
        self.standing
    }

    /// The name that ties it to guidance.
    pub fn signal(&self) -> Option<&Signal> {
        self.signal.as_ref()
    }

    /// What is at stake.
    pub fn stakes(&self) -> Option<&Stakes> {
        self.stakes.as_ref()
    }

    /// The lines below the text.
    pub fn block(&self) -> &[String] {
        &self.block
    }

    /// The keys that it holds back.
    pub fn inhibits(&self) -> &[Key] {
        &self.inhibits
    }
}

/// An [`Observation`] as it was stored, which nobody has checked.
#[derive(Deserialize)]
struct Stored {
    magnitude: Magnitude,
    text: String,
    #[serde(default)]
    key: Option<Key>,
    #[serde(default)]
    standing: bool,
    #[serde(default)]
    signal: Option<Signal>,
    #[serde(default)]
    stakes: Option<Stakes>,
    #[serde(default)]
    block: Vec<String>,
    #[serde(default)]
    inhibits: Vec<Key>,
}

impl TryFrom<Stored> for Observation {
    type Error = Refusal;

    fn try_from(stored: Stored) -> Result<Self, Refusal> {
        let event = Event {
            magnitude: stored.magnitude.get(),
            text: stored.text,
            key: stored.key,
            standing: stored.standing,
            signal: stored.signal,
            stakes: stored.stakes,
            block: stored.block,
            inhibits: stored.inhibits,
        };
        event.check()
    }
}
