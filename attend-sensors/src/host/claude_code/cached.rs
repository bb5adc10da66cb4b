//! A small file that is read again when it changed.

use std::fs::{self, Metadata};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use attend_core::sensor::Clock;

use super::record::read_small;
use super::seen::Seen;

/// The longest file that is read, in bytes.
const MAX_FILE: u64 = 64 << 10;

/// What was read from a file.
#[derive(Debug)]
pub(super) struct Cached<T> {
    path: PathBuf,
    seen: Seen<Mark>,
    value: Option<T>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Mark {
    length: u64,
    inode: u64,
    written: Option<SystemTime>,
}

impl Mark {
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
            seen: Seen::nothing(),
            value: None,
        }
    }

    /// What `read` makes of the file `path`, asked only where the file may have changed. While
    /// it is there and makes no sense, half written perhaps, what it said before stands.
    pub(super) fn at(
        &mut self,
        path: &Path,
        clock: &dyn Clock,
        read: impl FnOnce(&[u8]) -> Option<T>,
    ) -> Option<&T> {
        if self.path != path {
            *self = Self::new();
            self.path.push(path);
        }
        // What is no file, such as a pipe, may never end.
        let Some(metadata) = fs::metadata(path).ok().filter(Metadata::is_file) else {
            self.seen = Seen::nothing();
            self.value = None;
            return None;
        };
        if self.seen.must_read(Mark::of(&metadata), clock)
            && let Some(value) = read_small(path, MAX_FILE).as_deref().and_then(read)
        {
            self.value = Some(value);
        }
        self.value()
    }

    /// What was read last.
    pub(super) fn value(&self) -> Option<&T> {
        self.value.as_ref()
    }
}

#[cfg(test)]
mod tests {
    use std::fs::{File, FileTimes};
    use std::time::Duration;

    use attend_core::testkit::FakeClock;

    use super::*;

    #[test]
    fn a_file_is_read_when_it_changed_and_until_that_is_certain() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("a");
        let clock = FakeClock::new();
        let mut cached = Cached::new();
        let mut reads = 0;
        let mut at = |path: &Path| {
            let text = cached.at(path, &clock, |bytes| {
                reads += 1;
                Some(String::from_utf8_lossy(bytes).into_owned()).filter(|text| !text.is_empty())
            });
            (text.cloned(), reads)
        };
        assert_eq!(at(&path), (None, 0));
        fs::write(&path, "one").unwrap();
        assert_eq!(at(&path), (Some("one".into()), 1));
        fs::write(&path, "two").unwrap();
        assert_eq!(at(&path).0, Some("two".into()));
        clock.advance(Duration::from_secs(10));
        let settled = at(&path).1;
        clock.advance(Duration::from_secs(10));
        assert_eq!(at(&path), (Some("two".into()), settled));
        fs::write(&path, "").unwrap();
        assert_eq!(at(&path).0, Some("two".into()), "half written");
        fs::remove_file(&path).unwrap();
        assert_eq!(at(&path).0, None);
    }

    #[test]
    fn a_change_within_the_same_step_of_the_clock_is_seen() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("a");
        let (clock, mut cached) = (FakeClock::new(), Cached::new());
        let step = FileTimes::new().set_modified(SystemTime::UNIX_EPOCH);
        let mut after = |text: &str| {
            // Written in place: the same file, length and time as before.
            fs::write(&path, text).unwrap();
            File::options()
                .append(true)
                .open(&path)
                .and_then(|file| file.set_times(step))
                .unwrap();
            let look = |bytes: &[u8]| Some(bytes.to_vec());
            // Asked twice at once, as a sensor does with two questions.
            let first = cached.at(&path, &clock, look).cloned();
            assert_eq!(cached.at(&path, &clock, look).cloned(), first);
            first
        };
        for text in ["idle", "busy", "idle"] {
            assert_eq!(after(text).as_deref(), Some(text.as_bytes()));
        }
    }
}
