//! Cleaning up after projects that are gone: what is known of projects, and what goes.

use std::path::PathBuf;
use std::time::Duration;

use super::seat::ProjectId;

/// How many messages one sweep removes unless it is told otherwise: a larger number would hold up
/// whoever sends meanwhile.
pub const MOST_SWEPT: usize = 50;

/// What is known of all projects.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Projects {
    /// Each of them.
    pub all: Vec<ProjectInfo>,
    /// How long ago a sweep was made; none where there was none. Where the machine has started
    /// anew since, at least so long.
    pub swept: Option<Duration>,
}

impl Projects {
    /// These projects, and when they were swept.
    pub fn new(all: Vec<ProjectInfo>, swept: Option<Duration>) -> Self {
        Self { all, swept }
    }
}

/// A project, as whoever looks whether it is still there has to know it.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct ProjectInfo {
    /// Which project.
    pub id: ProjectId,
    /// What makes it one project: the repository's common directory, else the directory itself.
    pub path: PathBuf,
    /// The host's configuration root, where a host tracked the project once.
    pub host_root: Option<PathBuf>,
    /// What it is called.
    pub persona: String,
    /// The tops of the work trees of its seats, sorted.
    pub roots: Vec<PathBuf>,
    /// The ids of the sessions that sat on its seats, sorted.
    pub sessions: Vec<String>,
    /// How long ago it was seen gone for the first time, and not seen there since; none where it
    /// was not. Where the machine has started anew since, at least so long.
    pub gone: Option<Duration>,
}

impl ProjectInfo {
    /// The project `id` at `path`, called `persona`, which nobody has used yet.
    pub fn new(id: ProjectId, path: impl Into<PathBuf>, persona: impl Into<String>) -> Self {
        Self {
            id,
            path: path.into(),
            host_root: None,
            persona: persona.into(),
            roots: Vec::new(),
            sessions: Vec::new(),
            gone: None,
        }
    }
}

/// What a look at the world found of projects. One that is not named is unknown: nothing is
/// noted of it, and nothing of it goes.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Sightings {
    /// These are gone.
    pub gone: Vec<ProjectId>,
    /// These are there.
    pub there: Vec<ProjectId>,
}

impl Sightings {
    /// The projects `gone` are gone, and the projects `there` are there.
    pub fn new(gone: Vec<ProjectId>, there: Vec<ProjectId>) -> Self {
        Self { gone, there }
    }
}

/// Notes which projects are gone, and removes some of what belongs to those that were gone before.
///
/// A project counts as gone when it is seen gone, was first seen so at least
/// [`apart`](Self::apart) ago and not seen there in between, and nobody sits in it. Then this
/// goes: the trays of its seats and its own, with memberships, mutes, reminders and sessions;
/// the messages that its agents sent to rooms; and every message that lay in no other tray and
/// in no room. Its persona and the names of its seats stay taken.
///
/// Unless [`all`](Self::all) says so, a message in a room stays while a seat of another project or
/// of a person has it unread, or printed and not yet seen. In any case it stays where it was also
/// sent to somebody else by name, and where it was in the last write to another seat: a reply
/// then still means what it meant.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Sweep {
    /// What was seen of the projects.
    pub seen: Sightings,
    /// How long a project has to be gone.
    pub apart: Duration,
    /// At most so many messages are removed, or taken out of a tray.
    pub most: usize,
    /// What others have not read goes, too.
    pub all: bool,
    /// Nothing is changed and nothing noted: only what would go in all is counted.
    pub dry: bool,
}

impl Sweep {
    /// Removes up to [`MOST_SWEPT`] messages of projects that were first seen gone at least
    /// `apart` ago.
    pub fn new(seen: Sightings, apart: Duration) -> Self {
        Self {
            seen,
            apart,
            most: MOST_SWEPT,
            all: false,
            dry: false,
        }
    }

    /// At most so many messages.
    #[must_use]
    pub fn most(mut self, most: usize) -> Self {
        self.most = most;
        self
    }

    /// The same; whether also what others have not read.
    #[must_use]
    pub fn all(mut self, all: bool) -> Self {
        self.all = all;
        self
    }

    /// The same; whether only to count.
    #[must_use]
    pub fn dry(mut self, dry: bool) -> Self {
        self.dry = dry;
        self
    }
}

/// What went in a [`Sweep`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Swept {
    /// So many messages, which are nowhere any more.
    pub messages: u64,
    /// So many trays, to the last thing in them.
    pub trays: u64,
    /// There is more to go.
    pub is_more: bool,
}

impl Swept {
    /// So many messages and trays went.
    pub fn new(messages: u64, trays: u64) -> Self {
        Self {
            messages,
            trays,
            is_more: false,
        }
    }

    /// The same; whether there is more to go.
    #[must_use]
    pub fn more(mut self, is_more: bool) -> Self {
        self.is_more = is_more;
        self
    }
}
