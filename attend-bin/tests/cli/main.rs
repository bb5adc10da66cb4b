//! The command line, as a real process in a home of its own.

mod home;
mod host;

mod completions;
mod config;
mod demo;
mod doctor;
mod explain;
mod kept;
mod mail;
mod man;
mod plugin;
mod readme;
mod replay;
mod scripts;
mod sensors;
mod taught;
mod usage;
mod watch;
