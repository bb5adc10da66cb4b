//! Sections of the files: what a mapping at the top says, and to whom.

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::attention::Settings;
use crate::dynamics::CurveError;
use crate::runtime::Cleanup;

/// One mapping at the top of the files that says something to the engine, or to the loop.
pub(super) trait Section: Serialize + DeserializeOwned + Default {
    /// Its key.
    const NAME: &'static str;
    /// Whether a project's file may not say it.
    const USER_ONLY: bool = false;
    /// A key that takes the place of another one: both together make no sense.
    const INSTEAD: Option<(&'static str, &'static str)> = None;

    /// Says it to those whom it concerns.
    fn apply(self, holds: &mut Holds) -> Result<(), Refused>;
}

/// What the sections say.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Holds {
    /// To the engine.
    pub(super) engine: Settings,
    /// To the loop, of projects that are gone.
    pub(super) cleanup: Cleanup,
    /// To whoever loads ways.
    pub(super) ways: WaysSettings,
    /// To sensors that teach, where it was said.
    pub(super) refire: Option<f64>,
}

/// Where ways lie beside the usual places, and how they fade where they do not say so.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct WaysSettings {
    /// More directories: whole paths, or paths that begin with `~/`.
    pub roots: Vec<String>,
    /// The share of the window in which half of a way that says nothing is gone.
    pub default_refire: f64,
}

/// A value that makes no sense.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Refused {
    pub(super) key: &'static str,
    pub(super) why: String,
}

impl Refused {
    pub(super) fn new(key: &'static str, why: impl Into<String>) -> Self {
        Self {
            key,
            why: why.into(),
        }
    }
}

impl From<CurveError> for Refused {
    fn from(error: CurveError) -> Self {
        Self::new(error.field(), error.problem().replace("tick", "second"))
    }
}
