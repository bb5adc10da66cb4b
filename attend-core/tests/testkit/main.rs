//! The testkit: fakes do what they are told, and conformance catches who breaks the contract.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

mod conformance;
mod fakes;
mod harness;
mod mailbox;
mod monitor;
