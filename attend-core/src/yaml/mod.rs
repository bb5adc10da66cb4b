//! YAML as a tree in which everything knows where it stands: what files that people write are
//! read with.

mod node;
pub(crate) use node::{Content, Field, Mark, Node};
#[cfg(feature = "config")]
pub(crate) use node::{mark_at, to_map};

mod fault;
pub(crate) use fault::{Fault, FaultKind};

mod read;
pub(crate) use read::{Document, parse};

mod nearest;
pub(crate) use nearest::nearest;
