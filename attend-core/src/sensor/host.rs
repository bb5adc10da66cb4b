//! The host: the agent program whose state is read. Experimental at 0.1.

use std::path::PathBuf;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};

use super::error::SensorError;
use super::evidence::{Seen, Shown, Taught};
use super::own::OwnChanges;
use super::peer::{Peer, PeerEdits};
use super::session::SessionInfo;
use super::turns::Turns;
use super::usage::ContextUsage;
use crate::dynamics::Tick;

/// What the host is doing, as far as that decides whether it may be woken.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum HostState {
    /// Nobody knows: treated as busy.
    #[default]
    Unknown,
    /// It is working on a turn.
    Busy,
    /// It waits for its person, since this tick; waking it costs a turn over its whole context.
    Idle {
        /// Since when.
        since: Tick,
    },
    /// It waits for the first prompt of its person: whatever woke it now would cost a turn
    /// before they typed a word.
    Unprompted,
}

impl HostState {
    /// The same on an axis that may have stepped back to `now`.
    pub(crate) fn settled(self, now: Tick) -> Self {
        match self {
            Self::Idle { since } => Self::Idle {
                since: since.min(now),
            },
            other => other,
        }
    }

    /// Whether waking it would begin a turn.
    pub fn is_idle(self) -> bool {
        matches!(self, Self::Idle { .. } | Self::Unprompted)
    }
}

/// A question to the host.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum HostRequest {
    /// What is the host doing?
    State,
    /// Which session is this?
    Session,
    /// How full is its context window?
    Context,
    /// What did it do itself?
    Own,
    /// Which messages were seen? Unknown where there is no transcript that can be read.
    Shown(Shown),
    /// Where do lines stand before the model? Unknown where there is no transcript that can be
    /// read.
    Taught(Taught),
    /// Who spoke, and when?
    Turns,
    /// Which other sessions live?
    Peers,
    /// Which files did those of them edit that work in one of these directories, or in one around
    /// it?
    PeerEdits(Vec<PathBuf>),
}

/// The host's answer.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum HostAnswer {
    /// The host does not know, or does not know the question.
    Unknown,
    /// What it is doing.
    State(HostState),
    /// Which session it is.
    Session(SessionInfo),
    /// How full its context window is.
    Context(ContextUsage),
    /// What it did itself.
    Own(OwnChanges),
    /// Which messages were seen.
    Shown(Seen),
    /// For each line, in the order in which they were asked for, the tokens before the model when
    /// it was delivered last; none where it does not stand there, or nobody knows.
    Taught(Vec<Option<u64>>),
    /// The other live sessions, in a fixed order; those that a program drives are not told.
    Peers(Vec<Peer>),
    /// Who spoke, and when.
    Turns(Turns),
    /// What they edited, in the order of the sessions; those that edited nothing are not told.
    PeerEdits(Vec<PeerEdits>),
}

/// The agent program beside which attend runs.
#[async_trait]
pub trait Host: Send + Sync {
    /// Answers a question.
    ///
    /// It must not wait for the program to answer, wake it, write to its files, print or panic, and
    /// reads a bounded share of what grows.
    ///
    /// # Errors
    ///
    /// Transient: the answer could not be read now. What is not known is
    /// [`HostAnswer::Unknown`], not an error.
    async fn ask(&self, request: &HostRequest) -> Result<HostAnswer, SensorError>;
}

/// No host at all: everything is unknown.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoHost;

#[async_trait]
impl Host for NoHost {
    async fn ask(&self, _request: &HostRequest) -> Result<HostAnswer, SensorError> {
        Ok(HostAnswer::Unknown)
    }
}
