//! The directory of one loop's state, and the lock on it.

use std::fs::{File, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use super::error::StateError;
use super::place::StatePlace;
use crate::runtime::system::{PrivateDir, pause};

const LOCK: &str = "lock";

/// How many damaged files of one name are kept.
const MOST_DAMAGED: u32 = 3;

/// How often somebody who waits for the lock asks for it.
const AGAIN: Duration = Duration::from_millis(10);

/// A private directory for the state of one loop: 0700, its files 0600.
///
/// From the root of its [`StatePlace`] on, symbolic links and what belongs to another user are
/// refused, and so is a root to which others may write; a directory below it that is open to
/// others is closed to them. Clones are the same directory.
#[derive(Clone, Debug)]
pub struct StateDir(pub(super) Arc<PrivateDir>);

/// Holds a [`StateDir`] for this process until it is dropped, however the process ends.
#[derive(Debug)]
pub struct StateLock(File);

impl StateDir {
    /// Opens the directory at `place`, and makes it where it is missing.
    ///
    /// # Errors
    ///
    /// Unusable: it cannot be made or opened, or it is not a private directory of this user.
    pub fn open(place: impl Into<StatePlace>) -> Result<Self, StateError> {
        let place = place.into();
        let opened = PrivateDir::create(place.root(), place.below());
        let opened = opened.map_err(|error| StateError::unusable(&place.path(), &error))?;
        Ok(Self(Arc::new(opened)))
    }

    /// Opens the directory at `place` for reading, where it is there.
    ///
    /// # Errors
    ///
    /// Unusable: it cannot be opened, it is not a directory of this user, or others may write
    /// to it.
    pub fn existing(place: impl Into<StatePlace>) -> Result<Option<Self>, StateError> {
        let place = place.into();
        match PrivateDir::open(place.root(), place.below()) {
            Ok(dir) => Ok(Some(Self(Arc::new(dir)))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(StateError::unusable(&place.path(), &error)),
        }
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// Holds the directory for this process.
    ///
    /// # Errors
    ///
    /// Busy: another process holds it; the error names it. Unusable: nothing can be written
    /// there.
    pub fn lock(&self) -> Result<StateLock, StateError> {
        let unusable = |error: &io::Error| StateError::unusable(self.path(), error);
        let mut file = self.0.update(LOCK).map_err(|error| unusable(&error))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let holder = holder(&mut file);
                return Err(StateError::busy(self.path(), holder));
            }
            Err(TryLockError::Error(error)) => return Err(unusable(&error)),
        }
        let written = file
            .set_len(0)
            .and_then(|()| writeln!(file, "{}", std::process::id()));
        written.map_err(|error| unusable(&error))?;
        Ok(StateLock(file))
    }

    /// Keeps `bytes` under `name`, whole or not at all.
    ///
    /// # Errors
    ///
    /// Io: it could not be written; then what was there before is still there.
    pub fn keep(&self, name: &str, bytes: &[u8]) -> Result<(), StateError> {
        let kept = self.0.replace(name, bytes);
        kept.map_err(|error| StateError::io("write", &self.at(name), &error))
    }

    /// What is kept under `name`, where there is something.
    ///
    /// # Errors
    ///
    /// TooLarge: it takes more than `most` bytes. Io: it could not be read.
    pub fn kept(&self, name: &str, most: u64) -> Result<Option<Vec<u8>>, StateError> {
        let kept = self.0.read(name, most);
        kept.map_err(|error| StateError::read(&self.at(name), &error))
    }

    /// Adds `line` and its end to the file `name`. One that takes more than `most` bytes is
    /// begun anew first, and kept under `name.old`.
    ///
    /// # Errors
    ///
    /// Io: it could not be written.
    pub fn add_line(&self, name: &str, line: &str, most: u64) -> Result<(), StateError> {
        let failed = |error: io::Error| StateError::io("write", &self.at(name), &error);
        let mut file = self.0.append(name, false).map_err(failed)?;
        if file.metadata().map_err(failed)?.len() > most {
            let old = format!("{name}.old");
            self.0.rename(name, &old).map_err(failed)?;
            file = self.0.append(name, false).map_err(failed)?;
        }
        file.write_all(format!("{line}\n").as_bytes())
            .map_err(failed)
    }

    /// Holds the directory for this process, as soon as another lets go of it within `patience`.
    ///
    /// # Errors
    ///
    /// As [`lock`](Self::lock).
    pub fn lock_within(&self, patience: Duration) -> Result<StateLock, StateError> {
        let mut left = patience;
        loop {
            match self.lock() {
                Err(error) if error.is_busy() && !left.is_zero() => pause(AGAIN.min(left)),
                locked => return locked,
            }
            left = left.saturating_sub(AGAIN);
        }
    }

    /// Gives the damaged file `name` the first free name for damaged ones; if none is free the
    /// last, and those before it move down. Gives that name.
    pub(super) fn set_aside(&self, name: &str) -> io::Result<String> {
        let aside = |n: u32| format!("{name}.damaged-{n}");
        let free = (1..=MOST_DAMAGED).find(|n| !self.0.has(&aside(*n)));
        let taken = free.unwrap_or_else(|| {
            for n in 1..MOST_DAMAGED {
                // What cannot be moved is overwritten below.
                let _ = self.0.rename(&aside(n + 1), &aside(n));
            }
            MOST_DAMAGED
        });
        self.0.rename(name, &aside(taken))?;
        Ok(aside(taken))
    }

    /// The process that holds the directory now, where one does and said so.
    ///
    /// Asking takes no lock; after a crash, a process that was given the same id is taken for the
    /// holder.
    pub fn holder(&self) -> Option<u32> {
        let text = self.0.head(LOCK, 32).ok()??;
        let pid = std::str::from_utf8(&text).ok()?.trim().parse().ok()?;
        crate::runtime::system::is_alive(pid).then_some(pid)
    }

    pub(super) fn at(&self, name: &str) -> PathBuf {
        self.path().join(name)
    }
}

/// Whoever asks later is told that nobody holds it.
impl Drop for StateLock {
    fn drop(&mut self) {
        let _ = self.0.set_len(0);
    }
}

fn holder(file: &mut File) -> Option<u32> {
    let mut text = String::new();
    file.rewind().ok()?;
    file.take(32).read_to_string(&mut text).ok()?;
    text.trim().parse().ok()
}
