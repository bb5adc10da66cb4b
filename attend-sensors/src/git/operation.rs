//! Finds out from the files below a git directory whether a rebase, merge or the like is in progress.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::name::Oid;
use crate::beginning::beginning;

/// What is read of a file: more than names and commits take.
const MOST: u64 = 16 << 10;

/// A git command that stopped half way and goes on later.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum OperationKind {
    Rebase,
    Am,
    Merge,
    CherryPick,
    Revert,
    Bisect,
}

impl OperationKind {
    /// Its name, as in `git NAME`.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Rebase => "rebase",
            Self::Am => "am",
            Self::Merge => "merge",
            Self::CherryPick => "cherry-pick",
            Self::Revert => "revert",
            Self::Bisect => "bisect",
        }
    }
}

/// An operation in progress, with what its files tell.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Operation {
    pub(super) kind: OperationKind,
    /// The branch it works on.
    pub(super) branch: Option<String>,
    /// HEAD before it began.
    pub(super) from: Option<Oid>,
    /// The commit that a rebase starts from.
    pub(super) onto: Option<Oid>,
}

impl Operation {
    /// Whether `other` can be the same operation at another moment.
    pub(super) fn continues_as(&self, other: &Self) -> bool {
        let apart = |a: &Option<Oid>, b: &Option<Oid>| a.is_some() && b.is_some() && a != b;
        self.kind == other.kind
            && !(self.kind == OperationKind::Rebase && apart(&self.from, &other.from))
    }

    /// Itself, with what only `later` knows.
    pub(super) fn or(self, later: Self) -> Self {
        Self {
            kind: self.kind,
            branch: self.branch.or(later.branch),
            from: self.from.or(later.from),
            onto: self.onto.or(later.onto),
        }
    }
}

/// The operation whose files lie in `git_dir`, the directory of one work tree.
pub(super) fn operation(git_dir: &Path) -> Option<Operation> {
    let there = |name: &str| git_dir.join(name).symlink_metadata().is_ok();
    let bare = |kind| Operation {
        kind,
        branch: None,
        from: None,
        onto: None,
    };
    if there("rebase-merge") {
        return Some(rebase(&git_dir.join("rebase-merge")));
    }
    if there("rebase-apply") {
        return Some(if there("rebase-apply/applying") {
            bare(OperationKind::Am)
        } else {
            rebase(&git_dir.join("rebase-apply"))
        });
    }
    let of_several = |kind| Operation {
        from: oid(&git_dir.join("sequencer/head")),
        ..bare(kind)
    };
    if there("MERGE_HEAD") {
        return Some(bare(OperationKind::Merge));
    }
    if there("CHERRY_PICK_HEAD") {
        return Some(of_several(OperationKind::CherryPick));
    }
    if there("REVERT_HEAD") {
        return Some(of_several(OperationKind::Revert));
    }
    // Between two of several picks there is no other trace than the list of what is left to do.
    if let Ok(todo) = beginning(&git_dir.join("sequencer/todo"), MOST) {
        return Some(of_several(if todo.starts_with(b"revert") {
            OperationKind::Revert
        } else {
            OperationKind::CherryPick
        }));
    }
    there("BISECT_LOG").then(|| {
        let start = beginning(&git_dir.join("BISECT_START"), MOST).unwrap_or_default();
        let start = String::from_utf8_lossy(&start);
        let start = start.trim();
        Operation {
            branch: (!start.is_empty() && Oid::new(start).is_none()).then(|| start.to_owned()),
            from: Oid::new(start),
            ..bare(OperationKind::Bisect)
        }
    })
}

fn rebase(state: &Path) -> Operation {
    let name = beginning(&state.join("head-name"), MOST).unwrap_or_default();
    let name = String::from_utf8_lossy(&name);
    Operation {
        kind: OperationKind::Rebase,
        branch: name.trim().strip_prefix("refs/heads/").map(str::to_owned),
        from: oid(&state.join("orig-head")),
        onto: oid(&state.join("onto")),
    }
}

fn oid(file: &Path) -> Option<Oid> {
    Oid::line(&beginning(file, MOST).ok()?)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    const OID: &str = "0123456789abcdef0123456789abcdef01234567";

    fn found(files: &[(&str, &str)]) -> Option<Operation> {
        let dir = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let file = dir.path().join(name);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, text).unwrap();
        }
        operation(dir.path())
    }

    #[test]
    fn each_operation_has_its_trace() {
        let line = format!("{OID}\n");
        let cases: [(&[(&str, &str)], OperationKind); 9] = [
            (&[("rebase-merge/done", "")], OperationKind::Rebase),
            (&[("rebase-apply/rebasing", "")], OperationKind::Rebase),
            (&[("rebase-apply/applying", "")], OperationKind::Am),
            (&[("MERGE_HEAD", &line)], OperationKind::Merge),
            (&[("CHERRY_PICK_HEAD", &line)], OperationKind::CherryPick),
            (&[("REVERT_HEAD", &line)], OperationKind::Revert),
            (&[("sequencer/todo", "pick 1\n")], OperationKind::CherryPick),
            (&[("sequencer/todo", "revert 1\n")], OperationKind::Revert),
            (&[("BISECT_LOG", "")], OperationKind::Bisect),
        ];
        for (files, kind) in cases {
            assert_eq!(
                found(files).map(|found| found.kind),
                Some(kind),
                "{files:?}"
            );
        }
        assert_eq!(
            found(&[("HEAD", "ref: refs/heads/main\n"), ("ORIG_HEAD", &line)]),
            None
        );
    }

    #[test]
    fn a_rebase_tells_where_it_came_from() {
        let line = format!("{OID}\n");
        let files = [
            ("rebase-merge/head-name", "refs/heads/feat/x\n"),
            ("rebase-merge/orig-head", line.as_str()),
            ("rebase-merge/onto", line.as_str()),
            ("CHERRY_PICK_HEAD", line.as_str()),
        ];
        let rebase = found(&files).unwrap();
        assert_eq!(rebase.branch.as_deref(), Some("feat/x"));
        assert_eq!(
            (&rebase.from, &rebase.onto),
            (&Oid::new(OID), &Oid::new(OID))
        );
        let detached = found(&[("rebase-merge/head-name", "detached HEAD\n")]).unwrap();
        assert_eq!(detached.branch, None);
        assert!(detached.continues_as(&rebase));
    }

    #[test]
    fn a_bisection_tells_its_start() {
        let branch = found(&[("BISECT_LOG", ""), ("BISECT_START", "main\n")]).unwrap();
        assert_eq!(
            (branch.branch.as_deref(), branch.from),
            (Some("main"), None)
        );
        let commit = found(&[("BISECT_LOG", ""), ("BISECT_START", OID)]).unwrap();
        assert_eq!((commit.branch, commit.from), (None, Oid::new(OID)));
    }
}
