//! Puts watches on the directories of a work tree and of its git directories.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use attend_core::sensor::{ErrorKind, SensorError, Watch};

use super::command::Place;
use super::name::{Name, path};
use crate::beginning::beginning;
use crate::turn::turn;

/// How many directories are watched at most.
const MAX_DIRECTORIES: usize = 20_000;

/// After so many directories others get their turn: a large tree on a slow disk must not pass
/// for a sensor that hangs.
const TURN: usize = 128;

/// What is read of a file that says where a directory lies.
const MAX_LINK: u64 = 16 << 10;

/// Why a tree is not watched.
#[derive(Debug)]
pub(super) enum Unwatched {
    /// It has more directories than are watched.
    TooLarge,
    /// The system gives no more watches.
    Refused(SensorError),
}

/// A work tree, and what of it is left out.
#[derive(Debug)]
pub(super) struct WorkTree {
    pub(super) top: PathBuf,
    /// Ignored directories.
    pub(super) ignored: HashSet<PathBuf>,
}

impl WorkTree {
    /// The work tree at `top`, of which git ignores `ignored`.
    pub(super) fn new(top: PathBuf, ignored: &[Name]) -> Self {
        let directories = ignored
            .iter()
            .filter_map(|name| name.as_bytes().strip_suffix(b"/"));
        let ignored = directories.map(|name| top.join(path(name))).collect();
        Self { top, ignored }
    }
}

/// Watches with a bound on how many.
pub(super) struct Watcher<'a> {
    watch: &'a mut dyn Watch,
    left: usize,
}

impl<'a> Watcher<'a> {
    /// Adds to `watch`.
    pub(super) fn new(watch: &'a mut dyn Watch) -> Self {
        Self::at_most(MAX_DIRECTORIES, watch)
    }

    fn at_most(left: usize, watch: &'a mut dyn Watch) -> Self {
        Self { watch, left }
    }

    /// Watches every directory of `tree` that git looks into. Other repositories inside it are
    /// left out, as are symbolic links.
    pub(super) async fn work_tree(&mut self, tree: &WorkTree) -> Result<(), Unwatched> {
        self.below(&tree.top, |directory| {
            tree.ignored.contains(directory) || directory.join(".git").symlink_metadata().is_ok()
        })
        .await
    }

    /// Watches what tells of commits, branches and operations.
    pub(super) async fn git_dirs(&mut self, place: &Place) -> Result<(), Unwatched> {
        for dir in [&place.git_dir, &place.common_dir] {
            self.add(dir)?;
            self.optional(&dir.join("info"))?;
            for below in ["refs", "reftable"] {
                self.below(&dir.join(below), |_| false).await?;
            }
            if place.git_dir == place.common_dir {
                break;
            }
        }
        Ok(())
    }

    /// Watches the git directory of the submodule at `top`, without its branches: what is
    /// checked out in it shows in HEAD and index.
    pub(super) fn submodule(&mut self, top: &Path) -> Result<(), Unwatched> {
        let link = top.join(".git");
        if link.is_dir() {
            return self.add(&link);
        }
        let target = beginning(&link, MAX_LINK).unwrap_or_default();
        let target = target.strip_prefix(b"gitdir: ").unwrap_or_default();
        // As git names it elsewhere, so that paths compare equal.
        match top.join(path(target.trim_ascii_end())).canonicalize() {
            Ok(target) if target != top => self.optional(&target),
            _ => Ok(()),
        }
    }

    async fn below(&mut self, top: &Path, skip: impl Fn(&Path) -> bool) -> Result<(), Unwatched> {
        let mut open = vec![top.to_owned()];
        while let Some(directory) = open.pop() {
            // Watched first, so that what appears while it is read is not missed.
            self.optional(&directory)?;
            if self.left.is_multiple_of(TURN) {
                turn().await;
            }
            let Ok(entries) = fs::read_dir(&directory) else {
                continue;
            };
            for entry in entries.flatten() {
                if !entry.file_type().is_ok_and(|kind| kind.is_dir()) || entry.file_name() == ".git"
                {
                    continue;
                }
                let path = entry.path();
                if !skip(&path) {
                    open.push(path);
                }
            }
        }
        Ok(())
    }

    fn optional(&mut self, directory: &Path) -> Result<(), Unwatched> {
        if directory.is_dir() {
            self.add(directory)
        } else {
            Ok(())
        }
    }

    fn add(&mut self, directory: &Path) -> Result<(), Unwatched> {
        self.left = self.left.checked_sub(1).ok_or(Unwatched::TooLarge)?;
        match self.watch.add(directory) {
            Err(error) if error.kind() != ErrorKind::Transient => Err(Unwatched::Refused(error)),
            // What is gone, or closed to this user, is so for git too.
            _ => Ok(()),
        }
    }
}

impl Unwatched {
    /// What is said once.
    pub(super) fn told(&self) -> SensorError {
        SensorError::unavailable(match self {
            Self::TooLarge => format!(
                "the work tree has more than {MAX_DIRECTORIES} directories: it is looked at by \
                 interval and not watched"
            ),
            Self::Refused(error) => {
                format!("the work tree is looked at by interval and not watched: {error}")
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use std::pin::pin;
    use std::task::{Context, Poll, Waker};

    use super::*;
    use attend_core::sensor::Changes;

    /// Watches `tree`, and tells how often others got their turn.
    fn watch(mut watcher: Watcher, tree: &WorkTree) -> (Result<(), Unwatched>, usize) {
        let mut watching = pin!(watcher.work_tree(tree));
        let mut cx = Context::from_waker(Waker::noop());
        let mut turns = 0;
        loop {
            match watching.as_mut().poll(&mut cx) {
                Poll::Ready(done) => return (done, turns),
                Poll::Pending => turns += 1,
            }
        }
    }

    #[test]
    fn a_large_tree_gives_others_their_turn() {
        let names: Vec<String> = (0..300).map(|n| format!("d{n}")).collect();
        let (_dir, tree) = tree(&names.iter().map(String::as_str).collect::<Vec<_>>(), &[]);
        let mut added = Added::default();
        let (done, turns) = watch(Watcher::new(&mut added), &tree);
        assert!(done.is_ok());
        assert_eq!((added.paths.len(), turns), (301, 3));
    }

    #[derive(Default)]
    struct Added {
        paths: Vec<PathBuf>,
        refuse: Option<SensorError>,
    }

    impl Watch for Added {
        fn add(&mut self, path: &Path) -> Result<(), SensorError> {
            self.paths.push(path.to_owned());
            self.refuse.clone().map_or(Ok(()), Err)
        }

        fn clear(&mut self) {
            self.paths.clear();
        }

        fn take(&mut self) -> Changes {
            Changes::default()
        }
    }

    fn tree(directories: &[&str], ignored: &[&str]) -> (tempfile::TempDir, WorkTree) {
        let dir = tempfile::tempdir().unwrap();
        for path in directories {
            fs::create_dir_all(dir.path().join(path)).unwrap();
        }
        let ignored: Vec<Name> = ignored
            .iter()
            .map(|name| Name::new(name.as_bytes()))
            .collect();
        let tree = WorkTree::new(dir.path().to_owned(), &ignored);
        (dir, tree)
    }

    #[test]
    fn ignored_directories_repositories_and_links_are_left_out() {
        let (dir, tree) = tree(
            &["a/b", "a/target/x", "nested/.git", "nested/c", ".git/refs"],
            &["a/target/", "a/file"],
        );
        std::os::unix::fs::symlink(dir.path().join("a"), dir.path().join("link")).unwrap();
        let mut added = Added::default();
        watch(Watcher::new(&mut added), &tree).0.unwrap();
        added.paths.sort();
        let below = |name: &str| dir.path().join(name);
        assert_eq!(
            added.paths,
            [dir.path().to_owned(), below("a"), below("a/b")]
        );
    }

    #[test]
    fn a_tree_that_is_too_large_is_said_to_be_so() {
        let (_dir, tree) = tree(&["a", "b", "c"], &[]);
        let mut added = Added::default();
        assert!(watch(Watcher::at_most(4, &mut added), &tree).0.is_ok());
        let large = watch(Watcher::at_most(3, &mut added), &tree).0.unwrap_err();
        let said = "the work tree has more than 20000 directories: it is looked at by interval \
                    and not watched";
        assert_eq!(large.told().to_string(), said);
    }

    #[test]
    fn a_path_that_is_gone_is_left_out_and_a_limit_is_not() {
        let (_dir, tree) = tree(&["a"], &[]);
        let mut gone = Added {
            refuse: Some(SensorError::transient("gone")),
            ..Added::default()
        };
        assert!(watch(Watcher::new(&mut gone), &tree).0.is_ok());
        let mut limit = Added {
            refuse: Some(SensorError::unavailable("limit")),
            ..Added::default()
        };
        assert!(watch(Watcher::new(&mut limit), &tree).0.is_err());
    }
}
