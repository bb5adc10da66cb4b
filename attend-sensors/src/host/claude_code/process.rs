//! What the process table says of one process.

use std::fs;
use std::path::Path;

use super::hook::HookRecord;
use super::record::SessionRecord;
pub(super) use crate::stat::Stat;

/// The process `pid`, which reads `proc`, as that table numbers it: it may be one of another
/// namespace. None where it does not stand there.
pub(super) fn in_table(proc: &Path, pid: u32) -> Option<u32> {
    let link = proc.join("self");
    if !fs::symlink_metadata(&link).is_ok_and(|found| found.is_symlink()) {
        return Some(pid);
    }
    fs::read_link(&link).ok()?.to_str()?.parse().ok()
}

/// Whether a process is the one that a record was written of.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Liveness {
    /// It runs.
    Alive,
    /// It ended; its pid may be another's by now.
    Gone,
    /// That cannot be seen from here.
    Unknown,
}

/// The namespace of processes that a machine starts with.
pub(super) const FIRST_NAMESPACE: &str = "pid:[4026531836]";

/// Whether the process of `record` still runs, by the process table below `proc`.
///
/// A process of another namespace, or one of which only the pid is known, may or may not.
pub fn liveness(proc: &Path, record: &SessionRecord) -> Liveness {
    let own = fs::read_link(proc.join("self/ns/pid")).ok();
    let is_foreign = own.is_some_and(|own| {
        // Older records do not say where their pid counts: on the machine itself, as a rule.
        let theirs = record.namespace.as_deref().unwrap_or(FIRST_NAMESPACE);
        own.as_os_str() != theirs
    });
    let runs = Stat::read(proc, record.pid);
    if is_foreign || runs.is_none() && !is_table(proc) {
        return Liveness::Unknown;
    }
    match (runs, &record.proc_start) {
        (Some(_), None) => Liveness::Unknown,
        (Some(runs), Some(start)) if runs.start == *start => Liveness::Alive,
        _ => Liveness::Gone,
    }
}

/// Whether the process of which a hook told may still hold what it held: it runs, as the table
/// below `proc` shows it, or that cannot be seen.
pub fn holds_session(proc: &Path, told: &HookRecord) -> bool {
    match Stat::read(proc, told.pid) {
        Some(runs) => runs.start == told.proc_start,
        None => !is_table(proc),
    }
}

/// Whether `proc` shows processes at all.
pub(super) fn is_table(proc: &Path) -> bool {
    proc.join("self").exists() || proc.join("1").exists()
}
