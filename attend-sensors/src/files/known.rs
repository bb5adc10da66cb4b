//! What is known of the files: what the next look is compared with, also over a restart.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use attend_core::dynamics::Tick;
use attend_core::sensor::{SensorError, Snapshot};
use serde::{Deserialize, Serialize};

use super::scope::Scope;
use super::sight::Stamp;
use super::walk::{MAX_ENTRIES, Meant, Seen};
use crate::name::Name;

/// The shape of what is remembered; another number is not read.
const VERSION: u32 = 1;

/// How many files are remembered over a restart: of more, the next look begins anew.
const MAX_REMEMBERED: usize = 2_000;

/// The files that are meant, as they were when last told of.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Known {
    pub(super) files: BTreeMap<Name, Meant>,
    /// Whether there were more than are looked at.
    truncated: bool,
    /// Directories that could never be read: what lies there is not known.
    unread: Vec<Name>,
    /// When something of it changed last.
    pub(super) at: Tick,
}

/// What is written down.
#[derive(Clone, Serialize, Deserialize)]
struct Remembered {
    /// The configuration that it was looked at with.
    scope: Vec<String>,
    /// None, where there are too many.
    files: Option<Vec<(Name, Stamp, usize)>>,
    truncated: bool,
    unread: Vec<Name>,
    at: Tick,
}

/// The outermost shape, which every version shares.
#[derive(Deserialize)]
struct Version {
    version: u32,
}

#[derive(Serialize)]
struct Written<'a> {
    version: u32,
    #[serde(flatten)]
    remembered: &'a Remembered,
}

impl Known {
    /// What a first look found.
    pub(super) fn baseline(seen: Seen, scope: &Scope, now: Tick) -> Self {
        Self {
            truncated: seen.truncated,
            unread: unread(&seen, scope).collect(),
            files: seen.files,
            at: now,
        }
    }

    /// Takes over how far a later look reached. What could be read once is known from then on,
    /// also when it cannot be read for a while.
    pub(super) fn reached(&mut self, seen: &Seen, scope: &Scope) {
        self.truncated = seen.truncated;
        let unread: Vec<Name> = unread(seen, scope).collect();
        self.unread.retain(|name| unread.contains(name));
    }

    /// Whether a file at `path` that was not known may have been there all the time.
    pub(super) fn may_hold(&self, path: &Path, scope: &Scope) -> bool {
        let unread = || self.unread.iter().map(|name| scope.path(name));
        self.truncated || unread().any(|directory: PathBuf| path.starts_with(directory))
    }

    /// Whether there is room for one more file.
    pub(super) fn has_room(&self, waiting: usize) -> bool {
        self.files.len() + waiting < 2 * MAX_ENTRIES
    }

    /// Whether a file below `name` is known.
    pub(super) fn holds_below(&self, name: &Name) -> bool {
        let below = Name::new(&[name.as_bytes(), b"/"].concat());
        let mut after = self.files.range(&below..);
        let first = after.next();
        first.is_some_and(|(name, _)| name.as_bytes().starts_with(below.as_bytes()))
    }

    pub(super) fn write(&self, scope: &Scope) -> Option<Snapshot> {
        let files = self.files.iter();
        let files = files.map(|(name, meant)| (name.clone(), meant.stamp, meant.rule));
        let remembered = Remembered {
            scope: scope.texts().map(str::to_owned).collect(),
            files: (self.files.len() <= MAX_REMEMBERED).then(|| files.collect()),
            truncated: self.truncated,
            unread: self.unread.clone(),
            at: self.at,
        };
        let written = Written {
            version: VERSION,
            remembered: &remembered,
        };
        Snapshot::of(&written).ok()
    }

    /// What was remembered; nothing where it was looked at with another configuration.
    ///
    /// # Errors
    ///
    /// It was not written by this version.
    pub(super) fn read(from: &Snapshot, scope: &Scope) -> Result<Option<Self>, SensorError> {
        let version = from.read::<Version>()?.version;
        if version != VERSION {
            return Err(SensorError::transient(format!(
                "cannot read a snapshot of version {version}, only of {VERSION}"
            )));
        }
        let remembered: Remembered = from.read()?;
        let Some(files) = remembered.files else {
            return Ok(None);
        };
        if !scope
            .texts()
            .eq(remembered.scope.iter().map(String::as_str))
        {
            return Ok(None);
        }
        let files = files.into_iter();
        let files = files.map(|(name, stamp, rule)| (name, Meant { stamp, rule }));
        Ok(Some(Self {
            files: files.collect(),
            truncated: remembered.truncated,
            unread: remembered.unread,
            at: remembered.at,
        }))
    }
}

/// The directories that a look could not read.
fn unread(seen: &Seen, scope: &Scope) -> impl Iterator<Item = Name> {
    let paths = seen.unread.iter();
    paths.filter_map(|path| scope.name(scope.base_of(path), path))
}
