//! An index: what is known of hundreds of files without reading them again.

use std::collections::BTreeMap;
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};

use super::summary::Summary;

/// The form of what is kept.
const FORM: &str = concat!("1/", env!("CARGO_PKG_VERSION"));

/// A file that changed so shortly before it was read may have changed again without a trace.
const SETTLED: Duration = Duration::from_secs(2);

/// What is known of the files below one root, by their paths.
///
/// A file that has another size or time now than it had then is read again, and so is one that
/// changed just before. What is damaged, or of another version, counts as nothing.
#[derive(Debug)]
pub struct Index {
    now: SystemTime,
    before: Kept,
    count: usize,
    entries: BTreeMap<String, Entry>,
    is_stale: bool,
}

#[derive(Serialize, Deserialize, Default, Debug)]
struct Kept {
    form: String,
    made: Duration,
    entries: BTreeMap<String, Entry>,
}

/// One file; none in the place of a summary where it is no way.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
struct Entry(u64, Duration, Option<Summary>);

/// What is known of a file.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Known<'a> {
    /// It has to be read.
    Nothing,
    /// It is no way.
    NoWay,
    /// It is a way with this trigger.
    Way(&'a Summary),
}

/// By what a change of a file is seen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Mark {
    pub(super) size: u64,
    pub(super) changed: SystemTime,
}

impl Index {
    /// What `bytes` hold of an index, at the time `now`.
    pub fn read(bytes: Option<&[u8]>, now: SystemTime) -> Self {
        let kept = bytes.and_then(|bytes| serde_json::from_slice::<Kept>(bytes).ok());
        let kept = kept.filter(|kept| kept.form == FORM).unwrap_or_default();
        Self {
            now,
            count: kept.entries.len(),
            before: kept,
            entries: BTreeMap::new(),
            is_stale: false,
        }
    }

    /// The index that `bytes` hold; none where that is damaged, or of another version.
    pub fn of(bytes: &[u8]) -> Option<Self> {
        let index = Self::read(Some(bytes), SystemTime::UNIX_EPOCH);
        (index.before.form == FORM).then_some(index)
    }

    /// The files of which it knew when it was read.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.before.entries.keys().map(String::as_str)
    }

    /// What is to be kept in its place; none where that is what it was read from.
    pub fn to_json(&self) -> Option<Vec<u8>> {
        // Files that are gone are left out, next time something else changes.
        if !self.is_stale && self.entries.len() == self.count {
            return None;
        }
        let kept = Kept {
            form: FORM.to_owned(),
            made: since(self.now),
            entries: self.entries.clone(),
        };
        serde_json::to_vec(&kept).ok()
    }

    /// What is known of the file at `path`, which bears `mark` now.
    pub(super) fn known(&mut self, path: &str, mark: Mark) -> Known<'_> {
        let made = self.before.made;
        let Some(entry) = self.before.entries.get(path) else {
            return Known::Nothing;
        };
        let changed = since(mark.changed);
        let is_same = (entry.0, entry.1) == (mark.size, changed);
        if !is_same || changed + SETTLED > made {
            return Known::Nothing;
        }
        let Some((path, entry)) = self.before.entries.remove_entry(path) else {
            return Known::Nothing;
        };
        let entry = self.entries.entry(path).or_insert(entry);
        entry.2.as_ref().map_or(Known::NoWay, Known::Way)
    }

    /// The file at `path`, which bears `mark`, was read.
    pub(super) fn learn(&mut self, path: &str, mark: Mark, summary: Option<Summary>) {
        let entry = Entry(mark.size, since(mark.changed), summary);
        let is_settled = entry.1 + SETTLED <= since(self.now);
        self.is_stale |= is_settled || self.before.entries.get(path) != Some(&entry);
        self.entries.insert(path.to_owned(), entry);
    }
}

/// Since 1970.
fn since(time: SystemTime) -> Duration {
    time.duration_since(SystemTime::UNIX_EPOCH)
        .unwrap_or_default()
}
