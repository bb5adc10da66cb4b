//! The `idle` sensor beside a host that says what it is told, and beside transcripts.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

mod world;

mod contract;
mod engine;
mod fixtures;
mod hosts;
mod live;
mod reflection;
mod silence;
