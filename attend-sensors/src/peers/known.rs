//! What the `peers` sensor remembers of each session, over a restart too.

use std::path::Path;

use attend_core::dynamics::Tick;
use attend_core::sensor::{Peer, PeerState, Project, SensorError, Snapshot};
use serde::{Deserialize, Serialize};

use crate::naming::name;

/// From how many percent of its window on a context is told of.
const FULL: u64 = 80;

/// Who ends and comes again within so many ticks was restarted.
const RESTART: u64 = 600;

/// How many of those who are gone are remembered.
const MOST_GONE: usize = 64;

/// Who was there at the last look, and who is gone since a moment; none before the first look.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct Memory(pub(super) Option<Vec<Known>>);

impl Memory {
    pub(super) fn write(&self) -> Option<Snapshot> {
        Snapshot::of(self).ok()
    }

    pub(super) fn read(snapshot: &Snapshot) -> Result<Self, SensorError> {
        snapshot.read()
    }
}

/// One session, as it was at the last look.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Known {
    /// By which its events are told apart from others': its first id.
    pub(super) key: String,
    session: String,
    process: (u32, Option<String>),
    cwd: Option<String>,
    /// What it is called in what is told.
    pub(super) name: String,
    /// The name that its person gave it.
    #[serde(default)]
    title: Option<String>,
    /// Whether it works on this project.
    pub(super) here: bool,
    /// The last state that was known.
    pub(super) state: PeerState,
    /// Whether its context is nearly full, by the last count that was known.
    pub(super) full: Option<bool>,
    /// Since when it is gone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    gone: Option<Tick>,
}

impl Known {
    /// What is known of `peer`, whose events are told apart by `key`.
    pub(super) fn new(peer: &Peer, key: String, here: bool, project: &Project) -> Self {
        Self {
            key,
            session: peer.session.clone(),
            process: process(peer),
            cwd: peer.cwd.as_deref().map(text),
            name: name(peer, here, project),
            title: peer.name.clone(),
            here,
            state: peer.state,
            full: is_full(peer),
            gone: None,
        }
    }

    /// The same, which is gone at `now`.
    pub(super) fn left(self, now: Tick) -> Self {
        Self {
            gone: Some(now),
            ..self
        }
    }

    /// Whether it is gone.
    pub(super) fn is_gone(&self) -> bool {
        self.gone.is_some()
    }

    /// Whether `peer`, which is new, is what came of this one, which is gone: the same session
    /// again, or another one that was started in its place.
    pub(super) fn is_again(&self, peer: &Peer) -> bool {
        let place = || {
            peer.cwd.is_some() && self.cwd.as_deref() == peer.cwd.as_deref().map(text).as_deref()
        };
        self.is_session(peer) || self.title == peer.name && place()
    }

    /// Whether `peer` holds the same session.
    pub(super) fn is_session(&self, peer: &Peer) -> bool {
        self.session == peer.session
    }

    /// Whether `peer` is the same process, whose session changes when its person clears it.
    pub(super) fn is_process(&self, peer: &Peer) -> bool {
        self.process.1.is_some() && self.process == process(peer)
    }

    /// Where `peer` works, if that is what it was.
    pub(super) fn here_still(&self, peer: &Peer) -> Option<bool> {
        let same = self.cwd.as_deref() == peer.cwd.as_deref().map(text).as_deref();
        same.then_some(self.here)
    }
}

/// Those of `gone` of whom it would still be said at `now` that they came again, the last ones.
pub(super) fn lately(mut gone: Vec<Known>, now: Tick) -> Vec<Known> {
    gone.retain(|known| known.gone.is_some_and(|at| now.since(at).get() < RESTART));
    let over = gone.len().saturating_sub(MOST_GONE);
    gone.drain(..over);
    gone
}

fn process(peer: &Peer) -> (u32, Option<String>) {
    (peer.process.pid, peer.process.started.clone())
}

fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

/// Whether its context is nearly full; none where nobody knows.
fn is_full(peer: &Peer) -> Option<bool> {
    percent(peer).map(|percent| percent >= FULL)
}

/// How full its context is.
pub(super) fn percent(peer: &Peer) -> Option<u64> {
    peer.context.as_ref()?.percent()
}
