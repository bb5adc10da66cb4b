//! The guide: its links lead somewhere, its figures are those of the library, its code
//! is what is tested, and its pictures are fresh.

#![expect(clippy::unwrap_used, reason = "all of this is a test")]

mod pages;

mod figures;
mod links;
mod pictures;
mod script;
mod tutorial;
