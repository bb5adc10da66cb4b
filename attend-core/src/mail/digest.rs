//! The digest: one line that counts many messages.

use std::time::Duration;

/// Where counted messages were addressed to.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Origin {
    /// To the reader by name.
    You,
    /// To a room, named with its `#`.
    Room(String),
}

/// How many new messages wait, by origin, with their age and span.
///
/// ```
/// use std::time::Duration;
/// use attend_core::mail::{Counts, Origin};
///
/// let counts = Counts::new([(Origin::You, 3), (Origin::Room("#open".into()), 9)])
///     .aged(Duration::from_secs(120), Duration::from_secs(21 * 60));
/// assert_eq!(
///     counts.line(3),
///     "12 new messages: 3 to you (below), 9 on #open (newest 2m ago, over 21m) — attend inbox --unread for detail",
/// );
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    origins: Vec<(Origin, u64)>,
    newest: Duration,
    span: Duration,
}

impl Counts {
    /// Counts by origin, in the order in which they are told.
    pub fn new(origins: impl IntoIterator<Item = (Origin, u64)>) -> Self {
        let origins = origins
            .into_iter()
            .filter(|(_, count)| *count > 0)
            .collect();
        Self {
            origins,
            newest: Duration::ZERO,
            span: Duration::ZERO,
        }
    }

    /// Says how long ago the newest was sent, and over how long all of them were.
    #[must_use]
    pub fn aged(mut self, newest: Duration, span: Duration) -> Self {
        (self.newest, self.span) = (newest, span);
        self
    }

    /// The counts by origin.
    pub fn origins(&self) -> &[(Origin, u64)] {
        &self.origins
    }

    /// How long ago the newest was sent, and over how long all of them were.
    pub(crate) fn ages(&self) -> (Duration, Duration) {
        (self.newest, self.span)
    }

    /// All messages.
    pub fn total(&self) -> u64 {
        self.origins.iter().map(|(_, count)| count).sum()
    }

    /// The messages addressed to the reader by name.
    pub fn directed(&self) -> u64 {
        let directed = self
            .origins
            .iter()
            .filter(|(origin, _)| *origin == Origin::You);
        directed.map(|(_, count)| count).sum()
    }

    /// The digest line, where `below` of the directed messages follow in full.
    ///
    /// Where nothing is only counted, it says how many are directed and how many follow.
    pub fn line(&self, below: u64) -> String {
        let directed = self.directed();
        if self.total() == directed {
            return format!("{directed} to you, {below} below");
        }
        let parts: Vec<String> = self
            .origins
            .iter()
            .map(|(origin, count)| told(origin, *count, below))
            .collect();
        let (newest, span) = (age(self.newest), age(self.span));
        let total = self.total();
        let noun = if total == 1 { "message" } else { "messages" };
        format!(
            "{total} new {noun}: {} (newest {newest} ago, over {span}) — attend inbox --unread for detail",
            parts.join(", ")
        )
    }
}

fn told(origin: &Origin, count: u64, below: u64) -> String {
    match origin {
        Origin::Room(name) => format!("{count} on {name}"),
        Origin::You if below >= count => format!("{count} to you (below)"),
        Origin::You => format!("{count} to you, {below} below"),
    }
}

/// A span for people: `40s`, `12m`, `3h`, `2d`, rounded down.
///
/// ```
/// use std::time::Duration;
/// use attend_core::mail::age;
///
/// assert_eq!(age(Duration::from_secs(125)), "2m");
/// ```
pub fn age(span: Duration) -> String {
    match span.as_secs() {
        seconds @ 0..60 => format!("{seconds}s"),
        seconds @ 60..3_600 => format!("{}m", seconds / 60),
        seconds @ 3_600..86_400 => format!("{}h", seconds / 3_600),
        seconds => format!("{}d", seconds / 86_400),
    }
}
