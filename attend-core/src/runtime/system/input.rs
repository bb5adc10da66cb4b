//! Standard input, read no longer than somebody waits for it.

use std::io;
use std::os::fd::AsFd;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;

use super::clock::SystemClock;
use crate::mail::Clock as _;

/// How much is read at once.
const CHUNK: usize = 64 << 10;

/// What stands on standard input: up to its end, up to where `ends` says of what comes that the
/// rest is not needed, or somewhat more than `most` bytes.
///
/// `ends` is given all of it, piece by piece, and answers with how many bytes of the piece still
/// belong to what is wanted.
///
/// # Errors
///
/// `TimedOut`: none of this was so within `patience`. Else what the system says.
pub fn read_input(
    most: usize,
    patience: Duration,
    ends: impl FnMut(&[u8]) -> Option<usize>,
) -> io::Result<Vec<u8>> {
    read_from(io::stdin(), most, patience, ends)
}

fn read_from(
    from: impl AsFd,
    most: usize,
    patience: Duration,
    mut ends: impl FnMut(&[u8]) -> Option<usize>,
) -> io::Result<Vec<u8>> {
    let over = SystemClock.boot().saturating_add(patience);
    let mut bytes = Vec::new();
    while bytes.len() <= most {
        let left = over.saturating_sub(SystemClock.boot());
        match poll(
            &mut [PollFd::new(&from, PollFlags::IN)],
            Timespec::try_from(left).ok().as_ref(),
        ) {
            Ok(0) => return Err(io::ErrorKind::TimedOut.into()),
            Ok(_) => {}
            Err(Errno::INTR) => continue,
            Err(error) => return Err(error.into()),
        }
        let before = bytes.len();
        bytes.resize(before + CHUNK, 0);
        let room = bytes.get_mut(before..).unwrap_or_default();
        let read = match rustix::io::read(&from, room) {
            Ok(read) => read,
            // Somebody else who has the same pipe took it.
            Err(Errno::INTR | Errno::AGAIN) => {
                bytes.truncate(before);
                continue;
            }
            Err(error) => return Err(error.into()),
        };
        bytes.truncate(before + read);
        if read == 0 {
            break;
        }
        if let Some(taken) = ends(bytes.get(before..).unwrap_or_default()) {
            bytes.truncate(before + taken);
            break;
        }
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    const LONG: Duration = Duration::from_mins(1);

    fn semicolon(piece: &[u8]) -> Option<usize> {
        let found = piece.iter().position(|byte| *byte == b';');
        found.map(|at| at + 1)
    }

    #[test]
    fn a_writer_that_stays_is_waited_for_only_until_all_is_there() {
        let (reader, mut writer) = io::pipe().unwrap();
        writer.write_all(b"all of it; and more").unwrap();
        let read = read_from(&reader, 100, LONG, semicolon);
        assert_eq!(read.unwrap(), b"all of it;");
        writer.write_all(b"a part").unwrap();
        let waited = read_from(&reader, 100, Duration::from_millis(1), semicolon);
        assert_eq!(waited.unwrap_err().kind(), io::ErrorKind::TimedOut);
    }

    #[test]
    fn the_end_and_the_limit_end_it() {
        let (reader, mut writer) = io::pipe().unwrap();
        writer.write_all(b"a part").unwrap();
        drop(writer);
        assert_eq!(read_from(&reader, 100, LONG, semicolon).unwrap(), b"a part");
        let endless = std::fs::File::open("/dev/zero").unwrap();
        let read = read_from(&endless, 10, LONG, |_| None).unwrap();
        assert!(read.len() > 10 && read.len() <= 10 + CHUNK);
    }
}
