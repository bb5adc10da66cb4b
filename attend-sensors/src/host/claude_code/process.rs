//! What the process table says of one process.

use std::fs;
use std::path::Path;

use super::record::{SessionRecord, read_small};

/// The longest `stat` that is read, in bytes.
const MAX_STAT: u64 = 4_096;

/// What a line of `stat` says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Stat {
    pub(super) name: String,
    pub(super) parent: u32,
    /// When it started, in the system's own unit since boot.
    pub(super) start: String,
}

impl Stat {
    /// Reads the line; none of a process that has ended and only waits for its parent to notice.
    /// The name stands in parentheses and may itself hold some, and blanks.
    pub(super) fn parse(line: &[u8]) -> Option<Self> {
        let line = String::from_utf8_lossy(line);
        let (before, after) = line.rsplit_once(')')?;
        let (_, name) = before.split_once('(')?;
        let mut fields = after.split_whitespace(); // The third field is the first here.
        if matches!(fields.next()?, "Z" | "X") {
            return None;
        }
        Some(Self {
            name: name.to_owned(),
            parent: fields.next()?.parse().ok()?,
            start: fields
                .nth(17)
                .filter(|start| start.parse::<u64>().is_ok())?
                .to_owned(),
        })
    }

    pub(super) fn read(proc: &Path, pid: u32) -> Option<Self> {
        Self::parse(&read_small(
            &proc.join(pid.to_string()).join("stat"),
            MAX_STAT,
        )?)
    }
}

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
const FIRST_NAMESPACE: &str = "pid:[4026531836]";

/// Whether the process of `record` still runs, by the process table below `proc`. A process of
/// another namespace, or one of which only the pid is known, may or may not.
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

/// Whether `proc` shows processes at all.
pub(super) fn is_table(proc: &Path) -> bool {
    proc.join("self").exists() || proc.join("1").exists()
}

#[cfg(test)]
mod tests {
    use super::*;

    const AFTER: &str = "S 41 1 1 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 11 0 543621664 1 2 3";

    #[test]
    fn odd_names_do_not_shift_the_fields() {
        for name in [
            "claude",
            "tmux: server",
            "a) S 9 9",
            "((x)",
            ")",
            "",
            "café",
        ] {
            let stat = Stat::parse(format!("4242 ({name}) {AFTER}\n").as_bytes()).unwrap();
            assert_eq!(
                (stat.name.as_str(), stat.parent, stat.start.as_str()),
                (name, 41, "543621664")
            );
        }
    }

    #[test]
    fn what_is_no_stat_is_none() {
        for line in [
            "",
            "4242",
            "4242 (x)",
            "4242 (x) S",
            "4242 (x) S y 1 1",
            "1 (x) S 1 1 1 0 -1 4 1 2 3 4 5 6 7 8 20 0 11 0 later",
            "1 (ended) Z 1 1 1 0 -1 4 1 2 3 4 5 6 7 8 20 0 11 0 77",
        ] {
            assert_eq!(Stat::parse(line.as_bytes()), None, "{line}");
        }
        assert_eq!(Stat::parse(b"\xff\xfe"), None);
    }
}
