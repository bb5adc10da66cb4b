//! `ways` as a real process, in a home of its own with a transcript of the host.

#![cfg(unix)]

#[path = "../cli/home.rs"]
mod home;

mod desk;

mod affordances;
mod looking;
mod parallel;
mod showing;
mod usage;
