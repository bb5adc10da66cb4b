//! What can go wrong with files of state.

use std::io;
use std::path::Path;

use thiserror::Error;

/// A file or directory of state that cannot be used.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{text}")]
pub struct StateError {
    kind: StateErrorKind,
    text: String,
}

/// What a [`StateError`] is about.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum StateErrorKind {
    /// The directory is missing and cannot be made, cannot be written, or is not private.
    Unusable,
    /// Another process holds it.
    Busy {
        /// Its process id, where it said so.
        holder: Option<u32>,
    },
    /// Reading or writing failed.
    Io,
    /// It takes more room than anybody would read again.
    TooLarge,
}

impl StateError {
    /// What it is about.
    pub fn kind(&self) -> StateErrorKind {
        self.kind
    }

    pub(super) fn is_busy(&self) -> bool {
        matches!(self.kind, StateErrorKind::Busy { .. })
    }

    pub(super) fn unusable(path: &Path, error: &io::Error) -> Self {
        Self {
            kind: StateErrorKind::Unusable,
            text: format!("cannot use {}: {error}", path.display()),
        }
    }

    pub(super) fn busy(path: &Path, holder: Option<u32>) -> Self {
        let who = holder.map_or_else(
            || "another process".to_owned(),
            |pid| format!("process {pid}"),
        );
        Self {
            kind: StateErrorKind::Busy { holder },
            text: format!("{who} keeps its state in {}", path.display()),
        }
    }

    pub(super) fn too_large(path: &Path, bytes: u64, most: u64) -> Self {
        Self {
            kind: StateErrorKind::TooLarge,
            text: format!(
                "cannot write {}: {bytes} bytes are more than the {most} that are read again",
                path.display()
            ),
        }
    }

    /// What stands at `path` could not be read.
    pub(super) fn read(path: &Path, error: &io::Error) -> Self {
        let kind = match error.kind() {
            io::ErrorKind::FileTooLarge => StateErrorKind::TooLarge,
            _ => StateErrorKind::Io,
        };
        Self {
            kind,
            ..Self::io("read", path, error)
        }
    }

    pub(super) fn io(verb: &str, path: &Path, error: &io::Error) -> Self {
        Self {
            kind: StateErrorKind::Io,
            text: format!("cannot {verb} {}: {error}", path.display()),
        }
    }
}
