//! What a host says of another session: who it is, where it works, and what it does.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::own::OwnEdit;
use super::session::HostProcess;
use super::usage::ContextUsage;
use crate::dynamics::Tick;

/// A live session of the host beside the one that attend runs in. Whether it works on the same
/// project is for whoever asks to say, by its [`cwd`](Self::cwd).
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Peer {
    /// The id by which the host knows it. It changes while its process goes on, as when its
    /// person clears it.
    pub session: String,
    /// The process that holds it.
    pub process: HostProcess,
    /// What a person calls it; words from outside.
    pub name: Option<String>,
    /// The directory that it works in.
    pub cwd: Option<PathBuf>,
    /// What it does.
    pub state: PeerState,
    /// Since when it does that; none where nobody knows.
    pub since: Option<Tick>,
    /// Whether a person sits at it.
    pub interactive: bool,
    /// How full its context window is; none where that cannot be read.
    pub context: Option<ContextUsage>,
}

impl Peer {
    /// The session `session` in the process `process`, at which a person sits, and of which
    /// nothing else is known.
    pub fn new(session: impl Into<String>, process: HostProcess) -> Self {
        Self {
            session: session.into(),
            process,
            name: None,
            cwd: None,
            state: PeerState::Unknown,
            since: None,
            interactive: true,
            context: None,
        }
    }
}

/// The files that another session edited.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct PeerEdits {
    /// The session.
    pub peer: Peer,
    /// Files that it, its subagents included, edited or is about to, each with its last edit.
    /// What is long past may be missing.
    pub edits: Vec<OwnEdit>,
}

impl PeerEdits {
    /// The `edits` of `peer`.
    pub fn new(peer: Peer, edits: impl IntoIterator<Item = OwnEdit>) -> Self {
        Self {
            peer,
            edits: edits.into_iter().collect(),
        }
    }
}

/// What a session does. For what it waits is not kept.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum PeerState {
    /// Nobody knows.
    #[default]
    Unknown,
    /// It works on a turn.
    Busy,
    /// It waits for its next prompt.
    Idle,
    /// It waits for an answer in the middle of a turn, such as a permission.
    Waiting,
}
