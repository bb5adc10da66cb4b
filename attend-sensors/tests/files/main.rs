//! The `files` sensor over real files, look by look.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

mod world;

mod bounds;
mod changes;
mod contract;
mod editors;
mod own;
mod places;
mod refusals;
mod restart;
