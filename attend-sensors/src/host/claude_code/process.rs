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
    /// Reads the line. The name stands in parentheses and may itself hold some, and blanks.
    pub(super) fn parse(line: &[u8]) -> Option<Self> {
        let line = String::from_utf8_lossy(line);
        let (before, after) = line.rsplit_once(')')?;
        let (_, name) = before.split_once('(')?;
        let mut fields = after.split_whitespace(); // The third field is the first here.
        Some(Self {
            name: name.to_owned(),
            parent: fields.nth(1)?.parse().ok()?,
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

/// Whether the process of `record` still runs, by the process table below `proc`. A process of
/// another namespace, or one of which only the pid is known, may or may not.
pub fn liveness(proc: &Path, record: &SessionRecord) -> Liveness {
    let own = fs::read_link(proc.join("self/ns/pid")).ok();
    let own = own.as_deref().map(Path::to_string_lossy);
    if let (Some(own), Some(theirs)) = (own, &record.namespace)
        && own != theirs.as_str()
    {
        return Liveness::Unknown;
    }
    let Some(runs) = Stat::read(proc, record.pid) else {
        // Without a table of processes nothing is known to be gone.
        let is_table = proc.join("self").exists() || proc.join("1").exists();
        return if is_table {
            Liveness::Gone
        } else {
            Liveness::Unknown
        };
    };
    match &record.proc_start {
        Some(start) if runs.start == *start => Liveness::Alive,
        Some(_) => Liveness::Gone,
        None => Liveness::Unknown,
    }
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
        ] {
            assert_eq!(Stat::parse(line.as_bytes()), None, "{line}");
        }
        assert_eq!(Stat::parse(b"\xff\xfe"), None);
    }
}
