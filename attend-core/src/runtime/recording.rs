//! Recordings: the file to which a loop's trace is written.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::system::{create_file, is_linked};

/// Bytes after which a recording ends: 256 MiB.
const MOST_BYTES: u64 = 256 << 20;

/// A new file for the trace of a loop, which only this user may read.
///
/// See [`DriverBuilder::record`](super::DriverBuilder::record).
#[derive(Debug)]
pub struct Recording {
    path: PathBuf,
    file: File,
    most: u64,
    size: u64,
}

/// A recording that cannot begin.
#[derive(Debug, Error)]
#[error("cannot record to {}: {why}", path.display())]
pub struct RecordingError {
    path: PathBuf,
    why: String,
    is_there: bool,
}

impl RecordingError {
    fn new(path: &Path, error: &io::Error) -> Self {
        let is_there = error.kind() == io::ErrorKind::AlreadyExists;
        let why = if is_there {
            "it is there already, and nothing is written over it".to_owned()
        } else {
            error.to_string()
        };
        Self {
            path: path.to_owned(),
            why,
            is_there,
        }
    }

    /// Whether something of that name is there already.
    pub fn is_there(&self) -> bool {
        self.is_there
    }
}

impl Recording {
    /// Makes the file at `path`, with mode 0600.
    ///
    /// # Errors
    ///
    /// There is something of that name already, or the file cannot be made.
    pub fn create(path: impl Into<PathBuf>) -> Result<Self, RecordingError> {
        let path = path.into();
        let file = create_file(&path).map_err(|error| RecordingError::new(&path, &error))?;
        Ok(Self {
            path,
            file,
            most: MOST_BYTES,
            size: 0,
        })
    }

    /// Ends after `bytes` bytes, in place of 256 MiB.
    #[must_use]
    pub fn at_most(mut self, bytes: u64) -> Self {
        self.most = bytes;
        self
    }

    /// Adds whole lines.
    ///
    /// # Errors
    ///
    /// Why the recording ends here, for people.
    pub(super) fn write(&mut self, lines: &[u8]) -> Result<(), String> {
        let left = usize::try_from(self.most - self.size).unwrap_or(usize::MAX);
        let fits = match lines.get(..left.min(lines.len())) {
            Some(part) if part.len() < lines.len() => {
                let end = part.iter().rposition(|byte| *byte == b'\n');
                part.get(..end.map_or(0, |end| end + 1)).unwrap_or_default()
            }
            _ => lines,
        };
        let path = self.path.display();
        let ended = |why: &str| format!("the recording to {path} ended: {why}");
        let written = self.file.write_all(fits);
        if let Err(error) = written {
            // Half a line is left out by whoever reads it.
            let _ = self.file.set_len(self.size);
            return Err(ended(&error.to_string()));
        }
        self.size += fits.len() as u64;
        if fits.len() < lines.len() {
            let most = self.most;
            return Err(ended(&format!(
                "it takes {most} bytes, the most that it may; all up to here can be replayed"
            )));
        }
        match is_linked(&self.file) {
            Ok(false) => Err(ended("the file was removed")),
            _ => Ok(()),
        }
    }
}
