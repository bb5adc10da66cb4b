//! The `process` sensor over a process table of the test's making, and over the system's own.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

mod world;

mod builds;
mod commands;
mod contract;
mod hosts;
mod lines;
mod live;
mod looks;
