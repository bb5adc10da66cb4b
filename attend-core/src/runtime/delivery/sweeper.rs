//! Cleaning up now and then after projects that are gone.
//!
//! Whether one is still there is looked at on a thread of its own, which may hang in a file system
//! that does not answer: then nothing is cleaned up, and nothing else waits.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use futures::channel::oneshot;

use crate::mail::{ProjectInfo, Projects, Sightings, Sweep};
use crate::runtime::cleanup::Cleanup;

/// Looks which projects are gone.
pub(in crate::runtime) type Sight = Arc<dyn Fn(&[ProjectInfo]) -> Sightings + Send + Sync>;

/// When to clean up, and how far that has got.
pub(in crate::runtime) struct Sweeper {
    cleanup: Cleanup,
    sight: Sight,
    /// When it begins next, on the clock that never steps; none before the first turn.
    next: Option<Duration>,
    phase: Phase,
}

enum Phase {
    /// Nothing is under way.
    Rest,
    /// The mailbox was asked for something.
    Asking,
    /// Somebody looks.
    Looking(oneshot::Receiver<Sightings>),
    /// This was seen.
    Seen(Sightings),
}

impl Sweeper {
    pub(in crate::runtime) fn new(cleanup: Cleanup, sight: Sight) -> Self {
        Self {
            cleanup,
            sight,
            next: None,
            phase: Phase::Rest,
        }
    }

    /// This holds from now on.
    pub(super) fn follow(&mut self, cleanup: Cleanup) {
        if self.cleanup != cleanup {
            self.cleanup = cleanup;
            self.next = None;
        }
    }

    /// Whether the mailbox is to be asked for the projects now.
    pub(super) fn begin(&mut self, now: Duration) -> bool {
        let Some(every) = self.cleanup.every() else {
            return false;
        };
        let next = *self.next.get_or_insert(now.saturating_add(every));
        let begins = next <= now && matches!(self.phase, Phase::Rest);
        if begins {
            self.phase = Phase::Asking;
        }
        begins
    }

    /// The mailbox named the projects: they are looked at, unless another loop has just swept.
    pub(super) fn known(&mut self, now: Duration, projects: Projects) {
        self.rest(now);
        let every = self.cleanup.interval;
        // Its own last sweep was a little later than it began.
        let soon = every.saturating_sub(every / 10);
        if let Some(age) = projects.swept.filter(|age| *age < soon) {
            self.next = Some(now.saturating_add(every.saturating_sub(age)));
            return;
        }
        let (tell, told) = oneshot::channel();
        let sight = self.sight.clone();
        let look = move || _ = tell.send(sight(&projects.all));
        let thread = std::thread::Builder::new().name("attend-cleanup".to_owned());
        // Without a thread the next time is soon enough.
        if thread.spawn(look).is_ok() {
            self.phase = Phase::Looking(told);
        }
    }

    /// What is to be swept, where somebody has looked.
    pub(super) fn sweep(&mut self) -> Option<Sweep> {
        match std::mem::replace(&mut self.phase, Phase::Asking) {
            Phase::Seen(seen) => Some(Sweep::new(seen, self.cleanup.interval)),
            other => {
                self.phase = other;
                None
            }
        }
    }

    /// That is done, or failed: not again before its time.
    pub(super) fn rest(&mut self, now: Duration) {
        self.phase = Phase::Rest;
        self.next = Some(now.saturating_add(self.cleanup.interval));
    }

    /// When it has something to do.
    pub(super) fn due(&self, now: Duration) -> Option<Duration> {
        match self.phase {
            Phase::Rest => self.next.filter(|_| self.cleanup.enabled),
            Phase::Seen(_) => Some(now),
            Phase::Asking | Phase::Looking(_) => None,
        }
    }

    /// Waits until somebody has looked. Safe to cancel.
    pub(super) async fn looked(&mut self) {
        let Phase::Looking(told) = &mut self.phase else {
            return std::future::pending().await;
        };
        self.phase = match told.await {
            Ok(seen) => Phase::Seen(seen),
            // It panicked.
            Err(_) => Phase::Rest,
        };
    }
}

impl fmt::Debug for Sweeper {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sweeper")
            .field("cleanup", &self.cleanup)
            .finish_non_exhaustive()
    }
}
