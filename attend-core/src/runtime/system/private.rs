//! Private directories: files that only their owner reads, written whole or not at all.

use std::ffi::OsStr;
use std::fs::{DirBuilder, File, TryLockError};
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Component, Path, PathBuf};

use rustix::fs::{AtFlags, CWD, FileType, Mode, OFlags, Stat};
use rustix::io::Errno;

/// Makes the file at `path`, which only this user may read. What is there already is left alone.
pub(crate) fn create_file(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.write(true).create_new(true).mode(0o600).open(path)
}

/// Whether `file` can still be found under some name.
pub(crate) fn is_linked(file: &File) -> io::Result<bool> {
    Ok(file.metadata()?.nlink() > 0)
}

/// A directory that belongs to this user and that nobody else can enter.
///
/// It lies below a root, from which on nothing is taken on trust: the root, each directory on
/// the way down and each file is opened without following symbolic links, and has to belong to
/// this user. What lies above the root is the user's own business and may be a link.
///
/// | | where it is missing | where others may |
/// |---|---|---|
/// | above the root | made | no matter |
/// | the root | made, 0700 | write: refused; read: no matter |
/// | below it, and the directory itself | made, 0700 | read or write: closed to them |
///
/// Names of files are names, never paths.
#[derive(Debug)]
pub(crate) struct PrivateDir {
    path: PathBuf,
    fd: OwnedFd,
}

impl PrivateDir {
    /// Opens the directory at `below` under `root`, and makes it where it is missing.
    pub(crate) fn create(root: &Path, below: &Path) -> io::Result<Self> {
        let root = plain(root);
        match DirBuilder::new().recursive(true).mode(0o700).create(&root) {
            // What is there instead is told apart below.
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
            _ => {}
        }
        Self::descend(root, below, Missing::Make)
    }

    /// Opens the directory at `below` under `root` as it is.
    pub(crate) fn open(root: &Path, below: &Path) -> io::Result<Self> {
        Self::descend(plain(root), below, Missing::Leave)
    }

    fn descend(root: PathBuf, below: &Path, missing: Missing) -> io::Result<Self> {
        let names = names(below)?;
        let path = root.join(below);
        // What is refused need not be what was asked for.
        let at = |refused: &Path, error: io::Error| {
            if error.raw_os_error().is_some() || refused == path {
                return error;
            }
            io::Error::new(error.kind(), format!("{}: {error}", refused.display()))
        };
        let mut way = root;
        let mut fd = enter(CWD, &way).map_err(|error| at(&way, error))?;
        let writable = mode(&fd)?.intersects(OTHERS_WRITE);
        if names.is_empty() {
            close(&fd, missing)?;
        } else if writable {
            return Err(at(&way, refused(OTHERS_MAY)));
        }
        for name in names {
            way.push(name);
            if missing == Missing::Make {
                match rustix::fs::mkdirat(&fd, name, Mode::RWXU) {
                    Ok(()) | Err(Errno::EXIST) => {}
                    Err(error) => return Err(error.into()),
                }
            }
            let entered = enter(&fd, Path::new(name));
            let closed = entered.and_then(|fd| close(&fd, missing).map(|()| fd));
            fd = closed.map_err(|error| at(&way, error))?;
        }
        Ok(Self { path, fd })
    }

    /// Its path.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The whole of the file `name`, where there is one. More than `most` bytes are an error.
    pub(crate) fn read(&self, name: &str, most: u64) -> io::Result<Option<Vec<u8>>> {
        let bytes = self.head(name, most.saturating_add(1))?;
        if bytes
            .as_ref()
            .is_some_and(|bytes| bytes.len() as u64 > most)
        {
            return Err(io::Error::new(
                io::ErrorKind::FileTooLarge,
                "it is too large",
            ));
        }
        Ok(bytes)
    }

    /// The first `most` bytes of the file `name`, where there is one.
    pub(crate) fn head(&self, name: &str, most: u64) -> io::Result<Option<Vec<u8>>> {
        let file = match self.file(name, OFlags::RDONLY) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            file => file?,
        };
        let mut bytes = Vec::new();
        file.take(most).read_to_end(&mut bytes)?;
        Ok(Some(bytes))
    }

    /// Puts `bytes` in place of the file `name`: after a crash it is the old or the new one, and of
    /// several who do so at once one is the last.
    pub(crate) fn replace(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        let (new, mut file) = self.draft(name)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        self.rename(&new, name)?;
        rustix::fs::fsync(&self.fd)?;
        Ok(())
    }

    /// A new file in which what is to be called `name` is written, locked for as long as it is
    /// open: no other writer takes it for what a crash left there.
    fn draft(&self, name: &str) -> io::Result<(String, File)> {
        for n in 0..MOST_WRITERS {
            let new = match n {
                0 => format!("{name}.new"),
                n => format!("{name}.new-{n}"),
            };
            // Somebody may remove it before it is locked.
            for _ in 0..MOST_TRIES {
                match self.file(&new, OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL) {
                    Ok(file) if is_free(&file) && self.is_at(&new, &file) => {
                        return Ok((new, file));
                    }
                    Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
                        return Err(error);
                    }
                    _ => {}
                }
                match self.file(&new, OFlags::RDONLY) {
                    // Whatever a crash left there goes.
                    Ok(file) if is_free(&file) => {
                        if self.is_at(&new, &file) {
                            rustix::fs::unlinkat(&self.fd, &new, AtFlags::empty())?;
                        }
                    }
                    Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                    // Somebody writes it, or it is nothing of attend's.
                    _ => break,
                }
            }
        }
        let text = format!("more than {MOST_WRITERS} others are writing it");
        Err(io::Error::new(io::ErrorKind::ResourceBusy, text))
    }

    /// Whether `file` is what is called `name` now.
    fn is_at(&self, name: &str, file: &File) -> bool {
        let here = rustix::fs::statat(&self.fd, name, AtFlags::SYMLINK_NOFOLLOW);
        let both = here.and_then(|here| Ok((here, rustix::fs::fstat(file)?)));
        both.is_ok_and(|(here, own)| (here.st_dev, here.st_ino) == (own.st_dev, own.st_ino))
    }

    /// The file `name` for appending, emptied first if `fresh`.
    pub(crate) fn append(&self, name: &str, fresh: bool) -> io::Result<File> {
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::APPEND;
        let fresh = if fresh {
            OFlags::TRUNC
        } else {
            OFlags::empty()
        };
        self.file(name, flags | fresh)
    }

    /// The file `name` for reading and writing, made where it is missing.
    pub(crate) fn update(&self, name: &str) -> io::Result<File> {
        self.file(name, OFlags::RDWR | OFlags::CREATE)
    }

    /// Gives the file `from` the name `to`, in place of what had it.
    pub(crate) fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        Ok(rustix::fs::renameat(&self.fd, from, &self.fd, to)?)
    }

    /// Whether there is something called `name`.
    pub(crate) fn has(&self, name: &str) -> bool {
        rustix::fs::statat(&self.fd, name, AtFlags::SYMLINK_NOFOLLOW).is_ok()
    }

    fn file(&self, name: &str, flags: OFlags) -> io::Result<File> {
        if name.contains('/') {
            return Err(io::ErrorKind::InvalidFilename.into());
        }
        // A pipe in place of the file must not hold anybody up.
        let flags = flags | OFlags::NOFOLLOW | OFlags::CLOEXEC | OFlags::NONBLOCK;
        let opened = rustix::fs::openat(&self.fd, name, flags, Mode::RUSR | Mode::WUSR);
        let fd = opened.map_err(|error| match error {
            Errno::LOOP => refused("it is a symbolic link"),
            other => other.into(),
        })?;
        let stat = rustix::fs::fstat(&fd)?;
        if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile {
            return Err(refused("it is not a regular file"));
        }
        owned(&stat)?;
        let is_written = flags.intersects(OFlags::WRONLY | OFlags::RDWR);
        if is_written && Mode::from_raw_mode(stat.st_mode).intersects(OTHERS) {
            rustix::fs::fchmod(&fd, Mode::RUSR | Mode::WUSR)?;
        }
        Ok(fd.into())
    }
}

/// How many may write the same file at once.
const MOST_WRITERS: u32 = 32;

/// How often one name is tried, which others may take away.
const MOST_TRIES: u32 = 16;

/// Whether nobody else has locked `file`, which is locked now; where there are no locks, nobody
/// has.
fn is_free(file: &File) -> bool {
    !matches!(file.try_lock(), Err(TryLockError::WouldBlock))
}

/// Permissions of anybody but the owner.
const OTHERS: Mode = Mode::RWXG.union(Mode::RWXO);

/// Those by which they put something in place of what is there.
const OTHERS_WRITE: Mode = Mode::WGRP.union(Mode::WOTH);

/// What is said of a directory to which they may, and what to do about it.
const OTHERS_MAY: &str = "others may write to it (chmod go-w ends that)";

/// What to do about a directory that is missing or open to others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Missing {
    /// Make it, and close it.
    Make,
    /// Nothing: somebody only reads.
    Leave,
}

/// `path` without what would make the system follow a symbolic link at its end: `link/`.
fn plain(path: &Path) -> PathBuf {
    path.components().collect()
}

/// The directories on the way to `below`. Ways up and roots are refused.
fn names(below: &Path) -> io::Result<Vec<&OsStr>> {
    let components = below.components().map(|component| match component {
        Component::Normal(name) => Ok(name),
        _ => Err(io::ErrorKind::InvalidFilename.into()),
    });
    components.collect()
}

/// Opens a directory of this user in `at`.
fn enter(at: impl AsFd, path: &Path) -> io::Result<OwnedFd> {
    let flags = OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::RDONLY | OFlags::CLOEXEC;
    let opened = rustix::fs::openat(at, path, flags, Mode::empty());
    let fd = opened.map_err(|error| match error {
        Errno::LOOP | Errno::NOTDIR => refused("it is not a directory, or a symbolic link"),
        other => other.into(),
    })?;
    owned(&rustix::fs::fstat(&fd)?)?;
    Ok(fd)
}

/// Makes sure that nobody else gets into a directory; where it is only read, that nobody else
/// can have put anything there.
fn close(fd: &OwnedFd, missing: Missing) -> io::Result<()> {
    let mode = mode(fd)?;
    if missing == Missing::Make && mode.intersects(OTHERS) {
        rustix::fs::fchmod(fd, Mode::RWXU)?;
    } else if mode.intersects(OTHERS_WRITE) {
        return Err(refused(OTHERS_MAY));
    }
    Ok(())
}

fn mode(fd: impl AsFd) -> io::Result<Mode> {
    Ok(Mode::from_raw_mode(rustix::fs::fstat(fd)?.st_mode))
}

fn owned(stat: &Stat) -> io::Result<()> {
    if stat.st_uid == rustix::process::geteuid().as_raw() {
        return Ok(());
    }
    Err(refused("it belongs to another user"))
}

fn refused(why: &str) -> io::Error {
    io::Error::new(io::ErrorKind::PermissionDenied, why)
}
