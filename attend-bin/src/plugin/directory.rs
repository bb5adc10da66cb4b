//! A directory that holds the plugin, or is to: nothing of anybody else's in it is ever touched.

use std::fs::{self, DirBuilder, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use super::files::PluginFile;
use super::record::{self, Record};
use crate::output::Failure;
use crate::small;

/// Under this name a file is written before it takes the place of the one before.
const NEW: &str = "attend-plugin.new";

/// A file larger than this is none of the plugin, in bytes.
const MOST_BYTES: u64 = 1 << 20;

/// How a directory stands to the plugin.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Installation {
    /// Nothing of the plugin is there.
    Absent,
    /// It is there, as it has to be.
    Installed,
    /// It is there, as another attend wrote it, or without some of its files.
    Outdated,
    /// Something of somebody else lies where this file belongs.
    Foreign(PathBuf),
}

/// The directory, and what was written into it as far as that is known.
#[derive(Debug)]
pub(crate) struct Directory {
    path: PathBuf,
    record: Record,
}

/// What lies where a file belongs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Found {
    Nothing,
    /// Exactly the file.
    Same,
    /// A file that attend wrote, and nobody changed.
    Older,
    Foreign,
}

impl Directory {
    /// The directory at `path`, a whole one, which need not be there.
    ///
    /// # Errors
    ///
    /// It cannot be looked into, or what was written there is noted in a file that is not attend's.
    pub(crate) fn at(path: PathBuf) -> Result<Self, Failure> {
        let file = path.join(record::NAME);
        let kept = read(&file, record::MOST_BYTES).map_err(|error| unread(&file, &error))?;
        let record = match kept {
            Some(bytes) => Record::parse(&bytes).ok_or_else(|| foreign(&file))?,
            None if is_anything(&file) => return Err(foreign(&file)),
            None => Record::default(),
        };
        Ok(Self { path, record })
    }

    /// How it stands to the plugin that consists of `files`.
    ///
    /// # Errors
    ///
    /// One of them cannot be read.
    pub(crate) fn installation(&self, files: &[PluginFile]) -> Result<Installation, Failure> {
        let mut found = Vec::new();
        for file in files {
            match self.found(file)? {
                Found::Foreign => return Ok(Installation::Foreign(self.path.join(file.path))),
                other => found.push(other),
            }
        }
        let is_left = self.record.files().next().is_some();
        Ok(if found.iter().all(|found| *found == Found::Same) {
            Installation::Installed
        } else if found.iter().all(|found| *found == Found::Nothing) && !is_left {
            Installation::Absent
        } else {
            Installation::Outdated
        })
    }

    /// Writes `files`; gives those that changed. What lies in the way is left as it is, and then
    /// nothing is written.
    ///
    /// # Errors
    ///
    /// Something of somebody else lies in the way, or nothing can be written there.
    pub(crate) fn install(mut self, files: &[PluginFile]) -> Result<Vec<&'static str>, Failure> {
        let mut due = Vec::new();
        for file in files {
            match self.found(file)? {
                Found::Foreign => return Err(foreign(&self.path.join(file.path))),
                Found::Same => {}
                Found::Nothing | Found::Older => due.push(file),
            }
        }
        let gone = self.gone(files);
        if due.is_empty() && gone.is_empty() && self.is_recorded(files) {
            return Ok(Vec::new());
        }
        self.make_directories(files)?;
        // Whatever becomes of this process, what it wrote is known for attend's own.
        for file in files {
            self.record.add(file.path, file.text.as_bytes());
        }
        self.keep()?;
        for file in &due {
            self.write(file.path, file.text.as_bytes())?;
        }
        for path in &gone {
            self.remove(path)?;
        }
        for file in files {
            self.record.settle(file.path, file.text.as_bytes());
        }
        self.keep()?;
        Ok(due.into_iter().map(|file| file.path).collect())
    }

    /// Removes what attend wrote; gives how many files that were, and which it left since they
    /// are not as it wrote them.
    ///
    /// # Errors
    ///
    /// Something cannot be removed.
    pub(crate) fn uninstall(
        mut self,
        files: &[PluginFile],
    ) -> Result<(usize, Vec<PathBuf>), Failure> {
        for file in files {
            if self.found(file)? == Found::Same {
                self.record.add(file.path, file.text.as_bytes());
            }
        }
        let mut removed = 0;
        let mut left = Vec::new();
        let paths: Vec<String> = self.record.files().map(str::to_owned).collect();
        for path in &paths {
            match self.what_lies_at(path)? {
                Found::Nothing => {}
                Found::Foreign => left.push(self.path.join(path)),
                Found::Same | Found::Older => {
                    self.remove(path)?;
                    removed += 1;
                }
            }
        }
        for name in [NEW, record::NAME] {
            self.unlink(name)?;
        }
        let files: Vec<PathBuf> = paths.iter().map(|path| self.path.join(path)).collect();
        for directory in self.record.directories() {
            // As it is spelled: the record may have been written by anybody.
            let holds = |file: &PathBuf| {
                file.ancestors()
                    .skip(1)
                    .any(|above| above.as_os_str() == directory.as_os_str())
            };
            // One that holds something else stays, and those around it.
            if files.iter().any(holds) {
                let _ = fs::remove_dir(directory);
            }
        }
        Ok((removed, left))
    }

    /// What lies where `file` belongs.
    fn found(&self, file: &PluginFile) -> Result<Found, Failure> {
        let path = self.path.join(file.path);
        let bytes = read(&path, MOST_BYTES).map_err(|error| unread(&path, &error))?;
        if bytes.is_some_and(|bytes| bytes == file.text.as_bytes()) {
            return Ok(Found::Same);
        }
        self.what_lies_at(file.path)
    }

    fn what_lies_at(&self, below: &str) -> Result<Found, Failure> {
        let path = self.path.join(below);
        let bytes = read(&path, MOST_BYTES).map_err(|error| unread(&path, &error))?;
        Ok(match bytes {
            Some(bytes) if self.record.has(below, &bytes) => Found::Older,
            Some(_) => Found::Foreign,
            None if is_anything(&path) || self.is_led_away(below) => Found::Foreign,
            None => Found::Nothing,
        })
    }

    /// Whether something else than a directory lies on the way to `below`.
    fn is_led_away(&self, below: &str) -> bool {
        let mut way = Path::new(below).ancestors().skip(1);
        way.any(|part| {
            let found = fs::symlink_metadata(self.path.join(part));
            let is_root = part.as_os_str().is_empty();
            found.is_ok_and(|found| !found.is_dir() && !is_root)
        })
    }

    /// What an earlier plugin had, and this one has not.
    fn gone(&self, files: &[PluginFile]) -> Vec<String> {
        let is_known = |path: &&str| files.iter().any(|file| file.path == *path);
        let gone = self.record.files().filter(|path| !is_known(path));
        gone.map(str::to_owned).collect()
    }

    fn is_recorded(&self, files: &[PluginFile]) -> bool {
        let has = |file: &PluginFile| self.record.has(file.path, file.text.as_bytes());
        files.iter().all(has)
    }

    fn make_directories(&mut self, files: &[PluginFile]) -> Result<(), Failure> {
        let parents = files.iter().filter_map(|file| {
            let path = self.path.join(file.path);
            path.parent().map(Path::to_owned)
        });
        let mut needed: Vec<PathBuf> = Vec::new();
        for parent in parents {
            let missing = parent.ancestors().take_while(|path| !path.exists());
            needed.extend(missing.map(Path::to_owned));
        }
        // The outer ones first.
        needed.sort();
        needed.dedup();
        for path in needed {
            match DirBuilder::new().mode(0o700).create(&path) {
                Ok(()) => self.record.made(path),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(unwritten(&path, &error)),
            }
        }
        Ok(())
    }

    fn keep(&self) -> Result<(), Failure> {
        self.write(record::NAME, self.record.to_json().as_bytes())
    }

    /// Puts `bytes` at `below`, whole or not at all.
    fn write(&self, below: &str, bytes: &[u8]) -> Result<(), Failure> {
        let (new, path) = (self.path.join(NEW), self.path.join(below));
        let written = || {
            // What a process that was ended left there goes.
            let _ = fs::remove_file(&new);
            let mut options = OpenOptions::new();
            options.write(true).create_new(true).mode(0o600);
            let mut file = options.open(&new)?;
            file.write_all(bytes)?;
            file.sync_all()?;
            fs::rename(&new, &path)
        };
        written().map_err(|error| {
            let _ = fs::remove_file(&new);
            unwritten(&path, &error)
        })
    }

    /// Removes a file of attend's, which may be gone already or be somebody else's by now.
    fn remove(&mut self, below: &str) -> Result<(), Failure> {
        if self.what_lies_at(below)? == Found::Older {
            self.unlink(below)?;
        }
        self.record.forget(below);
        Ok(())
    }

    fn unlink(&self, below: &str) -> Result<(), Failure> {
        let path = self.path.join(below);
        match fs::remove_file(&path) {
            Err(error) if !is_missing(&error) => {
                let path = path.display();
                let text = format!("cannot remove {path}: {error}; allow writing there");
                Err(Failure::refused(text))
            }
            _ => Ok(()),
        }
    }
}

/// The whole of a regular file that is no longer than `most` bytes; none where there is none.
fn read(path: &Path, most: u64) -> io::Result<Option<Vec<u8>>> {
    match fs::symlink_metadata(path) {
        Ok(found) => small::read(path, &found, most),
        Err(error) if is_missing(&error) => Ok(None),
        Err(error) => Err(error),
    }
}

fn is_anything(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok()
}

fn is_missing(error: &io::Error) -> bool {
    let kinds = [io::ErrorKind::NotFound, io::ErrorKind::NotADirectory];
    kinds.contains(&error.kind())
}

fn foreign(path: &Path) -> Failure {
    let path = path.display();
    Failure::refused(format!(
        "{path} is not as attend wrote it, or somebody else's, so it stays as it is and nothing was written; \
         move it away, or name another place: attend plugin install --dir DIR"
    ))
}

fn unwritten(path: &Path, error: &io::Error) -> Failure {
    let path = path.display();
    Failure::refused(format!(
        "cannot write {path}: {error}; allow writing there, or name another place: attend plugin install --dir DIR"
    ))
}

fn unread(path: &Path, error: &io::Error) -> Failure {
    let path = path.display();
    Failure::refused(format!(
        "cannot read {path}: {error}; allow reading it, or name another place with --dir"
    ))
}
