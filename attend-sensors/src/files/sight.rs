//! What stands at one path: looked at without opening anything.

use std::fs::{self, Metadata};
use std::io::{self, ErrorKind};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};

/// By what a file is known to be the same: its time, its length, and where it lies.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(from = "(i64, i64, u64)", into = "(i64, i64, u64)")]
pub(super) struct Stamp {
    seconds: i64,
    nanos: i64,
    length: u64,
    /// Not remembered over a restart: some file systems give other numbers then.
    inode: Option<u64>,
}

/// What stands at a path.
#[derive(Debug)]
pub(super) enum Sight {
    /// A file, or anything else that is no directory.
    File(Stamp),
    Directory,
    /// A link to a directory, which may be looked into.
    Linked(Stamp),
    Nothing,
    /// Nobody can say.
    Unknown(io::Error),
}

impl Sight {
    /// What stands at `path`. A link stands for what it leads to, unless that lies outside
    /// `confine`.
    pub(super) fn of(path: &Path, confine: Option<&Confine>) -> Self {
        let found = match fs::symlink_metadata(path) {
            Ok(found) => found,
            Err(error) => return Self::missing(error),
        };
        if found.is_dir() {
            return Self::Directory;
        }
        if found.is_symlink()
            && confine.is_none_or(|confine| confine.holds(path))
            && let Ok(target) = fs::metadata(path)
        {
            return if target.is_dir() {
                Self::Linked(Stamp::of(&found))
            } else {
                Self::File(Stamp::of(&target))
            };
        }
        Self::File(Stamp::of(&found))
    }

    fn missing(error: io::Error) -> Self {
        match error.kind() {
            ErrorKind::NotFound | ErrorKind::NotADirectory => Self::Nothing,
            _ => Self::Unknown(error),
        }
    }
}

/// The directory that nothing leads out of.
#[derive(Clone, Debug)]
pub(super) struct Confine(PathBuf);

impl Confine {
    /// `directory` without links.
    ///
    /// # Errors
    ///
    /// It is not there, or cannot be reached.
    pub(super) fn new(directory: &Path) -> io::Result<Self> {
        directory.canonicalize().map(Self)
    }

    /// Whether what `path` leads to lies inside.
    pub(super) fn holds(&self, path: &Path) -> bool {
        path.canonicalize()
            .is_ok_and(|real| real.starts_with(&self.0))
    }
}

impl Stamp {
    fn of(metadata: &Metadata) -> Self {
        Self {
            seconds: metadata.mtime(),
            nanos: metadata.mtime_nsec(),
            length: metadata.len(),
            inode: Some(metadata.ino()),
        }
    }

    /// When it was written last.
    pub(super) fn written(&self) -> Option<SystemTime> {
        let whole = Duration::from_secs(u64::try_from(self.seconds).ok()?);
        let more = Duration::from_nanos(u64::try_from(self.nanos).ok()?);
        SystemTime::UNIX_EPOCH.checked_add(whole)?.checked_add(more)
    }
}

impl PartialEq for Stamp {
    fn eq(&self, other: &Self) -> bool {
        let inodes = self.inode.zip(other.inode);
        (self.seconds, self.nanos, self.length) == (other.seconds, other.nanos, other.length)
            && inodes.is_none_or(|(one, other)| one == other)
    }
}

impl From<(i64, i64, u64)> for Stamp {
    fn from((seconds, nanos, length): (i64, i64, u64)) -> Self {
        Self {
            seconds,
            nanos,
            length,
            inode: None,
        }
    }
}

impl From<Stamp> for (i64, i64, u64) {
    fn from(stamp: Stamp) -> Self {
        (stamp.seconds, stamp.nanos, stamp.length)
    }
}

/// When the entries of the directory around `path` changed last, or of the next one above that
/// is still there.
pub(super) fn left(path: &Path) -> Option<SystemTime> {
    let mut above = path.ancestors().skip(1);
    above
        .find_map(|directory| fs::metadata(directory).ok())?
        .modified()
        .ok()
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn a_link_that_leads_out_stands_for_itself() {
        let dir = tempfile::tempdir().unwrap();
        let (inside, outside) = (dir.path().join("in"), dir.path().join("out"));
        for dir in [&inside, &outside] {
            fs::create_dir(dir).unwrap();
            fs::write(dir.join("file"), "content").unwrap();
        }
        let confine = Confine::new(&inside).unwrap();
        let see = |name: &str, target: &Path| {
            let link = inside.join(name);
            symlink(target, &link).unwrap();
            Sight::of(&link, Some(&confine))
        };
        let length = |sight: Sight| match sight {
            Sight::File(stamp) => stamp.length,
            other => panic!("{other:?}"),
        };
        assert_eq!(length(see("a", &inside.join("file"))), 7);
        assert_ne!(length(see("b", &outside.join("file"))), 7);
        assert!(matches!(see("c", &inside), Sight::Linked(_)));
        assert!(matches!(see("d", &outside), Sight::File(_)));
        assert!(matches!(see("e", Path::new("nowhere")), Sight::File(_)));
        assert!(matches!(
            Sight::of(&outside.join("link"), None),
            Sight::Nothing
        ));
        assert!(matches!(
            Sight::of(&inside.join("file/x"), None),
            Sight::Nothing
        ));
    }

    #[test]
    fn another_file_with_the_same_time_and_length_is_another() {
        let dir = tempfile::tempdir().unwrap();
        let stamps = ["a", "b"].map(|name| {
            let path = dir.path().join(name);
            let file = File::create(&path).unwrap();
            file.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(9))
                .unwrap();
            match Sight::of(&path, None) {
                Sight::File(stamp) => stamp,
                other => panic!("{other:?}"),
            }
        });
        assert_ne!(stamps[0], stamps[1]);
        let remembered = Stamp::from(<(i64, i64, u64)>::from(stamps[0]));
        assert_eq!(
            remembered, stamps[1],
            "nothing else is known of it over a restart"
        );
    }
}
