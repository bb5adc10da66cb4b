//! The journal on disk: two segments that take turns, so that it is bounded and never empty.

use std::fs::File;
use std::io::{self, Write};

use serde::{Deserialize, Serialize};

use super::dir::StateDir;
use super::error::StateError;
use crate::attention::{Record, Totals};

/// Bytes after which the other segment is begun.
pub(super) const MOST_BYTES: u64 = 4 << 20;

/// Bytes that wait at most to be written.
pub(super) const MOST_WAITING: usize = 1 << 20;

/// Bytes within which the first line of a segment ends.
pub(super) const HEAD: u64 = 256 << 10;

/// Writes the engine's records as JSON lines, in two segments of 4 MiB that take turns. Each
/// segment begins with the totals so far.
///
/// What cannot be written is counted and said once, and never holds anybody up.
#[derive(Debug)]
pub struct Journal {
    dir: StateDir,
    /// The newest; none until it was found, and where there is none.
    segment: Option<Segment>,
    waiting: Vec<u8>,
    lost: u64,
    failing: bool,
}

/// The file that is written to.
#[derive(Debug)]
struct Segment {
    number: u64,
    file: File,
    /// Bytes up to the end of its last whole line.
    size: u64,
    /// What stands there may end in the middle of a line: the next one begins with a line end.
    torn: bool,
}

/// One line of a journal.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
#[non_exhaustive]
pub enum JournalEntry {
    /// A segment begins.
    Segment {
        /// Counts the segments of this journal.
        segment: u64,
        /// What became of all events up to here.
        totals: Vec<Totals>,
    },
    /// Records are missing here: they could not be written.
    Lost {
        /// How many.
        lost: u64,
    },
    /// A record of the engine.
    Record(Record),
}

impl Journal {
    /// Goes on with the journal in `dir`.
    ///
    /// A segment that is none is set aside under a name of its own, which is added to `notices`.
    /// Nothing is written before the first flush.
    pub fn open(dir: &StateDir, notices: &mut Vec<String>) -> Self {
        for number in [0, 1] {
            let Err(error) = begun(dir, number) else {
                continue;
            };
            // What the system could not read now may be whole.
            if error.raw_os_error().is_none() {
                let kept = match dir.set_aside(&name(number)) {
                    Ok(kept) => format!("it was set aside as {kept}"),
                    Err(error) => format!("it could not be set aside: {error}"),
                };
                notices.push(format!(
                    "`attend explain` begins afresh: cannot read {}: {error}; {kept}",
                    dir.at(&name(number)).display()
                ));
            }
        }
        Self {
            dir: dir.clone(),
            segment: None,
            waiting: Vec::new(),
            lost: 0,
            failing: false,
        }
    }

    /// Notes a record, to be written at the next flush.
    pub fn push(&mut self, record: &Record) {
        if self.waiting.len() >= MOST_WAITING {
            self.lost += 1;
            return;
        }
        let start = self.waiting.len();
        match serde_json::to_writer(&mut self.waiting, record) {
            Ok(()) => self.waiting.push(b'\n'),
            Err(_) => self.waiting.truncate(start),
        }
    }

    /// Whether something waits to be written.
    pub fn is_waiting(&self) -> bool {
        !self.waiting.is_empty() || self.lost > 0
    }

    /// Writes what waits. `totals` begin a new segment where one is due.
    ///
    /// # Errors
    ///
    /// Io, once until a flush succeeds again: it could not be written and waits on, or is
    /// counted as lost where too much waits.
    pub fn flush(&mut self, totals: &[Totals]) -> Result<(), StateError> {
        if !self.is_waiting() {
            return Ok(());
        }
        let Err(error) = self.write(totals) else {
            self.failing = false;
            return Ok(());
        };
        if std::mem::replace(&mut self.failing, true) {
            return Ok(());
        }
        let number = self.segment.as_ref().map_or(0, |segment| segment.number);
        let path = self.dir.at(&name(number));
        Err(StateError::io("write", &path, &error))
    }

    fn write(&mut self, totals: &[Totals]) -> io::Result<()> {
        let mut lines = Vec::new();
        if self.lost > 0 {
            line(&mut lines, &JournalEntry::Lost { lost: self.lost })?;
        }
        lines.extend_from_slice(&self.waiting);
        // Where nobody can tell which segment is the newest, none is begun: it would take the
        // place of that one.
        if self.segment.is_none()
            && let Some(number) = newest(&self.dir)?
        {
            self.segment = Some(Segment::reopen(&self.dir, number)?);
        }
        match &mut self.segment {
            Some(open) if open.size + lines.len() as u64 <= MOST_BYTES => open.write(&lines)?,
            Some(full) => {
                let number = full.number.saturating_add(1);
                self.begin(number, totals, &lines)?;
            }
            None => self.begin(1, totals, &lines)?,
        }
        self.waiting.clear();
        self.lost = 0;
        Ok(())
    }

    /// Writes `lines` to a new segment, in place of the one before the last.
    fn begin(&mut self, number: u64, totals: &[Totals], lines: &[u8]) -> io::Result<()> {
        let file = self.dir.0.append(&name(number), true)?;
        let mut segment = Segment {
            number,
            file,
            size: 0,
            torn: false,
        };
        let mut begun = Vec::new();
        let totals = totals.to_vec();
        let head = JournalEntry::Segment {
            segment: number,
            totals,
        };
        line(&mut begun, &head)?;
        begun.extend_from_slice(lines);
        segment.write(&begun)?;
        self.segment = Some(segment);
        Ok(())
    }
}

impl Segment {
    fn reopen(dir: &StateDir, number: u64) -> io::Result<Self> {
        let file = dir.0.append(&name(number), false)?;
        let size = file.metadata()?.len();
        Ok(Self {
            number,
            file,
            size,
            torn: true,
        })
    }

    /// Adds whole lines, all or none of them.
    fn write(&mut self, lines: &[u8]) -> io::Result<()> {
        let mut whole = Vec::with_capacity(lines.len() + 1);
        if self.torn {
            whole.push(b'\n');
        }
        whole.extend_from_slice(lines);
        let written = self.file.write_all(&whole);
        if written.is_err() {
            // A rest that cannot be cut off is a line that no reader takes for an entry.
            self.torn |= self.file.set_len(self.size).is_err();
        } else {
            self.size += whole.len() as u64;
            self.torn = false;
        }
        written
    }
}

pub(super) fn name(number: u64) -> String {
    format!("journal.{}.jsonl", number % 2)
}

/// The number of the newest segment in `dir`, by the first lines of both; none where neither
/// has one that can be understood.
fn newest(dir: &StateDir) -> io::Result<Option<u64>> {
    let begun = |number| match begun(dir, number) {
        // What stands there is no file of attend's.
        Err(error) if error.raw_os_error().is_none() => Ok(None),
        begun => begun,
    };
    let (even, odd) = (begun(0)?, begun(1)?);
    Ok(even.max(odd))
}

/// The number of the segment in the place of `number`, by its first line; none where nothing
/// was written yet.
fn begun(dir: &StateDir, number: u64) -> io::Result<Option<u64>> {
    let head = dir.0.head(&name(number), HEAD)?.unwrap_or_default();
    let first = head.split(|byte| *byte == b'\n').next();
    match first
        .filter(|_| !head.is_empty())
        .map(serde_json::from_slice)
    {
        None => Ok(None),
        Some(Ok(JournalEntry::Segment { segment, .. })) => Ok(Some(segment)),
        Some(_) => Err(io::Error::new(
            io::ErrorKind::InvalidData,
            "it is no journal",
        )),
    }
}

fn line(to: &mut Vec<u8>, entry: &JournalEntry) -> io::Result<()> {
    serde_json::to_writer(&mut *to, entry)?;
    to.push(b'\n');
    Ok(())
}
