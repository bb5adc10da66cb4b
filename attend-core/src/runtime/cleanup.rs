//! Cleaning up after projects that are gone: whether, and how often.

use std::time::Duration;

/// When mail of projects that are gone is removed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Cleanup {
    /// Whether a loop does it.
    pub enabled: bool,
    /// How often, and how long a project has to be gone before its mail goes.
    pub interval: Duration,
}

impl Cleanup {
    /// How often a loop does it; none where it does not.
    pub fn every(self) -> Option<Duration> {
        self.enabled.then_some(self.interval)
    }
}

impl Default for Cleanup {
    fn default() -> Self {
        Self {
            enabled: true,
            interval: Duration::from_mins(10),
        }
    }
}
