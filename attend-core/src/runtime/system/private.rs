//! Private directories: files that only their owner reads, written whole or not at all.

use std::fs::{DirBuilder, File};
use std::io::{self, Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, FileType, Mode, OFlags, Stat};
use rustix::io::Errno;

/// A directory that belongs to this user and that nobody else can enter.
///
/// Symbolic links in place of the directory or of a file in it are refused, and so is what
/// belongs to somebody else. Names are names, never paths.
#[derive(Debug)]
pub(crate) struct PrivateDir {
    path: PathBuf,
    fd: OwnedFd,
}

impl PrivateDir {
    /// Opens the directory, and makes it where it is missing.
    pub(crate) fn create(path: &Path) -> io::Result<Self> {
        match DirBuilder::new().recursive(true).mode(0o700).create(path) {
            // What is there instead is told apart below.
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
            _ => {}
        }
        let dir = Self::open(path)?;
        let open_to_others = rustix::fs::fstat(&dir.fd)?.st_mode & 0o077 != 0;
        if open_to_others {
            rustix::fs::fchmod(&dir.fd, Mode::RWXU)?;
        }
        Ok(dir)
    }

    /// Opens the directory as it is.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        let flags = OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::RDONLY | OFlags::CLOEXEC;
        let fd = rustix::fs::open(path, flags, Mode::empty()).map_err(|error| match error {
            Errno::LOOP | Errno::NOTDIR => refused("it is not a directory, or a symbolic link"),
            other => other.into(),
        })?;
        owned(&rustix::fs::fstat(&fd)?)?;
        let path = path.to_owned();
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

    /// Puts `bytes` in place of the file `name`: after a crash it is the old or the new one.
    pub(crate) fn replace(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        let new = format!("{name}.new");
        let mut file = self.file(&new, OFlags::WRONLY | OFlags::CREATE | OFlags::TRUNC)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        self.rename(&new, name)?;
        rustix::fs::fsync(&self.fd)?;
        Ok(())
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
        Ok(fd.into())
    }
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
