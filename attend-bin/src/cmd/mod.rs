//! One file for each command: parse, call one library function, print.

pub(crate) mod completions;
pub(crate) mod context;
pub(crate) mod demo;
pub(crate) mod explain;
pub(crate) mod hook;
pub(crate) mod run;
pub(crate) mod status;
pub(crate) mod statusline;
pub(crate) mod whoami;
