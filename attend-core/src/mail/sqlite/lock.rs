//! The directory of the store and the lock beside it: all that needs the platform.

use std::cell::RefCell;
use std::fs::{DirBuilder, File};
use std::io::{self, Write as _};
use std::os::fd::OwnedFd;
use std::os::unix::fs::{DirBuilderExt, FileExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use rustix::fs::{
    AtFlags, CWD, FileType, FlockOperation, Mode, OFlags, Timespec, Timestamps, UTIME_NOW,
    UTIME_OMIT,
};
use rustix::io::Errno;

use super::error::{unforced, unusable};
use super::queue::Queue;
use crate::mail::error::{MailError, MailErrorKind};

const LOCK: &str = "mail.lock";
/// The database.
pub(super) const STORE: &str = "mail.db";
/// SQLite's write-ahead log beside the store.
const LOG: &str = "mail.db-wal";
/// The directory of the doorbells.
pub(super) const BELLS: &str = "run";

/// File systems over which SQLite's shared memory does not work: NFS and the two of SMB
/// (linux/magic.h).
const REMOTE: [(i64, &str); 3] = [(0x6969, "NFS"), (0xff53_4d42, "CIFS"), (0xfe53_4d42, "SMB")];

const NOW: Timespec = Timespec {
    tv_sec: 0,
    tv_nsec: UTIME_NOW,
};
const OMIT: Timespec = Timespec {
    tv_sec: 0,
    tv_nsec: UTIME_OMIT,
};

/// The file whose time says when somebody looked at a seat.
pub(super) fn look_name(seat: i64) -> String {
    format!("{seat}.look")
}

/// The private directory of a store.
#[derive(Debug)]
pub(super) struct Home {
    path: PathBuf,
    /// Everything beside the store itself is opened below this, whatever becomes of its path.
    dir: OwnedFd,
    lock: Option<File>,
    /// A thread that waits for the lock, left over from a wait that took too long.
    waits: RefCell<Option<Arc<Queue>>>,
}

/// Holds the store for writing until it is dropped.
#[derive(Debug)]
pub(super) struct Held<'a> {
    lock: &'a File,
}

/// The same, on a handle of its own.
#[derive(Debug)]
pub(super) struct HeldLate {
    _lock: File,
}

/// Either hold.
#[derive(Debug)]
pub(super) enum Hold<'a> {
    /// It was free.
    AtOnce { _held: Held<'a> },
    /// It was waited for.
    Late { _held: HeldLate },
}

impl Home {
    /// Makes the directory and the files of the store where they are missing.
    pub(super) fn create(path: &Path) -> Result<Self, MailError> {
        let made = DirBuilder::new().recursive(true).mode(0o700).create(path);
        match made {
            // What is there instead is told apart below.
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
                return Err(unusable(path, &error));
            }
            _ => {}
        }
        let dir = enter(path).map_err(|error| unusable(path, &error))?;
        if let Err(error) = close_to_others(&dir) {
            return Err(unusable(path, &error));
        }
        local(&dir, path)?;
        match rustix::fs::mkdirat(&dir, BELLS, Mode::RWXU) {
            Ok(()) | Err(Errno::EXIST) => {}
            Err(error) => return Err(unusable(&path.join(BELLS), &error.into())),
        }
        for name in [STORE, LOCK] {
            let flags = OFlags::RDWR | OFlags::CREATE;
            file(&dir, name, flags).map_err(|error| unusable(&path.join(name), &error))?;
        }
        let lock = file(&dir, LOCK, OFlags::RDWR);
        let lock = lock.map_err(|error| unusable(&path.join(LOCK), &error))?;
        Ok(Self {
            path: path.to_owned(),
            dir,
            lock: Some(lock),
            waits: RefCell::default(),
        })
    }

    /// The directory as it is, where there is a store in it. Without the right to write, nothing
    /// can be held.
    pub(super) fn existing(path: &Path) -> Result<Option<Self>, MailError> {
        let missing = |error: &io::Error| error.kind() == io::ErrorKind::NotFound;
        let dir = match enter(path) {
            Err(error) if missing(&error) => return Ok(None),
            dir => dir.map_err(|error| unusable(path, &error))?,
        };
        local(&dir, path)?;
        match file(&dir, STORE, OFlags::RDONLY) {
            Err(error) if missing(&error) => return Ok(None),
            Err(error) => return Err(unusable(&path.join(STORE), &error)),
            Ok(_) => {}
        }
        Ok(Some(Self {
            path: path.to_owned(),
            lock: file(&dir, LOCK, OFlags::RDWR).ok(),
            dir,
            waits: RefCell::default(),
        }))
    }

    /// The file of the store.
    pub(super) fn store(&self) -> PathBuf {
        self.path.join(STORE)
    }

    /// Whether the store may be written.
    pub(super) fn is_writable(&self) -> bool {
        self.lock.is_some()
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Whether nothing was ever written to the log of the store. Ask while the store is held.
    pub(super) fn log_is_new(&self) -> bool {
        rustix::fs::statat(&self.dir, LOG, AtFlags::SYMLINK_NOFOLLOW)
            .map_or(true, |log| log.st_size == 0)
    }

    /// Waits until everything that was committed is on disk: what has left the log is, and what
    /// stands in it is forced here, whoever wrote it.
    ///
    /// # Errors
    ///
    /// The disk failed. What was committed may still be there, and may still be read.
    pub(super) fn force_log(&self) -> Result<(), MailError> {
        let forced = file(&self.dir, LOG, OFlags::RDWR).and_then(|log| log.sync_data());
        forced.map_err(|error| unforced(&self.path.join(LOG), &error))
    }

    /// Rings the doorbells of these seats, where somebody listens: a file is there then.
    pub(super) fn ring(&self, seats: &[i64]) {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let Ok(bells) = rustix::fs::openat(&self.dir, BELLS, flags, Mode::empty()) else {
            return; // Whoever listens looks now and then, too.
        };
        let now = Timestamps {
            last_access: OMIT,
            last_modification: NOW,
        };
        for seat in seats {
            let bell = format!("{seat}.bell");
            let _ = rustix::fs::utimensat(&bells, &bell, &now, AtFlags::SYMLINK_NOFOLLOW);
        }
    }

    /// Sets the time of a file beside the doorbells, and makes it where it is missing.
    pub(super) fn stamp(&self, name: &str, at: SystemTime) {
        // Nothing depends on it but how soon a sender is told to expect an answer.
        if let Ok(file) = self.beside(name, OFlags::RDWR | OFlags::CREATE) {
            let _ = file.set_modified(at);
        }
    }

    /// A file beside the doorbells, to be read.
    pub(super) fn read_beside(&self, name: &str) -> io::Result<File> {
        self.beside(name, OFlags::RDONLY)
    }

    /// The same, to be written anew.
    pub(super) fn write_beside(&self, name: &str) -> io::Result<File> {
        self.beside(name, OFlags::WRONLY | OFlags::CREATE | OFlags::TRUNC)
    }

    fn beside(&self, name: &str, flags: OFlags) -> io::Result<File> {
        let way = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let bells = rustix::fs::openat(&self.dir, BELLS, way, Mode::empty())?;
        file(&bells, name, flags)
    }

    /// Holds the store for writing, as soon as nobody else does, within `patience`.
    ///
    /// Whoever waits is woken by the kernel when it is free, and competes with whoever comes then.
    pub(super) fn hold(&self, patience: Duration) -> Result<Hold<'_>, MailError> {
        let Some(lock) = &self.lock else {
            let denied = io::Error::from(io::ErrorKind::PermissionDenied);
            return Err(unusable(&self.path.join(LOCK), &denied));
        };
        match rustix::fs::flock(lock, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => {
                name_holder(lock);
                return Ok(Hold::AtOnce {
                    _held: Held { lock },
                });
            }
            Err(Errno::WOULDBLOCK | Errno::INTR) => {}
            Err(error) => return Err(unusable(&self.path.join(LOCK), &error.into())),
        }
        let lock = self.wait(patience)?;
        name_holder(&lock);
        Ok(Hold::Late {
            _held: HeldLate { _lock: lock },
        })
    }

    /// Waits on a thread of its own: there is no lock with a deadline. A thread that still waits
    /// from the last time goes on, and lets go at once of what comes when nobody wants it.
    fn wait(&self, patience: Duration) -> Result<File, MailError> {
        let path = self.path.join(LOCK);
        let mut waits = self.waits.borrow_mut();
        let queue = if let Some(queue) = waits.take().filter(|queue| queue.want()) {
            queue
        } else {
            let lock = file(&self.dir, LOCK, OFlags::RDWR);
            let lock = lock.map_err(|error| unusable(&path, &error))?;
            Queue::enter(lock).map_err(|error| unusable(&path, &error))?
        };
        if let Some(locked) = queue.wait(patience) {
            locked.map_err(|error| unusable(&path, &error))
        } else {
            *waits = Some(queue);
            Err(self.busy(patience))
        }
    }

    fn busy(&self, patience: Duration) -> MailError {
        let holder = self.lock.as_ref().and_then(holder);
        let holder = holder.map_or("another process".to_owned(), |pid| format!("process {pid}"));
        let text = format!(
            "{holder} has held the mail store for {patience:?} ({}); if it is stopped, let it go on or end it",
            self.path.join(LOCK).display()
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

/// Writes this process's id into the lock file, for whoever waits too long.
fn name_holder(lock: &File) {
    let mut text = [b' '; 12];
    let _ = writeln!(&mut text[..], "{}", std::process::id());
    // On a full disk nobody is named.
    let _ = lock.write_all_at(&text, 0);
}

fn holder(lock: &File) -> Option<u32> {
    let mut text = [0; 12];
    let read = lock.read_at(&mut text, 0).ok()?;
    let text = std::str::from_utf8(text.get(..read)?).ok()?;
    text.split_whitespace().next()?.parse().ok()
}

/// Opens the directory without following a link at its end; it has to belong to this user.
fn enter(path: &Path) -> io::Result<OwnedFd> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let opened = rustix::fs::openat(CWD, path, flags, Mode::empty());
    let dir = opened.map_err(|error| match error {
        Errno::LOOP => other("it is a symbolic link"),
        Errno::NOTDIR if path.is_symlink() => other("it is a symbolic link"),
        error => error.into(),
    })?;
    owned(&rustix::fs::fstat(&dir)?)?;
    Ok(dir)
}

fn close_to_others(dir: &OwnedFd) -> io::Result<()> {
    let mode = Mode::from_raw_mode(rustix::fs::fstat(dir)?.st_mode);
    if mode.intersects(Mode::RWXG | Mode::RWXO) {
        rustix::fs::fchmod(dir, Mode::RWXU)?;
    }
    Ok(())
}

/// A regular file of this user's in the directory, opened without following a link.
fn file(dir: &OwnedFd, name: &str, flags: OFlags) -> io::Result<File> {
    // A pipe in place of the file must not hold anybody up.
    let flags = flags | OFlags::NOFOLLOW | OFlags::CLOEXEC | OFlags::NONBLOCK;
    let opened = rustix::fs::openat(dir, name, flags, Mode::RUSR | Mode::WUSR);
    let fd = opened.map_err(|error| match error {
        Errno::LOOP => other("it is a symbolic link"),
        error => error.into(),
    })?;
    let stat = rustix::fs::fstat(&fd)?;
    if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile {
        return Err(other("it is not a regular file"));
    }
    owned(&stat)?;
    if Mode::from_raw_mode(stat.st_mode).intersects(Mode::RWXG | Mode::RWXO) {
        // What may not be closed is only read.
        let _ = rustix::fs::fchmod(&fd, Mode::RUSR | Mode::WUSR);
    }
    Ok(File::from(fd))
}

fn owned(stat: &rustix::fs::Stat) -> io::Result<()> {
    if stat.st_uid == rustix::process::geteuid().as_raw() {
        return Ok(());
    }
    Err(other("it belongs to another user"))
}

/// Refuses a file system that cannot carry a store at `path`, of which not everything need be
/// there.
pub(super) fn carries(path: &Path) -> Result<(), MailError> {
    let there = path.ancestors().find(|part| part.is_dir());
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let opened = there.map(|there| rustix::fs::openat(CWD, there, flags, Mode::empty()));
    match opened {
        Some(Ok(dir)) => local(&dir, path),
        // What cannot be looked at is refused when it is opened.
        _ => Ok(()),
    }
}

/// Refuses a file system that cannot carry the store.
#[cfg(target_os = "linux")]
fn local(dir: &OwnedFd, path: &Path) -> Result<(), MailError> {
    let Ok(stat) = rustix::fs::fstatfs(dir) else {
        return Ok(());
    };
    #[expect(
        clippy::unnecessary_cast,
        reason = "the field's type differs between systems"
    )]
    let found = stat.f_type as i64 & 0xffff_ffff;
    match remote(found) {
        None => Ok(()),
        Some(name) => Err(no_wal(path, name)),
    }
}

/// The name of the file system with this magic number, where it cannot share the store's memory.
#[cfg(target_os = "linux")]
fn remote(magic: i64) -> Option<&'static str> {
    let found = REMOTE.iter().find(|(known, _)| *known == magic)?;
    Some(found.1)
}

#[cfg(not(target_os = "linux"))]
fn local(_: &OwnedFd, _: &Path) -> Result<(), MailError> {
    Ok(())
}

/// The file system, which is of the kind `name`, cannot carry the store.
pub(super) fn no_wal(path: &Path, name: &str) -> MailError {
    let text = format!(
        "{} lies on a file system ({name}) that cannot carry the mail store; set ATTEND_HOME to a local directory",
        path.display()
    );
    MailError::new(MailErrorKind::Invalid, text)
}

fn other(why: &str) -> io::Error {
    io::Error::other(why.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(target_os = "linux")]
    #[test]
    fn file_systems_over_which_no_memory_is_shared_are_known() {
        assert_eq!(remote(0x6969), Some("NFS"));
        assert_eq!(remote(0xff53_4d42), Some("CIFS"));
        assert_eq!(remote(0x0102_1994), None, "a tmpfs");
    }
}
