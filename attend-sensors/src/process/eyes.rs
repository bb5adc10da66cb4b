//! What may be different since the last look, told without looking at every process.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

use attend_core::dynamics::Tick;
use attend_core::sensor::{BuildContext, ErrorKind, Exit, Exits, Root, Roots, Watch};

use super::known::Known;
use super::record::WatchRecord;
use super::table::{Entry, Member, Table};

/// The table is listed so often, in ticks, whatever it says of the last pid.
const SAFETY: u64 = 30;

/// The ends of builds, the records of `attend watch`, and who stood in the process table.
pub(super) struct Eyes {
    exits: Option<Box<dyn Exits>>,
    /// Processes whose end is waited for.
    awaited: Vec<u32>,
    /// Ends that were told and not yet looked into.
    pub(super) ended: BTreeMap<u32, Option<Exit>>,
    /// Processes that were gone at the last look, and whose end is not told yet.
    pub(super) missing: Vec<Member>,
    records: Option<Box<dyn Watch>>,
    is_watched: bool,
    /// Whether records may be other than at the last look.
    pub(super) records_changed: bool,
    pub(super) seen: Seen,
}

/// Who stood in the table.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Seen {
    pub(super) entries: Vec<Entry>,
    /// Those of them that were new, and may yet become something else.
    pub(super) young: Vec<u32>,
    last: Option<u32>,
    at: Option<Tick>,
}

impl Eyes {
    pub(super) fn new(cx: &BuildContext) -> Self {
        Self {
            exits: cx.watch_exits().ok(),
            awaited: Vec::new(),
            ended: BTreeMap::new(),
            missing: Vec::new(),
            records: cx.open_watch().ok(),
            is_watched: false,
            records_changed: true,
            seen: Seen::default(),
        }
    }

    /// Takes what was told since the last look. A look that is cancelled finds it again.
    pub(super) fn gather(&mut self, roots: &Roots) {
        if let Some(exits) = &mut self.exits {
            for ended in exits.take() {
                self.awaited.retain(|pid| *pid != ended.pid);
                self.ended.insert(ended.pid, ended.exit);
            }
        }
        let Some(state) = roots.get(Root::State) else {
            self.records_changed = false;
            return;
        };
        self.gather_records(&state.join(WatchRecord::directory()));
    }

    fn gather_records(&mut self, directory: &Path) {
        let Some(watch) = &mut self.records else {
            self.records_changed = true;
            return;
        };
        if self.is_watched {
            let changes = watch.take();
            self.records_changed |= !changes.is_empty();
            self.is_watched = !changes.structure && !changes.lost;
        }
        if !self.is_watched {
            match watch.add(directory) {
                Ok(()) => {
                    self.is_watched = true;
                    self.records_changed = true;
                }
                // It appears with the first command that is watched.
                Err(error) if error.kind() == ErrorKind::Transient => {}
                Err(_) => self.records = None,
            }
        }
    }

    /// Whether nothing was told since the last look.
    pub(super) fn nothing_told(&self) -> bool {
        self.ended.is_empty() && !self.records_changed
    }

    /// Whether the same processes stand in the table as at the last look, which looked at each.
    pub(super) fn same_table(&self, table: &Table<'_>, now: Tick) -> bool {
        let seen = &self.seen;
        let is_fresh = seen.at.is_some_and(|at| now.since(at).get() < SAFETY);
        is_fresh && seen.young.is_empty() && seen.last.is_some() && table.last() == seen.last
    }

    /// Keeps what a look saw that came to its end.
    pub(super) fn settle(
        &mut self,
        seen: Seen,
        missing: Vec<Member>,
        known: &Known,
        table: Option<&Table<'_>>,
    ) {
        self.seen = seen;
        self.missing = missing;
        self.ended.clear();
        self.records_changed = false;
        self.follow(known, table);
    }

    /// Waits for the ends of the builds of `known`, and of nobody else.
    fn follow(&mut self, known: &Known, table: Option<&Table<'_>>) {
        let (Some(exits), Some(table)) = (&mut self.exits, table) else {
            return;
        };
        let running = known.builds.iter().filter(|build| build.runs());
        let running: Vec<&Member> = running.map(|build| &build.process).collect();
        let runs = |pid: &u32| running.iter().any(|member| member.pid == *pid);
        for gone in self.awaited.extract_if(.., |pid| !runs(pid)) {
            exits.remove(gone);
        }
        for member in running {
            // One that cannot be waited for is looked at.
            if self.awaited.contains(&member.pid) || exits.add(member.pid).is_err() {
                continue;
            }
            if table.runs(member) {
                self.awaited.push(member.pid);
            } else {
                // Its pid may be another's by now.
                exits.remove(member.pid);
            }
        }
    }

    /// Whether somebody waits for the end of `member`, and may yet be told.
    pub(super) fn awaits(&self, member: &Member) -> bool {
        self.awaited.contains(&member.pid) && !self.missing.contains(member)
    }
}

impl Seen {
    /// Whether anybody looked yet.
    pub(super) fn is_none(&self) -> bool {
        self.at.is_none()
    }

    /// Who stands in the table now.
    pub(super) fn now(table: &Table<'_>, now: Tick) -> std::io::Result<Self> {
        // Asked first: whoever comes between the two is seen again.
        let last = table.last();
        Ok(Self {
            entries: table.entries()?,
            young: Vec::new(),
            last,
            at: Some(now),
        })
    }

    /// Those who stand there and did not before, or may have become something else since.
    pub(super) fn new_since(&self, before: &Self) -> Vec<u32> {
        let is_new = |entry: &&Entry| {
            before.young.contains(&entry.0) || before.entries.binary_search(entry).is_err()
        };
        let new = self.entries.iter().filter(is_new);
        new.map(|(pid, _)| *pid).collect()
    }
}

impl fmt::Debug for Eyes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Eyes")
            .field("awaited", &self.awaited)
            .field("seen", &self.seen.entries.len())
            .finish_non_exhaustive()
    }
}
