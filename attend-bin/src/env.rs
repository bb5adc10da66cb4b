//! The environment: the one place that reads it.

#![expect(
    clippy::disallowed_methods,
    reason = "this is the one place that reads the environment"
)]

use std::env;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use attend_core::runtime::StatePlace;

/// What the environment says, read once.
#[derive(Clone, Debug)]
pub(crate) struct Env {
    root: Option<PathBuf>,
    home: Option<PathBuf>,
    xdg_state: Option<PathBuf>,
}

impl Env {
    /// Reads it. An empty or relative directory counts as none.
    pub(crate) fn read() -> Self {
        let directory = |name: &str| env::var_os(name).and_then(absolute);
        Self {
            root: env::var_os("ATTEND_HOME")
                .filter(|value| !value.is_empty())
                .and_then(|value| std::path::absolute(value).ok()),
            home: directory("HOME"),
            xdg_state: directory("XDG_STATE_HOME"),
        }
    }

    /// Where state is kept; none where the environment names no place. It belongs to attend
    /// from `ATTEND_HOME` on, else from `attend` in the user's directory for state.
    pub(crate) fn state(&self) -> Option<StatePlace> {
        if let Some(root) = &self.root {
            return Some(StatePlace::new(root).join("state"));
        }
        let state = self
            .xdg_state
            .clone()
            .or_else(|| self.home.as_ref().map(|home| home.join(".local/state")));
        state.map(|state| StatePlace::new(state.join("attend")))
    }
}

/// The directory in which the command was given, or the one that was named, canonical.
pub(crate) fn directory(named: Option<&Path>) -> io::Result<PathBuf> {
    match named {
        Some(path) => path.canonicalize(),
        None => env::current_dir()?.canonicalize(),
    }
}

fn absolute(value: OsString) -> Option<PathBuf> {
    Some(PathBuf::from(value)).filter(|path| path.is_absolute())
}
