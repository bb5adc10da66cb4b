//! Finds the session: the host's process, its record, what a hook left, and the decision.

use std::path::{Path, PathBuf};

use attend_core::sensor::{Clock, HostProcess, Identity, Root, Roots, SessionInfo};

use super::ancestry::{self, Ancestor};
use super::cached::Cached;
use super::hook::HookRecord;
use super::identity::{self, Found, Given};
use super::process::{self, Liveness, Stat, liveness};
use super::record::SessionRecord;

/// What is known of the session, kept between looks.
#[derive(Debug)]
pub(super) struct Finding {
    roots: Roots,
    given: Given,
    ancestor: Option<Ancestor>,
    /// Whether processes have other numbers here than where the ancestor was found.
    is_foreign: bool,
    record: Cached<SessionRecord>,
    hook: Cached<HookRecord>,
}

/// What one look found.
#[derive(Clone, Debug)]
pub(super) struct Session {
    pub(super) identity: Identity,
    /// The record of the process that holds it.
    pub(super) record: Option<SessionRecord>,
    pub(super) process: Option<HostProcess>,
}

impl Finding {
    pub(super) fn new(roots: Roots, given: Given) -> Self {
        Self {
            roots,
            given,
            ancestor: None,
            is_foreign: false,
            record: Cached::new(),
            hook: Cached::new(),
        }
    }

    pub(super) fn given(&self) -> &Given {
        &self.given
    }

    pub(super) fn roots(&self) -> &Roots {
        &self.roots
    }

    /// Where the transcripts of all projects lie.
    pub(super) fn projects(&self) -> Option<PathBuf> {
        Some(self.roots.get(Root::Host)?.join("projects"))
    }

    /// Looks who it is now: a session id changes while its process goes on.
    pub(super) fn look(&mut self, clock: &dyn Clock) -> Session {
        let proc = self.roots.get(Root::Proc).map(Path::to_owned);
        let host = self.roots.get(Root::Host).map(Path::to_owned);
        if self.ancestor.is_none()
            && let Some(proc) = &proc
        {
            let pid = process::in_table(proc, self.given.pid);
            self.is_foreign = pid != Some(self.given.pid);
            self.ancestor = pid.and_then(|pid| ancestry::nearest(proc, host.as_deref(), pid));
        }
        match self.ancestor.clone() {
            Some(ancestor) => self.below(ancestor, proc.as_deref(), host.as_deref(), clock),
            None => self.apart(proc.as_deref(), host.as_deref(), clock),
        }
    }

    /// With a process of the host among the ancestors.
    fn below(
        &mut self,
        mut ancestor: Ancestor,
        proc: Option<&Path>,
        host: Option<&Path>,
        clock: &dyn Clock,
    ) -> Session {
        let (pid, start) = (ancestor.pid, ancestor.start.clone());
        let record = host.and_then(|host| {
            let read = self
                .record
                .at(&SessionRecord::path(host, pid), clock, SessionRecord::parse);
            read.filter(|record| record.pid == pid && record.proc_start.as_ref() == Some(&start))
        });
        ancestor.record = record.cloned();
        let state = self.roots.get(Root::State).map(Path::to_owned);
        let hook = state.and_then(|state| {
            let read = self
                .hook
                .at(&HookRecord::path(&state, pid), clock, HookRecord::parse);
            read.filter(|hook| hook.pid == pid && hook.proc_start == start)
        });
        let found = Found {
            ancestor: Some(&ancestor),
            hook,
            named: None,
        };
        let runs = proc.and_then(|proc| Stat::read(proc, pid));
        let runs = runs.is_some_and(|runs| runs.start == start);
        let identity = match identity::decide(&self.given, found) {
            // It will not say any more what it did not say.
            Identity::Waiting if !runs => Identity::Refused {
                reason: format!("process {pid} of the host has ended"),
            },
            identity => identity,
        };
        let mut process = HostProcess::new(pid);
        // Whoever asked for its end by its number here would ask for another's.
        process.alive = (!self.is_foreign).then_some(runs);
        process.started = Some(start);
        Session {
            identity,
            record: ancestor.record,
            process: Some(process),
        }
    }

    /// Without one: a sandboxed shell, or no host at all.
    fn apart(&mut self, proc: Option<&Path>, host: Option<&Path>, clock: &dyn Clock) -> Session {
        let record = match (host, self.given.env_pid) {
            (Some(host), Some(pid)) => {
                let read =
                    self.record
                        .at(&SessionRecord::path(host, pid), clock, SessionRecord::parse);
                read.filter(|record| record.pid == pid).cloned()
            }
            _ => None,
        };
        let life = |record| proc.map_or(Liveness::Unknown, |proc| liveness(proc, record));
        let named = record.as_ref().map(|record| (record, life(record)));
        let found = Found {
            named,
            ..Found::default()
        };
        let identity = identity::decide(&self.given, found);
        let holds = |record: &SessionRecord| match &identity {
            Identity::Known { id, .. } => record.session.as_ref() == Some(id),
            _ => false,
        };
        let holder = named.filter(|(record, _)| holds(record));
        let process = holder.map(|(record, life)| {
            let mut process = HostProcess::new(record.pid);
            process.started.clone_from(&record.proc_start);
            process.alive = match life {
                Liveness::Alive => Some(true),
                Liveness::Gone => Some(false),
                Liveness::Unknown => None,
            };
            process
        });
        Session {
            record: holder.map(|(record, _)| record.clone()),
            identity,
            process,
        }
    }
}

impl Session {
    pub(super) fn id(&self) -> Option<&str> {
        match &self.identity {
            Identity::Known { id, .. } => Some(id),
            _ => None,
        }
    }

    /// What is told of it.
    pub(super) fn info(&self, watch: Vec<PathBuf>) -> SessionInfo {
        let mut info = SessionInfo::new(self.identity.clone());
        info.process.clone_from(&self.process);
        info.cwd = self.record.as_ref().and_then(|record| record.cwd.clone());
        info.interactive = self.record.as_ref().map(|record| record.interactive);
        info.watch = watch;
        info
    }
}
