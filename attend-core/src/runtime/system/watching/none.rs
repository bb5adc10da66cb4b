//! A system on which nothing is watched: sensors poll.

use std::path::Path;
use std::time::Duration;

use super::Woken;
use crate::runtime::system::reader_is_gone;
use crate::sensor::{SensorError, WakeHandle, Watch, Watcher};

/// Opens no watches: attend watches files on Linux only, and polls elsewhere.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemWatcher;

impl SystemWatcher {
    /// A watcher.
    pub fn new() -> Self {
        Self
    }

    /// Never ends: there is nothing to pass on.
    pub async fn pump(&self) {
        std::future::pending().await
    }
}

impl Watcher for SystemWatcher {
    fn open(&self, _wake: WakeHandle) -> Result<Box<dyn Watch>, SensorError> {
        Err(unwatched())
    }
}

/// Waits: nothing tells what changes on this system.
#[derive(Debug)]
pub struct Lookout;

impl Lookout {
    /// Says why it does not look out for what changes in `directory`.
    pub fn at(_directory: &Path) -> (Self, Option<SensorError>) {
        (Self, Some(unwatched()))
    }

    /// Waits for `span` at most, and says why no longer.
    pub fn wait(&self, span: Duration) -> Woken {
        if reader_is_gone(span) {
            Woken::Gone
        } else {
            Woken::Due
        }
    }
}

fn unwatched() -> SensorError {
    SensorError::unavailable("files are not watched on this system, only looked at")
}

/// No limit of this system keeps anything from being watched.
pub fn limit_named(_: &str) -> Option<&'static str> {
    None
}
