//! The `script` sensor: its contract, its protocols, hostile scripts, and what was allowed.

#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod world;

mod contract;
mod hostile;
mod lines;
mod pins;
mod stream;
