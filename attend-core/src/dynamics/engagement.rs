//! Engagement: the fire history of one subject over one curve.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use super::curve::Curve;
use super::tick::{Tick, TickDelta, first_tick};

/// When one subject fired, and what that means for firing again.
///
/// It answers two gates. The inward one, [`may_fire`](Self::may_fire): may this subject fire
/// now, given how much has added up? The outward one, [`salience`](Self::salience) and
/// [`outcome`](Self::outcome): has its last fire faded?
///
/// ```
/// use attend_core::dynamics::{Admission, Curve, EngagementState, Shape, Tick};
///
/// let curve = Curve::new(Shape::ActionPotential {
///     burst_threshold: 3,
///     peak_multiplier: 2.25,
///     absolute_refractory: 60,
///     multiplier_half_life: 395,
/// })?;
/// let mut engagement = EngagementState::new(curve);
/// assert_eq!(engagement.may_fire(Tick::new(0), 2_000, 2_000), Admission::Admit);
/// engagement.record_fire(Tick::new(0));
/// let Admission::Hold { until, .. } = engagement.may_fire(Tick::new(10), 2_000, 2_000) else { panic!() };
/// assert_eq!(until, Some(Tick::new(60)));
/// # Ok::<(), attend_core::dynamics::CurveError>(())
/// ```
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(from = "Stored")]
pub struct EngagementState {
    curve: Curve,
    /// The latest fires, oldest first; as many as the curve remembers.
    history: VecDeque<Tick>,
    last_fire: Option<Tick>,
    /// Where the distance of a staircase is counted from.
    anchor: Option<Tick>,
    step: usize,
    fire_count: u64,
}

/// An [`EngagementState`] as it was stored, which nobody has checked.
#[derive(Deserialize)]
struct Stored {
    curve: Curve,
    history: VecDeque<Tick>,
    last_fire: Option<Tick>,
    anchor: Option<Tick>,
    step: usize,
    fire_count: u64,
}

/// The answer of the inward gate.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub enum Admission {
    /// It may fire.
    Admit,
    /// It may not fire yet.
    Hold {
        /// The first tick at which it may, if the same sum is asked for; none where only a
        /// larger one can help.
        until: Option<Tick>,
        /// What holds it.
        reason: Restraint,
    },
}

/// Why the inward gate holds a subject.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub enum Restraint {
    /// The sum is below the threshold itself.
    BelowThreshold,
    /// The last fire is too recent for any sum.
    AbsoluteRefractory,
    /// After a burst the sum must reach this many times the threshold.
    RelativeRefractory {
        /// The current multiplier of the threshold.
        multiplier: f64,
    },
}

/// The answer of the outward gate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Outcome {
    /// It never fired.
    FirstFire,
    /// Its last fire has faded.
    ReFire {
        /// Ticks since that fire (for a staircase, since its anchor).
        distance: TickDelta,
    },
    /// Its last fire still stands.
    Suppressed {
        /// The first tick at which it will have faded; none where it never will.
        until: Option<Tick>,
    },
}

impl EngagementState {
    /// A subject that never fired.
    pub fn new(curve: Curve) -> Self {
        Self {
            curve,
            history: VecDeque::new(),
            last_fire: None,
            anchor: None,
            step: 0,
            fire_count: 0,
        }
    }

    /// The curve.
    pub fn curve(&self) -> &Curve {
        &self.curve
    }

    /// Takes another curve and keeps the history, as far as the new curve remembers.
    ///
    /// Taking the curve that it has changes nothing.
    pub fn set_curve(&mut self, curve: Curve) {
        self.curve = curve;
        self.forget();
        if let Some(last) = self.last_fire {
            self.anchor_for(last);
        }
    }

    /// When it last fired.
    pub fn last_fire(&self) -> Option<Tick> {
        self.last_fire
    }

    /// How often it fired.
    pub fn fire_count(&self) -> u64 {
        self.fire_count
    }

    /// Records that it fired at `tick`.
    pub fn record_fire(&mut self, tick: Tick) {
        self.anchor_for(tick);
        self.history.push_back(tick);
        self.last_fire = Some(tick);
        self.fire_count = self.fire_count.saturating_add(1);
        self.forget();
    }

    /// How many times the threshold a sum must reach at `tick`; infinite within the absolute
    /// refractory.
    pub fn multiplier(&self, tick: Tick) -> f64 {
        let Some(last) = self.last_fire else {
            return 1.0;
        };
        let distance = tick.since(last);
        if self.curve.is_absolute(distance) {
            return f64::INFINITY;
        }
        self.curve.multiplier(distance, self.burst(tick))
    }

    /// Whether a sum may fire at `tick`: the quick form of [`may_fire`](Self::may_fire).
    ///
    /// `sum` and `threshold` are in the same unit, whatever it is.
    pub fn admits(&self, tick: Tick, sum: u64, threshold: u64) -> bool {
        sum >= threshold && sum as f64 >= threshold as f64 * self.multiplier(tick)
    }

    /// The inward gate: whether `sum` may fire at `tick`, and if not, from when on.
    ///
    /// `sum` and `threshold` are in the same unit, whatever it is. The tick of a refusal is
    /// exact: [`admits`](Self::admits) is false one tick before it and true from it on.
    pub fn may_fire(&self, tick: Tick, sum: u64, threshold: u64) -> Admission {
        if sum < threshold {
            return Admission::Hold {
                until: None,
                reason: Restraint::BelowThreshold,
            };
        }
        let multiplier = self.multiplier(tick);
        if sum as f64 >= threshold as f64 * multiplier {
            return Admission::Admit;
        }
        let reason = if multiplier.is_infinite() {
            Restraint::AbsoluteRefractory
        } else {
            Restraint::RelativeRefractory { multiplier }
        };
        Admission::Hold {
            until: first_tick(tick, |at| self.admits(at, sum, threshold)),
            reason,
        }
    }

    /// Whether the last fire forbids any other at `tick`, whatever the sum.
    pub fn is_absolute(&self, tick: Tick) -> bool {
        self.last_fire
            .is_some_and(|last| self.curve.is_absolute(tick.since(last)))
    }

    /// What is left of the last fire at `tick`: 0 for a subject that never fired.
    pub fn salience(&self, tick: Tick) -> f64 {
        self.anchor
            .map_or(0.0, |anchor| self.curve.salience(tick.since(anchor)))
    }

    /// The outward gate: whether the last fire has faded at `tick`, and if not, from when on.
    ///
    /// Faded means strictly below `floor`; a staircase fires again at each step it declares and
    /// does not ask the floor.
    pub fn outcome(&self, tick: Tick, floor: f64) -> Outcome {
        let Some(anchor) = self.anchor else {
            return Outcome::FirstFire;
        };
        let distance = tick.since(anchor);
        let due = match self.curve.steps() {
            Some(steps) => steps.get(self.step + 1).map(|(at, _)| TickDelta::new(*at)),
            None => self.curve.refire_delta(floor),
        };
        if due.is_some_and(|due| distance >= due) {
            return Outcome::ReFire { distance };
        }
        // A distance that reaches beyond the axis is never reached.
        let until = due.and_then(|due| {
            let at = anchor.after(due);
            (at.since(anchor) == due).then_some(at)
        });
        Outcome::Suppressed { until }
    }

    /// Sets every tick that lies after `now` to `now`: for a history whose axis stepped back.
    pub fn settle_future(&mut self, now: Tick) {
        for fire in self
            .history
            .iter_mut()
            .chain(&mut self.last_fire)
            .chain(&mut self.anchor)
        {
            *fire = (*fire).min(now);
        }
    }

    /// Counts distances from the fire at `last`; on a staircase that has steps left after it,
    /// from the fire that began the staircase.
    fn anchor_for(&mut self, last: Tick) {
        let steps = self.curve.steps().map_or(0, <[_]>::len);
        let begun = self.anchor.map(|at| (at, self.curve.step(last.since(at))));
        let (anchor, step) = match begun {
            Some((anchor, reached)) if reached + 1 < steps => (anchor, reached),
            _ => (last, 0),
        };
        (self.anchor, self.step) = (Some(anchor), step);
    }

    /// How many fires make a burst at `tick`: all that are remembered, or none.
    ///
    /// No more are remembered than a burst takes, so they make one only while the oldest of
    /// them is live.
    fn burst(&self, tick: Tick) -> usize {
        let oldest = self.history.iter().min();
        let is_live = oldest.is_some_and(|fire| self.curve.is_live(tick.since(*fire)));
        if is_live { self.history.len() } else { 0 }
    }

    fn forget(&mut self) {
        let excess = self
            .history
            .len()
            .saturating_sub(self.curve.memory().max(1));
        self.history.drain(..excess);
    }
}

impl From<Stored> for EngagementState {
    fn from(mut stored: Stored) -> Self {
        stored.history.make_contiguous().sort_unstable();
        let last_fire = stored.last_fire.or(stored.history.back().copied());
        let steps = stored.curve.steps().map_or(0, <[_]>::len);
        let mut engagement = Self {
            curve: stored.curve,
            history: stored.history,
            last_fire,
            anchor: last_fire.map(|last| stored.anchor.unwrap_or(last)),
            step: stored.step.min(steps.saturating_sub(1)),
            fire_count: stored.fire_count,
        };
        engagement.forget();
        engagement
    }
}
