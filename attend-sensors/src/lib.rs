//! The built-in sensors, and the adapter that reads the host's state for them.

use attend_core::sensor::Registry;

pub mod context;
pub mod disclosure;
pub mod exact_path;
pub mod files;
pub mod git;
pub mod host;
pub mod idle;
pub mod overlap;
pub mod peers;
pub mod process;
pub mod script;

mod asking;
mod beginning;
mod edits;
mod follow;
mod name;
mod naming;
mod own;
mod stat;
mod trees;
pub use trees::repository_of;

mod turn;

/// The kinds of sensor that come with attend.
pub fn built_in() -> Registry {
    Registry::new()
        .with::<context::ContextConfig>()
        .with::<disclosure::DisclosureConfig>()
        .with::<git::GitConfig>()
        .with::<files::FilesConfig>()
        .with::<idle::IdleConfig>()
        .with::<overlap::OverlapConfig>()
        .with::<peers::PeersConfig>()
        .with::<script::ScriptConfig>()
        .with::<process::ProcessConfig>()
}

/// The example of the README, as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
