//! YAML as a tree in which everything knows where it stands: what files that people write are
//! read with.

mod node;
#[cfg(feature = "config")]
pub(crate) use node::mark_at;
pub(crate) use node::{Content, Field, Mark, Node, to_map};

mod fault;
pub(crate) use fault::{Fault, FaultKind, shown};

mod read;
#[cfg(feature = "config")]
pub(crate) use read::Document;
pub(crate) use read::parse;

mod nearest;
pub(crate) use nearest::nearest;
