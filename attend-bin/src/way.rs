//! By which way a loop's lines reach the session, written down for whoever asks later.

use attend_core::runtime::{StateDir, StatePlace};

use crate::env::Env;

/// The file in the loop's directory of state.
const NAME: &str = "way-in";

/// A file longer than this says something else, in bytes.
const MOST_BYTES: u64 = 64;

/// Who reads the lines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum WayIn {
    /// The monitor of the plugin.
    Plugin,
    /// The Monitor tool, or whoever else started the loop.
    Tool,
}

impl WayIn {
    /// That of this process.
    pub(crate) fn own(env: &Env) -> Self {
        if env.is_of_plugin() {
            Self::Plugin
        } else {
            Self::Tool
        }
    }

    /// That of the loop whose state lies in `dir`, where it said so.
    pub(crate) fn of(dir: &StateDir) -> Option<Self> {
        let kept = dir.kept(NAME, MOST_BYTES).ok()??;
        [Self::Plugin, Self::Tool]
            .into_iter()
            .find(|way| way.name().as_bytes() == kept.trim_ascii())
    }

    /// Writes it down where the state of the loop lies. Nothing but `attend doctor` asks for it.
    pub(crate) fn note(self, state: &StatePlace) {
        // Most loops go on as the one before them: nothing is written then.
        if let Ok(dir) = StateDir::open(state.clone())
            && Self::of(&dir) != Some(self)
        {
            let _ = dir.keep(NAME, format!("{}\n", self.name()).as_bytes());
        }
    }

    /// Its name, for people.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Plugin => "the plugin's monitor",
            Self::Tool => "the Monitor tool",
        }
    }
}
