//! The built-in sensors.

use attend_core::sensor::Registry;

pub mod context;
pub mod git;

/// The kinds of sensor that come with attend.
pub fn built_in() -> Registry {
    Registry::new()
        .with::<context::ContextConfig>()
        .with::<git::GitConfig>()
}
