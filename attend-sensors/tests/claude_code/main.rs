//! The Claude Code adapter beside trees of files that stand in for the host's.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

mod contexts;
mod evidence;
mod evidence_laws;
mod files;
mod folders;
mod own;
mod peer_edits;
mod peers;
mod privacy;
mod random;
mod sessions;
mod states;
mod taught;
mod turns;
mod world;
