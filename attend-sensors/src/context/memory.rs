//! What the `context` sensor remembers, over a restart too.

use attend_core::sensor::{SensorError, Snapshot, Stakes};
use serde::{Deserialize, Serialize};

use super::share::Share;

/// What was told, and of which span.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(super) struct Memory {
    /// The name of the span in which the context only grows.
    pub(super) epoch: Option<String>,
    /// The largest share in it.
    pub(super) peak: Share,
    pub(super) told: Option<Told>,
    /// Whether it was told that the context grows fast.
    pub(super) fast: bool,
    /// Where an automatic compaction came.
    pub(super) observed: Option<Share>,
    /// The model of which it was told that it is not known; empty where it has no name.
    pub(super) warned: Option<String>,
}

/// What the last event about the tier said.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Told {
    /// Of which tier.
    pub(super) from: Share,
    pub(super) percent: u64,
    pub(super) stakes: Option<Stakes>,
}

impl Memory {
    pub(super) fn write(&self) -> Option<Snapshot> {
        Snapshot::of(self).ok()
    }

    pub(super) fn read(snapshot: &Snapshot) -> Result<Self, SensorError> {
        snapshot.read()
    }
}
