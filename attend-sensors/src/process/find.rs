//! Finds builds among the processes that are new: the topmost tool of each line of descent.

use std::path::Path;

use attend_core::dynamics::{Tick, TickDelta};
use attend_core::sensor::{HostProcess, Project};

use super::known::{Build, Known, Stage};
use super::record::WatchRecord;
use super::table::{Member, Table};
use super::tool::{Tools, is_kept};
use crate::stat::Stat;
use crate::trees::Trees;

/// What a look looks for.
pub(super) struct Search<'a> {
    pub(super) table: Option<&'a Table<'a>>,
    pub(super) tools: &'a Tools,
    pub(super) not_below: &'a [String],
    pub(super) project: &'a Project,
    pub(super) now: Tick,
    /// The stage at which a build is that is found.
    pub(super) stage: Stage,
}

/// A process that is a tool of this project.
#[derive(Debug)]
pub(super) struct Candidate {
    name: String,
    member: Member,
    stat: Stat,
}

/// What came of looking at processes that are new.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// Tools, in the order in which they started.
    pub(super) candidates: Vec<Candidate>,
    /// Those that are nothing yet, and may become something.
    pub(super) young: Vec<u32>,
}

impl Search<'_> {
    /// Looks at each of `new`; those of `again` for the second time, and the last.
    pub(super) fn inspect(&self, new: &[u32], again: &[u32]) -> Found {
        let mut found = Found::default();
        let Some(table) = self.table else {
            return found;
        };
        let (mut user, mut trees) = (None, None);
        for pid in new {
            let Some(stat) = table.stat(*pid) else {
                continue;
            };
            let may_be = self.tools.may_be(&stat.name);
            let words = may_be.then(|| table.words(*pid)).flatten();
            let Some(name) = words.and_then(|words| self.tools.name(&words)) else {
                // A process begins as a copy of its parent.
                if !again.contains(pid) {
                    found.young.push(*pid);
                }
                continue;
            };
            let user = *user.get_or_insert_with(|| table.user());
            if user.is_none() || table.owner(*pid) != user {
                continue;
            }
            let trees = trees.get_or_insert_with(|| Trees::of(self.project.root()));
            let cwd = table.cwd(*pid).filter(|cwd| trees.hold(cwd));
            found.candidates.extend(cwd.map(|cwd| Candidate {
                name: format!("{name}{}", self.place(&cwd)),
                member: Member {
                    pid: *pid,
                    start: stat.start.clone(),
                },
                stat,
            }));
        }
        found.candidates.sort_by_key(|candidate| {
            let start: u64 = candidate.member.start.parse().unwrap_or(u64::MAX);
            (start, candidate.member.pid)
        });
        found
    }

    /// Adds those of `candidates` that run below no other build. `host` is the process of this
    /// session's host.
    pub(super) fn add(
        &self,
        candidates: Vec<Candidate>,
        host: Option<&HostProcess>,
        known: &mut Known,
    ) {
        let Some(table) = self.table.filter(|_| !candidates.is_empty()) else {
            return;
        };
        let reader = table.reader();
        for Candidate { name, member, stat } in candidates {
            let line = table.line(member.pid);
            let is_part = |build: &Build| {
                let runs_above = build.runs() && line.contains(&build.process);
                runs_above || build.process == member || is_left(build, &member, &stat, table)
            };
            let of_attend = line.iter().any(|above| Some(above.pid) == reader);
            let below_other = line.iter().skip(1).any(|above| {
                let kept = table.stat(above.pid).map(|stat| stat.name);
                let is_kept =
                    |name: &String| kept.as_deref().is_some_and(|kept| is_kept(name, kept));
                self.not_below.iter().any(is_kept)
            });
            if of_attend || below_other || known.builds.iter().any(is_part) || known.is_full() {
                continue;
            }
            known.builds.push(Build {
                name,
                group: stat.group,
                began: self.began(&member),
                below_host: self.below(&line, host),
                record: None,
                stage: self.stage,
                process: member,
            });
        }
    }

    /// Adds the command of `record`, which runs.
    pub(super) fn add_record(
        &self,
        record: &WatchRecord,
        began: Tick,
        host: Option<&HostProcess>,
        known: &mut Known,
    ) {
        if known.is_full() {
            return;
        }
        let start = record.start.clone().unwrap_or_default();
        let line = record.line();
        known.builds.push(Build {
            process: Member {
                pid: record.pid,
                start,
            },
            name: format!("{}{}", record.name, self.place(&record.cwd)),
            group: 0,
            began,
            below_host: self.below(&line, host),
            record: Some(record.file_name()),
            stage: self.stage,
        });
    }

    /// When the process below `host` started from which `line` descends, where it does.
    fn below(&self, line: &[Member], host: Option<&HostProcess>) -> Option<Tick> {
        let host = host?;
        let is_host = |above: &Member| {
            let start = host.started.as_ref();
            above.pid == host.pid && start.is_none_or(|start| *start == above.start)
        };
        let at = line.iter().position(is_host)?;
        let shell = line.get(at.checked_sub(1)?)?;
        Some(self.began(shell))
    }

    fn began(&self, member: &Member) -> Tick {
        let age = self.table.and_then(|table| table.age(&member.start));
        let age = age.map_or(0, |age| age.as_secs());
        Tick::new(self.now.get().saturating_sub(age))
    }

    /// Where something runs, as its name goes on, unless that is the root.
    fn place(&self, cwd: &Path) -> String {
        let place = match cwd.strip_prefix(self.project.root()) {
            Ok(below) if below.as_os_str().is_empty() => return String::new(),
            Ok(below) => below,
            Err(_) => cwd.file_name().map_or(cwd, Path::new),
        };
        format!(" in {}", place.display())
    }
}

/// Whether a process is what `build` left behind when it ended: one of its group whose parent
/// is none of that group any more.
fn is_left(build: &Build, member: &Member, stat: &Stat, table: &Table<'_>) -> bool {
    let same = !build.runs() && build.group == stat.group && member.pid != stat.group;
    let parent = same.then(|| table.stat(stat.parent)).flatten();
    parent.is_some_and(|parent| parent.group != stat.group)
}

impl Known {
    fn is_full(&self) -> bool {
        self.builds.len() >= super::known::MOST
    }
}

/// The tick at which something was that is `age` old at `now`.
pub(super) fn ago(now: Tick, age: std::time::Duration) -> Tick {
    let age = TickDelta::new(age.as_secs());
    Tick::new(now.get().saturating_sub(age.get()))
}
