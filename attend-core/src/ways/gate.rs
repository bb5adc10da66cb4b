//! The gate: whether a way is shown whole, on the axis of tokens.

use serde::{Deserialize, Serialize};

use crate::dynamics::{Curve, EngagementState, Outcome, Tick};

/// What is left of a way, from 0 to 1, has to be less than this for it to be shown again: on an
/// exponential, just past its half-life.
pub const FLOOR: f64 = 0.5;

/// The same, when things are critical: it is shown again sooner, on an exponential after
/// `log2(1 / 0.8)` of its half-life, which is 0.32.
pub const FLOOR_CRITICAL: f64 = 0.8;

/// Where a session stands.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Position {
    /// Names the span in which the count only grows; none where nobody knows it.
    pub epoch: Option<String>,
    /// Tokens put before the model last.
    pub tokens: Tick,
}

/// What is remembered of a way in a session.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Stamp {
    /// The epoch in which it was shown last, where that was known.
    pub epoch: Option<String>,
    /// How often it was shown in this session, over all epochs.
    pub fires: u64,
    /// When it was shown in that epoch.
    pub engagement: EngagementState,
}

/// The gate at one position.
///
/// ```
/// use attend_core::dynamics::{Curve, Outcome, Shape, Tick};
/// use attend_core::ways::{FLOOR, Gate, Position};
///
/// let curve = Curve::new(Shape::Flat { suppression: 1_000 })?;
/// let at = |tokens| Gate::new(Position::new(None, tokens), FLOOR);
/// assert_eq!(at(500).outcome(None, &curve), Outcome::FirstFire);
///
/// let stamp = at(500).fire(None, &curve);
/// let until = Some(Tick::new(1_500));
/// assert_eq!(at(1_499).outcome(Some(&stamp), &curve), Outcome::Suppressed { until });
/// assert!(matches!(at(1_500).outcome(Some(&stamp), &curve), Outcome::ReFire { .. }));
/// // A count that fell begins a new epoch: what was shown is gone from the model's view.
/// assert_eq!(at(400).outcome(Some(&stamp), &curve), Outcome::FirstFire);
/// # Ok::<(), attend_core::dynamics::CurveError>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Gate {
    position: Position,
    floor: f64,
}

impl Position {
    /// `tokens` into `epoch`.
    pub fn new(epoch: Option<String>, tokens: u64) -> Self {
        Self {
            epoch,
            tokens: Tick::new(tokens),
        }
    }

    /// Whether what `stamp` remembers was shown in this epoch: it bears the same name as far as
    /// both are known, and the count did not fall since.
    pub fn continues(&self, stamp: &Stamp) -> bool {
        let other = matches!((&self.epoch, &stamp.epoch), (Some(mine), Some(its)) if mine != its);
        let fell = stamp
            .engagement
            .last_fire()
            .is_some_and(|last| self.tokens < last);
        !other && !fell
    }
}

impl Gate {
    /// The gate at `position`; what is left of a way has to be less than `floor`.
    pub fn new(position: Position, floor: f64) -> Self {
        Self { position, floor }
    }

    /// Where the session stands.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Whether a way on `curve` of which `stamp` is remembered is shown whole.
    pub fn outcome(&self, stamp: Option<&Stamp>, curve: &Curve) -> Outcome {
        match self.engagement(stamp, curve) {
            Some(engagement) => engagement.outcome(self.position.tokens, self.floor),
            None => Outcome::FirstFire,
        }
    }

    /// Whether [`outcome`](Self::outcome) is to show it whole.
    pub fn admits(&self, stamp: Option<&Stamp>, curve: &Curve) -> bool {
        !matches!(self.outcome(stamp, curve), Outcome::Suppressed { .. })
    }

    /// What is left of its last showing: 0 where there was none in this epoch.
    pub fn salience(&self, stamp: Option<&Stamp>, curve: &Curve) -> f64 {
        let engagement = self.engagement(stamp, curve);
        engagement.map_or(0.0, |engagement| engagement.salience(self.position.tokens))
    }

    /// What is to be remembered once it is shown.
    #[must_use]
    pub fn fire(&self, stamp: Option<&Stamp>, curve: &Curve) -> Stamp {
        let mut engagement = self
            .engagement(stamp, curve)
            .unwrap_or_else(|| EngagementState::new(curve.clone()));
        engagement.record_fire(self.position.tokens);
        let known = stamp.and_then(|stamp| stamp.epoch.clone());
        let known = known.filter(|_| stamp.is_some_and(|stamp| self.position.continues(stamp)));
        Stamp {
            epoch: self.position.epoch.clone().or(known),
            fires: stamp.map_or(0, |stamp| stamp.fires).saturating_add(1),
            engagement,
        }
    }

    /// What is remembered of this epoch, on the curve that holds now.
    fn engagement(&self, stamp: Option<&Stamp>, curve: &Curve) -> Option<EngagementState> {
        let stamp = stamp.filter(|stamp| self.position.continues(stamp))?;
        let mut engagement = stamp.engagement.clone();
        if engagement.curve() != curve {
            engagement.set_curve(curve.clone());
        }
        Some(engagement)
    }
}
