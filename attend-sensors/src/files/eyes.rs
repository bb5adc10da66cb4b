//! Decides from what a watch saw what to look at, and keeps the watch on what there is.

use std::collections::BTreeSet;
use std::fmt;
use std::path::PathBuf;

use attend_core::dynamics::{Tick, TickDelta};
use attend_core::sensor::{BuildContext, SensorError, Watch};

use super::scope::Scope;
use super::waiting::SETTLED;
use super::walk::{MAX_ENTRIES, Seen, Walk};

/// Everything is looked at anyway after so many ticks, watched or not.
const SAFETY: u64 = 600;

/// A refused watch is tried again after so many ticks.
const RETRY: u64 = 600;

/// How many changed paths are looked at one by one.
const MAX_PATHS: usize = 256;

/// What is to be looked at.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Look {
    /// Everything.
    All,
    /// Where something changed, and nothing else did.
    Paths(Vec<PathBuf>),
}

/// When to look, and where.
pub(super) struct Eyes {
    watch: Option<Box<dyn Watch>>,
    /// Whether everything is watched.
    covered: bool,
    /// When watching is tried again.
    retry: Option<Tick>,
    /// What changed since the last look that succeeded.
    all: bool,
    paths: BTreeSet<PathBuf>,
    walked: Option<Tick>,
    /// What has to be said once.
    warning: Option<SensorError>,
}

impl Eyes {
    /// Eyes that watch, if `watch` says so and the system allows it.
    pub(super) fn new(cx: &BuildContext, watch: bool) -> Self {
        let (watch, warning) = match watch.then(|| cx.open_watch()) {
            Some(Ok(watch)) => (Some(watch), None),
            Some(Err(error)) => (None, Some(unwatched(&error))),
            None => (None, None),
        };
        Self {
            watch,
            covered: false,
            retry: None,
            all: true,
            paths: BTreeSet::new(),
            walked: None,
            warning,
        }
    }

    /// Takes note of what the watch saw. Kept until a look succeeds, so that one that is
    /// cancelled loses nothing.
    pub(super) fn gather(&mut self) {
        let Some(watch) = &mut self.watch else { return };
        let changes = watch.take();
        self.paths.extend(changes.paths);
        self.all |= changes.lost || changes.structure || self.paths.len() > MAX_PATHS;
        if self.all {
            self.paths.clear();
        }
    }

    /// What is to be looked at. `waits` says that the look may only be there to see whether
    /// something settled: without a watch, everything is looked at when it may have.
    pub(super) fn look(&self, now: Tick, waits: bool) -> Look {
        let within = |ticks| {
            let walked = self.walked.as_ref();
            walked.is_some_and(|walked| now.since(*walked).get() < ticks)
        };
        let enough = if self.covered {
            !self.all && within(SAFETY)
        } else {
            waits && within(SETTLED)
        };
        if enough {
            Look::Paths(self.paths.iter().cloned().collect())
        } else {
            Look::All
        }
    }

    /// Whether nothing can have changed that was not seen.
    pub(super) fn is_certain(&self) -> bool {
        self.covered
    }

    /// Looks at everything, and watches it where that is possible. A look that is cancelled
    /// here leaves the watch in order: the next one begins anew.
    ///
    /// # Errors
    ///
    /// Nothing is known of the project.
    pub(super) async fn walk(&mut self, scope: &Scope, now: Tick) -> Result<Seen, SensorError> {
        let wait = self.retry.is_some_and(|retry| now < retry);
        let watch = self.watch.as_deref_mut().filter(|_| !wait);
        self.covered = false;
        self.all = true;
        let Some(watch) = watch else {
            return Walk::new(scope, None, MAX_ENTRIES).all().await;
        };
        watch.clear();
        watch.take();
        let seen = Walk::new(scope, Some(&mut *watch), MAX_ENTRIES).all().await;
        match &seen {
            Ok(Seen {
                refused: Some(error),
                ..
            }) => {
                watch.clear();
                // The same refusal again is no news.
                if self.retry.is_none() {
                    self.warning = Some(unwatched(error));
                }
                self.retry = Some(now.after(TickDelta::new(RETRY)));
            }
            Ok(_) => {
                self.covered = true;
                self.retry = None;
            }
            Err(_) => {}
        }
        seen
    }

    /// A look succeeded. What is to be said beside what it found.
    pub(super) fn looked(&mut self, now: Tick, look: &Look) -> Option<SensorError> {
        if *look == Look::All {
            self.walked = Some(now);
            self.all = false;
        }
        self.paths.clear();
        self.warning.take()
    }
}

fn unwatched(error: &SensorError) -> SensorError {
    SensorError::unavailable(format!(
        "the files are looked at by interval and not watched: {error}"
    ))
}

impl fmt::Debug for Eyes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Eyes")
            .field("covered", &self.covered)
            .field("all", &self.all)
            .finish_non_exhaustive()
    }
}
