//! The built-in sensors, and the adapter that reads the host's state for them.

use attend_core::sensor::Registry;

pub mod context;
pub mod disclosure;
pub mod git;
pub mod host;
pub mod peers;
pub mod process;

mod asking;
mod follow;
mod stat;
mod trees;

/// The kinds of sensor that come with attend.
pub fn built_in() -> Registry {
    Registry::new()
        .with::<context::ContextConfig>()
        .with::<disclosure::DisclosureConfig>()
        .with::<git::GitConfig>()
        .with::<peers::PeersConfig>()
        .with::<process::ProcessConfig>()
}
