//! What the process table says of one process.

use std::fs::File;
use std::io::Read;
use std::path::Path;

/// The longest `stat` that is read, in bytes.
const MAX_STAT: usize = 1_024;

/// What a line of `stat` says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Stat {
    pub(crate) name: String,
    pub(crate) parent: u32,
    /// The process group.
    pub(crate) group: u32,
    /// When it started, in the system's own unit since boot.
    pub(crate) start: String,
}

impl Stat {
    /// Reads the line; none of a process that has ended and only waits for its parent to notice.
    /// The name stands in parentheses and may itself hold some, and blanks.
    pub(crate) fn parse(line: &[u8]) -> Option<Self> {
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
            group: fields.next()?.parse().ok()?,
            start: fields
                .nth(16)
                .filter(|start| start.parse::<u64>().is_ok())?
                .to_owned(),
        })
    }

    pub(crate) fn read(proc: &Path, pid: u32) -> Option<Self> {
        Self::parse(&head(&proc.join(format!("{pid}/stat")), MAX_STAT)?)
    }
}

/// What one read of a file of the process table gives, at most `most` bytes: such a file is
/// made when it is read, and whole.
pub(crate) fn head(path: &Path, most: usize) -> Option<Vec<u8>> {
    let mut bytes = vec![0; most];
    let read = File::open(path).ok()?.read(&mut bytes).ok()?;
    bytes.truncate(read);
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    const AFTER: &str = "S 41 17 1 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 11 0 543621664 1 2 3";

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
                (
                    stat.name.as_str(),
                    stat.parent,
                    stat.group,
                    stat.start.as_str()
                ),
                (name, 41, 17, "543621664")
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
