//! Looks in a transcript for messages that it puts before the model.

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use attend_core::mail::MessageId;
use attend_core::sensor::{Seen, Shown};
use memchr::memmem::Finder;

use super::delivered::{self, HEAD};
use super::tail::anchor;

/// The most bytes of rows that one look reads.
const MOST: u64 = 4 << 20;

/// How much is read at once.
const STEP: u64 = 256 << 10;

/// The longest row that is looked at, in bytes; what is longer is skipped.
const MAX_ROW: usize = 1 << 20;

/// How many bytes before a place must still be what they were. They hold the times and names at
/// the end of a row: two rows may well end alike in fewer.
const ANCHOR: u64 = 256;

/// A place is its position in the low bits, and above it the hash of what stands before it.
const POSITION_BITS: u32 = 40;
const POSITION: u64 = (1 << POSITION_BITS) - 1;
const PLACE: u64 = (1 << 63) - 1;

/// Which of the messages asked for stand in the file `transcript`, as
/// [`HostRequest::Shown`](attend_core::sensor::HostRequest::Shown) asks; for a process that knows
/// the file and looks once.
///
/// Rows that are long, torn, damaged or unknown are passed over. Of a file of whatever size it
/// reads 4 MiB at most, and holds no more than a row and a step.
///
/// # Errors
///
/// The file cannot be read, or is no regular file.
pub fn seen_in(transcript: &Path, shown: &Shown) -> io::Result<Seen> {
    // Opening something else, such as a pipe, might wait for ever.
    if !std::fs::metadata(transcript)?.is_file() {
        return Err(io::Error::other("the transcript is no regular file"));
    }
    let mut file = File::open(transcript)?;
    let length = file.metadata()?.len();
    let start = match shown.from {
        Some(place) if goes_on(&mut file, place, length)? => place & POSITION,
        _ => length.saturating_sub(MOST),
    };
    let mut search = Search {
        head: Finder::new(HEAD),
        wanted: shown.ids.iter().map(MessageId::as_str).collect(),
        found: Vec::new(),
    };
    let (next, complete) = search.read(&mut file, start, length)?;
    let seen = Seen::new(search.found, place(&mut file, next)?);
    Ok(if complete { seen } else { seen.partial() })
}

/// Whether an earlier look that ended at the place `at` read this file.
fn goes_on(file: &mut File, at: u64, length: u64) -> io::Result<bool> {
    let position = at & POSITION;
    Ok(position <= length && place(file, position)? == at)
}

fn place(file: &mut File, position: u64) -> io::Result<u64> {
    if position == 0 {
        return Ok(0);
    }
    let (_, hash) = anchor(file, position.min(ANCHOR), position)?;
    Ok((hash << POSITION_BITS | position & POSITION) & PLACE)
}

struct Search<'a> {
    head: Finder<'static>,
    wanted: HashSet<&'a str>,
    found: Vec<MessageId>,
}

impl Search<'_> {
    /// Reads from `start` on. The answer is where the next row begins, or goes on if it is too
    /// long to be looked at; and whether the end was reached.
    fn read(&mut self, file: &mut File, start: u64, length: u64) -> io::Result<(u64, bool)> {
        let mut in_row = !is_start_of_row(file, start)?;
        file.seek(SeekFrom::Start(start))?;
        let mut next = start;
        let unread = length.saturating_sub(start);
        let mut left = unread.min(MOST);
        let mut bytes = Vec::new();
        while left > 0 {
            let step = STEP.min(left);
            let read = (&mut *file).take(step).read_to_end(&mut bytes)? as u64;
            if read == 0 {
                break; // It became shorter meanwhile; the next look sees that.
            }
            left -= read;
            if in_row {
                let end = memchr::memchr(b'\n', &bytes);
                let passed = end.map_or(bytes.len(), |end| end + 1);
                in_row = end.is_none();
                bytes.drain(..passed);
                next += passed as u64;
            }
            let whole = memchr::memrchr(b'\n', &bytes).map_or(0, |end| end + 1);
            self.rows(bytes.get(..whole).unwrap_or_default());
            bytes.drain(..whole);
            next += whole as u64;
            if bytes.len() > MAX_ROW {
                in_row = true;
                next += bytes.len() as u64;
                bytes.clear();
            }
        }
        Ok((next, left == 0 && unread <= MOST))
    }

    /// Looks at whole rows. Most hold no message, and are not even told apart.
    fn rows(&mut self, bytes: &[u8]) {
        let mut rest = bytes;
        while let Some(at) = self.head.find(rest).filter(|_| !self.wanted.is_empty()) {
            let (before, after) = rest.split_at(at);
            let start = memchr::memrchr(b'\n', before).map_or(0, |end| end + 1);
            let end = at + memchr::memchr(b'\n', after).unwrap_or(after.len());
            let row = rest.get(start..end).unwrap_or_default();
            if row.len() <= MAX_ROW {
                let (wanted, found) = (&mut self.wanted, &mut self.found);
                delivered::messages(row, |id| {
                    if wanted.remove(id) {
                        found.push(MessageId::new(id));
                    }
                });
            }
            rest = rest.get(end..).unwrap_or_default();
        }
    }
}

fn is_start_of_row(file: &mut File, position: u64) -> io::Result<bool> {
    let Some(before) = position.checked_sub(1) else {
        return Ok(true);
    };
    file.seek(SeekFrom::Start(before))?;
    let mut byte = [0];
    Ok(file.read(&mut byte)? == 1 && byte == *b"\n")
}
