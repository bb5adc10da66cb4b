//! The `git` sensor beside real repositories, look by look.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

mod world;

mod adapter;
mod changes;
mod conflicts;
mod contract;
mod held;
#[cfg(target_os = "linux")]
mod inotify;
mod names;
mod operations;
mod own;
mod places;
mod refusals;
mod upstream;
mod watching;
