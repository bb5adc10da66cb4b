//! A system on which nothing is watched: sensors poll.

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
        Err(SensorError::unavailable(
            "files are not watched on this system, only looked at",
        ))
    }
}

/// No limit of this system keeps anything from being watched.
pub(crate) fn limit_named(_: &str) -> Option<&'static str> {
    None
}
