//! Seen, not only printed: what is awaited, and what a look for it found.

use std::time::{Duration, SystemTime};

use super::envelope::{MessageId, Seq};
use super::seat::Reader;

/// How often a message is shown to one session at most: once, and twice more where it was not
/// seen.
pub const MOST_SHOWN: u32 = 3;

/// After how many showings in a row that nobody saw no evidence is looked for any more.
pub const MOST_MISSED: u32 = 10;

/// How long a host has to be at work before what it did not take up counts as missed: one minute.
pub const MISSED_AFTER: Duration = Duration::from_mins(1);

/// For how long after a reader that comes and goes has looked its seat counts as listening.
const SHORTLY: Duration = Duration::from_mins(2);

/// Whether a look at `then` still counts at `now`, by the clock on the wall.
pub(super) fn is_shortly_before(then: SystemTime, now: SystemTime) -> bool {
    now.duration_since(then).is_ok_and(|age| age < SHORTLY)
}

/// A message that was shown to a session, and for which there is no evidence yet.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Awaited {
    /// Its name, which is looked for.
    pub id: MessageId,
    /// Its position.
    pub seq: Seq,
    /// How often it was shown to this session.
    pub shown: u32,
    /// How long ago it was shown last, on the clock that never steps; none where that was before
    /// the machine started anew.
    pub age: Option<Duration>,
    /// Whether it may be missed yet: not where it is new again already, and may still be seen.
    pub is_open: bool,
}

impl Awaited {
    /// The message `id` at `seq`, which was shown `shown` times, last `age` ago.
    pub fn new(id: MessageId, seq: Seq, shown: u32, age: Option<Duration>) -> Self {
        Self {
            id,
            seq,
            shown,
            age,
            is_open: true,
        }
    }
}

/// What is awaited in one session, and from where on to look for it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Awaiting {
    /// The messages, oldest first.
    pub messages: Vec<Awaited>,
    /// Up to where the host's record of the session was read, in a measure of the host's own.
    pub read: Option<u64>,
    /// Whether evidence is looked for in this session.
    pub is_tracked: bool,
}

impl Awaiting {
    /// These messages; the record was read up to `read`.
    pub fn new(messages: Vec<Awaited>, read: Option<u64>, is_tracked: bool) -> Self {
        Self {
            messages,
            read,
            is_tracked,
        }
    }

    /// What a look means that found the messages `found` and read up to `read`: what of the rest
    /// `is_missed` counts as missed.
    pub fn judge(
        &self,
        reader: Reader,
        found: impl Fn(&MessageId) -> bool,
        is_missed: impl Fn(&Awaited) -> bool,
        read: Option<u64>,
    ) -> Evidence {
        let (there, rest): (Vec<_>, Vec<_>) =
            self.messages.iter().partition(|message| found(&message.id));
        let missed = rest
            .into_iter()
            .filter(|message| message.is_open && is_missed(message));
        Evidence::new(reader, read)
            .seen(there.iter().map(|message| message.seq))
            .missing(missed.map(|message| (message.seq, message.shown)))
    }
}

/// What a look at the host's record found.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Evidence {
    /// Whose session.
    pub reader: Reader,
    /// What stands there.
    pub seen: Vec<Seq>,
    /// What does not, though the host had time: each with how often it was shown when that was
    /// found, so that a later showing is not meant.
    pub missing: Vec<(Seq, u32)>,
    /// Up to where the record was read.
    pub read: Option<u64>,
}

impl Evidence {
    /// The record of the reader's session was read up to `read`, and showed nothing.
    pub fn new(reader: Reader, read: Option<u64>) -> Self {
        Self {
            reader,
            seen: Vec::new(),
            missing: Vec::new(),
            read,
        }
    }

    /// Whether it says of no message anything.
    pub fn is_empty(&self) -> bool {
        self.seen.is_empty() && self.missing.is_empty()
    }

    /// These stand there.
    #[must_use]
    pub fn seen(mut self, seqs: impl IntoIterator<Item = Seq>) -> Self {
        self.seen.extend(seqs);
        self
    }

    /// These do not.
    #[must_use]
    pub fn missing(mut self, messages: impl IntoIterator<Item = (Seq, u32)>) -> Self {
        self.missing.extend(messages);
        self
    }
}

/// Whether evidence is looked for in a session.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Tracking {
    /// It is.
    On,
    /// It is not any more, from just now.
    Ended,
    /// It is not.
    Off,
}

impl Tracking {
    /// What has to be said of it, once.
    pub fn notice(self) -> Option<&'static str> {
        (self == Self::Ended).then_some(
            "the last messages that were shown here do not stand in the transcript of this \
             session: from now on what is printed counts as shown, and is not repeated",
        )
    }
}
