//! Walks the directories in which files may lie that are meant, and watches them on the way.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use attend_core::sensor::{ErrorKind, SensorError, Watch};

use super::scope::{Base, Places, Scope};
use super::sight::{Confine, Sight, Stamp};
use crate::name::Name;
use crate::turn::turn;

/// How many entries of directories one walk looks at.
pub(super) const MAX_ENTRIES: usize = 20_000;

/// After so many entries others get their turn.
const TURN: usize = 512;

/// How many directories that cannot be read are named, and how many are known as such.
const MAX_TROUBLES: usize = 4;
const MAX_UNREAD: usize = 64;

/// A file that is meant, and the rule that means it first.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Meant {
    pub(super) stamp: Stamp,
    pub(super) rule: usize,
}

/// What a walk found.
#[derive(Debug, Default)]
pub(super) struct Seen {
    pub(super) files: BTreeMap<Name, Meant>,
    /// Whether there was more than is looked at.
    pub(super) truncated: bool,
    /// Directories that could not be read, and what was told of them.
    pub(super) unread: Vec<PathBuf>,
    pub(super) troubles: Vec<SensorError>,
    /// Why not everything is watched.
    pub(super) refused: Option<SensorError>,
}

/// One walk.
pub(super) struct Walk<'a> {
    scope: &'a Scope,
    watch: Option<&'a mut dyn Watch>,
    left: usize,
    open: Vec<Spot>,
    seen: Seen,
}

/// A directory to be looked into.
struct Spot {
    path: PathBuf,
    base: Base,
    places: Places,
}

impl<'a> Walk<'a> {
    /// A walk that looks at `most` entries and adds the directories to `watch`.
    pub(super) fn new(scope: &'a Scope, watch: Option<&'a mut dyn Watch>, most: usize) -> Self {
        Self {
            scope,
            watch,
            left: most,
            open: Vec::new(),
            seen: Seen::default(),
        }
    }

    /// Looks at everything that is meant.
    ///
    /// # Errors
    ///
    /// The project's directory cannot be reached: nothing is known of what lies in it.
    pub(super) async fn all(mut self) -> Result<Seen, SensorError> {
        for base in [Base::Top, Base::Project] {
            let places = self.scope.begin(base);
            if places.is_empty() {
                continue;
            }
            let path = self.scope.directory(base).to_owned();
            let confine = match base {
                Base::Top => None,
                Base::Project => Some(Confine::new(&path).map_err(|error| lost(&path, &error))?),
            };
            self.open.push(Spot { path, base, places });
            while let Some(spot) = self.open.pop() {
                self.directory(&spot, confine.as_ref()).await;
            }
        }
        Ok(self.seen)
    }

    async fn directory(&mut self, spot: &Spot, confine: Option<&Confine>) {
        let only = self.scope.names(&spot.places);
        let passing = only.as_ref().is_some_and(|names| self.passes(spot, names));
        if !passing {
            // Watched first, so that what appears while it is read is not missed.
            self.add(&spot.path);
        }
        let names = match only {
            Some(only) => only.into_iter().collect(),
            None => match self.list(&spot.path).await {
                Ok(listed) => listed,
                Err(error) => return self.trouble(&spot.path, &error),
            },
        };
        for name in names {
            self.entry(spot, &name, confine);
        }
    }

    /// Whether the way only leads through: what lies elsewhere is not watched on its account,
    /// unless the next directory is not there yet.
    fn passes(&self, spot: &Spot, names: &BTreeSet<OsString>) -> bool {
        spot.base == Base::Top
            && names.iter().all(|name| {
                let places = self.scope.next(&spot.places, name);
                self.scope.accepts(&places).is_none() && spot.path.join(name).is_dir()
            })
    }

    /// The entries of a directory in the order of their names, as far as there is room.
    async fn list(&mut self, path: &Path) -> io::Result<Vec<OsString>> {
        let mut names = Vec::new();
        for entry in fs::read_dir(path)? {
            let Some(left) = self.left.checked_sub(1) else {
                self.seen.truncated = true;
                break;
            };
            self.left = left;
            if left.is_multiple_of(TURN) {
                turn().await;
            }
            names.push(entry?.file_name());
        }
        names.sort_unstable();
        Ok(names)
    }

    fn entry(&mut self, spot: &Spot, name: &OsStr, confine: Option<&Confine>) {
        let places = self.scope.next(&spot.places, name);
        if places.is_empty() {
            return;
        }
        let path = spot.path.join(name);
        let stamp = match Sight::of(&path, confine) {
            Sight::File(stamp) => stamp,
            Sight::Directory => return self.enter(path, spot.base, &places, false),
            Sight::Linked(stamp) => {
                let below = self.scope.below(&places, true);
                if !below.is_empty() {
                    return self.enter(path, spot.base, &places, true);
                }
                stamp
            }
            Sight::Nothing => return,
            Sight::Unknown(error) => return self.trouble(&path, &error),
        };
        if let Some(rule) = self.scope.accepts(&places)
            && let Some(name) = self.scope.name(spot.base, &path)
        {
            self.seen.files.insert(name, Meant { stamp, rule });
        }
    }

    fn enter(&mut self, path: PathBuf, base: Base, places: &Places, linked: bool) {
        let places = self.scope.below(places, linked);
        if !places.is_empty() {
            self.open.push(Spot { path, base, places });
        }
    }

    fn add(&mut self, path: &Path) {
        let Some(watch) = &mut self.watch else { return };
        match watch.add(path) {
            // What is gone is found so; what is closed to this user is told of where it is read.
            Err(error) if error.kind() != ErrorKind::Transient => {
                self.seen.refused = Some(error);
                self.watch = None;
            }
            _ => {}
        }
    }

    fn trouble(&mut self, path: &Path, error: &io::Error) {
        if error.kind() == io::ErrorKind::NotFound {
            return;
        }
        if self.seen.unread.len() == MAX_UNREAD {
            self.seen.truncated = true;
            return;
        }
        self.seen.unread.push(path.to_owned());
        if self.seen.troubles.len() < MAX_TROUBLES {
            let text = format!("cannot look into {}: {error}", path.display());
            self.seen.troubles.push(SensorError::transient(text));
        }
    }
}

fn lost(path: &Path, error: &io::Error) -> SensorError {
    SensorError::transient(format!("cannot look at {}: {error}", path.display()))
}
