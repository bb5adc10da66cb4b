//! Which of the changes that a look found the session made itself: they are no news to it.
//!
//! A change of the repository is its own where a shell call of its own that names a
//! version-control tool ran in the span in which the change came about: between the look that
//! did not see it yet and the one that does, or at the very moment that the log of HEAD or the
//! time of a file tells. A file is its own where one of its own edits, or such a call, fell into
//! that span.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::time::{Duration, SystemTime};

use attend_core::dynamics::{Tick, TickDelta};
use attend_core::sensor::OwnChanges;

use super::command::Place;
use super::dirty::Dirty;
use super::name::{Name, path};
use super::state::Seen;
use crate::own::real;

/// How many entries of a directory that is new are looked at.
const MAX_ENTRIES: usize = 1_000;

/// How much of the end of a log is read.
const MAX_ENTRY: u64 = 4_096;

/// Times of changes and of calls are told apart from so many ticks on.
const BLUR: u64 = 1;

/// What the session made itself of what changed. By default nothing.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Own {
    /// HEAD, and how far it is from its upstream.
    pub(super) head: bool,
    /// Operations, conflicts and the upstream.
    pub(super) repository: bool,
    /// Files that became dirty, or clean.
    pub(super) files: BTreeSet<Name>,
}

/// When the changes of a look came about, and what the session did.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span<'a> {
    /// They were not there yet.
    pub(super) since: Tick,
    /// They are there.
    pub(super) now: Tick,
    /// The time of day then.
    pub(super) wall: SystemTime,
    pub(super) changes: &'a OwnChanges,
}

impl Own {
    /// What is its own of what makes `seen` differ from what was dirty before.
    pub(super) fn of(
        span: &Span<'_>,
        work: &Path,
        place: &Place,
        was: &Dirty,
        seen: &Seen,
    ) -> Self {
        let edits = span.edits(work, &place.top);
        let repository = span.called(span.since, span.now);
        let is: BTreeSet<&Name> = seen.dirty().collect();
        let became = is.iter().copied().filter(|name| !was.holds(name));
        let ceased = was.names().filter(|name| !is.contains(name));
        let files = became.chain(ceased).filter(|name| {
            let file = place.top.join(path(name.as_bytes()));
            edited(name, &file, &edits) || repository && span.called_at(changed(&file))
        });
        Self {
            head: repository && span.called_at(moved(&place.git_dir)),
            repository,
            files: files.cloned().collect(),
        }
    }
}

impl Span<'_> {
    /// The names of the files below `top` that it edited in this span.
    fn edits(&self, work: &Path, top: &Path) -> BTreeSet<Name> {
        let top = top.canonicalize().unwrap_or_else(|_| top.to_owned());
        let edits = self.changes.edits.iter();
        let edits = edits.filter(|edit| edit.span.meets(self.since, self.now));
        let names = edits.filter_map(|edit| {
            let path = real(&work.join(&edit.path));
            let below = path.strip_prefix(&top).ok()?;
            Some(Name::new(below.as_os_str().as_bytes()))
        });
        names.collect()
    }

    /// Whether a version-control call of its own ran between two ticks.
    fn called(&self, from: Tick, until: Tick) -> bool {
        self.changes.version_control_between(from, until)
    }

    /// Whether such a call ran at `moment`. Where nobody knows it, or it lies outside this span,
    /// any moment in it may be meant.
    fn called_at(&self, moment: Option<SystemTime>) -> bool {
        match moment.and_then(|moment| self.tick(moment)) {
            Some(at) if at > self.since && at <= self.now => {
                let from = Tick::new(at.get().saturating_sub(BLUR));
                self.called(from, at.after(TickDelta::new(BLUR)))
            }
            _ => self.called(self.since, self.now),
        }
    }

    fn tick(&self, moment: SystemTime) -> Option<Tick> {
        let age = self.wall.duration_since(moment).ok()?.as_secs();
        Some(Tick::new(self.now.get().checked_sub(age)?))
    }
}

/// When `file` changed last.
fn changed(file: &Path) -> Option<SystemTime> {
    fs::symlink_metadata(file).ok()?.modified().ok()
}

/// When HEAD moved last, as its log says.
fn moved(git_dir: &Path) -> Option<SystemTime> {
    let log = git_dir.join("logs/HEAD");
    // To open a pipe would wait for somebody to write to it.
    if !fs::metadata(&log).ok()?.is_file() {
        return None;
    }
    let mut log = File::open(log).ok()?;
    let length = log.metadata().ok()?.len();
    log.seek(SeekFrom::Start(length.saturating_sub(MAX_ENTRY)))
        .ok()?;
    let mut end = Vec::new();
    log.take(MAX_ENTRY).read_to_end(&mut end).ok()?;
    let seconds = last_moved(&end)?;
    SystemTime::UNIX_EPOCH.checked_add(Duration::from_secs(seconds))
}

/// The time in the last entry of a log: `OLD NEW NAME <MAIL> SECONDS ZONE`, a tab, and a text.
fn last_moved(log: &[u8]) -> Option<u64> {
    let line = log.trim_ascii_end().rsplit(|byte| *byte == b'\n').next()?;
    let who_and_when = line.split(|byte| *byte == b'\t').next()?;
    let seconds = who_and_when.rsplit(|byte| *byte == b' ').nth(1)?;
    std::str::from_utf8(seconds).ok()?.parse().ok()
}

/// Whether the file that git calls `name` is one of `edits`. A directory that is new stands for
/// all its files, a submodule for any of them.
fn edited(name: &Name, file: &Path, edits: &BTreeSet<Name>) -> bool {
    if edits.is_empty() {
        return false;
    }
    if edits.contains(name) {
        return true;
    }
    match name.as_bytes().strip_suffix(b"/") {
        Some(directory) => all_edited(directory, file, edits),
        None if file.is_dir() => {
            let below = [name.as_bytes(), b"/"].concat();
            edits.iter().any(|edit| edit.as_bytes().starts_with(&below))
        }
        None => false,
    }
}

/// Whether `directory`, which lies at `at`, holds nothing but files of `edits`, and one at least.
fn all_edited(directory: &[u8], at: &Path, edits: &BTreeSet<Name>) -> bool {
    let (mut open, mut left, mut any) = (
        vec![(directory.to_owned(), at.to_owned())],
        MAX_ENTRIES,
        false,
    );
    while let Some((name, at)) = open.pop() {
        let Ok(entries) = fs::read_dir(at) else {
            return false;
        };
        for entry in entries {
            let (Ok(entry), Some(fewer)) = (entry, left.checked_sub(1)) else {
                return false;
            };
            left = fewer;
            let name = [name.as_slice(), b"/", entry.file_name().as_bytes()].concat();
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                open.push((name, entry.path()));
            } else if edits.contains(&Name::new(&name)) {
                any = true;
            } else {
                return false;
            }
        }
    }
    any
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_entry_of_a_log_tells_when() {
        let entry = |seconds: &str| format!("0 1 A B <a@b> {seconds} +0100\tcommit: 7 of 9\n");
        let log = [entry("1700000000"), entry("1700000100")].concat();
        assert_eq!(last_moved(log.as_bytes()), Some(1_700_000_100));
        let cut = b"<a@b> 1700000000 +0000\n";
        assert_eq!(
            last_moved(cut),
            Some(1_700_000_000),
            "an entry without a text"
        );
        for odd in ["", "\n", "x", "0 1 A <a@b> now +0000\tx", "\t\t"] {
            assert_eq!(last_moved(odd.as_bytes()), None, "{odd:?}");
        }
    }
}
