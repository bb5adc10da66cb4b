//! What a place on disk is good for, as the system says without anything being written.

use std::io;
use std::path::{Path, PathBuf};

use rustix::fs::Access;

/// Less room than this is none: a log, a checkpoint and a page or two, in bytes.
const LITTLE: u64 = 256 << 10;

/// A place where something is kept, or is to be.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Ground {
    /// What there is of the way to it.
    pub nearest: PathBuf,
    /// How many bytes this user may still write there.
    pub free: u64,
    /// Whether that is too little for anything.
    pub is_full: bool,
}

impl Ground {
    /// The place at `path`, a whole one, where something may be kept. Nothing is written.
    ///
    /// ```
    /// use attend_core::runtime::system::Ground;
    ///
    /// let place = std::env::temp_dir().join("attend/is/not/there");
    /// assert!(place.starts_with(Ground::at(&place)?.nearest));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Nothing may be written there, or what there is of the way to it is no directory.
    pub fn at(path: &Path) -> io::Result<Self> {
        let there = path
            .ancestors()
            .find(|part| part.symlink_metadata().is_ok());
        let nearest = there.ok_or(io::ErrorKind::NotFound)?.to_owned();
        if !nearest.metadata()?.is_dir() {
            return Err(io::ErrorKind::NotADirectory.into());
        }
        rustix::fs::access(&nearest, Access::WRITE_OK | Access::EXEC_OK)?;
        let stat = rustix::fs::statvfs(&nearest)?;
        let free = stat.f_bavail.saturating_mul(stat.f_frsize);
        // Some file systems count no files.
        let without_names = stat.f_files > 0 && stat.f_favail == 0;
        Ok(Self {
            nearest,
            free,
            is_full: free < LITTLE || without_names,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_as_good_as_what_there_is_of_the_way_to_it() {
        let home = tempfile::tempdir().unwrap();
        let ground = Ground::at(&home.path().join("a/b")).unwrap();
        assert_eq!(ground.nearest, home.path());
        assert!(!ground.is_full);
        std::fs::write(home.path().join("file"), "").unwrap();
        let error = Ground::at(&home.path().join("file/b")).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::NotADirectory);
    }
}
