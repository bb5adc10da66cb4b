//! Spans of time as they are written: a number of seconds, or `90s`, `10m`, `2h`, `3d`.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use thiserror::Error;

use crate::dynamics::TickDelta;

/// The longest span there is: a year.
const MOST: u64 = 365 * DAY;

const DAY: u64 = 86_400;

/// The units, and how many seconds each has.
const UNITS: [(char, u64); 4] = [('d', DAY), ('h', 3_600), ('m', 60), ('s', 1)];

/// A span of time in whole seconds, at most a year.
///
/// ```
/// use attend_core::runtime::config::{Span, SpanErrorKind};
///
/// let span: Span = "90s".parse()?;
/// assert_eq!(span.seconds(), 90);
/// assert_eq!("2h".parse::<Span>()?.to_string(), "2h");
/// assert_eq!("1.5h".parse::<Span>().unwrap_err().kind(), SpanErrorKind::Syntax);
/// assert_eq!("400d".parse::<Span>().unwrap_err().kind(), SpanErrorKind::TooLong);
/// # Ok::<(), attend_core::runtime::config::SpanError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Span(u64);

/// A text that is no [`Span`].
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("`{text}` is no span of time: write seconds, or 90s, 10m, 2h, 3d (at most 365d)")]
pub struct SpanError {
    kind: SpanErrorKind,
    text: String,
}

/// Why a text is no [`Span`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum SpanErrorKind {
    /// It is no whole number with one of the units.
    Syntax,
    /// It is longer than a year.
    TooLong,
}

impl SpanError {
    /// Why it is none.
    pub fn kind(&self) -> SpanErrorKind {
        self.kind
    }
}

impl Span {
    /// A span of `seconds`; of a year, where they are more.
    pub fn of_seconds(seconds: u64) -> Self {
        Self(seconds.min(MOST))
    }

    /// Its seconds.
    pub fn seconds(self) -> u64 {
        self.0
    }
}

impl From<Span> for Duration {
    fn from(span: Span) -> Self {
        Self::from_secs(span.0)
    }
}

/// attend's ticks are seconds.
impl From<Span> for TickDelta {
    fn from(span: Span) -> Self {
        Self::new(span.0)
    }
}

impl From<TickDelta> for Span {
    fn from(ticks: TickDelta) -> Self {
        Self::of_seconds(ticks.get())
    }
}

impl FromStr for Span {
    type Err = SpanError;

    fn from_str(text: &str) -> Result<Self, SpanError> {
        let unit = |(unit, seconds)| Some((text.strip_suffix(unit)?, seconds));
        let (number, seconds) = UNITS.into_iter().find_map(unit).unwrap_or((text, 1));
        let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        // What does not fit is too long as well.
        let number = is_number.then(|| number.parse::<u64>().unwrap_or(u64::MAX));
        let kind = match number.map(|number| number.saturating_mul(seconds)) {
            Some(seconds) if seconds <= MOST => return Ok(Self(seconds)),
            Some(_) => SpanErrorKind::TooLong,
            None => SpanErrorKind::Syntax,
        };
        let text = text.chars().take(40).collect();
        Err(SpanError { kind, text })
    }
}

/// In the largest unit that leaves no rest.
impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fits = |(_, seconds): &(char, u64)| self.0 > 0 && self.0.is_multiple_of(*seconds);
        let (unit, seconds) = UNITS.into_iter().find(fits).unwrap_or(('s', 1));
        write!(f, "{}{unit}", self.0 / seconds)
    }
}

impl Serialize for Span {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Span {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(AnySpan)
    }
}

struct AnySpan;

impl Visitor<'_> for AnySpan {
    type Value = Span;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a span of time (seconds, or 90s, 10m, 2h, 3d)")
    }

    fn visit_u64<E: Error>(self, seconds: u64) -> Result<Span, E> {
        self.visit_str(&seconds.to_string())
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Span, E> {
        text.parse().map_err(E::custom)
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Span {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Span".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "title": "span",
            "anyOf": [
                {"type": "integer", "minimum": 0, "maximum": MOST},
                {"type": "string", "pattern": "^[0-9]+[smhd]?$"},
            ],
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn spans_are_read_and_written() {
        for (text, seconds, written) in [
            ("0", 0, "0s"),
            ("0s", 0, "0s"),
            ("90", 90, "90s"),
            ("90s", 90, "90s"),
            ("120s", 120, "2m"),
            ("10m", 600, "10m"),
            ("2h", 7_200, "2h"),
            ("26h", 93_600, "26h"),
            ("365d", 31_536_000, "365d"),
        ] {
            let span: Span = text.parse().unwrap();
            assert_eq!(span.seconds(), seconds, "{text}");
            assert_eq!(span.to_string(), written, "{text}");
        }
        for text in [
            "",
            "s",
            "-1s",
            "+1s",
            "1.5h",
            "1 h",
            "2w",
            "366d",
            "99999999999999999999d",
            "1h30m",
            "é",
        ] {
            assert!(text.parse::<Span>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_file_may_hold_seconds_or_a_text() {
        for (json, seconds) in [
            ("90", Some(90)),
            ("\"90s\"", Some(90)),
            ("-1", None),
            ("1.5", None),
            ("true", None),
        ] {
            let span = serde_json::from_str::<Span>(json).ok();
            assert_eq!(span.map(Span::seconds), seconds, "{json}");
        }
    }

    proptest! {
        #[test]
        fn what_is_written_reads_as_it_was(seconds in 0..=MOST) {
            let span = Span::of_seconds(seconds);
            prop_assert_eq!(span.to_string().parse(), Ok(span));
        }

        #[test]
        fn no_text_panics(text in ".*") {
            let _ = text.parse::<Span>();
        }
    }
}
