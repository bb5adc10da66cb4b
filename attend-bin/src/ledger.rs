//! The ledger of ways: what a session remembers of them, in its directory of state.

use std::time::Duration;

use attend_core::runtime::{StateDir, StateError, StateLock, StatePlace};
use attend_core::ways::{Ledger, WayId};

use crate::env::Env;
use crate::output::Failure;
use crate::place::ADVICE;

/// The log of showings.
const LOG: &str = "events.jsonl";

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
    _held: Option<StateLock>,
}

impl Book {
    /// The book of `session`, held for this process.
    pub(crate) fn hold(session: &str, env: &Env) -> Result<Self, Failure> {
        let place = place(session, env)?;
        let failed = |error: StateError| Failure::refused(format!("{error}; {ADVICE}"));
        let dir = StateDir::open(place.clone()).map_err(failed)?;
        let held = dir.lock_within(PATIENCE).map_err(failed)?;
        Ok(Self {
            place,
            dir: Some(dir),
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
            _held: None,
        })
    }

    /// The log of showings: what was begun anew, and what was added since.
    pub(crate) fn log(&self) -> Result<String, StateError> {
        let Some(dir) = &self.dir else {
            return Ok(String::new());
        };
        let mut log = String::new();
        for name in [format!("{LOG}.old"), LOG.to_owned()] {
            let bytes = dir.kept(&name, 2 * MOST_LOG)?.unwrap_or_default();
            log.push_str(&String::from_utf8_lossy(&bytes));
        }
        Ok(log)
    }

    /// The directory that remembers `way`, and the name under which it does.
    fn of(&self, way: &WayId) -> (StatePlace, String) {
        let (above, name) = way.parts();
        let place = self.place.clone().join("way-engagement");
        let place = above.map_or_else(|| place.clone(), |above| place.clone().join(above));
        (place, format!("{name}.json"))
    }
}

impl Ledger for Book {
    type Error = StateError;

    fn kept(&self, way: &WayId) -> Result<Option<Vec<u8>>, StateError> {
        let (place, name) = self.of(way);
        match StateDir::existing(place)? {
            Some(dir) => dir.kept(&name, MOST_KEPT),
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

fn place(session: &str, env: &Env) -> Result<StatePlace, Failure> {
    let fits = |b: u8| b.is_ascii_alphanumeric() || b == b'-' || b == b'_';
    if !(1..=128).contains(&session.len()) || !session.bytes().all(fits) {
        return Err(Failure::refused(format!(
            "the session `{session}` has no id under which its ways could be remembered"
        )));
    }
    let state = env.state().ok_or_else(|| {
        Failure::refused(format!(
            "there is no place for what is remembered: neither ATTEND_HOME nor HOME names a directory; {ADVICE}"
        ))
    })?;
    Ok(state.join("ways").join(session))
}
