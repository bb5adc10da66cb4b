//! Reads the rows of a file from its end towards its beginning, in growing steps.

use std::io::{self, Read, Seek, SeekFrom};

/// The first step; each next one is twice as long, up to [`LAST_STEP`].
const FIRST_STEP: u64 = 64 << 10;
const LAST_STEP: u64 = 256 << 10;

/// How far back it is read, and how long a row may be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Limits {
    /// Read in any case and row by row, in bytes.
    pub(super) history: u64,
    /// Read until what is sought was found, in bytes.
    pub(super) reach: u64,
    /// The longest row that is looked at, in bytes; what is longer is skipped and counted.
    pub(super) row: usize,
}

/// Where reading backwards ended, and what it met.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Back {
    /// The end of the last whole row: what follows is torn.
    pub(super) whole: u64,
    /// Whether the torn row is already too long to be looked at.
    pub(super) torn_is_long: bool,
    /// Whether the beginning of the file was reached.
    pub(super) complete: bool,
    /// Rows that were too long.
    pub(super) long: u64,
    /// Bytes that were read.
    pub(super) read: u64,
}

/// Shows the rows of the first `len` bytes of `file` to `row`, the last one first, until it
/// answers that it found what it sought and enough history was read, or the reach ends. `row` is
/// told whether a row lies beyond the history.
pub(super) fn read(
    file: &mut (impl Read + Seek),
    len: u64,
    limits: Limits,
    mut row: impl FnMut(&[u8], bool) -> bool,
) -> io::Result<Back> {
    let mut back = Back {
        whole: 0,
        torn_is_long: false,
        complete: false,
        long: 0,
        read: 0,
    };
    let mut piece = Piece::new(limits.row);
    let mut torn = true;
    let mut found = false;
    let mut end = len;
    let mut step = FIRST_STEP;
    let mut chunk = Vec::new();
    while end > 0 {
        if back.read >= limits.reach || back.read >= limits.history && found {
            return Ok(back);
        }
        let beyond = back.read >= limits.history;
        let start = end.saturating_sub(step);
        file.seek(SeekFrom::Start(start))?;
        chunk.resize(usize::try_from(end - start).unwrap_or(usize::MAX), 0);
        file.read_exact(&mut chunk)?;
        back.read += end - start;
        let mut rest = chunk.as_slice();
        while let Some(at) = memchr::memrchr(b'\n', rest) {
            let (before, after) = rest.split_at(at);
            piece.prepend(after.get(1..).unwrap_or_default());
            if torn {
                torn = false;
                back.whole = start + at as u64 + 1;
                back.torn_is_long = piece.is_long;
            } else if piece.is_long {
                back.long += 1;
            } else {
                found |= row(&piece.bytes, beyond);
            }
            piece.clear();
            rest = before;
        }
        piece.prepend(rest);
        end = start;
        step = (step * 2).min(LAST_STEP);
    }
    back.complete = true;
    if torn {
        back.torn_is_long = piece.is_long;
    } else if piece.is_long {
        back.long += 1;
    } else if len > 0 {
        row(&piece.bytes, back.read > limits.history);
    }
    Ok(back)
}

/// The end of a row whose beginning is not read yet.
struct Piece {
    bytes: Vec<u8>,
    is_long: bool,
    most: usize,
}

impl Piece {
    fn new(most: usize) -> Self {
        Self {
            bytes: Vec::new(),
            is_long: false,
            most,
        }
    }

    fn prepend(&mut self, before: &[u8]) {
        self.is_long |= self.bytes.len() + before.len() > self.most;
        if self.is_long {
            self.bytes.clear();
        } else {
            self.bytes.splice(0..0, before.iter().copied());
        }
    }

    fn clear(&mut self) {
        self.bytes.clear();
        self.is_long = false;
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    const LIMITS: Limits = Limits {
        history: 0,
        reach: u64::MAX,
        row: 1 << 20,
    };

    fn rows(bytes: &[u8], limits: Limits) -> (Vec<Vec<u8>>, Back) {
        let mut rows = Vec::new();
        let back = read(
            &mut Cursor::new(bytes),
            bytes.len() as u64,
            limits,
            |row, _| {
                rows.push(row.to_vec());
                false
            },
        );
        (rows, back.unwrap())
    }

    #[test]
    fn rows_come_last_one_first() {
        let (found, back) = rows(b"one\ntwo\n\nthree\nto", LIMITS);
        assert_eq!(found, [&b"three"[..], b"", b"two", b"one"]);
        assert_eq!((back.whole, back.complete), (15, true));
        let (found, back) = rows(b"torn", LIMITS);
        assert_eq!((found.len(), back.whole, back.complete), (0, 0, true));
        assert_eq!(rows(b"", LIMITS).0.len(), 0);
        assert_eq!(rows(b"\n", LIMITS).0, [b""]);
    }

    #[test]
    fn rows_over_several_steps_are_whole_and_long_ones_are_skipped() {
        let row = |byte: u8, length: usize| [vec![byte; length], vec![b'\n']].concat();
        let file = [
            row(b'a', 10),
            row(b'b', 300_000),
            row(b'c', 1 << 20),
            row(b'd', (1 << 20) + 1),
            row(b'e', 1),
        ];
        let (found, back) = rows(&file.concat(), LIMITS);
        let lengths: Vec<_> = found.iter().map(|row| (row[0], row.len())).collect();
        assert_eq!(
            lengths,
            [(b'e', 1), (b'c', 1 << 20), (b'b', 300_000), (b'a', 10)]
        );
        assert_eq!(back.long, 1);
    }

    #[test]
    fn it_stops_where_it_found_enough_or_may_go_no_further() {
        let file = b"0123456\n".repeat(1 << 17);
        let (found, back) = rows(
            &file,
            Limits {
                reach: 100_000,
                ..LIMITS
            },
        );
        assert!(
            !back.complete && back.read <= 100_000 + LAST_STEP,
            "{back:?}"
        );
        assert!(found.len() >= 100_000 / 8 - 1);
        let mut count = 0;
        let limits = Limits {
            history: 70_000,
            ..LIMITS
        };
        let stopped = read(
            &mut Cursor::new(&file),
            file.len() as u64,
            limits,
            |_, _| {
                count += 1;
                true
            },
        );
        assert_eq!(stopped.unwrap().read, 64 * 1_024 + 128 * 1_024);
    }
}
