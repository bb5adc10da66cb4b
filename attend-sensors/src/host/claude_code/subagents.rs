//! The transcripts of a session's subagents: found, and followed while they grow.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use attend_core::sensor::Clock;

use super::own::Own;
use super::seen::Seen;
use super::transcript::Transcript;

/// How many are followed: the ones that were written last.
const FOLLOWED: usize = 64;

/// How many directories and entries are looked at.
const MAX_DIRECTORIES: usize = 256;
const MAX_ENTRIES: usize = 10_000;

/// The subagents of one session.
#[derive(Debug, Default)]
pub(super) struct Subagents {
    directories: Vec<Directory>,
    followed: Vec<Transcript>,
    /// Whether more were there than are followed.
    more: bool,
}

/// A directory in which there may be some.
#[derive(Debug)]
struct Directory {
    path: PathBuf,
    /// The time it bore when it was listed last: a new entry changes it.
    listed: Seen<SystemTime>,
}

impl Directory {
    fn new(path: PathBuf) -> Self {
        Self {
            path,
            listed: Seen::nothing(),
        }
    }

    /// Whether it is to be listed now.
    fn is_due(&mut self, clock: &dyn Clock) -> bool {
        let written = fs::metadata(&self.path).and_then(|found| found.modified());
        written.is_ok_and(|written| self.listed.must_read(written, clock))
    }
}

impl Subagents {
    /// Those of the session whose transcript is `transcript`.
    pub(super) fn of(transcript: &Path) -> Self {
        let root = transcript.with_extension("").join("subagents");
        Self {
            directories: vec![Directory::new(root)],
            ..Self::default()
        }
    }

    /// Looks for new ones, and for what is new in the known ones. What cannot be read is left out.
    pub(super) fn look(&mut self, clock: &dyn Clock) {
        if self.list(clock) {
            self.keep_newest();
        }
        for transcript in &mut self.followed {
            let _ = transcript.look(clock);
        }
    }

    pub(super) fn own(&self) -> impl Iterator<Item = &Own> {
        self.followed.iter().map(Transcript::own)
    }

    /// Whether nothing that they did is left out.
    pub(super) fn is_complete(&self) -> bool {
        !self.more && self.own().all(|own| own.complete)
    }

    /// Lists the directories that changed; answers whether there are new files.
    fn list(&mut self, clock: &dyn Clock) -> bool {
        let known = self.followed.len();
        let mut at = 0;
        while let Some(directory) = self.directories.get_mut(at) {
            at += 1;
            if directory.is_due(clock) {
                let path = directory.path.clone();
                self.list_one(&path);
            }
        }
        self.followed.len() > known
    }

    fn list_one(&mut self, directory: &Path) {
        let entries = fs::read_dir(directory)
            .into_iter()
            .flatten()
            .take(MAX_ENTRIES);
        for entry in entries.filter_map(Result::ok) {
            let path = entry.path();
            let Ok(kind) = entry.file_type() else {
                continue;
            };
            let name = entry.file_name();
            let name = name.to_string_lossy();
            if kind.is_dir() {
                let known = self.directories.iter().any(|known| known.path == path);
                if !known && self.directories.len() < MAX_DIRECTORIES {
                    self.directories.push(Directory::new(path));
                }
            } else if kind.is_file() && name.starts_with("agent-") && name.ends_with(".jsonl") {
                let known = self.followed.iter().any(|followed| followed.path() == path);
                if !known {
                    self.followed.push(Transcript::of_subagent(path));
                }
            }
        }
    }

    fn keep_newest(&mut self) {
        if self.followed.len() <= FOLLOWED {
            return;
        }
        self.followed.sort_by_cached_key(|followed| {
            let written = fs::metadata(followed.path()).and_then(|found| found.modified());
            std::cmp::Reverse(written.ok())
        });
        self.followed.truncate(FOLLOWED);
        self.more = true;
    }
}
