//! Standing: what was shown of conditions that hold, and which keys they hold back.

use serde::{Deserialize, Serialize};

use crate::attention::mode::Mode;
use crate::sensor::{Key, MAX_HELD, Magnitude};

/// How far a standing condition was told.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(in crate::attention) struct Told {
    pub(in crate::attention) key: Key,
    pub(in crate::attention) magnitude: Magnitude,
    pub(in crate::attention) mode: Mode,
    /// It was cleared since: it may be told again, as nothing special.
    pub(in crate::attention) cleared: bool,
}

/// A condition and the keys that neither count nor leave while it stands.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(in crate::attention) struct Inhibition {
    pub(in crate::attention) by: Key,
    pub(in crate::attention) keys: Vec<Key>,
}

/// How a standing event stands to what was shown of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::attention) enum Standing {
    /// Never told, or told as less: it ignores the relative refractory.
    Fresh,
    /// Told, cleared, and here again: an event like any other.
    Rearmed,
    /// No more than what was told.
    Repeated,
}

/// The memory of one sensor's standing conditions; both lists are bounded to 256.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(in crate::attention) struct StandingMemory {
    /// Oldest first.
    told: Vec<Told>,
    inhibitions: Vec<Inhibition>,
}

impl StandingMemory {
    /// Compares an event with what was told under its key.
    pub(in crate::attention) fn compare(
        &self,
        key: &Key,
        magnitude: Magnitude,
        mode: Mode,
    ) -> Standing {
        match self.told.iter().find(|told| told.key == *key) {
            None => Standing::Fresh,
            Some(told) if told.cleared => Standing::Rearmed,
            Some(told) if magnitude > told.magnitude || mode > told.mode => Standing::Fresh,
            Some(_) => Standing::Repeated,
        }
    }

    /// Remembers that it was told. Beyond 256 conditions the oldest cleared one is forgotten,
    /// else the oldest.
    pub(in crate::attention) fn tell(&mut self, key: Key, magnitude: Magnitude, mode: Mode) {
        self.told.retain(|told| told.key != key);
        if self.told.len() == MAX_HELD {
            let oldest = self.told.iter().position(|told| told.cleared).unwrap_or(0);
            self.told.remove(oldest);
        }
        self.told.push(Told {
            key,
            magnitude,
            mode,
            cleared: false,
        });
    }

    /// The condition no longer holds: it may be told again, and holds nothing back.
    pub(in crate::attention) fn clear(&mut self, key: &Key) {
        self.inhibitions.retain(|inhibition| inhibition.by != *key);
        self.forget(key);
    }

    /// It may be told again, as nothing special.
    pub(in crate::attention) fn forget(&mut self, key: &Key) {
        if let Some(told) = self.told.iter_mut().find(|told| told.key == *key) {
            told.cleared = true;
        }
    }

    /// From now on `by` holds back `keys`, and no others.
    pub(in crate::attention) fn inhibit(&mut self, by: &Key, keys: &[Key]) {
        self.inhibitions.retain(|inhibition| inhibition.by != *by);
        if !keys.is_empty() && self.inhibitions.len() < MAX_HELD {
            self.inhibitions.push(Inhibition {
                by: by.clone(),
                keys: keys.to_vec(),
            });
        }
    }

    /// Whether some condition holds `key` back.
    pub(in crate::attention) fn inhibits(&self, key: &Key) -> bool {
        self.inhibitions
            .iter()
            .any(|inhibition| inhibition.keys.contains(key))
    }

    /// Whether no condition holds anything back.
    pub(in crate::attention) fn is_calm(&self) -> bool {
        self.inhibitions.is_empty()
    }
}
