//! Follows the builds that are known to their ends, and the records of `attend watch`.

use std::collections::BTreeMap;
use std::time::{Duration, SystemTime};

use attend_core::dynamics::Tick;
use attend_core::sensor::{Exit, HostProcess, Root, Roots, SensorError};

use super::eyes::Eyes;
use super::find::{Search, ago};
use super::known::{Build, End, How, Known, Stage};
use super::record::{self, WatchRecord};
use super::table::Member;
use crate::trees::Trees;

/// What ended so long before the first look after it is no news any more.
const STALE: Duration = Duration::from_hours(1);

/// A build that began so long before the first look and is gone is forgotten.
const OLD: Duration = Duration::from_hours(24);

/// The builds that were known, and which of them are gone.
pub(super) struct Follow<'a> {
    search: &'a Search<'a>,
    ended: &'a BTreeMap<u32, Option<Exit>>,
    records_changed: bool,
    /// Whether this is the first look since attend runs.
    is_first: bool,
    gone: Vec<Member>,
    /// Those of them whose end is told a moment later.
    later: Vec<Member>,
}

impl<'a> Follow<'a> {
    /// Looks which of the builds that ran are gone; before anything else is read, so that what
    /// they left behind is found.
    pub(super) fn begin(search: &'a Search<'a>, eyes: &'a Eyes, known: &Known) -> Self {
        let running = known.builds.iter().filter(|build| build.runs());
        let is_gone = |build: &&Build| {
            let Some(table) = search.table else {
                return false;
            };
            eyes.ended.contains_key(&build.process.pid) || !table.runs(&build.process)
        };
        let gone: Vec<&Build> = running.filter(is_gone).collect();
        let is_later = |build: &&&Build| {
            let told = eyes.ended.contains_key(&build.process.pid);
            build.record.is_none() && !told && eyes.awaits(&build.process)
        };
        let later = gone.iter().filter(is_later);
        Self {
            search,
            ended: &eyes.ended,
            is_first: eyes.seen.is_none(),
            records_changed: eyes.records_changed
                || gone.iter().any(|build| build.record.is_some()),
            later: later.map(|build| build.process.clone()).collect(),
            gone: gone
                .into_iter()
                .map(|build| build.process.clone())
                .collect(),
        }
    }

    /// The pids of the builds that are gone.
    pub(super) fn gone(&self) -> impl Iterator<Item = u32> {
        self.gone.iter().map(|member| member.pid)
    }

    /// The records of `attend watch`, where they may be other than at the last look.
    pub(super) fn records(&self, roots: &Roots) -> Result<Option<Vec<WatchRecord>>, SensorError> {
        match roots.get(Root::State) {
            Some(state) if self.records_changed => Ok(Some(record::all(state)?)),
            _ => Ok(None),
        }
    }

    /// Takes up what `records` say of commands of this project.
    pub(super) fn take(
        &mut self,
        records: &[WatchRecord],
        is_new: bool,
        wall: SystemTime,
        host: Option<&HostProcess>,
        known: &mut Known,
    ) {
        let mut trees = None;
        for record in records {
            let id = record.file_name();
            if known.settled.contains(&id) {
                continue;
            }
            let trees = trees.get_or_insert_with(|| Trees::of(self.search.project.root()));
            if !trees.hold(&record.cwd) {
                continue;
            }
            let age = wall.duration_since(record.began()).unwrap_or_default();
            let began = ago(self.search.now, age);
            let is_known = |build: &Build| build.record.as_ref() == Some(&id);
            let Some(end) = record.ended else {
                if !known.builds.iter().any(is_known) && self.is_alive(record) {
                    self.search.add_record(record, began, host, known);
                }
                continue;
            };
            known.settled.insert(id.clone());
            let took = Duration::from_millis(end.took);
            let is_stale = age.saturating_sub(took) >= STALE;
            if !known.builds.iter().any(is_known) {
                if is_new || is_stale {
                    continue;
                }
                self.search.add_record(record, began, host, known);
            }
            let now = self.search.now;
            for build in known.builds.iter_mut().filter(|build| is_known(build)) {
                build.stage = Stage::Ended(End {
                    found: now,
                    at: ago(now, age.saturating_sub(took)),
                    took,
                    how: How::of(end.exit()),
                });
            }
        }
        let ids: Vec<String> = records.iter().map(WatchRecord::file_name).collect();
        known.settled.retain(|id| ids.contains(id));
    }

    /// Ends the builds that are gone, as far as it is known how.
    pub(super) fn end(&self, known: &mut Known) {
        let now = self.search.now;
        if self.is_first {
            let is_old = |build: &Build| since(build.began, now) >= OLD;
            let is_gone = |build: &Build| self.gone.contains(&build.process);
            known
                .builds
                .retain(|build| !(build.runs() && is_gone(build) && is_old(build)));
        }
        for build in &mut known.builds {
            let is_over =
                self.gone.contains(&build.process) && !self.later.contains(&build.process);
            if !build.runs() || !is_over {
                continue;
            }
            // A record that says nothing of the end is of a command that went on alone.
            let told = self.ended.get(&build.process.pid).copied().flatten();
            let told = told.filter(|_| build.record.is_none());
            let how = if self.is_first {
                How::Unseen
            } else {
                How::of(told)
            };
            build.stage = Stage::Ended(End {
                found: now,
                at: now,
                took: since(build.began, now),
                how,
            });
        }
    }

    /// The builds that are gone and whose end is told a moment later.
    pub(super) fn missing(self) -> Vec<Member> {
        self.later
    }

    /// Whether the command of `record` may still run.
    fn is_alive(&self, record: &WatchRecord) -> bool {
        match (self.search.table, record.process()) {
            (Some(table), Some(process)) => table.runs(&process),
            // Nobody can tell; its end is recorded.
            _ => record.start.is_none() && self.search.table.is_none(),
        }
    }
}

fn since(began: Tick, now: Tick) -> Duration {
    Duration::from_secs(now.since(began).get())
}
