//! `ways` as a real process, in a home of its own with a transcript of the host.

#![cfg(unix)]

#[path = "../cli/home.rs"]
mod home;

mod desk;
mod hooked;

mod affordances;
mod broken;
mod hooks;
mod linted;
mod looking;
mod occasions;
mod parallel;
mod shelf;
mod showing;
mod usage;
