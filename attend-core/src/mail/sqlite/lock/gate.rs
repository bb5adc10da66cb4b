//! The lock of the store: one writes at a time, and who waits is let in by turns.

use std::cell::RefCell;
use std::fs::File;
use std::io::{self, Write as _};
use std::os::unix::fs::FileExt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use rustix::fs::FlockOperation;
use rustix::io::Errno;

use super::queue::Queue;
use super::turn::{self, Turn};
use crate::mail::error::{MailError, MailErrorKind};
use crate::mail::sqlite::error::unusable;

/// After so long without anybody new at the store, those who wait no longer stand behind each other.
const ORDERLY: Duration = Duration::from_secs(1);

/// Where the number of holds stands in the lock file, behind the id of who holds it.
const HOLDS: usize = 12;

/// Where whoever writes comes through.
#[derive(Debug)]
pub(super) struct Gate {
    lock: File,
    path: PathBuf,
    /// A thread that waits for the lock, left over from a wait that took too long.
    waits: RefCell<Option<Arc<Queue>>>,
}

/// Holds the store for writing until it is dropped.
#[derive(Debug)]
pub(in crate::mail::sqlite) struct Held<'a> {
    lock: &'a File,
}

/// The same, on a handle of its own. Whoever is next is let forward when the store is free.
#[derive(Debug)]
pub(in crate::mail::sqlite) struct HeldLate {
    lock: File,
    _turn: Option<Turn>,
}

/// Either hold.
#[derive(Debug)]
pub(in crate::mail::sqlite) enum Hold<'a> {
    /// It was free.
    AtOnce { _held: Held<'a> },
    /// It was waited for.
    Late { _held: HeldLate },
}

impl Gate {
    /// The gate that this lock file is, which lies at `path`.
    pub(super) fn new(lock: File, path: PathBuf) -> Self {
        Self {
            lock,
            path,
            waits: RefCell::default(),
        }
    }

    /// Holds the store for writing, as soon as nobody else does, within `patience`.
    ///
    /// Who waits has it in the order in which they came, and nobody who comes then before them.
    /// `open` gives another handle of the lock file.
    pub(super) fn hold(
        &self,
        patience: Duration,
        open: impl Fn() -> io::Result<File>,
    ) -> Result<Hold<'_>, MailError> {
        let lock = &self.lock;
        if !turn::is_awaited(lock) {
            match rustix::fs::flock(lock, FlockOperation::NonBlockingLockExclusive) {
                Ok(()) => {
                    name_holder(lock);
                    return Ok(Hold::AtOnce {
                        _held: Held { lock },
                    });
                }
                Err(Errno::WOULDBLOCK | Errno::INTR) => {}
                Err(error) => return Err(unusable(&self.path, &error.into())),
            }
        }
        let held = self.wait(patience, open)?;
        name_holder(&held.lock);
        Ok(Hold::Late { _held: held })
    }

    /// Waits on a thread of its own: there is no lock with a deadline. A thread that still waits
    /// from the last time goes on, and lets go at once of what comes when nobody wants it.
    fn wait(
        &self,
        patience: Duration,
        open: impl Fn() -> io::Result<File>,
    ) -> Result<HeldLate, MailError> {
        let fail = |error: io::Error| unusable(&self.path, &error);
        let mut waits = self.waits.borrow_mut();
        let (queue, turn) = if let Some(queue) = waits.take().filter(|queue| queue.want()) {
            (queue, None)
        } else {
            let turn = open().ok().and_then(Turn::draw);
            let lock = open().map_err(fail)?;
            let queue = Queue::enter(lock, turn.as_ref().map(Turn::before)).map_err(fail)?;
            (queue, turn)
        };
        let mut left = patience;
        let mut holds = holds(&self.lock);
        while turn.is_some() && left > ORDERLY && !queue.is_answered(ORDERLY) {
            left -= ORDERLY;
            let before = std::mem::replace(&mut holds, self::holds(&self.lock));
            if before == holds {
                // Who is before may be stopped, with the store free.
                let lock = open().map_err(fail)?;
                queue.clone().ask(lock, None).map_err(fail)?;
                break;
            }
        }
        if let Some(locked) = queue.wait(left) {
            Ok(HeldLate {
                lock: locked.map_err(fail)?,
                _turn: turn,
            })
        } else {
            *waits = Some(queue);
            Err(self.busy(patience))
        }
    }

    fn busy(&self, patience: Duration) -> MailError {
        let holder = holder(&self.lock);
        let holder = holder.map_or("another process".to_owned(), |pid| format!("process {pid}"));
        let text = format!(
            "{holder} has held the mail store for {patience:?} ({}); if it is stopped, let it go on or end it",
            self.path.display()
        );
        MailError::new(MailErrorKind::Busy, text)
    }
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        // The descriptor stays open; what cannot be unlocked goes with it.
        let _ = rustix::fs::flock(self.lock, FlockOperation::Unlock);
    }
}

/// Writes into the lock file who holds it, for whoever waits too long, and that it is another hold.
fn name_holder(lock: &File) {
    let mut text = [b' '; 16];
    let _ = writeln!(&mut text[..HOLDS], "{}", std::process::id());
    let next = holds(lock).map_or(0, |holds| holds.wrapping_add(1));
    text[HOLDS..].copy_from_slice(&next.to_le_bytes());
    // On a full disk nobody is named.
    let _ = lock.write_all_at(&text, 0);
}

fn holder(lock: &File) -> Option<u32> {
    let mut text = [0; HOLDS];
    let read = lock.read_at(&mut text, 0).ok()?;
    let text = std::str::from_utf8(text.get(..read)?).ok()?;
    text.split_whitespace().next()?.parse().ok()
}

/// How often the store was held so far, as far as that is known.
fn holds(lock: &File) -> Option<u32> {
    let mut holds = [0; 4];
    lock.read_exact_at(&mut holds, HOLDS as u64).ok()?;
    Some(u32::from_le_bytes(holds))
}
