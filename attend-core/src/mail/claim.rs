//! Claims: what a reader takes on itself to show, and what came of it.

use std::time::{Duration, SystemTime};

use super::digest::Counts;
use super::envelope::{Letter, MessageId, Seq};
use super::mute::Muted;
use super::number::number;
use super::seat::Reader;

/// How long a claim holds at most, on the clock that never steps: 30 s. From then on another reader
/// may take what it holds.
pub const CLAIM_LEASE: Duration = Duration::from_secs(30);

number! {
    /// One claim on messages, as the mailbox named it.
    ClaimId
}

/// What waits for a reader, as a look at the mailbox found it.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Waiting {
    /// So few that each is shown: at most as many as a digest starts above, oldest first. None
    /// at all where nothing waits.
    Few(Vec<Letter>),
    /// More: counted, and the oldest directed ones in full.
    Many {
        /// All of them, by origin.
        counts: Counts,
        /// The counts cover everything up to here.
        upto: Seq,
        /// The oldest messages addressed to the reader by name, at most as many as a digest
        /// starts above.
        directed: Vec<Letter>,
    },
}

/// What waits for a reader, and what else its loop or hook has to know of the seat.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct News {
    /// What waits.
    pub waiting: Waiting,
    /// How long the oldest of it has waited, on the clock that never steps; none where nothing
    /// waits.
    ///
    /// What was sent before the machine started anew is as old as the machine's start.
    pub oldest: Option<Duration>,
    /// What is muted, in order.
    pub muted: Vec<Muted>,
    /// When the next reminder is due, by the clock on the wall.
    pub due: Option<SystemTime>,
    /// Whether a loop is registered here, and lives.
    pub is_read: bool,
    /// Whether anything shown to the reader's session awaits evidence.
    pub is_awaited: bool,
}

impl News {
    /// Nothing but what waits.
    pub fn new(waiting: Waiting) -> Self {
        Self {
            waiting,
            oldest: None,
            muted: Vec::new(),
            due: None,
            is_read: false,
            is_awaited: false,
        }
    }
}

/// What a reader wants to show.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Wanted {
    /// Those of these that are new and that nobody else has claimed.
    Print(Vec<Seq>),
    /// The same, and everything in rooms up to a sequence as counted.
    Digest {
        /// In full.
        print: Vec<Seq>,
        /// Counted up to here.
        upto: Seq,
    },
    /// The oldest that are unread, at most so many, whoever else has claimed them.
    Unread {
        /// At most so many.
        most: usize,
    },
    /// This one, whatever its state and whoever else has claimed it. Nothing is granted where it
    /// is not for this seat.
    Show(MessageId),
}

/// A reader's wish to show something.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct ClaimRequest {
    /// Who is going to show it.
    pub reader: Reader,
    /// What.
    pub what: Wanted,
}

impl ClaimRequest {
    /// The wish of `reader` to show `what`.
    pub fn new(reader: Reader, what: Wanted) -> Self {
        Self { reader, what }
    }
}

/// What a claim got. An empty one means that nothing waits after all.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Claim {
    /// Its name.
    pub id: ClaimId,
    /// The messages it got, which are to be printed in full, in the order of the mailbox.
    pub granted: Vec<Granted>,
    /// What is counted, for a digest.
    pub counts: Option<Counts>,
}

/// One message that a claim got.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct Granted {
    /// Which.
    pub seq: Seq,
    /// It may have been shown before.
    pub again: bool,
}

impl Granted {
    /// The message at `seq`; `again` where it may have been shown before.
    pub fn new(seq: Seq, again: bool) -> Self {
        Self { seq, again }
    }
}

impl Claim {
    /// A claim that got these messages.
    pub fn new(id: ClaimId, granted: impl IntoIterator<Item = Granted>) -> Self {
        Self {
            id,
            granted: granted.into_iter().collect(),
            counts: None,
        }
    }

    /// The same with what it counted.
    #[must_use]
    pub fn counting(mut self, counts: Counts) -> Self {
        self.counts = Some(counts);
        self
    }

    /// Whether it got nothing.
    pub fn is_empty(&self) -> bool {
        self.granted.is_empty() && self.counts.is_none()
    }
}

/// What was really written of a claim. What was not goes back to where it was, still marked as
/// one that may have been shown.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Settled {
    /// Who wrote it.
    pub reader: Reader,
    /// What was written in full.
    pub printed: Vec<Seq>,
    /// Whether the digest line was written.
    pub counted: bool,
    /// Whether somebody goes on looking for evidence that it was seen. Where nobody does,
    /// printed is the end.
    pub tracked: bool,
}

impl Settled {
    /// `reader` wrote `printed` in full, and nobody looks for evidence.
    pub fn printed(reader: Reader, printed: impl IntoIterator<Item = Seq>) -> Self {
        Self {
            reader,
            printed: printed.into_iter().collect(),
            counted: false,
            tracked: false,
        }
    }

    /// The digest line was written too.
    #[must_use]
    pub fn counted(mut self, counted: bool) -> Self {
        self.counted = counted;
        self
    }

    /// Somebody goes on looking for evidence that it was seen.
    #[must_use]
    pub fn tracked(mut self, tracked: bool) -> Self {
        self.tracked = tracked;
        self
    }
}
