//! Evidence of what was told: which messages and lines stand in the host's transcript.

use super::name::SensorName;
use crate::mail::MessageId;

/// Asks which messages the session has before it, by its transcript.
///
/// A message was seen where its head `[attend sensor=messages …] ID` begins a line of something
/// that the host delivered. What a person typed proves nothing, nor does what was only queued,
/// nor an id elsewhere in a line.
///
/// ```
/// use attend_core::mail::MessageId;
/// use attend_core::sensor::{HostRequest, Shown};
///
/// let first = Shown::new([MessageId::new("7F3K2A")]);
/// assert_eq!(first.from, None);
/// let next = HostRequest::Shown(first.after(Some(4_096)));
/// # let _ = next;
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Shown {
    /// All that still await evidence: what was read once is not read again for others.
    pub ids: Vec<MessageId>,
    /// Where an earlier look said that the next one goes on: [`Seen::upto`].
    ///
    /// Where the transcript is another one since, or where it is none, only the last 4 MiB are
    /// read.
    pub from: Option<u64>,
}

impl Shown {
    /// A first look for `ids`.
    pub fn new(ids: impl IntoIterator<Item = MessageId>) -> Self {
        Self {
            ids: ids.into_iter().collect(),
            from: None,
        }
    }

    /// The same from where an earlier look ended.
    #[must_use]
    pub fn after(self, from: Option<u64>) -> Self {
        Self { from, ..self }
    }
}

/// What a look for messages found.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Seen {
    /// Those that stand there, in the order in which they do, each once.
    pub ids: Vec<MessageId>,
    /// Where the next look goes on: a mark of the host's own that fits 63 bits and is no number
    /// of bytes. What is half written there yet is left for that look.
    pub upto: u64,
    /// Whether everything that stood there was read. One look reads at most 4 MiB; if that was
    /// not all, look again from `upto`.
    pub complete: bool,
}

impl Seen {
    /// `ids` were found, and nothing is left to be read before `upto`.
    pub fn new(ids: impl IntoIterator<Item = MessageId>, upto: u64) -> Self {
        Self {
            ids: ids.into_iter().collect(),
            upto,
            complete: true,
        }
    }

    /// The same, with more to be read after `upto`.
    #[must_use]
    pub fn partial(self) -> Self {
        Self {
            complete: false,
            ..self
        }
    }
}

/// Asks where lines of a sensor stand before the model, by the session's transcript.
///
/// A line stands there where a notification of attend's own monitor was delivered in which it
/// begins a line, behind its head `[attend sensor=NAME …]`, after the last compaction. Whoever
/// quotes it proves nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Taught {
    /// Whose lines they are.
    pub sensor: SensorName,
    /// The lines, without their heads. What a line says of its age behind them is no part.
    pub lines: Vec<String>,
}

impl Taught {
    /// Asks for `lines` of `sensor`.
    pub fn new(sensor: SensorName, lines: impl IntoIterator<Item = String>) -> Self {
        Self {
            sensor,
            lines: lines.into_iter().collect(),
        }
    }
}
