//! Counts: where every event that was ever reported went.

use serde::{Deserialize, Serialize};

/// What became of the events of one sensor. The counts always add up:
/// `reported = shown + footnoted + aged_out + replaced + cleared + repeated + over_cap + held`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Tally {
    /// Events that the sensor reported and nobody refused.
    pub reported: u64,
    /// Told in a line of their own.
    pub shown: u64,
    /// Named or counted in a footnote.
    pub footnoted: u64,
    /// Dropped because they stayed below the threshold for too long.
    pub aged_out: u64,
    /// Their place was taken by a later one with the same key.
    pub replaced: u64,
    /// Their key was cleared.
    pub cleared: u64,
    /// Standing, and no more than what was already shown.
    pub repeated: u64,
    /// Made room for larger ones.
    pub over_cap: u64,
}

impl Tally {
    /// How many of the reported events are gone, by whatever way.
    pub fn gone(&self) -> u64 {
        self.shown
            + self.footnoted
            + self.aged_out
            + self.replaced
            + self.cleared
            + self.repeated
            + self.over_cap
    }
}
