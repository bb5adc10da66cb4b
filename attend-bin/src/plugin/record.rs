//! What attend wrote into a directory: by this it knows its own files from somebody else's.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::Hasher;
use std::path::{Component, Path, PathBuf};

use serde::{Deserialize, Serialize};
use siphasher::sip128::{Hasher128, SipHasher13};

/// The file in which it is written down.
pub(super) const NAME: &str = "attend-plugin.json";

/// A record larger than this was not written by attend, in bytes.
pub(super) const MOST_BYTES: u64 = 1 << 20;

/// What was written.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(super) struct Record {
    /// Each file below the root, with a fingerprint of whatever may stand in it: more than one
    /// while it is being replaced.
    files: BTreeMap<String, BTreeSet<String>>,
    /// The directories that were made for them, the outer ones first.
    directories: Vec<PathBuf>,
}

impl Record {
    /// Reads it; none where it is no record.
    pub(super) fn parse(bytes: &[u8]) -> Option<Self> {
        let record: Self = serde_json::from_slice(bytes).ok()?;
        // It may have been written by anybody: nothing outside is ever touched for it.
        let is_below = |path: &String| {
            let mut parts = Path::new(path).components();
            !path.is_empty() && parts.all(|part| matches!(part, Component::Normal(_)))
        };
        record.files.keys().all(is_below).then_some(record)
    }

    /// As it is written down.
    pub(super) fn to_json(&self) -> String {
        // Texts and lists always have a form.
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }

    /// Whether `bytes` at `path` are what attend wrote there.
    pub(super) fn has(&self, path: &str, bytes: &[u8]) -> bool {
        let marks = self.files.get(path);
        marks.is_some_and(|marks| marks.contains(&mark(bytes)))
    }

    /// `bytes` may stand at `path` from now on.
    pub(super) fn add(&mut self, path: &str, bytes: &[u8]) {
        let marks = self.files.entry(path.to_owned()).or_default();
        marks.insert(mark(bytes));
    }

    /// The directory at `path` was made.
    pub(super) fn made(&mut self, path: PathBuf) {
        if !self.directories.contains(&path) {
            self.directories.push(path);
        }
    }

    /// Only `bytes` stand at `path` now.
    pub(super) fn settle(&mut self, path: &str, bytes: &[u8]) {
        self.files.remove(path);
        self.add(path, bytes);
    }

    /// The file at `path` is not there any more.
    pub(super) fn forget(&mut self, path: &str) {
        self.files.remove(path);
    }

    /// The files.
    pub(super) fn files(&self) -> impl Iterator<Item = &str> {
        self.files.keys().map(String::as_str)
    }

    /// The directories that were made, the inner ones first.
    pub(super) fn directories(&self) -> impl Iterator<Item = &Path> {
        let mut all: Vec<&Path> = self.directories.iter().map(PathBuf::as_path).collect();
        all.sort_by_key(|path| std::cmp::Reverse(path.components().count()));
        all.into_iter()
    }
}

/// What stands for `bytes`. It guards nothing: somebody who wants to pass for attend can.
fn mark(bytes: &[u8]) -> String {
    let mut hasher = SipHasher13::new();
    hasher.write(bytes);
    format!("{:032x}", hasher.finish128().as_u128())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_knows_what_was_written_and_nothing_else() {
        let mut record = Record::default();
        record.add("hooks/hooks.json", b"old");
        record.add("hooks/hooks.json", b"new");
        let read = Record::parse(record.to_json().as_bytes()).unwrap();
        assert_eq!(read, record);
        assert!(read.has("hooks/hooks.json", b"old") && read.has("hooks/hooks.json", b"new"));
        record.settle("hooks/hooks.json", b"new");
        assert!(!record.has("hooks/hooks.json", b"old"));
        assert!(!record.has("hooks/other.json", b"new"));
    }

    #[test]
    fn a_record_that_leads_elsewhere_is_none() {
        for path in ["../x", "/etc/x", "a/../../x", "", "./x"] {
            let text = serde_json::json!({"files": {path: []}, "directories": []}).to_string();
            assert_eq!(Record::parse(text.as_bytes()), None, "{path}");
        }
        assert_eq!(Record::parse(b"{"), None);
    }

    #[test]
    fn directories_go_from_the_inside() {
        let mut record = Record::default();
        for path in ["/a", "/a/b", "/a/c/d"] {
            record.made(PathBuf::from(path));
        }
        let inner: Vec<&Path> = record.directories().collect();
        assert_eq!(inner, ["/a/c/d", "/a/b", "/a"].map(Path::new));
    }
}
