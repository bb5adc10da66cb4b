//! What one look saw, and what is known from the looks before.

use attend_core::dynamics::Tick;
use attend_core::sensor::{SensorError, Snapshot};
use serde::{Deserialize, Serialize};

use super::dirty::Dirty;
use super::name::{Name, Oid};
use super::operation::Operation;
use super::parse::{EntryKind, Status};

/// The shape of what is remembered; another number is not read.
const VERSION: u32 = 1;

/// How many names of conflicts are remembered.
const MAX_CONFLICTS: usize = 2_000;

/// What one look saw, before it is compared with anything.
#[derive(Clone, Debug)]
pub(super) struct Seen {
    pub(super) status: Status,
    pub(super) operation: Option<Operation>,
    /// The commit of the upstream; none where there is none, or nobody asked.
    pub(super) upstream: Option<Oid>,
}

impl Seen {
    /// The paths that differ from what is committed.
    pub(super) fn dirty(&self) -> impl Iterator<Item = &Name> + Clone {
        self.status.entries.iter().map(|entry| &entry.name)
    }

    /// The paths in conflict.
    pub(super) fn conflicts(&self) -> Conflicts {
        let entries = self.status.entries.iter();
        let mut names: Vec<Name> = entries
            .filter(|entry| entry.kind == EntryKind::Unmerged)
            .map(|entry| entry.name.clone())
            .collect();
        let total = names.len();
        names.truncate(MAX_CONFLICTS);
        Conflicts { total, names }
    }
}

/// What is known about a repository: what the next look is compared with.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Known {
    /// The commit that HEAD names; none on an unborn branch.
    pub(super) head: Option<Oid>,
    /// The branch; none where HEAD is detached.
    pub(super) branch: Option<String>,
    /// The detached HEAD that was told of and not taken back.
    pub(super) detached: Option<Detached>,
    pub(super) upstream: Option<Upstream>,
    pub(super) operation: Option<Operation>,
    /// Whether the operation was told of.
    pub(super) told_operation: bool,
    pub(super) conflicts: Conflicts,
    pub(super) dirty: Dirty,
    /// When the first file became dirty that the last `dirty` event told of.
    pub(super) told_dirty: Option<Tick>,
    /// Since when many files become dirty again and again, and when they did last.
    #[serde(default)]
    pub(super) churn: Option<(Tick, Tick)>,
    /// The commits that the last `head` event told of.
    pub(super) told_head: Option<ToldHead>,
}

/// New commits that were told of a moment ago, so that the next ones add up with them.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct ToldHead {
    /// HEAD before the first of them.
    pub(super) base: Option<Oid>,
    /// When.
    pub(super) at: Tick,
}

/// A detached HEAD that stands.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Detached {
    /// The branch that was left for it.
    pub(super) was: Option<String>,
}

/// The upstream of the branch that is checked out.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Upstream {
    pub(super) name: String,
    pub(super) oid: Option<Oid>,
    /// Commits that only the branch has.
    pub(super) ahead: u64,
    /// Commits that only the upstream has.
    pub(super) behind: u64,
}

/// Paths in conflict; of more than 2,000 only the number is exact.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(super) struct Conflicts {
    pub(super) total: usize,
    pub(super) names: Vec<Name>,
}

/// What is written down over a restart: what is known, and about which repository.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Memory {
    /// The top of the work tree and its git directory.
    pub(super) place: [Name; 2],
    pub(super) known: Known,
    /// When that changed last.
    pub(super) at: Tick,
}

/// The outermost shape, which every version shares.
#[derive(Deserialize)]
struct Version {
    version: u32,
}

#[derive(Serialize)]
struct Written<'a> {
    version: u32,
    #[serde(flatten)]
    memory: &'a Memory,
}

impl Memory {
    pub(super) fn write(&self) -> Result<Snapshot, SensorError> {
        Snapshot::of(&Written {
            version: VERSION,
            memory: self,
        })
    }

    pub(super) fn read(snapshot: &Snapshot) -> Result<Self, SensorError> {
        let version = snapshot.read::<Version>()?.version;
        if version != VERSION {
            return Err(SensorError::transient(format!(
                "cannot read a snapshot of version {version}, only of {VERSION}"
            )));
        }
        snapshot.read()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn memory() -> Memory {
        let oid = Oid::new(&"a".repeat(40));
        Memory {
            place: [Name::new(b"/w \xff"), Name::new(b"/w/.git")],
            at: Tick::new(10),
            known: Known {
                head: oid.clone(),
                branch: Some("main".to_owned()),
                detached: None,
                upstream: Some(Upstream {
                    name: "origin/main".to_owned(),
                    oid,
                    ahead: 1,
                    behind: 2,
                }),
                operation: None,
                told_operation: false,
                conflicts: Conflicts::default(),
                dirty: Dirty::baseline(&[Name::new(b"a\xfe"), Name::new(b" b")]),
                told_dirty: Some(Tick::new(9)),
                churn: Some((Tick::new(8), Tick::new(9))),
                told_head: None,
            },
        }
    }

    #[test]
    fn memory_survives_being_written() {
        let memory = memory();
        assert_eq!(Memory::read(&memory.write().unwrap()).unwrap(), memory);
    }

    #[test]
    fn another_version_or_garbage_is_refused() {
        let newer = Written {
            version: 2,
            memory: &memory(),
        };
        let error = Memory::read(&Snapshot::of(&newer).unwrap()).unwrap_err();
        assert!(error.to_string().contains("version 2"), "{error}");
        for garbage in [Snapshot::of(&"x").unwrap(), Snapshot::of(&((), 1)).unwrap()] {
            assert!(Memory::read(&garbage).is_err());
        }
    }
}
