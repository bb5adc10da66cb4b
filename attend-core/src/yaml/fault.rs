//! Faults: what is wrong with a text as YAML, and where.

use std::path::Path;

use serde::Serializer;

use super::node::Mark;

/// Something that is wrong with a text as YAML.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Fault {
    pub(crate) mark: Mark,
    /// The keys on the way to it, with dots between; empty at the top.
    pub(crate) key: String,
    pub(crate) kind: FaultKind,
    /// What is wrong, for people.
    pub(crate) text: String,
}

/// What kind of mistake a [`Fault`] is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum FaultKind {
    /// It is not YAML.
    Syntax,
    /// Something else than a mapping of words.
    WrongType,
    /// A key occurs twice in one mapping.
    DuplicateKey,
}

impl Fault {
    pub(super) fn new(mark: Mark, kind: FaultKind, text: impl Into<String>) -> Self {
        Self {
            mark,
            key: String::new(),
            kind,
            text: text.into(),
        }
    }

    pub(super) fn key(mut self, key: impl Into<String>) -> Self {
        self.key = key.into();
        self
    }
}

/// Writes the name of the file that a fault is in, for people: one that is no text has no other form.
pub(crate) fn shown<S: Serializer>(file: &Path, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&file.to_string_lossy())
}
