//! Events: one fact that a sensor reports, with how much it matters.

use std::fmt;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::name::{Key, Signal};

/// Units that the text and the block of one event may take together, line prefixes included.
pub(crate) const MAX_EVENT_UNITS: usize = 2_000;

/// Units that the longest line prefix takes: `[attend sensor=`, 32 characters of name,
/// ` priority=medium] `.
const PREFIX_UNITS: usize = 15 + 32 + 18;

/// How much an event matters: from 0 to 100, kept in thousandths so that sums are exact.
///
/// ```
/// use attend_core::sensor::Magnitude;
///
/// let ten_times: u64 = (0..10).map(|_| Magnitude::new(0.2).unwrap().thousandths()).sum();
/// assert_eq!(ten_times, Magnitude::new(2.0).unwrap().thousandths());
/// assert_eq!(Magnitude::new(f64::NAN), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(try_from = "f64", into = "f64")]
pub struct Magnitude(u32);

impl Magnitude {
    /// Rounds `value` to thousandths; none where it is not finite, below 0 or above 100.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "checked to lie from 0 to 100"
    )]
    pub fn new(value: f64) -> Option<Self> {
        (0.0..=100.0)
            .contains(&value)
            .then(|| Self((value * 1_000.0).round() as u32))
    }

    /// The magnitude of so many thousandths; none above 100,000.
    pub const fn from_thousandths(thousandths: u32) -> Option<Self> {
        if thousandths <= 100_000 {
            Some(Self(thousandths))
        } else {
            None
        }
    }

    /// The value in thousandths.
    pub const fn thousandths(self) -> u64 {
        self.0 as u64
    }

    /// The value as a number from 0 to 100.
    pub fn get(self) -> f64 {
        f64::from(self.0) / 1_000.0
    }
}

impl TryFrom<f64> for Magnitude {
    type Error = Refusal;

    fn try_from(value: f64) -> Result<Self, Refusal> {
        Self::new(value).ok_or(Refusal::Magnitude)
    }
}

impl From<Magnitude> for f64 {
    fn from(magnitude: Magnitude) -> Self {
        magnitude.get()
    }
}

impl fmt::Display for Magnitude {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 % 1_000 {
            rest if rest % 100 == 0 => write!(f, "{:.1}", self.get()),
            _ => write!(f, "{:.3}", self.get()),
        }
    }
}

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
    /// # Errors
    ///
    /// A magnitude that is not finite, below 0 or above 100; `standing` without a key;
    /// `inhibits` without `standing`; text and block over their limit.
    pub fn check(self) -> Result<Observation, Refusal> {
        let magnitude = Magnitude::new(self.magnitude).ok_or(Refusal::Magnitude)?;
        if self.standing && self.key.is_none() {
            return Err(Refusal::StandingWithoutKey);
        }
        if !self.inhibits.is_empty() && !self.standing {
            return Err(Refusal::InhibitsWithoutStanding);
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
        let mut inhibits = self.inhibits;
        inhibits.retain(|key| Some(key) != self.key.as_ref());
        Ok(Observation {
            magnitude,
            text: self.text,
            key: self.key,
            standing: self.standing,
            signal: self.signal,
            stakes: self.stakes,
            block: self.block,
            inhibits,
        })
    }
}

/// An [`Event`] that was checked and accepted.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
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

/// Why an event was refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum Refusal {
    /// The magnitude is not a number from 0 to 100.
    #[error("its magnitude is not a number from 0 to 100")]
    Magnitude,
    /// A standing event needs a key to be cleared by.
    #[error("it is standing but has no key to clear it by")]
    StandingWithoutKey,
    /// Only a standing event can hold others back.
    #[error("it inhibits other keys but is not standing")]
    InhibitsWithoutStanding,
    /// Text and block together are too long.
    #[error("its text and block take {units} units with their prefixes, more than 2000")]
    BlockTooLong {
        /// UTF-16 units, prefixes and line ends included.
        units: usize,
    },
    /// The report holds as many clears as one report may.
    #[error("one look cleared more than 1024 keys")]
    TooManyClears,
}
