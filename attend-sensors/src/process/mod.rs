//! The `process` sensor: builds of this project that start, end, fail, or run unusually long.
//!
//! | key | magnitude | says |
//! |---|---|---|
//! | `build:ID` | 1.0 | `cargo build started` |
//! | `build:ID` | 2.5, from 30 s on 3.0 | `cargo build finished after 42 s, exit code 0`, with the signal `build-complete`; `… ended after 42 s, exit code unknown`, without |
//! | `usual:NAME` | 1.5, from 30 s on 3.0 | the same of one that ended well as three of its name did before |
//! | `build:ID` | 3.5 | `cargo build failed after 42 s, exit code 101`, with the signal `build-failed` |
//! | `build:ID` | 2.0 | `cargo build runs unusually long: 6 min by now, 2 min at most before` |
//!
//! A build is the topmost tool of a line of processes: what it starts is part of it. It belongs
//! to this user, works in this project, and is called by its tool and what that is to do; no
//! other word of its command is told. What the session itself waits for, and what attend or a
//! language server runs, is no news. `ID` tells builds apart: the end of one takes the place of
//! its start, where that was not told yet.
//!
//! The exit code of a process that somebody else started is told by the kernel alone, on Linux
//! from 6.15 on; otherwise it is unknown. That of a command which `attend watch` runs is exact.
//!
//! A look reads only what is new in the process table, and not even that while the table says
//! that no pid was given since. A process that starts and ends between two looks is not seen,
//! unless `attend watch` runs it.

mod config;
pub use config::ProcessConfig;

mod history;

mod tool;

mod table;

mod record;
pub use record::{WatchEnd, WatchRecord, surplus};

mod known;

mod say;

mod own;

mod eyes;

mod find;

mod follow;

use std::time::Duration;

use async_trait::async_trait;
use attend_core::sensor::{
    BuildContext, ConfigError, Declares, HostAnswer, HostProcess, HostRequest, PollContext,
    Profile, Root, Sensor, SensorError, SensorSpec, Snapshot, WakeHandle,
};

use eyes::{Eyes, Seen};
use find::Search;
use follow::Follow;
use known::{Known, Memory, Stage};
use own::{Said, Verdict};
use table::Table;
use tool::Tools;

impl SensorSpec for ProcessConfig {
    const KIND: &'static str = "process";
    const ABOUT: &'static str = "build and development tools that run in the project";

    fn check(&self) -> Result<(), ConfigError> {
        self.refuse()
    }

    fn build(self, cx: &BuildContext) -> Result<Box<dyn Sensor>, ConfigError> {
        self.refuse()?;
        let names = self.tools.iter().chain(&self.also).cloned();
        Ok(Box::new(Process {
            tools: Tools::new(names),
            eyes: Eyes::new(cx),
            memory: Memory::default(),
            wake: cx.wake(),
            config: self,
        }))
    }

    fn profile() -> Profile {
        Profile::new(5, 1, 2_000, 5)
    }

    fn declares() -> Declares {
        say::declares()
    }

    #[cfg(feature = "schema")]
    fn schema() -> attend_core::sensor::Schema {
        attend_core::sensor::Schema::of::<Self>()
    }
}

#[derive(Debug)]
struct Process {
    config: ProcessConfig,
    tools: Tools,
    eyes: Eyes,
    memory: Memory,
    wake: WakeHandle,
}

#[async_trait]
impl Sensor for Process {
    async fn poll(&mut self, cx: &mut PollContext) -> Result<(), SensorError> {
        let now = cx.now();
        let proc = cx.roots().get(Root::Proc).map(std::path::Path::to_owned);
        let table = proc.as_deref().map(Table::new);
        self.eyes.gather(cx.roots());
        let same = table.as_ref();
        let same = same.is_none_or(|table| self.eyes.same_table(table, now));
        let known = self.memory.0.as_ref();
        let is_idle = known.is_some_and(|known| known.builds.is_empty());
        if is_idle && same && self.eyes.nothing_told() {
            return Ok(());
        }
        let mut seen = match &table {
            Some(table) if !same => Seen::now(table, now).map_err(|error| {
                SensorError::transient(format!("cannot list the processes: {error}"))
            })?,
            _ => self.eyes.seen.clone(),
        };
        let mut known = self.memory.0.clone().unwrap_or_default();
        let stage = if self.eyes.seen.is_none() {
            // Nobody knows that it is new; its end is news all the same.
            Stage::Runs { heard: true }
        } else {
            Stage::Began { found: now }
        };
        let search = Search {
            table: table.as_ref(),
            tools: &self.tools,
            not_below: &self.config.not_below,
            project: cx.project(),
            now,
            stage,
        };
        let mut follow = Follow::begin(&search, &self.eyes, &known);
        let records = follow.records(cx.roots())?;
        let mut new = seen.new_since(&self.eyes.seen);
        // Their pids may be others' by now.
        new.extend(
            follow
                .gone()
                .filter(|pid| !new.contains(pid))
                .collect::<Vec<_>>(),
        );
        let found = search.inspect(&new, &self.eyes.seen.young);
        let host = if found.candidates.is_empty() && records.is_none() {
            None
        } else {
            host_of(cx).await?
        };
        if let Some(records) = &records {
            let is_first = self.memory.0.is_none();
            follow.take(records, is_first, cx.wall(), host.as_ref(), &mut known);
        }
        follow.end(&mut known);
        search.add(found.candidates, host.as_ref(), &mut known);
        let said = if known.asks() {
            own::said(cx).await
        } else {
            Said::Nothing
        };
        // From here on nothing is waited for.
        seen.young = found.young;
        let missing = follow.missing();
        let is_waiting = self.tell(cx, &mut known, &said);
        self.eyes.settle(seen, missing, &known, table.as_ref());
        if is_waiting || !self.eyes.missing.is_empty() {
            self.wake.wake();
        }
        self.memory = Memory(Some(known));
        Ok(())
    }

    fn snapshot(&self) -> Option<Snapshot> {
        self.memory.write()
    }

    fn restore(&mut self, from: &Snapshot) -> Result<(), SensorError> {
        self.memory = Memory::read(from)?;
        Ok(())
    }
}

impl Process {
    /// Tells what is news, and whether something is left of which that is not known yet.
    fn tell(&self, cx: &mut PollContext, known: &mut Known, said: &Said) -> bool {
        let now = cx.now();
        let mut is_waiting = false;
        let Known {
            builds, history, ..
        } = known;
        builds.retain_mut(|build| {
            let verdict = own::judge(build, said, now);
            match (build.stage, verdict) {
                (Stage::Began { .. } | Stage::Ended(_), Verdict::NotYet) => is_waiting = true,
                (Stage::Began { .. }, verdict) => {
                    let heard = verdict == Verdict::News;
                    if heard {
                        cx.report(say::started(build));
                    }
                    build.stage = Stage::Runs { heard };
                }
                (Stage::Ended(end), verdict) => {
                    let usual = history.is_usual(&build.name, &self.config);
                    let usual = say::ended_as_usual(build, &end).filter(|_| usual);
                    match usual {
                        _ if verdict != Verdict::News => cx.clear(build.key()),
                        Some(event) => {
                            cx.clear(build.key());
                            cx.report(event);
                        }
                        None => cx.report(say::ended(build, &end)),
                    }
                    if end.how == known::How::Code(0) {
                        history.add(&build.name, end.took);
                    }
                    return false;
                }
                (Stage::Runs { heard: true }, _) => {
                    let so_far = Duration::from_secs(now.since(build.began).get());
                    let longest = history.exceeded(&build.name, so_far, &self.config);
                    if let Some(longest) = longest {
                        cx.report(say::unusual(build, so_far, longest));
                        build.stage = Stage::Runs { heard: false };
                    }
                }
                (Stage::Runs { heard: false }, _) => {}
            }
            true
        });
        is_waiting
    }
}

impl Known {
    /// Whether the host has to be asked whose doing something is.
    fn asks(&self) -> bool {
        let mut builds = self.builds.iter();
        builds.any(|build| build.below_host.is_some() && !matches!(build.stage, Stage::Runs { .. }))
    }
}

/// The process of this session's host, where there is one.
async fn host_of(cx: &PollContext) -> Result<Option<HostProcess>, SensorError> {
    match cx.host().ask(&HostRequest::Session).await? {
        HostAnswer::Session(session) => Ok(session.process),
        _ => Ok(None),
    }
}
