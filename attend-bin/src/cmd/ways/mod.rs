//! The commands of `ways`, one file each.

pub(crate) mod lint;
pub(crate) mod list;
pub(crate) mod rethink;
pub(crate) mod show;
