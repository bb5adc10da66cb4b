//! One file for each command: parse, call one library function, print.

pub(crate) mod demo;
pub(crate) mod explain;
pub(crate) mod run;
pub(crate) mod status;
