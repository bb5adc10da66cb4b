//! File watching: one watcher for the whole process, shared by all sensors.

#[cfg(target_os = "linux")]
mod limits;
#[cfg(target_os = "linux")]
pub use limits::named as limit_named;

#[cfg(target_os = "linux")]
mod table;

#[cfg(target_os = "linux")]
mod ends;

#[cfg(target_os = "linux")]
mod linux;
#[cfg(target_os = "linux")]
pub use linux::SystemWatcher;

#[cfg(target_os = "linux")]
mod lookout;
#[cfg(target_os = "linux")]
pub use lookout::Lookout;

#[cfg(not(target_os = "linux"))]
mod none;
#[cfg(not(target_os = "linux"))]
pub use none::{Lookout, SystemWatcher, limit_named};

use std::path::Path;

use crate::sensor::{SensorError, WakeHandle, Watcher as _};

/// Why a [`Lookout`] waits no longer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Woken {
    /// Something has changed.
    Changed,
    /// So long was waited.
    Due,
    /// Nobody reads standard output any more.
    Gone,
}

/// Whether what changes at `path`, which is there, would be told at once.
///
/// # Errors
///
/// Unavailable: the system, one of its limits, or the file system does not allow it; which, for
/// people. Transient: anything else.
pub fn watchable(path: &Path) -> Result<(), SensorError> {
    let mut watch = SystemWatcher::new().open(WakeHandle::new(|| {}))?;
    watch.add(path)
}
