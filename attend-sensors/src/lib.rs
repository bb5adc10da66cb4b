//! The built-in sensors.

use attend_core::sensor::Registry;

pub mod git;
pub mod host;

/// The kinds of sensor that come with attend.
pub fn built_in() -> Registry {
    Registry::new().with::<git::GitConfig>()
}
