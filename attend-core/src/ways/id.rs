//! Ids: the path of a way below its root, without the ending.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use serde::{Serialize, Serializer};
use thiserror::Error;

/// The longest name on the way to a file, in bytes: what is kept of it bears a longer name.
const MOST_NAME: usize = 100;

/// How many directories deep a way may lie.
const MOST_DEPTH: usize = 8;

/// The id of a way: `review/security` for `review/security.md`.
///
/// Its names hold letters, digits, `-`, `_`, `.` and blanks; none begins with a dot or a blank,
/// or ends in `.json`. So it is a safe path for what is remembered of the way.
///
/// ```
/// use attend_core::ways::WayId;
///
/// assert_eq!(WayId::new("review/security")?.as_str(), "review/security");
/// assert!(WayId::new("../secrets").is_err());
/// # Ok::<(), attend_core::ways::WayIdError>(())
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct WayId(Arc<str>);

/// A text that is no [`WayId`].
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("`{text}` makes no id: {why}")]
pub struct WayIdError {
    text: String,
    why: &'static str,
}

impl WayIdError {
    /// Why it makes none.
    pub fn why(&self) -> &'static str {
        self.why
    }
}

impl WayId {
    /// Checks `text`.
    ///
    /// # Errors
    ///
    /// A name in it is empty, too long, or holds what an id cannot hold; or there are more than
    /// eight.
    pub fn new(text: &str) -> Result<Self, WayIdError> {
        let refuse = |why| {
            Err(WayIdError {
                text: text.to_owned(),
                why,
            })
        };
        if text.split('/').count() > MOST_DEPTH {
            return refuse("it lies more than eight directories deep");
        }
        for name in text.split('/') {
            let fits = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | ' ');
            if name.is_empty() {
                return refuse("a name in it is empty");
            }
            if name.len() > MOST_NAME {
                return refuse("a name in it is longer than 100 bytes");
            }
            if name.starts_with(['.', ' ']) {
                return refuse("a name in it begins with a dot or a blank");
            }
            if name.to_ascii_lowercase().ends_with(".json") {
                return refuse("a name in it ends in .json");
            }
            if !name.chars().all(fits) {
                return refuse("a name holds letters, digits, -, _, . and blanks only");
            }
        }
        Ok(Self(text.into()))
    }

    /// The id of the file at `below`, a path below a root.
    ///
    /// # Errors
    ///
    /// As [`new`](Self::new).
    pub fn of(below: &Path) -> Result<Self, WayIdError> {
        let names = below.with_extension("");
        let names: Vec<_> = names.iter().map(|name| name.to_string_lossy()).collect();
        Self::new(&names.join("/"))
    }

    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The directories on the way to it, and its own name.
    pub fn parts(&self) -> (Option<&str>, &str) {
        match self.0.rsplit_once('/') {
            Some((way, name)) => (Some(way), name),
            None => (None, &self.0),
        }
    }
}

impl fmt::Display for WayId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Serialize for WayId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}
