//! Mutes: what is held back because somebody asked for quiet.

use serde::{Deserialize, Serialize};

use crate::dynamics::Tick;
use crate::sensor::{SensorName, Signal};

/// What can be muted on the event lane. Mail addressed to a reader cannot.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum MuteTarget {
    /// Everything that a sensor reports.
    Sensor(SensorName),
    /// Every event that carries a signal.
    Signal(Signal),
}

/// One wish for quiet.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Mute {
    /// From what.
    pub target: MuteTarget,
    /// Until when; none until it is taken back.
    pub until: Option<Tick>,
}

impl Mute {
    /// Quiet from `target` until `until`, or until it is taken back.
    pub fn new(target: MuteTarget, until: Option<Tick>) -> Self {
        Self { target, until }
    }
}

/// All mutes there are.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Mutes(Vec<Mute>);

impl Mutes {
    /// These, and no others.
    pub fn new(mutes: Vec<Mute>) -> Self {
        Self(mutes)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether an event of `sensor` with `signal` is muted at `now`.
    pub fn holds(&self, sensor: &SensorName, signal: Option<&Signal>, now: Tick) -> bool {
        self.0.iter().any(|mute| {
            let meant = match &mute.target {
                MuteTarget::Sensor(name) => name == sensor,
                MuteTarget::Signal(name) => Some(name) == signal,
            };
            meant && mute.until.is_none_or(|until| now < until)
        })
    }

    /// When the next mute after `now` ends.
    pub fn next_end(&self, now: Tick) -> Option<Tick> {
        self.0
            .iter()
            .filter_map(|mute| mute.until)
            .filter(|until| *until > now)
            .min()
    }
}
