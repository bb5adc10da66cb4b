//! The checkpoint file: what a loop goes on from.

use std::collections::BTreeMap;
use std::io;
use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use super::dir::StateDir;
use super::error::StateError;
use crate::attention::Checkpoint;
use crate::runtime::{BudgetLeft, SensorHealth};
use crate::sensor::{SensorName, Snapshot};

const FILE: &str = "checkpoint.json";

/// The version of the format that is written, and the only one that is read.
const VERSION: u32 = 1;

/// A checkpoint larger than this was not written by attend.
const MOST_BYTES: u64 = 64 << 20;

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
    /// What was left of the line budget; none before anything was written under one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget: Option<BudgetLeft>,
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
            budget: None,
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
        let name = dir
            .set_aside(FILE)
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
    /// Too large: it takes more than 64 MiB. Io: it could not be written. The old one is still
    /// there then.
    pub fn store(&self, dir: &StateDir) -> Result<(), StateError> {
        let file = dir.at(FILE);
        let failed = |error: io::Error| StateError::io("write", &file, &error);
        let bytes = serde_json::to_vec(self).map_err(|error| failed(error.into()))?;
        match bytes.len() as u64 {
            ..=MOST_BYTES => dir.0.replace(FILE, &bytes).map_err(failed),
            more => Err(StateError::too_large(&file, more, MOST_BYTES)),
        }
    }

    /// Leaves out the largest snapshot, and tells whose it was.
    pub(in crate::runtime) fn shed(&mut self) -> Option<SensorName> {
        let size =
            |snapshot: &Snapshot| serde_json::to_vec(snapshot).map_or(0, |bytes| bytes.len());
        let largest = self
            .snapshots
            .iter()
            .max_by_key(|(_, snapshot)| size(snapshot));
        let name = largest.map(|(name, _)| name.clone())?;
        self.snapshots.remove(&name);
        Some(name)
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
