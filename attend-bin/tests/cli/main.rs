//! The command line, as a real process in a home of its own.

mod home;

mod demo;
mod explain;
mod usage;
