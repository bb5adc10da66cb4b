//! The ledger: where in the context each component was taught, for as long as the process lives.

use attend_core::dynamics::{Curve, EngagementState, Outcome, Tick};

use super::component::Component;

/// Below this a teaching has faded. On the curve of teachings, any floor is the same.
const FLOOR: f64 = 0.5;

/// Where the context stands, where anybody knows that.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Reading {
    /// The span in which the count only grows; none where it has no name.
    pub(super) epoch: Option<String>,
    /// Tokens before the model.
    pub(super) tokens: Option<u64>,
    /// How a teaching fades in the window as it is now.
    pub(super) curve: Curve,
}

/// A component, and when it was taught.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Entry {
    pub(super) component: Component,
    /// How often this process taught it.
    pub(super) count: u64,
    standing: Option<Standing>,
}

/// Where a teaching stands, as far as that is known.
#[derive(Clone, PartialEq, Debug)]
struct Standing {
    epoch: Option<String>,
    /// On the axis of tokens; none where the count was not known.
    at: Option<EngagementState>,
}

impl Standing {
    fn new(reading: &Reading, at: Option<u64>) -> Self {
        let fired = |tokens| {
            let mut engagement = EngagementState::new(reading.curve.clone());
            engagement.record_fire(Tick::new(tokens));
            engagement
        };
        Self {
            epoch: reading.epoch.clone(),
            at: at.map(fired),
        }
    }

    /// Whether the model has it before it no longer, or too far back.
    fn has_faded(&mut self, reading: &Reading) -> bool {
        // One without a name began too far back to be found: what has one began after it.
        if reading.epoch.is_some() && reading.epoch != self.epoch {
            return true;
        }
        let Some(now) = reading.tokens.map(Tick::new) else {
            return false;
        };
        let Some(at) = &mut self.at else {
            self.at = Self::new(reading, reading.tokens).at;
            return false;
        };
        at.set_curve(reading.curve.clone());
        let is_fall = at.last_fire().is_some_and(|last| now < last);
        is_fall || !matches!(at.outcome(now, FLOOR), Outcome::Suppressed { .. })
    }
}

impl Entry {
    /// A component that was never taught.
    pub(super) fn new(component: Component) -> Self {
        Self {
            component,
            count: 0,
            standing: None,
        }
    }

    /// It is known to stand at so many tokens in the context that is read.
    pub(super) fn stands(&mut self, reading: &Reading, at: u64) {
        self.standing = Some(Standing::new(reading, Some(at)));
    }

    /// Whether it has to be taught now. Where the context is unknown, only what never was.
    pub(super) fn is_due(&mut self, reading: Option<&Reading>) -> bool {
        match (&mut self.standing, reading) {
            (Some(standing), Some(reading)) => standing.has_faded(reading),
            (Some(_), None) => false,
            (None, Some(reading)) if self.count > 0 => {
                // It was taught while nothing was known.
                self.standing = Some(Standing::new(reading, reading.tokens));
                false
            }
            (None, _) => self.count == 0,
        }
    }

    /// It is taught now.
    pub(super) fn teach(&mut self, reading: Option<&Reading>) {
        self.count = self.count.saturating_add(1);
        self.standing = reading.map(|reading| Standing::new(reading, reading.tokens));
    }

    /// The key of its teaching that counts as `count`.
    pub(super) fn key(&self, count: u64) -> String {
        format!("{}#{count}", self.component.name())
    }
}
