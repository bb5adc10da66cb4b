//! A small file that is read again when it changed.

use std::fs::{self, Metadata};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::record::read_small;

/// The longest file that is read, in bytes.
const MAX_FILE: u64 = 64 << 10;

/// What was read from a file.
#[derive(Debug)]
pub(super) struct Cached<T> {
    path: PathBuf,
    seen: Option<Seen>,
    /// Whether it was read once more since it changed: two writes within one step of the clock
    /// look like one.
    settled: bool,
    value: Option<T>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Seen {
    length: u64,
    inode: u64,
    written: Option<SystemTime>,
}

impl Seen {
    fn of(metadata: &Metadata) -> Self {
        Self {
            length: metadata.len(),
            inode: metadata.ino(),
            written: metadata.modified().ok(),
        }
    }
}

impl<T> Cached<T> {
    pub(super) fn new() -> Self {
        Self {
            path: PathBuf::new(),
            seen: None,
            settled: false,
            value: None,
        }
    }

    /// What `read` makes of the file `path`, asked only where the file may have changed. While
    /// it is there and makes no sense, half written perhaps, what it said before stands.
    pub(super) fn at(&mut self, path: &Path, read: impl FnOnce(&[u8]) -> Option<T>) -> Option<&T> {
        if self.path != path {
            *self = Self::new();
            self.path.push(path);
        }
        let Ok(metadata) = fs::metadata(path) else {
            self.seen = None;
            self.value = None;
            return None;
        };
        let seen = Some(Seen::of(&metadata));
        let same = self.seen == seen;
        if same && self.settled {
            return self.value.as_ref();
        }
        self.seen = seen;
        self.settled = same;
        if let Some(value) = read_small(path, MAX_FILE).as_deref().and_then(read) {
            self.value = Some(value);
        }
        self.value.as_ref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read_when_it_changed_and_once_more() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("a");
        let mut cached = Cached::new();
        let mut reads = 0;
        let mut at = |path: &Path| {
            let text = cached.at(path, |bytes| {
                reads += 1;
                Some(String::from_utf8_lossy(bytes).into_owned()).filter(|text| !text.is_empty())
            });
            (text.cloned(), reads)
        };
        assert_eq!(at(&path), (None, 0));
        fs::write(&path, "one").unwrap();
        assert_eq!(at(&path), (Some("one".into()), 1));
        // The same length, perhaps within the same step of the clock.
        fs::write(&path, "two").unwrap();
        assert_eq!(at(&path).0, Some("two".into()));
        at(&path);
        let settled = at(&path).1;
        assert_eq!(at(&path), (Some("two".into()), settled));
        fs::write(&path, "").unwrap();
        assert_eq!(at(&path).0, Some("two".into()), "half written");
        fs::remove_file(&path).unwrap();
        assert_eq!(at(&path).0, None);
    }
}
