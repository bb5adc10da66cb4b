//! Follows a transcript: its end at first, then only what is new.

use std::fs::{File, Metadata};
use std::hash::{DefaultHasher, Hasher};
use std::io::{self, Read, Seek, SeekFrom};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use attend_core::sensor::Clock;

use super::backwards::{self, Limits};
use super::row::{self, Parsed, Row};
use super::seen::Seen;

/// How much is read at once, going forward.
const STEP: usize = 256 << 10;

/// How many bytes before the position must still be what they were.
const ANCHOR: u64 = 64;

/// The most rows that the first look keeps.
const MAX_ROWS: usize = 8_192;

/// Takes what a [`Tail`] finds.
pub(super) trait Sink {
    /// Everything so far is void: another file, or another beginning, is read. `complete` says
    /// that its rows follow from the first one on.
    fn restart(&mut self, complete: bool);

    /// The next row, in the order of the file.
    fn row(&mut self, row: Row);
}

/// Rows by what became of them, since the follower began.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Counts {
    /// Rows that were looked at.
    pub rows: u64,
    /// Rows of a kind that is not known.
    pub unknown: u64,
    /// Rows that are no JSON object.
    pub unreadable: u64,
    /// Rows too far back to be looked at for anything but the size of the context.
    pub passed: u64,
    /// Rows that were longer than 1 MiB, and skipped.
    pub long: u64,
    /// Bytes that were read.
    pub bytes: u64,
    /// How often the file was begun anew, the first time included.
    pub restarts: u64,
}

/// The follower of one file.
#[derive(Debug)]
pub(super) struct Tail {
    path: PathBuf,
    limits: Limits,
    seen: Seen<Mark>,
    place: Option<Place>,
    counts: Counts,
}

/// What a file bears beside its rows: where all of it is the same, nothing is new.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Mark {
    file: (u64, u64),
    length: u64,
    written: Option<SystemTime>,
}

/// How far a file was read.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Place {
    file: (u64, u64),
    /// Where the next row begins.
    next: u64,
    /// The length at the last look.
    length: u64,
    /// Whether what stands at `next` belongs to a row that is too long.
    in_long: bool,
    /// The bytes before `next`, hashed: where they differ, the file was written anew.
    anchor: (u64, u64),
}

impl Tail {
    pub(super) fn new(path: PathBuf, limits: Limits) -> Self {
        Self {
            path,
            limits,
            seen: Seen::nothing(),
            place: None,
            counts: Counts::default(),
        }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The file lies elsewhere now. If it is the same one, reading goes on where it was.
    pub(super) fn moved(&mut self, path: PathBuf) {
        self.path = path;
    }

    pub(super) fn counts(&self) -> Counts {
        self.counts
    }

    /// Looks for what is new. A file that did not change costs one `stat`.
    pub(super) fn look(&mut self, clock: &dyn Clock, sink: &mut impl Sink) -> io::Result<()> {
        let metadata = std::fs::metadata(&self.path)?;
        if !metadata.is_file() {
            return Err(io::Error::other("it is no regular file"));
        }
        let must_read = self.seen.must_read(Mark::of(&metadata), clock);
        if self.place.is_some() && !must_read {
            return Ok(());
        }
        let mut file = File::open(&self.path)?;
        let metadata = file.metadata()?;
        let goes_on = match self.place.take() {
            Some(place) => place
                .goes_on(&mut file, &metadata, self.limits)?
                .then_some(place),
            None => None,
        };
        let place = match goes_on {
            Some(place) => self.forward(&mut file, &place, &metadata, sink)?,
            None => self.begin(&mut file, &metadata, sink)?,
        };
        self.place = Some(place);
        Ok(())
    }

    fn begin(
        &mut self,
        file: &mut File,
        metadata: &Metadata,
        sink: &mut impl Sink,
    ) -> io::Result<Place> {
        let mut rows = Vec::new();
        let mut passed = false;
        let counts = &mut self.counts;
        let back = backwards::read(file, metadata.len(), self.limits, |bytes, beyond| {
            if beyond && !row::may_settle_context(bytes) {
                counts.passed += 1;
                passed = true;
                return false;
            }
            let row = count(counts, row::parse(bytes));
            let found = row.as_ref().is_some_and(Row::settles_context);
            if rows.len() < MAX_ROWS {
                rows.extend(row);
            } else {
                passed |= row.is_some();
            }
            found
        })?;
        counts.long += back.long;
        counts.bytes += back.read;
        counts.restarts += 1;
        sink.restart(back.complete && !passed);
        rows.into_iter().rev().for_each(|row| sink.row(row));
        let next = if back.torn_is_long {
            metadata.len()
        } else {
            back.whole
        };
        Place::at(file, metadata, next, back.torn_is_long)
    }

    fn forward(
        &mut self,
        file: &mut File,
        place: &Place,
        metadata: &Metadata,
        sink: &mut impl Sink,
    ) -> io::Result<Place> {
        let (mut next, mut in_long) = (place.next, place.in_long);
        file.seek(SeekFrom::Start(next))?;
        let mut rest = metadata.len().saturating_sub(next);
        let mut bytes = Vec::new();
        while rest > 0 {
            let had = bytes.len();
            let step = rest.min(STEP as u64);
            let read = (&mut *file).take(step).read_to_end(&mut bytes)? as u64;
            if read == 0 {
                break; // It became shorter meanwhile; the next look sees that.
            }
            rest -= read;
            self.counts.bytes += read;
            let mut from = 0;
            let fresh = bytes.get(had..).unwrap_or_default();
            for end in memchr::memchr_iter(b'\n', fresh).map(|at| had + at) {
                let row = bytes.get(from..end).unwrap_or_default();
                if in_long || row.len() > self.limits.row {
                    self.counts.long += 1;
                } else if let Some(row) = count(&mut self.counts, row::parse(row)) {
                    sink.row(row);
                }
                in_long = false;
                from = end + 1;
            }
            bytes.drain(..from);
            next += from as u64;
            if in_long || bytes.len() > self.limits.row {
                in_long = true;
                next += bytes.len() as u64;
                bytes.clear();
            }
        }
        Place::at(file, metadata, next, in_long)
    }
}

fn count(counts: &mut Counts, parsed: Parsed) -> Option<Row> {
    counts.rows += 1;
    match parsed {
        Parsed::Row(row) => return Some(row),
        Parsed::Nothing => {}
        Parsed::Unknown => counts.unknown += 1,
        Parsed::Unreadable => counts.unreadable += 1,
    }
    None
}

impl Mark {
    fn of(metadata: &Metadata) -> Self {
        Self {
            file: (metadata.dev(), metadata.ino()),
            length: metadata.len(),
            written: metadata.modified().ok(),
        }
    }
}

impl Place {
    fn at(file: &mut File, metadata: &Metadata, next: u64, in_long: bool) -> io::Result<Self> {
        Ok(Self {
            file: (metadata.dev(), metadata.ino()),
            next,
            length: metadata.len(),
            in_long,
            anchor: anchor(file, next.min(ANCHOR), next)?,
        })
    }

    /// Whether `file` is the file that was read so far, and not so much longer that its end
    /// alone is worth reading.
    fn goes_on(&self, file: &mut File, metadata: &Metadata, limits: Limits) -> io::Result<bool> {
        let grown = metadata.len().checked_sub(self.next);
        let near = grown.is_some_and(|grown| grown <= limits.reach);
        let same =
            near && self.file == (metadata.dev(), metadata.ino()) && metadata.len() >= self.length;
        Ok(same && anchor(file, self.anchor.0, self.next)? == self.anchor)
    }
}

/// The hash of the `length` bytes before `end`.
pub(super) fn anchor(file: &mut File, length: u64, end: u64) -> io::Result<(u64, u64)> {
    file.seek(SeekFrom::Start(end.saturating_sub(length)))?;
    let mut bytes = Vec::new();
    file.take(length).read_to_end(&mut bytes)?;
    let mut hasher = DefaultHasher::new();
    hasher.write(&bytes);
    Ok((length, hasher.finish()))
}
