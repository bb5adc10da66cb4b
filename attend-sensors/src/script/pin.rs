//! Pins: what exactly a person allowed, so that anything else asks again.

use std::fmt::Write as _;
use std::fs::{self, File, Metadata};
use std::io::{self, Read};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use attend_core::sensor::{Roots, SensorName};
use sha2::{Digest, Sha256};

use super::config::ScriptConfig;

/// A file larger than this is no script, in bytes.
const MOST_BYTES: u64 = 64 << 20;

/// What a sensor of this kind would run, and what a person has to allow for that.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Pin {
    /// The program and its arguments.
    pub argv: Vec<PathBuf>,
    /// Those of them that are files, whose content counts.
    pub files: Vec<PathBuf>,
    /// Stands for the project's root, the sensor's name and configuration, and the content of the
    /// files: another one is something else to allow.
    pub fingerprint: String,
    stamps: Vec<Stamp>,
}

/// Where a file's content lies, and when that last changed: no program can set the last of it.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Stamp([u64; 5], i64);

impl Pin {
    /// What the sensor `name` that a project's file sets up by `config` would run.
    ///
    /// # Errors
    ///
    /// A configuration that makes no sensor, or a file that cannot be read: for people.
    pub fn of(name: &SensorName, config: &ScriptConfig, roots: &Roots) -> Result<Self, String> {
        let mut of_project = config.plain();
        of_project.refuse().map_err(|error| error.to_string())?;
        let written = serde_json::to_vec(&of_project).map_err(|error| error.to_string())?;
        // From here on paths begin at the project.
        of_project.pinned = Some(String::new());
        let argv = of_project.argv(roots)?;
        let mut sum = Sha256::new();
        add(&mut sum, b"script 1");
        add(&mut sum, roots.work().as_os_str().as_bytes());
        add(&mut sum, name.as_str().as_bytes());
        add(&mut sum, &written);
        let (mut files, mut stamps) = (Vec::new(), Vec::new());
        for word in &argv {
            add(&mut sum, word.as_os_str().as_bytes());
            let path = roots.work().join(word);
            let Some(found) = regular(&path) else {
                add(&mut sum, b"no file");
                continue;
            };
            let content = content(&path);
            let content = content.map_err(|error| format!("{}: {error}", path.display()))?;
            add(&mut sum, b"a file");
            add(&mut sum, &content);
            stamps.push(Stamp::of(&found));
            files.push(path);
        }
        Ok(Self {
            argv,
            files,
            fingerprint: hex(&sum.finalize()),
            stamps,
        })
    }

    /// Stands for all of that, and for `more` that was said of the sensor.
    #[must_use]
    pub fn fingerprint_with(&self, more: &[u8]) -> String {
        let mut sum = Sha256::new();
        add(&mut sum, self.fingerprint.as_bytes());
        add(&mut sum, more);
        hex(&sum.finalize())
    }

    /// Whether the files lie there as they did, so that nothing has to be read again.
    pub(super) fn is_fresh(&self, roots: &Roots) -> bool {
        let files = self.argv.iter().map(|word| roots.work().join(word));
        let now = files.filter_map(|path| Some((Stamp::of(&regular(&path)?), path)));
        let then = self.stamps.iter().cloned().zip(self.files.iter().cloned());
        now.eq(then)
    }
}

impl Stamp {
    fn of(found: &Metadata) -> Self {
        let [sec, nano] = [found.mtime(), found.mtime_nsec()].map(i64::cast_unsigned);
        let changed = found.ctime_nsec().cast_unsigned();
        let place = [found.dev(), found.ino(), found.size(), sec ^ nano, changed];
        Self(place, found.ctime())
    }
}

/// The regular file at `path`, where there is one.
fn regular(path: &Path) -> Option<Metadata> {
    fs::metadata(path).ok().filter(Metadata::is_file)
}

fn content(path: &Path) -> io::Result<Vec<u8>> {
    let mut sum = Sha256::new();
    let mut file = File::open(path)?.take(MOST_BYTES + 1);
    let mut chunk = vec![0; 64 << 10];
    let mut read = 0;
    loop {
        let more = file.read(&mut chunk)?;
        if more == 0 {
            return Ok(sum.finalize().to_vec());
        }
        read += more as u64;
        if read > MOST_BYTES {
            return Err(io::Error::other("it is larger than 64 MiB"));
        }
        sum.update(chunk.get(..more).unwrap_or_default());
    }
}

/// Adds a part by its length, so that no part can pass for two.
fn add(sum: &mut Sha256, part: &[u8]) {
    sum.update((part.len() as u64).to_le_bytes());
    sum.update(part);
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}
