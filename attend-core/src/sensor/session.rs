//! What a host says of the session that attend runs beside: who it is, and how that was found.

use std::path::PathBuf;

/// Which session attend runs beside, and what is known of the process that holds it.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct SessionInfo {
    /// Which session it is.
    pub identity: Identity,
    /// The host's process, where one was found.
    pub process: Option<HostProcess>,
    /// The directory that the host works in.
    pub cwd: Option<PathBuf>,
    /// Whether a person sits at it; none where nobody knows.
    pub interactive: Option<bool>,
    /// Paths whose change may change the host's answers: files, and the directories in which
    /// they appear.
    pub watch: Vec<PathBuf>,
    /// Paths whose change may mean that another session came, went, or does something else.
    pub watch_peers: Vec<PathBuf>,
}

impl SessionInfo {
    /// A session of which nothing but its identity is known.
    pub fn new(identity: Identity) -> Self {
        Self {
            identity,
            process: None,
            cwd: None,
            interactive: None,
            watch: Vec::new(),
            watch_peers: Vec::new(),
        }
    }

    /// The session's id, where it is known.
    pub fn id(&self) -> Option<&str> {
        match &self.identity {
            Identity::Known { id, .. } => Some(id),
            _ => None,
        }
    }
}

/// Which session this is. It is found, or said to be unknown; it is never guessed.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Identity {
    /// This one.
    Known {
        /// The id by which the host knows it.
        id: String,
        /// What told it.
        by: Evidence,
    },
    /// There is a host, and nothing tells its session yet.
    Waiting,
    /// There is no host.
    NoHost,
    /// What was given contradicts what was found.
    Refused {
        /// Why, for people.
        reason: String,
    },
}

/// What told which session it is, best first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum Evidence {
    /// Whoever started attend named it.
    Named,
    /// A hook that the host's process ran when the session began.
    Hook,
    /// The environment that the host gives to its children.
    Environment,
    /// The host's own record of its process.
    Record,
}

/// A process of the host. A pid alone names none: pids are used again.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct HostProcess {
    /// Its process id.
    pub pid: u32,
    /// When it started, in the system's own words, to be compared for equality only; none where
    /// nobody knows.
    pub started: Option<String>,
    /// Whether it lives; none where that cannot be seen from here.
    pub alive: Option<bool>,
}

impl HostProcess {
    /// The process `pid`, of which nothing else is known.
    pub fn new(pid: u32) -> Self {
        Self {
            pid,
            started: None,
            alive: None,
        }
    }
}
