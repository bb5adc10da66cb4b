//! Places: which project a command is about, and where its state lies.

use std::hash::Hasher;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use attend_core::runtime::{StateDir, StatePlace};
use siphasher::sip::SipHasher13;

use crate::env::{self, Env};
use crate::output::Failure;

/// What to do where the directory for state cannot be used.
pub(crate) const ADVICE: &str = "set ATTEND_HOME to a directory of your own";

/// The longest readable part of a directory's name.
const MAX_SLUG: usize = 40;

/// The project that contains `named`, or the current directory: the work tree of a repository
/// that it lies in, else the directory itself.
pub(crate) fn project(named: Option<&Path>) -> Result<PathBuf, Failure> {
    let directory = env::directory(named).map_err(|error| {
        let what = named.map_or_else(
            || "the current directory".to_owned(),
            |path| path.display().to_string(),
        );
        Failure::refused(format!("cannot watch {what}: {error}"))
    })?;
    if !directory.is_dir() {
        let what = directory.display();
        return Err(Failure::refused(format!(
            "cannot watch {what}: it is not a directory; name the one it lies in"
        )));
    }
    let work_tree = directory
        .ancestors()
        .find(|above| above.join(".git").exists());
    Ok(work_tree.map_or_else(|| directory.clone(), Path::to_path_buf))
}

/// Where the state of an observer of the project at `root` lies, where there is a place for it.
///
/// The name is for people; the hash keeps projects of one name apart.
pub(crate) fn state(root: &Path, env: &Env) -> Option<StatePlace> {
    let name = root
        .file_name()
        .map(|name| name.to_string_lossy().into_owned())
        .unwrap_or_default();
    let keep = |c: char| {
        if c.is_ascii_alphanumeric() {
            c.to_ascii_lowercase()
        } else {
            '-'
        }
    };
    let slug: String = name.chars().take(MAX_SLUG).map(keep).collect();
    let mut hasher = SipHasher13::new();
    hasher.write(root.as_os_str().as_bytes());
    env.state().map(|state| {
        state
            .join("observers")
            .join(format!("{slug}-{:016x}", hasher.finish()))
    })
}

/// The state of an observer of the project at `root`, where there is some.
pub(crate) fn opened(root: &Path, env: &Env) -> Result<Option<StateDir>, Failure> {
    match state(root, env) {
        Some(place) => StateDir::existing(place)
            .map_err(|error| Failure::refused(format!("{error}; {ADVICE}"))),
        None => Ok(None),
    }
}

/// Nobody ever watched the project at `root`.
pub(crate) fn nothing_yet(root: &Path) -> Failure {
    Failure::refused(format!(
        "attend never ran for {}; start it there: attend run",
        root.display()
    ))
}
