//! Which watch wants to know of which path: the bookkeeping behind the watcher, without I/O.

use std::collections::{HashMap, HashSet};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use crate::sensor::{Changes, WakeHandle};

/// How many changed paths a watch keeps until they are taken.
const MOST_PATHS: usize = 64;

/// Names one watch of one sensor.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct WatchId(u64);

/// What the kernel calls one watched path.
pub(super) type Descriptor = i32;

/// What is watched, and what each watch has not been told yet.
#[derive(Default)]
pub(super) struct Table {
    issued: u64,
    watches: HashMap<WatchId, Pending>,
    /// Two watches of one directory share a descriptor, as do two paths of one file.
    watched: HashMap<Descriptor, Vec<(WatchId, PathBuf)>>,
}

struct Pending {
    wake: WakeHandle,
    changes: Changes,
}

impl Table {
    pub(super) fn open(&mut self, wake: WakeHandle) -> WatchId {
        self.issued += 1;
        let id = WatchId(self.issued);
        let changes = Changes::default();
        self.watches.insert(id, Pending { wake, changes });
        id
    }

    pub(super) fn add(&mut self, id: WatchId, descriptor: Descriptor, path: &Path) {
        let sharers = self.watched.entry(descriptor).or_default();
        if !sharers.iter().any(|(known, at)| *known == id && at == path) {
            sharers.push((id, path.to_owned()));
        }
    }

    /// Forgets every path of a watch, not what changed there; returns the descriptors that nobody wants any more.
    pub(super) fn clear(&mut self, id: WatchId) -> Vec<Descriptor> {
        let mut unwanted = Vec::new();
        self.watched.retain(|descriptor, sharers| {
            sharers.retain(|(sharer, _)| *sharer != id);
            if sharers.is_empty() {
                unwanted.push(*descriptor);
            }
            !sharers.is_empty()
        });
        unwanted
    }

    pub(super) fn close(&mut self, id: WatchId) -> Vec<Descriptor> {
        let unwanted = self.clear(id);
        self.watches.remove(&id);
        unwanted
    }

    /// Forgets a descriptor that no longer follows its path.
    pub(super) fn forget(&mut self, descriptor: Descriptor) {
        self.watched.remove(&descriptor);
    }

    pub(super) fn take(&mut self, id: WatchId) -> Changes {
        let pending = self.watches.get_mut(&id);
        pending.map_or_else(Changes::default, |pending| {
            std::mem::take(&mut pending.changes)
        })
    }

    /// Notes a change of the entry `name` of a watched directory, or of the watched path
    /// itself. `touched` gathers who has to be woken.
    pub(super) fn changed(
        &mut self,
        descriptor: Descriptor,
        name: Option<&OsStr>,
        structure: bool,
        touched: &mut HashSet<WatchId>,
    ) {
        for (id, path) in self.watched.get(&descriptor).into_iter().flatten() {
            let Some(pending) = self.watches.get_mut(id) else {
                continue;
            };
            pending.changes.structure |= structure;
            note(&mut pending.changes, path, name);
            touched.insert(*id);
        }
    }

    /// Notes that changes were lost: anything may be different for everybody.
    pub(super) fn lost(&mut self, touched: &mut HashSet<WatchId>) {
        for (id, pending) in &mut self.watches {
            pending.changes.lost = true;
            touched.insert(*id);
        }
    }

    pub(super) fn wakes(&self, touched: HashSet<WatchId>) -> Vec<WakeHandle> {
        let woken = touched.into_iter();
        let pending = woken.filter_map(|id| self.watches.get(&id));
        pending.map(|pending| pending.wake.clone()).collect()
    }
}

fn note(changes: &mut Changes, path: &Path, name: Option<&OsStr>) {
    if changes.lost {
        return;
    }
    let is_it = |known: &PathBuf| match name {
        None => known == path,
        Some(name) => known.file_name() == Some(name) && known.parent() == Some(path),
    };
    // What changes once mostly changes again at once.
    if changes.paths.iter().rev().any(is_it) {
        return;
    }
    if changes.paths.len() == MOST_PATHS {
        changes.lost = true;
        return;
    }
    let path = name.map_or_else(|| path.to_owned(), |name| path.join(name));
    changes.paths.push(path);
}
