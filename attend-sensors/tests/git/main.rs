//! The `git` sensor beside real repositories, look by look.

#![expect(
    clippy::unwrap_used,
    reason = "a test that cannot set up its world fails"
)]

mod world;

mod changes;
mod conflicts;
mod contract;
#[cfg(target_os = "linux")]
mod inotify;
mod names;
mod operations;
mod places;
mod refusals;
mod upstream;
mod watching;
