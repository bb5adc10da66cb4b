//! Names of people, seats, projects and rooms, and when two of them are the same.

use std::fmt;

use serde::{Deserialize, Serialize};
use unicode_normalization::UnicodeNormalization;

/// The form in which names are compared: composed (NFC) and without case, also beyond ASCII.
///
/// ```
/// use attend_core::mail::fold;
///
/// assert_eq!(fold("CAFE\u{301}"), fold("café"));
/// assert_eq!(fold("STRASSE"), fold("Straße"));
/// ```
pub fn fold(name: &str) -> String {
    // Lower, upper, lower: what folds to several letters (ß, final sigma) arrives at one form.
    let lower = |text: &str| text.to_lowercase();
    let folded = lower(&lower(name).to_uppercase());
    folded.nfc().collect()
}

/// A name as somebody wrote it, without its `@`: of a seat, a persona, a person or a project.
///
/// It has letters, digits, `.`, `_` and `-`, and begins with a letter, a digit or `_`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Name(String);

impl Name {
    /// The longest name, in characters.
    pub const LONGEST: usize = 120;

    /// The name `text`; none where it has not the form of one.
    pub fn parse(text: &str) -> Option<Self> {
        let fits = |c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '-') || is_mark(c);
        let starts = |c: char| c.is_alphanumeric() || c == '_';
        let is_name = text.starts_with(starts)
            && text.chars().all(fits)
            && text.chars().count() <= Self::LONGEST;
        is_name.then(|| Self(text.to_owned()))
    }

    /// The name as it was written.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Combining marks in common use (U+0300 to U+036F): names may come decomposed.
fn is_mark(c: char) -> bool {
    ('\u{300}'..='\u{36f}').contains(&c)
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "@{}", self.0)
    }
}

/// The name of a room, without its `#`: `deploy`.
///
/// It has at most 48 of `a-z`, `0-9`, `.`, `_` and `-`, begins with a letter or a digit, and does
/// not consist of digits only.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RoomName(String);

impl RoomName {
    /// The room of everybody.
    pub fn open() -> Self {
        Self("open".to_owned())
    }

    /// The room `text`; capitals are read as small letters, and `all` and `broadcast` are other
    /// words for `open`. None where it has not the form of a room.
    ///
    /// ```
    /// use attend_core::mail::RoomName;
    ///
    /// assert_eq!(RoomName::parse("Deploy").unwrap().as_str(), "deploy");
    /// assert_eq!(RoomName::parse("all"), Some(RoomName::open()));
    /// assert_eq!(RoomName::parse("1234"), None);
    /// ```
    pub fn parse(text: &str) -> Option<Self> {
        let name = text.to_ascii_lowercase();
        let starts = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
        let fits = |c: char| starts(c) || matches!(c, '.' | '_' | '-');
        let is_room = name.starts_with(starts)
            && name.chars().all(fits)
            && name.len() <= 48
            && !name.chars().all(|c| c.is_ascii_digit());
        match name.as_str() {
            "all" | "broadcast" => Some(Self::open()),
            _ => is_room.then_some(Self(name)),
        }
    }

    /// Whether it is the room of everybody.
    pub fn is_open(&self) -> bool {
        self.0 == "open"
    }

    /// The name without its `#`.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for RoomName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{}", self.0)
    }
}
