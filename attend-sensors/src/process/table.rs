//! The process table: who is new in it, whose they are, and from whom they descend.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::os::unix::fs::{DirEntryExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::stat::{Stat, head};

/// How many ancestors are looked at.
const MAX_DEPTH: usize = 64;

/// How much of the words of a command is read, in bytes.
const MAX_WORDS: usize = 4_096;

/// In how many parts of a second the system counts when a process started.
const PARTS: u64 = 100;

/// A process. A pid alone names none: pids are used again.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub(super) struct Member {
    pub(super) pid: u32,
    pub(super) start: String,
}

/// An entry of the table: a pid, and what tells it from the entry that another process has
/// under the same pid.
pub(super) type Entry = (u32, u64);

/// The table as one look sees it.
#[derive(Debug)]
pub(super) struct Table<'a> {
    proc: &'a Path,
    stats: Mutex<HashMap<u32, Option<Stat>>>,
}

impl<'a> Table<'a> {
    pub(super) fn new(proc: &'a Path) -> Self {
        Self {
            proc,
            stats: Mutex::default(),
        }
    }

    /// All processes, by pid.
    pub(super) fn entries(&self) -> io::Result<Vec<Entry>> {
        let mut entries = Vec::new();
        for entry in fs::read_dir(self.proc)? {
            let entry = entry?;
            let pid = entry
                .file_name()
                .to_str()
                .and_then(|name| name.parse().ok());
            entries.extend(pid.map(|pid| (pid, entry.ino())));
        }
        entries.sort_unstable();
        Ok(entries)
    }

    /// The pid that was given last, where the table says it of its own processes: as long as
    /// that is the same, nobody is new.
    pub(super) fn last(&self) -> Option<u32> {
        let line = head(&self.proc.join("loadavg"), 128)?;
        let line = std::str::from_utf8(&line).ok()?;
        line.split_whitespace()
            .nth(4)?
            .parse()
            .ok()
            .filter(|last| *last > 0)
    }

    /// Who reads it, as it numbers them; none where it does not say.
    pub(super) fn reader(&self) -> Option<u32> {
        let link = fs::read_link(self.proc.join("self")).ok()?;
        link.to_str()?.parse().ok()
    }

    /// The user who reads it.
    pub(super) fn user(&self) -> Option<u32> {
        let reader = fs::metadata(self.proc.join("self"));
        let found = reader.or_else(|_| fs::metadata(self.proc)).ok()?;
        Some(found.uid())
    }

    /// Whose the process `pid` is.
    pub(super) fn owner(&self, pid: u32) -> Option<u32> {
        let found = fs::metadata(self.proc.join(pid.to_string())).ok()?;
        Some(found.uid())
    }

    /// The process `pid`, as it was when this look first asked; none where it has ended.
    pub(super) fn stat(&self, pid: u32) -> Option<Stat> {
        let mut stats = self.stats.lock().unwrap_or_else(PoisonError::into_inner);
        let stat = stats
            .entry(pid)
            .or_insert_with(|| Stat::read(self.proc, pid));
        stat.clone()
    }

    /// Whether it runs, now.
    pub(super) fn runs(&self, member: &Member) -> bool {
        Stat::read(self.proc, member.pid).is_some_and(|stat| stat.start == member.start)
    }

    /// The words of the command of the process `pid`.
    pub(super) fn words(&self, pid: u32) -> Option<Vec<u8>> {
        head(&self.proc.join(format!("{pid}/cmdline")), MAX_WORDS)
    }

    /// The directory in which the process `pid` works.
    pub(super) fn cwd(&self, pid: u32) -> Option<PathBuf> {
        fs::read_link(self.proc.join(format!("{pid}/cwd"))).ok()
    }

    /// The process `pid` and those from which it descends, the nearest first.
    pub(super) fn line(&self, pid: u32) -> Vec<Member> {
        let mut line = Vec::new();
        let mut next = pid;
        while next != 0
            && line.len() <= MAX_DEPTH
            && let Some(stat) = self.stat(next)
        {
            let pid = std::mem::replace(&mut next, stat.parent);
            let start = stat.start;
            line.push(Member { pid, start });
        }
        line
    }

    /// How long ago the process started that says it did at `start`.
    pub(super) fn age(&self, start: &str) -> Option<Duration> {
        let text = head(&self.proc.join("uptime"), 64)?;
        let up = std::str::from_utf8(&text).ok()?.split_whitespace().next()?;
        let up = Duration::try_from_secs_f64(up.parse().ok()?).ok()?;
        let parts: u64 = start.parse().ok()?;
        Some(up.saturating_sub(Duration::from_millis(parts.saturating_mul(1_000 / PARTS))))
    }
}
