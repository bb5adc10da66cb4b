//! Temporary directories that stand in for the named ones.

use std::fs;
use std::path::{Component, Path, PathBuf};

use tempfile::TempDir;

use crate::sensor::{Root, Roots};

/// An empty directory for each [`Root`], removed when it is dropped.
///
/// The work directory is called `project`, and so is a [`Project`](crate::sensor::Project) that
/// lies in it. Every method panics where the file system refuses, with the path and the reason.
///
/// ```
/// use attend_core::sensor::Root;
/// use attend_core::testkit::TempRoots;
///
/// let temp = TempRoots::new();
/// let path = temp.file("src/lib.rs", "//! Nothing.\n");
/// assert_eq!(path, temp.roots().work().join("src/lib.rs"));
/// temp.file_in(Root::Proc, "4711/comm", "cargo\n");
/// ```
#[derive(Debug)]
pub struct TempRoots {
    roots: Roots,
    _held: TempDir,
}

/// The roots beside the work directory, and what their directories are called.
const OTHERS: [(Root, &str); 6] = [
    (Root::State, "state"),
    (Root::Config, "config"),
    (Root::Host, "host"),
    (Root::Proc, "proc"),
    (Root::Own, "own"),
    (Root::Home, "home"),
];

impl TempRoots {
    /// Makes the directories.
    ///
    /// # Panics
    ///
    /// Where no temporary directory can be made.
    #[track_caller]
    pub fn new() -> Self {
        let held = tempfile::Builder::new().prefix("attend-").tempdir();
        let held =
            held.unwrap_or_else(|error| panic!("cannot make a temporary directory: {error}"));
        // Without symbolic links in it, so that paths from elsewhere compare equal.
        let base = ok("resolve", held.path(), fs::canonicalize(held.path()));
        let made = |name: &str| {
            let path = base.join(name);
            ok("make", &path, fs::create_dir(&path));
            path
        };
        let roots = OTHERS
            .iter()
            .fold(Roots::new(made("project")), |roots, (root, name)| {
                roots.with(*root, made(name))
            });
        Self { roots, _held: held }
    }

    /// The directories.
    pub fn roots(&self) -> &Roots {
        &self.roots
    }

    /// Writes a file in the work directory, with the directories above it. Returns its path.
    ///
    /// # Panics
    ///
    /// Where `path` leads out of the root, or the file cannot be written.
    #[track_caller]
    pub fn file(&self, path: impl AsRef<Path>, bytes: impl AsRef<[u8]>) -> PathBuf {
        self.file_in(Root::Work, path, bytes)
    }

    /// Writes a file below `root`, with the directories above it. Returns its path.
    ///
    /// # Panics
    ///
    /// Where `path` leads out of the root, or the file cannot be written.
    #[track_caller]
    pub fn file_in(&self, root: Root, path: impl AsRef<Path>, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(root, path);
        if let Some(above) = path.parent() {
            ok("make", above, fs::create_dir_all(above));
        }
        ok("write", &path, fs::write(&path, bytes));
        path
    }

    /// Removes a file, or a directory with all that is in it, from the work directory.
    ///
    /// # Panics
    ///
    /// Where `path` leads out of the root, or nothing is there.
    #[track_caller]
    pub fn remove(&self, path: impl AsRef<Path>) {
        let path = self.path(Root::Work, path);
        let removed = if path.is_dir() {
            fs::remove_dir_all(&path)
        } else {
            fs::remove_file(&path)
        };
        ok("remove", &path, removed);
    }

    /// The path of something below `root`, whether or not it is there.
    ///
    /// # Panics
    ///
    /// Where `path` leads out of the root.
    #[track_caller]
    pub fn path(&self, root: Root, path: impl AsRef<Path>) -> PathBuf {
        let path = path.as_ref();
        let stays = path
            .components()
            .all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
        assert!(stays, "{} leads out of its root", path.display());
        let below = self.roots.get(root);
        below
            .unwrap_or_else(|| panic!("there is no directory for {root:?}"))
            .join(path)
    }
}

impl Default for TempRoots {
    fn default() -> Self {
        Self::new()
    }
}

#[track_caller]
fn ok<T>(what: &str, path: &Path, result: std::io::Result<T>) -> T {
    result.unwrap_or_else(|error| panic!("cannot {what} {}: {error}", path.display()))
}
