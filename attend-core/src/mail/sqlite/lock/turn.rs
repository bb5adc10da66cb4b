//! The order of those who wait for the lock: who came first has it first.
//!
//! The lock alone wakes everybody who waits, and any of them may win it: of many, some lose a
//! hundred times. So each draws a number, a byte of the lock file that it locks, and waits for the
//! byte before its own, which the system frees with whoever held it. Nothing depends on it: who has
//! the lock has it, and where no number can be drawn, everybody competes.

use std::fs::File;
use std::os::unix::fs::FileExt;

/// Where the last number that was drawn stands in the lock file, behind who holds it.
const LAST: u64 = 16;

/// The byte of the number 0.
const FIRST: i64 = 32;

/// Numbers begin again from 0 behind this.
const MOST: i64 = 1 << 40;

/// How many numbers are tried that others drew meanwhile.
const TRIES: i64 = 1_000;

/// A place among those who wait, until it is dropped.
#[derive(Debug)]
pub(super) struct Turn {
    _mine: File,
    number: i64,
}

impl Turn {
    /// Draws the next number, on a handle that nothing else uses. None where that is not possible.
    pub(super) fn draw(lock: File) -> Option<Self> {
        let next = last(&lock).map_or(0, |last| last + 1);
        let number =
            (next..next + TRIES).find_map(|number| match bytes::lock(&lock, number) {
                Ok(true) => Some(Some(number)),
                Ok(false) => None,
                Err(_) => Some(None),
            })??;
        // Where two write at once the smaller number may stay: then the next tries some in vain.
        lock.write_all_at(&number.to_le_bytes(), LAST).ok()?;
        Some(Self {
            _mine: lock,
            number,
        })
    }

    /// The number before this one.
    pub(super) fn before(&self) -> i64 {
        self.number - 1
    }
}

/// Whether somebody stands in the queue, or came out of it and has the lock.
pub(super) fn is_awaited(lock: &File) -> bool {
    last(lock).is_some_and(|last| bytes::is_locked(lock, last))
}

/// Waits until nobody has this number.
pub(super) fn wait_for(lock: &File, number: i64) {
    if number >= 0 {
        bytes::wait(lock, number);
    }
}

/// The number that was drawn last, or nearly so.
fn last(lock: &File) -> Option<i64> {
    let mut last = [0; 8];
    lock.read_exact_at(&mut last, LAST).ok()?;
    let last = i64::from_le_bytes(last);
    (0..MOST).contains(&last).then_some(last)
}

/// Locks on single bytes that belong to an open file, not to the process.
#[cfg(any(target_os = "linux", target_os = "android"))]
mod bytes {
    use std::fs::File;

    use nix::errno::Errno;
    use nix::fcntl::{FcntlArg, fcntl};
    use nix::libc;

    /// Locks the byte of a number; whether it was free.
    pub(super) fn lock(file: &File, number: i64) -> nix::Result<bool> {
        match fcntl(file, FcntlArg::F_OFD_SETLK(&byte(number))) {
            Ok(_) => Ok(true),
            Err(Errno::EAGAIN | Errno::EACCES) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Whether another open file has locked the byte of a number.
    pub(super) fn is_locked(file: &File, number: i64) -> bool {
        let mut asked = byte(number);
        let answer = fcntl(file, FcntlArg::F_OFD_GETLK(&mut asked));
        answer.is_ok() && i32::from(asked.l_type) != libc::F_UNLCK
    }

    /// Waits for the byte of a number, and locks it.
    pub(super) fn wait(file: &File, number: i64) {
        while fcntl(file, FcntlArg::F_OFD_SETLKW(&byte(number))) == Err(Errno::EINTR) {}
    }

    #[expect(
        clippy::cast_possible_truncation,
        reason = "both constants are one digit, and the system wants them short"
    )]
    fn byte(number: i64) -> libc::flock {
        libc::flock {
            l_type: libc::F_WRLCK as libc::c_short,
            l_whence: libc::SEEK_SET as libc::c_short,
            l_start: super::FIRST + number,
            l_len: 1,
            l_pid: 0,
        }
    }
}

/// Where there are no such locks, nobody gets a number.
#[cfg(not(any(target_os = "linux", target_os = "android")))]
mod bytes {
    use std::fs::File;
    use std::io;

    pub(super) fn lock(_: &File, _: i64) -> io::Result<bool> {
        Err(io::ErrorKind::Unsupported.into())
    }

    pub(super) fn is_locked(_: &File, _: i64) -> bool {
        false
    }

    pub(super) fn wait(_: &File, _: i64) {}
}
