//! One transcript, followed: how large the context is, and what its session did.

use std::io;
use std::path::{Path, PathBuf};

use attend_core::sensor::Clock;

use super::backwards::Limits;
use super::own::Own;
use super::row::Row;
use super::tail::{Counts, Sink, Tail};
use super::usage::Meter;

/// How far back the transcript of a session is read at first. 2 MiB hold the last turns; what
/// the context is, is looked for in 16 MiB.
const MAIN: Limits = Limits {
    history: 2 << 20,
    reach: 16 << 20,
    row: 1 << 20,
};

/// The same for another session's, of which only the last count is looked for: there may be many.
const GLANCE: Limits = Limits {
    history: 0,
    reach: 2 << 20,
    row: 1 << 20,
};

/// The same for another session's of which the edits are wanted, too.
const EDITS: Limits = Limits {
    history: 2 << 20,
    reach: 4 << 20,
    row: 1 << 20,
};

/// The same for a subagent's.
const SUBAGENT: Limits = Limits {
    history: 256 << 10,
    reach: 256 << 10,
    row: 1 << 20,
};

/// How much of a transcript is read at first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Depth {
    /// The last turns.
    Turns,
    /// Only what tells the last count.
    Count,
    /// The same, if it stands near the end.
    Glance,
    /// The last edits, and the last count if it stands near the end.
    Edits,
}

/// A transcript that is followed.
#[derive(Debug)]
pub(super) struct Transcript {
    tail: Tail,
    read: Read,
}

#[derive(Debug, Default)]
struct Read {
    meter: Meter,
    own: Own,
}

impl Transcript {
    /// A session's, with its last turns, or with no more than the last count.
    pub(super) fn of_session(path: PathBuf, depth: Depth) -> Self {
        let limits = match depth {
            Depth::Turns => MAIN,
            Depth::Count => Limits { history: 0, ..MAIN },
            Depth::Glance => GLANCE,
            Depth::Edits => EDITS,
        };
        Self::new(path, limits)
    }

    pub(super) fn of_subagent(path: PathBuf) -> Self {
        Self::new(path, SUBAGENT)
    }

    fn new(path: PathBuf, limits: Limits) -> Self {
        Self {
            tail: Tail::new(path, limits),
            read: Read::default(),
        }
    }

    /// Looks for what is new.
    pub(super) fn look(&mut self, clock: &dyn Clock) -> io::Result<()> {
        self.tail.look(clock, &mut self.read)
    }

    /// It lies elsewhere now.
    pub(super) fn moved(&mut self, path: PathBuf) {
        self.tail.moved(path);
    }

    pub(super) fn path(&self) -> &Path {
        self.tail.path()
    }

    pub(super) fn meter(&self) -> &Meter {
        &self.read.meter
    }

    pub(super) fn own(&self) -> &Own {
        &self.read.own
    }

    pub(super) fn counts(&self) -> Counts {
        self.tail.counts()
    }
}

impl Sink for Read {
    fn restart(&mut self, complete: bool) {
        *self = Self {
            meter: Meter::new(complete),
            own: Own::new(complete),
        };
    }

    fn row(&mut self, row: Row) {
        self.meter.row(&row);
        self.own.row(&row);
    }
}
