//! Finds the host's process among the ancestors of a process.

use std::path::Path;

use super::process::Stat;
use super::record::SessionRecord;

/// How many ancestors are looked at.
pub(super) const MAX_DEPTH: usize = 64;

/// What the host calls its processes.
pub(super) const NAME: &str = "claude";

/// The nearest ancestor that is a process of the host.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Ancestor {
    pub(super) pid: u32,
    pub(super) start: String,
    /// Its record, where there is one that is its own.
    pub(super) record: Option<SessionRecord>,
}

/// The nearest ancestor of `pid` that has a record of its own, or is named as the host's
/// processes are. A record whose start differs, or is not given, is that of another process.
pub(super) fn nearest(proc: &Path, host: Option<&Path>, pid: u32) -> Option<Ancestor> {
    let mut pid = Stat::read(proc, pid)?.parent;
    for _ in 0..MAX_DEPTH {
        if pid == 0 {
            return None;
        }
        let stat = Stat::read(proc, pid)?;
        let record = host.and_then(|host| own_record(host, pid, &stat.start));
        if record.is_some() || stat.name == NAME {
            return Some(Ancestor {
                pid,
                start: stat.start,
                record,
            });
        }
        pid = stat.parent;
    }
    None
}

/// Whether the process `of` is among the ancestors of `pid`.
pub(super) fn descends(proc: &Path, pid: u32, of: u32) -> bool {
    let parent = |pid: &u32| Stat::read(proc, *pid).map(|stat| stat.parent);
    let ancestors = std::iter::successors(parent(&pid), parent).take(MAX_DEPTH);
    ancestors
        .take_while(|ancestor| *ancestor != 0)
        .any(|ancestor| ancestor == of)
}

/// The record of the process `pid` that started at `start`.
pub(super) fn own_record(host: &Path, pid: u32, start: &str) -> Option<SessionRecord> {
    let record = SessionRecord::read(host, pid)?;
    (record.proc_start.as_deref() == Some(start)).then_some(record)
}
