//! The contract of sensors: what a report keeps, what is refused, and how sensors come to be.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

mod adapt;
mod event;
mod registry;
mod report;
