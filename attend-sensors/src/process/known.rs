//! What the `process` sensor remembers, over a restart too: builds that run, and how long they did.

use std::collections::BTreeSet;
use std::time::Duration;

use attend_core::dynamics::Tick;
use attend_core::sensor::{Exit, SensorError, Snapshot};
use serde::{Deserialize, Serialize};

use super::history::History;
use super::table::Member;

/// How many builds are followed at a time.
pub(super) const MOST: usize = 64;

/// What was known after the last look; none before the first.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct Memory(pub(super) Option<Known>);

/// What was known after a look.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub(super) struct Known {
    /// Builds that run, or whose end was not told yet, in the order in which they were found.
    pub(super) builds: Vec<Build>,
    pub(super) history: History,
    /// The records of commands that were told of, or need not be.
    pub(super) settled: BTreeSet<String>,
}

/// One build: a tool and all that runs below it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct Build {
    pub(super) process: Member,
    /// What it is called in what is told.
    pub(super) name: String,
    /// Its process group; 0 of a command that attend runs.
    pub(super) group: u32,
    pub(super) began: Tick,
    /// When the host started the shell below which it runs; none where that is not the host of
    /// this session.
    pub(super) below_host: Option<Tick>,
    /// The record of the command that it is, where attend runs it.
    pub(super) record: Option<String>,
    pub(super) stage: Stage,
}

/// How far a build is.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub(super) enum Stage {
    /// It runs since it was found, and whether that is news is not known yet.
    Began {
        /// When it was found.
        found: Tick,
    },
    /// It runs.
    Runs {
        /// Whether it is news how long it runs.
        heard: bool,
    },
    /// It ended, and whether that is news is not known yet.
    Ended(End),
}

/// The end of a build.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct End {
    /// When it was noticed.
    pub(super) found: Tick,
    pub(super) at: Tick,
    pub(super) took: Duration,
    pub(super) how: How,
}

/// How a build ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) enum How {
    Code(i32),
    Signal(i32),
    /// Nobody says.
    Unknown,
    /// Nor when: attend did not run then.
    Unseen,
}

impl Memory {
    pub(super) fn write(&self) -> Option<Snapshot> {
        Snapshot::of(self.0.as_ref()?).ok()
    }

    pub(super) fn read(snapshot: &Snapshot) -> Result<Self, SensorError> {
        Ok(Self(Some(snapshot.read()?)))
    }
}

impl Build {
    /// Whether it still runs, as far as is known.
    pub(super) fn runs(&self) -> bool {
        !matches!(self.stage, Stage::Ended(_))
    }

    /// By which its events are told apart from others'.
    pub(super) fn key(&self) -> String {
        format!("build:{}-{}", self.process.pid, self.process.start)
    }
}

impl How {
    pub(super) fn of(exit: Option<Exit>) -> Self {
        match exit {
            Some(Exit::Code(code)) => Self::Code(code),
            Some(Exit::Signal(signal)) => Self::Signal(signal),
            _ => Self::Unknown,
        }
    }
}
