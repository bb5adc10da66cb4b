//! The ledger of ways: what a session remembers of them, in its directory of state.

use std::path::PathBuf;
use std::time::Duration;

use attend_core::runtime::{StateDir, StateError, StateErrorKind, StateLock, StatePlace};
use attend_core::ways::{Ledger, Taken, WayId};

use crate::env::Env;
use crate::output::Failure;
use crate::place::ADVICE;

/// Where books are kept, below the directory for state.
pub(crate) const WAYS: &str = "ways";

/// Where the host keeps its files, as it was when the book was begun.
const HOST: &str = "host";

/// A path takes less.
const MOST_PATH: u64 = 8 << 10;

/// The log of showings.
const LOG: &str = "events.jsonl";

/// Which occasions were taken.
const TAKEN: &str = "occasions.json";

/// A log larger than this is begun anew.
const MOST_LOG: u64 = 1 << 20;

/// What is remembered of one way takes less.
const MOST_KEPT: u64 = 64 << 10;

/// How long to wait for those who ask for guidance at the same moment.
const PATIENCE: Duration = Duration::from_secs(10);

/// What the session remembers of its ways.
#[derive(Debug)]
pub(crate) struct Book {
    place: StatePlace,
    /// None where nothing was remembered yet, and nothing is to be.
    dir: Option<StateDir>,
    /// Whose showings it tells of, where they are not the session's own.
    subagent: Option<String>,
    _held: Option<StateLock>,
}

impl Book {
    /// The book of `session`, held for this process.
    pub(crate) fn hold(session: &str, env: &Env) -> Result<Self, Failure> {
        Self::hold_within(PATIENCE, session, env)
    }

    /// The same for somebody who waits no longer than `patience`.
    pub(crate) fn hold_within(
        patience: Duration,
        session: &str,
        env: &Env,
    ) -> Result<Self, Failure> {
        let place = place(session, env)?;
        let failed = |error: StateError| Failure::refused(format!("{error}; {ADVICE}"));
        let dir = StateDir::open(place.clone()).map_err(failed)?;
        let held = dir.lock_within(patience).map_err(failed)?;
        note_host(&dir, env);
        Ok(Self {
            place,
            dir: Some(dir),
            subagent: None,
            _held: Some(held),
        })
    }

    /// The book of `session` for somebody who only looks.
    pub(crate) fn look(session: &str, env: &Env) -> Result<Self, Failure> {
        let place = place(session, env)?;
        let dir = StateDir::existing(place.clone());
        let dir = dir.map_err(|error| Failure::refused(format!("{error}; {ADVICE}")))?;
        Ok(Self {
            place,
            dir,
            subagent: None,
            _held: None,
        })
    }

    /// The same for a subagent of the session, which has a context of its own. One without a usable
    /// id has no book.
    pub(crate) fn of_subagent(mut self, id: &str) -> Option<Self> {
        self.subagent = Some(id.to_owned()).filter(|id| is_name(id));
        self.subagent.is_some().then_some(self)
    }

    /// Which occasions were taken. What cannot be understood counts as none.
    pub(crate) fn taken(&self) -> Taken {
        let kept = |dir: &StateDir| dir.kept(TAKEN, MOST_KEPT).ok()?;
        let bytes = self.dir.as_ref().and_then(kept);
        let taken = bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok());
        taken.unwrap_or_default()
    }

    /// Keeps which occasions were taken.
    pub(crate) fn keep_taken(&self, taken: &Taken) -> Result<(), StateError> {
        // Plain data is always JSON.
        let bytes = serde_json::to_vec(taken).unwrap_or_default();
        match &self.dir {
            Some(dir) => dir.keep(TAKEN, &bytes),
            None => Ok(()),
        }
    }

    /// The log of showings: what was begun anew, and what was added since.
    pub(crate) fn log(&self) -> Result<String, StateError> {
        let Some(dir) = &self.dir else {
            return Ok(String::new());
        };
        let mut log = String::new();
        for name in [format!("{LOG}.old"), LOG.to_owned()] {
            let bytes = own(dir.kept(&name, 2 * MOST_LOG))?.unwrap_or_default();
            log.push_str(&String::from_utf8_lossy(&bytes));
        }
        Ok(log)
    }

    /// The directory that remembers `way`, and the name under which it does.
    fn of(&self, way: &WayId) -> (StatePlace, String) {
        let (above, name) = way.parts();
        let place = match &self.subagent {
            Some(id) => self.place.clone().join("subagents").join(id),
            None => self.place.clone(),
        };
        let place = place.join("way-engagement");
        let place = above.map_or_else(|| place.clone(), |above| place.clone().join(above));
        (place, format!("{name}.json"))
    }
}

impl Ledger for Book {
    type Error = StateError;

    fn kept(&self, way: &WayId) -> Result<Option<Vec<u8>>, StateError> {
        let (place, name) = self.of(way);
        match StateDir::existing(place)? {
            Some(dir) => own(dir.kept(&name, MOST_KEPT)),
            None => Ok(None),
        }
    }

    fn keep(&mut self, way: &WayId, bytes: &[u8]) -> Result<(), StateError> {
        let (place, name) = self.of(way);
        StateDir::open(place)?.keep(&name, bytes)
    }

    fn log(&mut self, line: &str) -> Result<(), StateError> {
        match &self.dir {
            Some(dir) => dir.add_line(LOG, line, MOST_LOG),
            None => Ok(()),
        }
    }
}

/// What was kept. A file larger than any that is kept is nothing of a ledger's.
fn own(kept: Result<Option<Vec<u8>>, StateError>) -> Result<Option<Vec<u8>>, StateError> {
    match kept {
        Err(error) if error.kind() == StateErrorKind::TooLarge => Ok(None),
        kept => kept,
    }
}

/// Whether a directory can be called `id`.
fn is_name(id: &str) -> bool {
    let fits = |b: u8| b.is_ascii_alphanumeric() || b == b'-' || b == b'_';
    (1..=128).contains(&id.len()) && id.bytes().all(fits)
}

/// Notes below which directory the host keeps what it knows of this session, once. Without that
/// nobody can tell later whether it is gone.
fn note_host(dir: &StateDir, env: &Env) {
    let root = env.host_root().and_then(|root| root.canonicalize().ok());
    let root = root.as_ref().and_then(|root| root.to_str());
    if let Some(root) = root.filter(|root| !root.contains('\n'))
        && dir.kept(HOST, MOST_PATH).is_ok_and(|kept| kept.is_none())
    {
        let _ = dir.add_line(HOST, root, MOST_PATH);
    }
}

/// The directory in which the host keeps what it knows of the session of `dir`, where that is
/// noted whole.
pub(crate) fn host_of(dir: &StateDir) -> Option<PathBuf> {
    let bytes = dir.kept(HOST, MOST_PATH).ok()??;
    let text = String::from_utf8(bytes).ok()?;
    text.strip_suffix('\n').map(PathBuf::from)
}

fn place(session: &str, env: &Env) -> Result<StatePlace, Failure> {
    if !is_name(session) {
        return Err(Failure::refused(format!(
            "the session `{session}` has no id under which its ways could be remembered"
        )));
    }
    let state = env.state().ok_or_else(|| {
        Failure::refused(format!(
            "there is no place for what is remembered: neither ATTEND_HOME nor HOME names a directory; {ADVICE}"
        ))
    })?;
    Ok(state.join(WAYS).join(session))
}
