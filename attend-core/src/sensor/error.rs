//! What can go wrong in a sensor, and what the driver does about it.

use std::fmt;

use thiserror::Error;

use super::bounds::error_text;

/// A look that failed, or a warning beside what was learned.
///
/// The kind decides what happens next; the text is for people and says what was attempted, on
/// what, and why it failed. One that takes more than 2 KiB is cut and ends in `…`.
///
/// ```
/// use attend_core::sensor::{ErrorKind, SensorError};
///
/// let error = SensorError::transient("cannot read .git/HEAD: permission denied");
/// assert_eq!(error.kind(), ErrorKind::Transient);
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{text}")]
pub struct SensorError {
    kind: ErrorKind,
    text: String,
}

/// What the driver does about a [`SensorError`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum ErrorKind {
    /// It may pass: looked at again with back-off.
    Transient,
    /// What the sensor looks at is not there: said once, looked for rarely, or when the sensor
    /// wakes itself.
    Unavailable,
    /// It cannot work as configured: said once, switched off.
    Misconfigured,
}

impl SensorError {
    /// Something that may pass.
    pub fn transient(text: impl Into<String>) -> Self {
        Self {
            kind: ErrorKind::Transient,
            text: error_text(text),
        }
    }

    /// What the sensor looks at is not there.
    pub fn unavailable(text: impl Into<String>) -> Self {
        Self {
            kind: ErrorKind::Unavailable,
            text: error_text(text),
        }
    }

    /// The sensor cannot work as configured.
    pub fn misconfigured(text: impl Into<String>) -> Self {
        Self {
            kind: ErrorKind::Misconfigured,
            text: error_text(text),
        }
    }

    /// What happens next.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Transient => "transient",
            Self::Unavailable => "unavailable",
            Self::Misconfigured => "misconfigured",
        })
    }
}

/// A sensor that could not be built from its configuration. Its text is bounded as that of a
/// [`SensorError`].
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{}{text}", .key.as_ref().map(|key| format!("`{key}`: ")).unwrap_or_default())]
pub struct ConfigError {
    key: Option<String>,
    text: String,
}

/// What a [`ConfigError`] is about.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum ConfigErrorKind {
    /// The configuration as a whole.
    Whole,
    /// The value of one key.
    Key,
}

impl ConfigError {
    /// What it is about.
    pub fn kind(&self) -> ConfigErrorKind {
        match self.key {
            Some(_) => ConfigErrorKind::Key,
            None => ConfigErrorKind::Whole,
        }
    }

    /// Something is wrong with the configuration as a whole.
    pub fn new(text: impl Into<String>) -> Self {
        Self {
            key: None,
            text: error_text(text),
        }
    }

    /// Something is wrong with the value of `key`: keys, and places in lists, with dots between.
    pub fn at(key: impl Into<String>, text: impl Into<String>) -> Self {
        Self {
            key: Some(error_text(key)),
            text: error_text(text),
        }
    }

    /// The key whose value was refused.
    pub fn key(&self) -> Option<&str> {
        self.key.as_deref()
    }

    /// What is wrong, without the key.
    pub fn text(&self) -> &str {
        &self.text
    }
}
