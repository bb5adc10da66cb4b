//! Where the state of one loop lies.

use std::path::{Path, PathBuf};

/// A directory for state: a root of attend's own, and the way down from there.
///
/// From the root on, symbolic links and what belongs to another user are refused. What lies
/// above the root is not looked at: a home directory may well be a link. A path alone is a root
/// with nothing below it.
///
/// ```
/// use std::path::Path;
/// use attend_core::runtime::StatePlace;
///
/// let place = StatePlace::new("/home/sam/.local/state/attend").join("observers").join("web");
/// assert_eq!(place.path(), Path::new("/home/sam/.local/state/attend/observers/web"));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StatePlace {
    root: PathBuf,
    below: PathBuf,
}

impl StatePlace {
    /// The root itself.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self {
            root: root.into(),
            below: PathBuf::new(),
        }
    }

    /// The directory `name` below it. One that leads anywhere else, such as `..`, is refused
    /// when it is opened.
    #[must_use]
    pub fn join(mut self, name: impl AsRef<Path>) -> Self {
        self.below.push(name);
        self
    }

    /// The whole path.
    pub fn path(&self) -> PathBuf {
        self.root.join(&self.below)
    }

    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    pub(super) fn below(&self) -> &Path {
        &self.below
    }
}

impl From<PathBuf> for StatePlace {
    fn from(path: PathBuf) -> Self {
        Self::new(path)
    }
}

impl From<&PathBuf> for StatePlace {
    fn from(path: &PathBuf) -> Self {
        Self::new(path)
    }
}

impl From<&Path> for StatePlace {
    fn from(path: &Path) -> Self {
        Self::new(path)
    }
}

impl From<&str> for StatePlace {
    fn from(path: &str) -> Self {
        Self::new(path)
    }
}
