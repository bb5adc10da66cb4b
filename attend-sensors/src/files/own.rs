//! Which changes of files the session made itself: they are no news to it.
//!
//! A change is its own where one of its edits of that file was going on when it came about; in
//! the project also where a shell call of its own was that names a version-control tool. Where
//! nobody knows when it came about, any moment may be meant at which it can have.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use attend_core::dynamics::{Tick, TickDelta};
use attend_core::sensor::{OwnChanges, OwnSpan};

use super::waiting::{Change, Moment, What};
use crate::own::real;

/// The time of a change and that of a call are told apart from more than so many ticks on.
const BLUR: u64 = 1;

/// What the session did.
#[derive(Debug)]
pub(super) struct Own<'a> {
    changes: &'a OwnChanges,
    edits: HashMap<PathBuf, Vec<OwnSpan>>,
    now: Tick,
}

impl<'a> Own<'a> {
    /// What it did at `work` from `since` until `now`.
    pub(super) fn new(changes: &'a OwnChanges, work: &Path, since: Tick, now: Tick) -> Self {
        let mut edits: HashMap<PathBuf, Vec<OwnSpan>> = HashMap::new();
        let from = Tick::new(since.get().saturating_sub(BLUR));
        let recent = changes.edits.iter();
        for edit in recent.filter(|edit| edit.span.meets(from, now)) {
            let path = real(&work.join(&edit.path));
            edits.entry(path).or_default().push(edit.span);
        }
        Self {
            changes,
            edits,
            now,
        }
    }

    /// Whether `change` of the file at `path` is its own; `in_project` says that it lies there.
    pub(super) fn made(&self, change: &Change, path: &Path, in_project: bool) -> bool {
        let (from, until) = match change.at {
            Moment::Known(at) => (
                Tick::new(at.get().saturating_sub(BLUR)),
                at.after(TickDelta::new(BLUR)),
            ),
            Moment::By(_) => (change.since, self.now),
        };
        // No edit removes a file.
        let edited = change.what != What::Removed
            && !self.edits.is_empty()
            && self.edits.get(&real(path)).is_some_and(|spans| {
                let mut spans = spans.iter();
                spans.any(|span| span.meets(from, until))
            });
        edited || in_project && self.changes.version_control_between(from, until)
    }
}
