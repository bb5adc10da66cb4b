//! What a session did itself, so that a sensor does not tell it as news: names and times only.

use std::path::{Path, PathBuf};

use crate::dynamics::Tick;

/// What a session, its subagents included, did itself. It is bounded: what is long past may be
/// missing.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct OwnChanges {
    /// Files that it edited or is about to, each with its last edit.
    pub edits: Vec<OwnEdit>,
    /// Shell commands that it ran or is running, oldest first.
    pub calls: Vec<OwnCall>,
    /// Whether they reach back to the beginning of the session.
    pub complete: bool,
}

impl OwnChanges {
    /// Its last edit of the file `path`.
    pub fn edit(&self, path: &Path) -> Option<&OwnEdit> {
        self.edits.iter().find(|edit| edit.path == path)
    }

    /// Whether a version-control command of its own ran at some tick from `from` to `until`.
    pub fn version_control_between(&self, from: Tick, until: Tick) -> bool {
        let mut calls = self.calls.iter().filter(|call| call.version_control);
        calls.any(|call| call.span.meets(from, until))
    }

    /// Whether a shell command of its own runs in the foreground.
    pub fn is_running(&self) -> bool {
        let mut calls = self.calls.iter();
        calls.any(|call| call.span.until.is_none() && !call.background)
    }
}

/// From when until when something went on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct OwnSpan {
    /// When it was asked for.
    pub from: Tick,
    /// When its result was there; none while it still runs.
    pub until: Option<Tick>,
}

impl OwnSpan {
    /// From `from` until `until`, or until now.
    pub fn new(from: Tick, until: Option<Tick>) -> Self {
        Self { from, until }
    }

    /// Whether it shares a tick with the span from `from` to `until`.
    pub fn meets(&self, from: Tick, until: Tick) -> bool {
        self.from <= until && self.until.is_none_or(|end| from <= end)
    }
}

/// An edit of a file.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct OwnEdit {
    /// The file.
    pub path: PathBuf,
    /// When. One that still runs may yet be refused.
    pub span: OwnSpan,
    /// Which call of the session it was, to be compared for equality only: a session that was
    /// forked off another has its calls, too. None where nobody knows.
    pub call: Option<u64>,
}

impl OwnEdit {
    /// An edit of `path`.
    pub fn new(path: impl Into<PathBuf>, span: OwnSpan) -> Self {
        Self {
            path: path.into(),
            span,
            call: None,
        }
    }
}

/// A shell command, of which nothing is kept but this.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct OwnCall {
    /// When.
    pub span: OwnSpan,
    /// Whether it went on beside the session's other work.
    pub background: bool,
    /// Whether it names a version-control tool.
    pub version_control: bool,
}

impl OwnCall {
    /// A command in the foreground that names no version-control tool.
    pub fn new(span: OwnSpan) -> Self {
        Self {
            span,
            background: false,
            version_control: false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_meet_where_they_share_a_tick() {
        let span = |from, until: Option<u64>| OwnSpan::new(Tick::new(from), until.map(Tick::new));
        let meets = |a: OwnSpan, from, until| a.meets(Tick::new(from), Tick::new(until));
        assert!(meets(span(5, Some(9)), 9, 12));
        assert!(meets(span(5, Some(9)), 1, 5));
        assert!(!meets(span(5, Some(9)), 10, 12));
        assert!(!meets(span(5, Some(9)), 1, 4));
        assert!(meets(span(5, None), 1_000, 1_000));
    }
}
