//! Tells without a command whether a repository that was not there may be there now.

use std::path::Path;

use attend_core::dynamics::Tick;
use attend_core::sensor::{ErrorKind, SensorError};

/// Git is asked again after so many ticks, whatever the signs: one may appear further up.
const SAFETY: u64 = 600;

/// What makes a directory a repository, by its being there.
const SIGNS: [&str; 4] = [".git", ".git/HEAD", ".git/objects", ".git/refs"];

/// Which of the signs of a repository a directory shows.
pub(super) type Signs = [bool; SIGNS.len()];

/// A look that found no repository.
#[derive(Debug)]
pub(super) struct Absent {
    error: SensorError,
    at: Tick,
    signs: Signs,
}

/// The signs of a repository in `work`.
pub(super) fn signs(work: &Path) -> Signs {
    SIGNS.map(|sign| work.join(sign).symlink_metadata().is_ok())
}

impl Absent {
    /// A look failed with `error`, before which the directory showed `signs`. None where the
    /// error is another one than that nothing is there.
    pub(super) fn new(error: &SensorError, at: Tick, signs: Signs) -> Option<Self> {
        (error.kind() == ErrorKind::Unavailable).then(|| Self {
            error: error.clone(),
            at,
            signs,
        })
    }

    /// Whether the signs are others now.
    pub(super) fn has_changed(&self, signs: Signs) -> bool {
        self.signs != signs
    }

    /// Makes sure that it is worth asking git again.
    ///
    /// # Errors
    ///
    /// The same as before: nothing suggests that anything is different.
    pub(super) fn still(&self, now: Tick, signs: Signs) -> Result<(), SensorError> {
        if self.has_changed(signs) || now.since(self.at).get() >= SAFETY {
            return Ok(());
        }
        Err(self.error.clone())
    }
}
