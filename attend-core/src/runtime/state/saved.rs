//! The checkpoint file: what a loop goes on from.

use std::collections::BTreeMap;
use std::io;
use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use super::dir::StateDir;
use super::error::StateError;
use crate::attention::Checkpoint;
use crate::runtime::SensorHealth;
use crate::sensor::{SensorName, Snapshot};

const FILE: &str = "checkpoint.json";

/// The version of the format that is written, and the only one that is read.
const VERSION: u32 = 1;

/// A checkpoint larger than this was not written by attend.
const MOST_BYTES: u64 = 64 << 20;

/// How many damaged checkpoints are kept.
const MOST_DAMAGED: u32 = 3;

/// Everything that a loop remembers over a restart.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Saved {
    version: u32,
    /// When it was written, in seconds since 1970.
    pub written_at: u64,
    /// What was said first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub banner: Option<String>,
    /// What each sensor remembers.
    #[serde(default)]
    pub snapshots: BTreeMap<SensorName, Snapshot>,
    /// How each sensor fares.
    #[serde(default)]
    pub health: Vec<SensorHealth>,
    /// What the engine remembers.
    pub attention: Checkpoint,
}

/// What was found in place of a checkpoint.
#[derive(PartialEq, Debug)]
#[non_exhaustive]
pub struct Loaded {
    /// The checkpoint; none where there was none that can be used.
    pub saved: Option<Saved>,
    /// What has to be said: a damaged checkpoint and the name under which it was set aside.
    pub notice: Option<String>,
}

impl Saved {
    /// What is to be remembered, as of `wall`.
    pub fn new(wall: SystemTime, attention: Checkpoint) -> Self {
        let since = wall.duration_since(UNIX_EPOCH).unwrap_or_default();
        Self {
            version: VERSION,
            written_at: since.as_secs(),
            banner: None,
            snapshots: BTreeMap::new(),
            health: Vec::new(),
            attention,
        }
    }

    /// Reads the checkpoint in `dir` without touching it, for those who only look.
    ///
    /// # Errors
    ///
    /// Io: it cannot be read, or is no checkpoint of this version.
    pub fn peek(dir: &StateDir) -> Result<Option<Self>, StateError> {
        read(dir).map_err(|error| StateError::io("read", &dir.at(FILE), &error))
    }

    /// Reads the checkpoint in `dir`. One that is damaged, or of another version, is set aside
    /// under a name of its own and said: the loop starts afresh.
    ///
    /// # Errors
    ///
    /// Io: the system could not read it, or it could not be set aside. Then it is as it was and
    /// may be whole: nothing must be stored over it.
    pub fn load(dir: &StateDir) -> Result<Loaded, StateError> {
        Self::judge(dir, read(dir))
    }

    /// Decides what becomes of a checkpoint that was `read`.
    pub(super) fn judge(
        dir: &StateDir,
        read: io::Result<Option<Self>>,
    ) -> Result<Loaded, StateError> {
        let error = match read {
            Ok(saved) => {
                return Ok(Loaded {
                    saved,
                    notice: None,
                });
            }
            Err(error) if is_damage(&error) => error,
            Err(error) => return Err(StateError::io("read", &dir.at(FILE), &error)),
        };
        let file = dir.at(FILE);
        let name = set_aside(dir)
            .map_err(|failed| StateError::io("set aside the damaged", &file, &failed))?;
        let file = file.display();
        Ok(Loaded {
            saved: None,
            notice: Some(format!(
                "starting afresh: cannot read {file}: {error}; it was set aside as {name}"
            )),
        })
    }

    /// Writes the checkpoint to `dir`, whole or not at all.
    ///
    /// # Errors
    ///
    /// Io: it could not be written; then the old one is still there.
    pub fn store(&self, dir: &StateDir) -> Result<(), StateError> {
        let stored = serde_json::to_vec(self).map_err(io::Error::from);
        let stored = stored.and_then(|bytes| dir.0.replace(FILE, &bytes));
        stored.map_err(|error| StateError::io("write", &dir.at(FILE), &error))
    }
}

/// Whether reading failed because of what was found. What the system itself reports (a failing
/// disk, no more descriptors, no memory) says nothing about the file.
fn is_damage(error: &io::Error) -> bool {
    use io::ErrorKind::{FileTooLarge, InvalidData, PermissionDenied, UnexpectedEof};
    let kinds = [FileTooLarge, InvalidData, PermissionDenied, UnexpectedEof];
    error.raw_os_error().is_none() && kinds.contains(&error.kind())
}

fn read(dir: &StateDir) -> io::Result<Option<Saved>> {
    #[derive(Deserialize)]
    struct Versioned {
        version: u32,
    }
    let Some(bytes) = dir.0.read(FILE, MOST_BYTES)? else {
        return Ok(None);
    };
    let Versioned { version } = serde_json::from_slice(&bytes)?;
    if version != VERSION {
        let other = format!("it has version {version}, this attend writes version {VERSION}");
        return Err(io::Error::new(io::ErrorKind::InvalidData, other));
    }
    Ok(Some(serde_json::from_slice(&bytes)?))
}

/// Gives the checkpoint the first free name for damaged ones; if none is free the first, and
/// those behind it move up.
fn set_aside(dir: &StateDir) -> io::Result<String> {
    let name = |n: u32| format!("{FILE}.damaged-{n}");
    let free = (1..=MOST_DAMAGED).find(|n| !dir.0.has(&name(*n)));
    let taken = free.unwrap_or_else(|| {
        for n in 1..MOST_DAMAGED {
            // What cannot be moved is overwritten below.
            let _ = dir.0.rename(&name(n + 1), &name(n));
        }
        MOST_DAMAGED
    });
    dir.0.rename(FILE, &name(taken))?;
    Ok(name(taken))
}
