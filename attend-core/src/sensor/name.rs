//! Names: of sensors, of what is coalesced, and of what ties an event to guidance.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The longest sensor name, in characters.
const MAX_NAME: usize = 32;

/// The name under which a sensor is configured and shown: 1 to 32 of `a-z`, `0-9` and `-`.
///
/// ```
/// use attend_core::sensor::{NameErrorKind, SensorName};
///
/// assert_eq!(SensorName::new("gh-reviews")?.as_str(), "gh-reviews");
/// assert_eq!(SensorName::new("Git Hub").unwrap_err().kind(), NameErrorKind::Character);
/// assert_eq!(SensorName::new("").unwrap_err().kind(), NameErrorKind::Length);
/// # Ok::<(), attend_core::sensor::NameError>(())
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct SensorName(Arc<str>);

/// A text that cannot be a sensor's name.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("`{text}` is not a sensor name: use 1 to 32 of a-z, 0-9 and -")]
pub struct NameError {
    kind: NameErrorKind,
    text: String,
}

/// Why a text cannot be a sensor's name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum NameErrorKind {
    /// It is empty or too long.
    Length,
    /// It holds a character that a name cannot hold.
    Character,
}

impl NameError {
    /// Why it cannot be one.
    pub fn kind(&self) -> NameErrorKind {
        self.kind
    }
}

impl SensorName {
    /// Checks `name`.
    ///
    /// # Errors
    ///
    /// Anything but 1 to 32 of `a-z`, `0-9` and `-`.
    pub fn new(name: &str) -> Result<Self, NameError> {
        let plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
        let kind = if !(1..=MAX_NAME).contains(&name.len()) {
            NameErrorKind::Length
        } else if !name.bytes().all(plain) {
            NameErrorKind::Character
        } else {
            return Ok(Self(name.into()));
        };
        let text = name.chars().take(2 * MAX_NAME).collect();
        Err(NameError { kind, text })
    }

    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for SensorName {
    type Error = NameError;

    fn try_from(name: String) -> Result<Self, NameError> {
        Self::new(&name)
    }
}

impl From<SensorName> for String {
    fn from(name: SensorName) -> Self {
        name.0.as_ref().to_owned()
    }
}

impl fmt::Display for SensorName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

macro_rules! label {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(Arc<str>);

        impl $name {
            /// The label as text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl From<&str> for $name {
            fn from(text: &str) -> Self {
                Self(text.into())
            }
        }

        impl From<String> for $name {
            fn from(text: String) -> Self {
                Self(text.into())
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}

label! {
    /// What an event is about, within its sensor: a later event with the same key replaces an
    /// earlier one that is still held.
    ///
    /// ```
    /// # use attend_core::sensor::Key;
    /// let key: Key = "branch".into();
    /// assert_eq!(key.as_str(), "branch");
    /// ```
    Key
}

label! {
    /// The name that ties an event to guidance: `context-pressure`.
    Signal
}
