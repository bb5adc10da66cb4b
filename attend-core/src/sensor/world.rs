//! The world as it is handed out: named directories and watches.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::error::SensorError;
use super::exits::Exits;
pub use crate::mail::Clock;

/// A directory that has a name, so that a fixture tree can stand in for it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Root {
    /// The work tree or directory that is watched.
    Work,
    /// Where attend keeps its state.
    State,
    /// Where attend's configuration lies.
    Config,
    /// The host's configuration root.
    Host,
    /// The process table: `/proc`.
    Proc,
    /// What only this loop keeps, for as long as it has state; in a trial, a directory that is
    /// removed afterwards.
    Own,
    /// The user's home.
    Home,
    /// The user's configuration of all programs: `$XDG_CONFIG_HOME`.
    UserConfig,
    /// The user's data of all programs: `$XDG_DATA_HOME`.
    UserData,
    /// The user's state of all programs: `$XDG_STATE_HOME`.
    UserState,
    /// What the user's programs can make again: `$XDG_CACHE_HOME`.
    UserCache,
    /// What lives as long as the user is logged in: `$XDG_RUNTIME_DIR`.
    UserRuntime,
}

/// The named directories below which a sensor reads files.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Roots {
    work: PathBuf,
    others: Vec<(Root, PathBuf)>,
}

impl Roots {
    /// Roots with nothing but a work directory.
    pub fn new(work: impl Into<PathBuf>) -> Self {
        Self {
            work: work.into(),
            others: Vec::new(),
        }
    }

    /// The same roots with `path` as `root`.
    #[must_use]
    pub fn with(mut self, root: Root, path: impl Into<PathBuf>) -> Self {
        if root == Root::Work {
            self.work = path.into();
        } else {
            self.others.retain(|(known, _)| *known != root);
            self.others.push((root, path.into()));
        }
        self
    }

    /// The same roots without `root`; there always is a work directory.
    #[must_use]
    pub fn without(mut self, root: Root) -> Self {
        self.others.retain(|(known, _)| *known != root);
        self
    }

    /// The directory called `root`, where there is one.
    pub fn get(&self, root: Root) -> Option<&Path> {
        if root == Root::Work {
            return Some(&self.work);
        }
        self.others
            .iter()
            .find(|(known, _)| *known == root)
            .map(|(_, path)| path.as_path())
    }

    /// The work tree or directory that is watched.
    pub fn work(&self) -> &Path {
        &self.work
    }
}

/// What is being worked on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Project {
    name: String,
    root: PathBuf,
}

impl Project {
    /// The project in the directory `root`, called after its last component; `/` is called `/`.
    pub fn at(root: impl Into<PathBuf>) -> Self {
        let root = root.into();
        let name = root.file_name().map_or_else(
            || root.display().to_string(),
            |name| name.to_string_lossy().into_owned(),
        );
        Self { name, root }
    }

    /// Its name for people.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its directory.
    pub fn root(&self) -> &Path {
        &self.root
    }
}

/// Wakes one sensor: it is looked at as soon as its minimum interval allows.
#[derive(Clone)]
pub struct WakeHandle(Arc<dyn Fn() + Send + Sync>);

impl WakeHandle {
    #[cfg(any(feature = "runtime", feature = "testkit"))]
    pub(crate) fn new(wake: impl Fn() + Send + Sync + 'static) -> Self {
        Self(Arc::new(wake))
    }

    /// Asks for a look. Cheap, callable from any thread, as often as one likes.
    pub fn wake(&self) {
        (self.0)();
    }
}

impl fmt::Debug for WakeHandle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("WakeHandle")
    }
}

/// Opens watches. One watcher serves a whole process.
pub trait Watcher: Send + Sync {
    /// A watch on nothing yet, which wakes by `wake`.
    ///
    /// It must not wait, print or panic, nor start a thread or open a descriptor for each watch.
    ///
    /// # Errors
    ///
    /// Unavailable: this system has no more watchers to give, or none at all. The text names
    /// the limit.
    fn open(&self, wake: WakeHandle) -> Result<Box<dyn Watch>, SensorError>;

    /// Waits for no process yet, and wakes by `wake`.
    ///
    /// It must not wait itself, print or panic.
    ///
    /// # Errors
    ///
    /// Unavailable: this system does not tell of the ends of others' processes.
    fn exits(&self, wake: WakeHandle) -> Result<Box<dyn Exits>, SensorError> {
        let _ = wake;
        Err(SensorError::unavailable(
            "this system does not tell of the ends of others' processes",
        ))
    }
}

/// A set of watched paths of one sensor.
///
/// A change under any of them wakes the sensor, which asks [`take`](Self::take) what it was.
/// Watching is never recursive: a directory stands for its entries.
pub trait Watch: Send {
    /// Watches `path` too: the entries of a directory, or one file. Watching a path twice is
    /// watching it once.
    ///
    /// It must not watch what lies deeper, tell what is there already as a change, or wait.
    ///
    /// # Errors
    ///
    /// Unavailable: a limit was reached (the text names it), or the file system gives no
    /// events. Transient: `path` cannot be watched now, for example because it is gone.
    fn add(&mut self, path: &Path) -> Result<(), SensorError>;

    /// Stops watching everything. It must not lose what changed until then, which the next
    /// [`take`](Self::take) still tells.
    fn clear(&mut self);

    /// What changed since the last call. Taking it makes room for the next.
    ///
    /// Take it before looking, so that nothing falls between the two, and keep in the sensor
    /// that there was something until the look came to its end: it may fail or be cancelled.
    ///
    /// It must not wait for a change, or tell one twice. What it cannot tell whole it must not keep
    /// silent: [`lost`](Changes::lost).
    fn take(&mut self) -> Changes;
}

/// What a [`Watch`] saw.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Changes {
    /// Paths that changed, each once, at most 64.
    pub paths: Vec<PathBuf>,
    /// A directory appeared, moved or went away below a watched one, or a watched path itself
    /// moved or went away and is no longer watched: what is to be watched has to be added again.
    pub structure: bool,
    /// More changed than could be kept: anything may be different.
    pub lost: bool,
}

impl Changes {
    /// These paths changed, and nothing else did.
    pub fn at(paths: Vec<PathBuf>) -> Self {
        Self {
            paths,
            ..Self::default()
        }
    }

    /// Whether nothing changed.
    pub fn is_empty(&self) -> bool {
        self.paths.is_empty() && !self.structure && !self.lost
    }
}
