//! One file for each command: parse, call one library function, print.

pub(crate) mod cleanup;
pub(crate) mod completions;
pub(crate) mod config;
pub(crate) mod context;
pub(crate) mod demo;
pub(crate) mod explain;
pub(crate) mod focus;
pub(crate) mod hook;
pub(crate) mod inbox;
pub(crate) mod mute;
pub(crate) mod peers;
pub(crate) mod remind;
pub(crate) mod replay;
pub(crate) mod reply;
pub(crate) mod run;
pub(crate) mod send;
pub(crate) mod sensors;
pub(crate) mod show;
pub(crate) mod status;
pub(crate) mod statusline;
pub(crate) mod trial;
pub(crate) mod trust;
pub(crate) mod watch;
pub(crate) mod ways;
pub(crate) mod whoami;
