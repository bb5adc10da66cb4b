//! The other sessions of the host: the records of its processes, and the ends of their transcripts.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use attend_core::sensor::{Clock, HostProcess, Peer, PeerState, Root, Roots, SensorError};

use super::ancestry;
use super::cached::Cached;
use super::finding::Session;
use super::folder::folder_name;
use super::following::Following;
use super::hook::HookRecord;
use super::process::{Liveness, is_table, liveness};
use super::record::{SessionRecord, SessionStatus, pids};
use super::seen::Seen;
use super::stamp::Millis;
use super::statusline::StatusLine;
use super::transcript::{Depth, Transcript};
use super::usage::Meter;

/// How many sessions are told: those that began first, so that a further one changes nothing.
const MOST: usize = 64;

/// What was learned of the other sessions, kept between looks.
#[derive(Debug, Default)]
pub(super) struct Peers {
    listed: Option<Seen<SystemTime>>,
    others: BTreeMap<u32, Other>,
    /// Whether the directory of the records was there once.
    was_there: bool,
    reads: Reads,
}

/// How much was read, so that a test can hold that it was nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Reads {
    listings: u64,
    records: u64,
}

/// One process that has a record.
#[derive(Debug)]
struct Other {
    record: Cached<SessionRecord>,
    hook: Cached<HookRecord>,
    line: Cached<StatusLine>,
    /// Whether this session started it, with the start of the process of which that was found.
    own: Option<(String, bool)>,
    following: Option<Following>,
}

/// A live session of another process.
pub(super) struct Live<'a> {
    record: &'a SessionRecord,
    /// Its id: what a hook told, else what the record says.
    pub(super) session: String,
    following: Option<&'a Following>,
    pub(super) line: Option<&'a StatusLine>,
}

impl Peers {
    /// Who lives beside `session`, in the order in which they began; none where that cannot be
    /// seen from here. The transcripts of those that work near one of the directories `near` are
    /// read for their edits, too.
    ///
    /// # Errors
    ///
    /// Transient: the records cannot be listed now.
    pub(super) fn look(
        &mut self,
        roots: &Roots,
        session: &Session,
        near: &[PathBuf],
        clock: &dyn Clock,
    ) -> Result<Option<Vec<Live<'_>>>, SensorError> {
        let (Some(host), Some(proc)) = (roots.get(Root::Host), roots.get(Root::Proc)) else {
            return Ok(None);
        };
        if !is_table(proc) {
            return Ok(None);
        }
        self.list(host, clock).map_err(|error| {
            SensorError::transient(format!("cannot list the host's records: {error}"))
        })?;
        let own_pid = session.process.as_ref().map(|process| process.pid);
        let mut found = Vec::new();
        for (pid, other) in &mut self.others {
            let path = SessionRecord::path(host, *pid);
            let reads = &mut self.reads.records;
            let record = other.record.at(&path, clock, |json| {
                *reads += 1;
                SessionRecord::parse(json)
            });
            let Some(record) = record.filter(|record| record.pid == *pid && !record.driven) else {
                continue;
            };
            if own_pid == Some(*pid) || liveness(proc, record) != Liveness::Alive {
                other.following = None;
                continue;
            }
            let record = record.clone();
            if own_pid.is_some_and(|own| other.is_below(own, proc, &record)) {
                continue;
            }
            let Some(id) = other.session(roots, &record, clock) else {
                continue;
            };
            if session.id() != Some(&id) {
                found.push((record.started, *pid, id));
            }
        }
        found.sort();
        let mut known = BTreeSet::new();
        found.retain(|(.., id)| known.insert(id.clone()));
        found.truncate(MOST);
        for (_, pid, id) in &found {
            if let Some(other) = self.others.get_mut(pid) {
                other.follow(id, host, roots.get(Root::State), near, clock);
            }
        }
        let others = &self.others;
        let live = found.into_iter().filter_map(|(_, pid, session)| {
            let other = others.get(&pid)?;
            Some(Live {
                record: other.record.value()?,
                session,
                following: other.following.as_ref(),
                line: other.line.value(),
            })
        });
        Ok(Some(live.collect()))
    }

    /// Lists the records again where the directory changed.
    fn list(&mut self, host: &Path, clock: &dyn Clock) -> io::Result<()> {
        let written = match fs::metadata(host.join("sessions")).and_then(|found| found.modified()) {
            Ok(written) => written,
            Err(error) if error.kind() == io::ErrorKind::NotFound && !self.was_there => {
                return Ok(());
            }
            Err(error) => return Err(error),
        };
        let listed = self.listed.get_or_insert_with(Seen::nothing);
        if !listed.must_read(written, clock) {
            return Ok(());
        }
        let pids = pids(host).inspect_err(|_| self.listed = None)?;
        self.reads.listings += 1;
        self.was_there = true;
        let pids: BTreeSet<u32> = pids.into_iter().collect();
        self.others.retain(|pid, _| pids.contains(pid));
        for pid in pids {
            self.others.entry(pid).or_insert_with(Other::new);
        }
        Ok(())
    }
}

impl Other {
    fn new() -> Self {
        Self {
            record: Cached::new(),
            hook: Cached::new(),
            line: Cached::new(),
            own: None,
            following: None,
        }
    }

    /// Whether its process descends from `own`, the process of this session.
    fn is_below(&mut self, own: u32, proc: &Path, record: &SessionRecord) -> bool {
        let start = record.proc_start.as_deref().unwrap_or_default();
        match &self.own {
            Some((of, is_below)) if of == start => *is_below,
            _ => {
                let is_below = ancestry::descends(proc, record.pid, own);
                self.own = Some((start.to_owned(), is_below));
                is_below
            }
        }
    }

    /// The session that the process of `record` holds.
    fn session(
        &mut self,
        roots: &Roots,
        record: &SessionRecord,
        clock: &dyn Clock,
    ) -> Option<String> {
        let state = roots.get(Root::State);
        let hook = state.and_then(|state| {
            let path = HookRecord::path(state, record.pid);
            let hook = self.hook.at(&path, clock, HookRecord::parse)?;
            let fits = Some(&hook.proc_start) == record.proc_start.as_ref();
            (hook.pid == record.pid && fits).then(|| hook.session_id.clone())
        });
        hook.or_else(|| record.session.clone())
    }

    /// Looks for what is new of its context. What cannot be read now stays as it was.
    fn follow(
        &mut self,
        id: &str,
        host: &Path,
        state: Option<&Path>,
        near: &[PathBuf],
        clock: &dyn Clock,
    ) {
        let record = self.record.value();
        let cwd = record.and_then(|record| record.cwd.as_deref());
        let is_near = cwd.is_some_and(|cwd| is_near(cwd, near));
        // Once its edits were wanted they are followed, whoever asks.
        let serves = |known: &Following| {
            known.id() == id && (!is_near || matches!(known.depth(), Depth::Edits))
        };
        self.following.take_if(|known| !serves(known));
        let depth = if is_near { Depth::Edits } else { Depth::Glance };
        let following = self
            .following
            .get_or_insert_with(|| Following::new(id.to_owned(), depth));
        let likely = cwd.map(folder_name);
        // Looked for everywhere as seldom as for a session that waits: there may be many.
        let _ = following.look(&host.join("projects"), likely.as_deref(), false, clock);
        if is_near {
            following.look_at_subagents(clock);
        }
        if let Some(path) = state.and_then(|state| StatusLine::path(state, id)) {
            self.line.at(&path, clock, StatusLine::parse);
        }
    }
}

/// Whether `cwd` lies in one of `directories`, or around one.
fn is_near(cwd: &Path, directories: &[PathBuf]) -> bool {
    let mut directories = directories.iter();
    directories.any(|directory| cwd.starts_with(directory) || directory.starts_with(cwd))
}

impl<'a> Live<'a> {
    /// Its transcripts, if it works near one of `directories`.
    pub(super) fn near(&self, directories: &[PathBuf]) -> Option<&'a Following> {
        let cwd = self.record.cwd.as_deref()?;
        self.following.filter(|_| is_near(cwd, directories))
    }

    /// What is known of the size of its context.
    pub(super) fn meter(&self) -> Option<&Meter> {
        let transcript = self.following.and_then(Following::transcript);
        transcript.map(Transcript::meter)
    }

    /// Since when it does what it does.
    pub(super) fn since(&self) -> Option<Millis> {
        self.record
            .status
            .and(self.record.status_since.or(self.record.started))
    }

    /// What is told of it, without times and counts.
    pub(super) fn peer(&self) -> Peer {
        let record = self.record;
        let mut process = HostProcess::new(record.pid);
        process.started.clone_from(&record.proc_start);
        process.alive = Some(true);
        let mut peer = Peer::new(self.session.clone(), process);
        peer.name.clone_from(&record.name);
        peer.cwd.clone_from(&record.cwd);
        peer.interactive = record.interactive;
        peer.state = match record.status {
            None => PeerState::Unknown,
            Some(SessionStatus::Idle) => PeerState::Idle,
            Some(SessionStatus::Busy | SessionStatus::Shell) => PeerState::Busy,
            Some(SessionStatus::Waiting) => PeerState::Waiting,
        };
        peer
    }
}

#[cfg(test)]
mod tests;
