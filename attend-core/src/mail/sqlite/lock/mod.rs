//! The directory of the store and the lock beside it: all that needs the platform.

mod turn;

mod queue;

mod gate;

use std::fs::{DirBuilder, File};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use rustix::fs::{
    AtFlags, CWD, FileType, Mode, OFlags, Timespec, Timestamps, UTIME_NOW, UTIME_OMIT,
};
use rustix::io::Errno;

use self::gate::{Gate, Hold};
use super::error::{unforced, unusable};
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
    /// None without the right to write.
    gate: Option<Gate>,
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
            gate: Some(Gate::new(lock, path.join(LOCK))),
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
            gate: file(&dir, LOCK, OFlags::RDWR)
                .ok()
                .map(|lock| Gate::new(lock, path.join(LOCK))),
            dir,
        }))
    }

    /// The file of the store.
    pub(super) fn store(&self) -> PathBuf {
        self.path.join(STORE)
    }

    /// Whether the store may be written.
    pub(super) fn is_writable(&self) -> bool {
        self.gate.is_some()
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
    pub(super) fn hold(&self, patience: Duration) -> Result<Hold<'_>, MailError> {
        let Some(gate) = &self.gate else {
            let denied = io::Error::from(io::ErrorKind::PermissionDenied);
            return Err(unusable(&self.path.join(LOCK), &denied));
        };
        gate.hold(patience, || file(&self.dir, LOCK, OFlags::RDWR))
    }
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
mod tests;
