//! The `disclosure` sensor beside a host that says what it is told, and through the engine.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

mod world;

mod contract;
mod engine;
mod hosts;
mod rearmed;
mod sessions;
mod words;
