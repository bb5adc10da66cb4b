//! A watcher that sees what it is told.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::ends::Ends;
use crate::sensor::{Changes, Ended, Exit, Exits, SensorError, WakeHandle, Watch, Watcher};

/// How many paths a watch keeps until they are taken, as [`Changes::paths`] says.
const MAX_PATHS: usize = 64;

/// A [`Watcher`] that sees a change when the test says so.
///
/// As with the system's, a watched directory stands for its entries, a path that is not there
/// cannot be watched, and a watch that is dropped sees nothing more. Clones are handles to one
/// watcher.
///
/// ```
/// use attend_core::sensor::SensorError;
/// use attend_core::testkit::Harness;
///
/// let harness = Harness::new().file("notes.md", "");
/// let mut watch = harness.build_context().watch(harness.work())?;
/// harness.watcher().changed(harness.work().join("notes.md"));
/// assert_eq!(watch.take().paths, [harness.work().join("notes.md")]);
/// assert_eq!(harness.woken(), 1);
///
/// harness.watcher().refuse(SensorError::unavailable("all 128 inotify instances are taken"));
/// assert!(harness.build_context().open_watch().is_err());
/// # Ok::<(), SensorError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct FakeWatcher(Arc<Mutex<State>>, Ends);

#[derive(Debug, Default)]
struct State {
    open: Vec<Open>,
    opened: u64,
    refusal: Option<SensorError>,
    wakes: usize,
}

/// One watch that was opened and not yet dropped.
#[derive(Debug)]
struct Open {
    id: u64,
    wake: WakeHandle,
    watched: Vec<PathBuf>,
    seen: Changes,
}

impl FakeWatcher {
    /// A watcher that gives as many watches as one likes.
    pub fn new() -> Self {
        Self::default()
    }

    /// Lets `path` change: every watch on it, or on the directory it lies in, sees it and wakes
    /// its sensor. Whether any did.
    pub fn changed(&self, path: impl AsRef<Path>) -> bool {
        let path = path.as_ref();
        self.tell(|open| {
            let sees = open.sees(path);
            if sees {
                open.seen.add(path);
            }
            sees
        })
    }

    /// Lets the directory `path` appear, move or go away: as [`changed`](Self::changed), and
    /// the watches are told that the structure changed. Whether any saw it.
    pub fn restructured(&self, path: impl AsRef<Path>) -> bool {
        let path = path.as_ref();
        self.tell(|open| {
            let sees = open.sees(path);
            if sees {
                open.seen.add(path);
                open.seen.structure = true;
            }
            sees
        })
    }

    /// Lets every watch lose track of what changed, as when the system's queue runs over.
    pub fn lost(&self) {
        self.tell(|open| {
            open.seen.lost = true;
            true
        });
    }

    /// Refuses to open a watch or to add a path from now on. What is watched stays watched.
    pub fn refuse(&self, error: SensorError) {
        self.state().refusal = Some(error);
    }

    /// Ends [`refuse`](Self::refuse).
    pub fn allow(&self) {
        self.state().refusal = None;
    }

    /// What is watched now, by all watches, in the order in which it was added.
    pub fn watched(&self) -> Vec<PathBuf> {
        let state = self.state();
        let paths = state.open.iter().flat_map(|open| &open.watched);
        paths.cloned().collect()
    }

    /// Lets the process `pid` end: whoever waits for it is woken and told `exit`. Whether anybody
    /// did.
    pub fn ended(&self, pid: u32, exit: Option<Exit>) -> bool {
        self.1.tell(Ended::new(pid, exit))
    }

    /// The processes whose end is waited for, in the order in which they were added.
    pub fn waited_for(&self) -> Vec<u32> {
        self.1.waited_for()
    }

    /// How many times it woke a sensor.
    pub fn wakes(&self) -> usize {
        self.state().wakes
    }

    /// Wakes the sensors whose watches `see` something; outside the lock, since a wake may ask
    /// for a look at once.
    fn tell(&self, see: impl FnMut(&mut Open) -> bool) -> bool {
        let mut state = self.state();
        let seen = state.open.iter_mut().map(see).collect::<Vec<bool>>();
        let told = state.open.iter().zip(&seen).filter(|(_, seen)| **seen);
        let wakes: Vec<WakeHandle> = told.map(|(open, _)| open.wake.clone()).collect();
        state.wakes += wakes.len();
        drop(state);
        wakes.iter().for_each(WakeHandle::wake);
        !wakes.is_empty()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Watcher for FakeWatcher {
    fn open(&self, wake: WakeHandle) -> Result<Box<dyn Watch>, SensorError> {
        let mut state = self.state();
        state.allowed()?;
        state.opened += 1;
        let id = state.opened;
        state.open.push(Open {
            id,
            wake,
            watched: Vec::new(),
            seen: Changes::default(),
        });
        drop(state);
        let watcher = self.clone();
        Ok(Box::new(FakeWatch { id, watcher }))
    }

    fn exits(&self, wake: WakeHandle) -> Result<Box<dyn Exits>, SensorError> {
        self.state().allowed()?;
        Ok(self.1.open(wake))
    }
}

impl State {
    fn allowed(&self) -> Result<(), SensorError> {
        self.refusal.clone().map_or(Ok(()), Err)
    }
}

impl Open {
    fn sees(&self, path: &Path) -> bool {
        let above = path.parent();
        self.watched
            .iter()
            .any(|watched| watched == path || Some(watched.as_path()) == above)
    }
}

impl Changes {
    /// Keeps `path`, or notes that there was no room for it.
    fn add(&mut self, path: &Path) {
        if self.paths.iter().any(|known| known == path) {
            return;
        }
        if self.paths.len() < MAX_PATHS {
            self.paths.push(path.to_owned());
        } else {
            self.lost = true;
        }
    }
}

struct FakeWatch {
    id: u64,
    watcher: FakeWatcher,
}

impl FakeWatch {
    fn with<T: Default>(&self, change: impl FnOnce(&mut Open) -> T) -> T {
        let mut state = self.watcher.state();
        let own = state.open.iter_mut().find(|open| open.id == self.id);
        own.map(change).unwrap_or_default()
    }
}

impl Watch for FakeWatch {
    fn add(&mut self, path: &Path) -> Result<(), SensorError> {
        self.watcher.state().allowed()?;
        if let Err(error) = path.symlink_metadata() {
            let path = path.display();
            return Err(SensorError::transient(format!(
                "cannot watch {path}: {error}"
            )));
        }
        self.with(|own| {
            if !own.watched.iter().any(|known| known == path) {
                own.watched.push(path.to_owned());
            }
        });
        Ok(())
    }

    fn clear(&mut self) {
        self.with(|own| own.watched.clear());
    }

    fn take(&mut self) -> Changes {
        self.with(|own| std::mem::take(&mut own.seen))
    }
}

impl Drop for FakeWatch {
    fn drop(&mut self) {
        self.watcher.state().open.retain(|open| open.id != self.id);
    }
}
