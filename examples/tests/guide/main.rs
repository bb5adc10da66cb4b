//! The guide: its links lead somewhere, its code is what is tested, and its pictures are fresh.

#![expect(clippy::unwrap_used, reason = "all of this is a test")]

mod pages;

mod links;
mod script;
mod tutorial;
