//! Lines: a head that says who speaks, and as much text as the host lets through.

use std::fmt::{self, Write as _};

use serde::{Deserialize, Serialize};

use super::text::{clean, units};
use super::wrap::{cut, shorten, trim};
use crate::mail::{Letter, SenderKind};
use crate::sensor::SensorName;

/// The longest line in UTF-16 units, head included and line end excluded.
///
/// The host cuts a line at 500 characters; what it may put before the line is left free.
pub const LINE_LIMIT: usize = 480;

/// The most lines that one text becomes: about half of a batch, so that one text leaves room for
/// others. A longer text ends in the command that shows the rest.
pub const MAX_PARTS: usize = 3;

/// Units that `(1/3) ` takes.
const MARK_UNITS: usize = 6;

/// Units of a sender's name, of the addressees and of the command for the rest. With these
/// bounds, half of a line is left for text under the longest head.
const MAX_SENDER: usize = 48;
const MAX_ADDRESSEES: usize = 96;
const MAX_MORE: usize = 64;

/// Characters of a message's id.
const MAX_ID: usize = 16;

/// Bytes beyond which a text surely fills all lines: a UTF-16 unit is at most 3 bytes of UTF-8.
const ENOUGH: usize = 3 * LINE_LIMIT * MAX_PARTS;

/// What a line is made of whose words are not known: one UTF-16 unit.
const BLANK: &str = "·";

/// How urgent a line is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Priority {
    /// It interrupts nobody.
    Low,
    /// It may interrupt a busy agent.
    Medium,
    /// It may also wake an idle one.
    High,
}

impl Priority {
    /// The word on the line: `low`, `medium`, `high`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
        }
    }
}

impl fmt::Display for Priority {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// One line as it is printed, without its line end.
///
/// It is exactly one line, holds no control character, takes at most [`LINE_LIMIT`] UTF-16
/// units, and says `[attend` nowhere but at its start.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Line(String);

impl Line {
    /// The line as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Its length in UTF-16 units.
    pub fn units(&self) -> usize {
        units(&self.0)
    }

    /// A line of this size that says nothing, in place of one whose words are not known.
    pub(super) fn blank(units: usize) -> Self {
        Self(BLANK.repeat(units.min(LINE_LIMIT)))
    }

    /// Whether it says nothing.
    pub(super) fn is_blank(&self) -> bool {
        self.0.starts_with(BLANK)
    }
}

impl AsRef<str> for Line {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl From<Line> for String {
    fn from(line: Line) -> Self {
        line.0
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

/// What stands before the text on each line made of it.
///
/// ```
/// use attend_core::attention::Head;
/// use attend_core::mail::{Letter, MessageId, SenderKind, Seq};
///
/// let id = MessageId::new("7F3K2A");
/// let letter = Letter::new(Seq::new(1), id, "sam", "you, #deploy", "ship it")
///     .sent_by(SenderKind::Person);
/// assert_eq!(
///     Head::letter(&letter).again().to_string(),
///     "[attend sensor=messages priority=high] 7F3K2A (again) sam (person) → you, #deploy: ",
/// );
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Head {
    /// What stands before the `(1/3)` of a part.
    before: String,
    /// What stands after it.
    after: String,
    units: usize,
}

impl Head {
    /// An event of `sensor`: `[attend sensor=git priority=medium] `.
    pub fn event(sensor: &SensorName, priority: Priority) -> Self {
        let parts = [
            "[attend sensor=",
            sensor.as_str(),
            " priority=",
            priority.as_str(),
            "] ",
        ];
        Self::new(parts.concat(), String::new())
    }

    /// A message: `[attend sensor=messages priority=high] 7F3K2A Tam-alpha → you, #deploy: `.
    ///
    /// Sender and addressees come from outside too. They are made harmless, cut to 48 and 96
    /// units, and hold none of the signs that the head itself is made of: `→`, `:`, `(` and `)`
    /// become `_`. An empty one is shown as `?`.
    pub fn letter(letter: &Letter) -> Self {
        let id = letter
            .id
            .as_str()
            .chars()
            .filter(char::is_ascii_alphanumeric);
        let id: String = id.take(MAX_ID).collect();
        let kind = match letter.kind {
            SenderKind::Agent => "",
            SenderKind::Person => " (person)",
            SenderKind::Program if letter.from == "program" => "",
            SenderKind::Program => " (program)",
        };
        let from = name(&letter.from, MAX_SENDER);
        let to = name(&letter.to, MAX_ADDRESSEES);
        Self::new(
            [MAIL, if id.is_empty() { "?" } else { &id }, " "].concat(),
            [&from, kind, " → ", &to, ": "].concat(),
        )
    }

    /// What attend says of many messages: `[attend sensor=messages priority=high] `.
    pub fn digest() -> Self {
        Self::new(MAIL.to_owned(), String::new())
    }

    /// What rides along: `[attend] also: `.
    pub fn also() -> Self {
        Self::new("[attend] also: ".to_owned(), String::new())
    }

    /// What attend says of itself: `[attend] `.
    pub fn own() -> Self {
        Self::new("[attend] ".to_owned(), String::new())
    }

    /// What is said once of attend itself: `[attend] notice: `.
    pub fn notice() -> Self {
        Self::new("[attend] notice: ".to_owned(), String::new())
    }

    /// The same head of something that may have been shown before: `(again) ` follows the id.
    #[must_use]
    pub fn again(mut self) -> Self {
        if !self.before.ends_with(AGAIN) {
            self.before.push_str(AGAIN);
        }
        Self::new(self.before, self.after)
    }

    /// Its length in UTF-16 units, without the `(1/3) ` of a part.
    pub fn units(&self) -> usize {
        self.units
    }

    /// A line of `text` that was made harmless before and is known to fit.
    pub(super) fn clean_line(&self, text: &str) -> Line {
        debug_assert!(units(text) <= LINE_LIMIT - self.units, "it fits");
        self.line(None, text, None)
    }

    fn new(before: String, after: String) -> Self {
        let units = units(&before) + units(&after);
        Self {
            before,
            after,
            units,
        }
    }

    /// One line: `text`, and after it the command for what is left out.
    fn line(&self, part: Option<(usize, usize)>, text: &str, more: Option<&str>) -> Line {
        let more = more.unwrap_or_default();
        let bytes = self.before.len() + self.after.len() + text.len() + more.len();
        let mut line = String::with_capacity(bytes + MARK_UNITS);
        line.push_str(&self.before);
        if let Some((part, parts)) = part {
            // Writing to a string cannot fail.
            let _ = write!(line, "({part}/{parts}) ");
        }
        line.push_str(&self.after);
        line.push_str(text);
        line.push_str(more);
        line.truncate(line.trim_end().len());
        Line(line)
    }
}

impl fmt::Display for Head {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.before, self.after)
    }
}

/// The mark of what may have been shown before.
const AGAIN: &str = "(again) ";

/// What every message begins with.
const MAIL: &str = "[attend sensor=messages priority=high] ";

/// Makes lines of `text`, which is raw: one if it fits, else up to [`MAX_PARTS`] parts.
///
/// Parts are marked `(1/3)` and end between words. A word longer than a line ends where a word
/// of UAX 29 does, else between graphemes; only a grapheme longer than a line is cut, between
/// characters. If the text is longer still, the last part ends in `… ` and `more`, the command
/// that shows the rest, of at most 64 units. An empty text makes a line too.
///
/// ```
/// use attend_core::attention::{Head, Priority, split};
/// use attend_core::sensor::SensorName;
///
/// let head = Head::event(&SensorName::new("git")?, Priority::Medium);
/// let lines = split(&head, "branch changed: main → feat/x", "attend explain");
/// assert_eq!(lines[0].as_str(), "[attend sensor=git priority=medium] branch changed: main → feat/x");
///
/// let lines = split(&head, &"far too long ".repeat(1_000), "attend explain");
/// assert_eq!(lines.len(), 3);
/// assert!(lines[0].as_str().starts_with("[attend sensor=git priority=medium] (1/3) far too"));
/// assert!(lines[2].as_str().ends_with("… attend explain"));
/// # Ok::<(), attend_core::sensor::NameError>(())
/// ```
pub fn split(head: &Head, text: &str, more: &str) -> Vec<Line> {
    let (text, whole) = clean(text, ENOUGH);
    let room = LINE_LIMIT - head.units;
    if whole && fits(&text, room) {
        return vec![head.line(None, &text, None)];
    }
    let room = room - MARK_UNITS;
    let mut pieces = Vec::with_capacity(MAX_PARTS);
    let mut rest = text.as_ref();
    while pieces.len() < MAX_PARTS && !rest.is_empty() {
        let (piece, after) = cut(rest, room);
        pieces.push(piece);
        rest = after;
    }
    let more = (!whole || !rest.is_empty()).then(|| tail(more));
    if let (Some(more), Some(last)) = (&more, pieces.last_mut()) {
        *last = shorten(last, room - units(more), room);
    }
    let parts = pieces.len();
    let line = |(at, piece): (usize, &&str)| {
        let part = (parts > 1).then_some((at + 1, parts));
        let more = more.as_deref().filter(|_| at + 1 == parts);
        head.line(part, piece, more)
    };
    pieces.iter().enumerate().map(line).collect()
}

/// Makes a single line of `text`, which is raw; what does not fit is left out for `… ` and `more`.
///
/// ```
/// use attend_core::attention::{Head, LINE_LIMIT, first_line};
///
/// let line = first_line(&Head::notice(), &"a long story ".repeat(100), "attend status");
/// assert!(line.units() <= LINE_LIMIT && line.as_str().ends_with("… attend status"));
/// ```
pub fn first_line(head: &Head, text: &str, more: &str) -> Line {
    let (text, whole) = clean(text, ENOUGH);
    let room = LINE_LIMIT - head.units;
    if whole && fits(&text, room) {
        return head.line(None, &text, None);
    }
    let more = tail(more);
    let piece = shorten(&text, room - units(&more), room);
    head.line(None, piece, Some(&more))
}

/// Whether `text` takes at most `room` units, without counting a text that is far too long.
fn fits(text: &str, room: usize) -> bool {
    text.len() <= 3 * room && units(text) <= room
}

/// What a text ends in that is not all there.
fn tail(more: &str) -> String {
    let (more, _) = clean(more, ENOUGH);
    ["… ", cut(&more, MAX_MORE).0].concat()
}

/// A name from outside, fit for a head.
fn name(text: &str, most: usize) -> String {
    let (clean, whole) = clean(text, ENOUGH);
    let ends = whole && fits(&clean, most);
    let kept = if ends {
        trim(&clean)
    } else {
        cut(&clean, most - 1).0
    };
    let mut name: String = kept
        .chars()
        .map(|c| {
            if matches!(c, '→' | ':' | '(' | ')') {
                '_'
            } else {
                c
            }
        })
        .collect();
    if name.is_empty() {
        name.push('?');
    }
    if !ends {
        name.push('…');
    }
    name
}
