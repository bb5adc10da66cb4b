//! Curves: the shape in which a fired thing fades, or in which firing again is made harder.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::tick::{Tick, TickDelta, first_tick};

/// A fire counts as live while more than a hundredth of it is left: for so many half-lives, the
/// logarithm of 100 to the base 2.
const LIVE_HALF_LIVES: f64 = 6.643_856_189_774_724;

/// The parameters of a [`Curve`], as they stand in a file: `{type: Exponential, half_life: 30000}`.
///
/// All distances are in the caller's ticks. A shape is plain data; [`Curve::new`] checks it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "type", deny_unknown_fields)]
#[non_exhaustive]
pub enum Shape {
    /// Salience halves every `half_life` ticks.
    Exponential {
        /// Ticks in which half of the salience is gone; at least 1.
        half_life: u64,
    },
    /// Salience is whole for `suppression` ticks, then gone.
    Flat {
        /// Ticks for which the salience stays at 1; at least 1.
        suppression: u64,
    },
    /// Salience falls in declared steps, and each step is an occasion to fire again.
    ProgressiveStaircase {
        /// Pairs of distance and salience; the first distance is 0, distances rise, saliences
        /// lie between 0 and 1 and never rise.
        steps: Vec<(u64, f64)>,
    },
    /// Firing again is impossible for a while and harder after a burst; salience never fades.
    ActionPotential {
        /// How many live fires make a burst; at least 1.
        burst_threshold: u32,
        /// How many times the threshold a burst demands at its peak; finite, at least 1.
        peak_multiplier: f64,
        /// Ticks after a fire in which nothing fires.
        absolute_refractory: u64,
        /// Ticks in which half of the additional demand is gone; at least 1.
        multiplier_half_life: u64,
    },
}

/// A checked [`Shape`]: what fading looks like, as pure functions of a distance.
///
/// ```
/// use attend_core::dynamics::{Curve, Shape, TickDelta};
///
/// let curve = Curve::new(Shape::Exponential { half_life: 30_000 })?;
/// assert_eq!(curve.salience(TickDelta::new(0)), 1.0);
/// assert_eq!(curve.salience(TickDelta::new(30_000)), 0.5);
/// // Strictly below one half from just past the half-life on.
/// assert_eq!(curve.refire_delta(0.5), Some(TickDelta::new(30_001)));
///
/// let refused = Curve::new(Shape::Flat { suppression: 0 }).unwrap_err();
/// assert_eq!(refused.field(), "suppression");
/// # Ok::<(), attend_core::dynamics::CurveError>(())
/// ```
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(try_from = "Shape", into = "Shape")]
pub struct Curve(Shape);

/// The field that holds the steps of a staircase.
const STEPS: &str = "steps";

/// A [`Shape`] whose parameters make no curve.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("`{field}` {problem}")]
pub struct CurveError {
    field: &'static str,
    problem: &'static str,
}

/// Which part of a curve is refused.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum CurveErrorKind {
    /// A number: it is too small, or not finite.
    Number,
    /// The steps of a staircase.
    Steps,
}

impl CurveError {
    /// Which part of the curve it is about.
    pub fn kind(&self) -> CurveErrorKind {
        match self.field {
            STEPS => CurveErrorKind::Steps,
            _ => CurveErrorKind::Number,
        }
    }

    /// The name of the parameter that was refused, as it stands in a file.
    pub fn field(&self) -> &'static str {
        self.field
    }

    /// What is wrong with it: `must be …`.
    pub fn problem(&self) -> &'static str {
        self.problem
    }
}

impl Curve {
    /// Checks `shape`.
    ///
    /// # Errors
    ///
    /// A half-life or suppression of zero, a peak below 1 or not finite, a burst of zero, and
    /// steps that are empty, do not start at 0, do not rise in distance, rise in salience, or
    /// leave the range from 0 to 1. The error names the parameter.
    pub fn new(shape: Shape) -> Result<Self, CurveError> {
        let refuse = |field, problem| Err(CurveError { field, problem });
        match &shape {
            Shape::Exponential { half_life: 0 } => refuse("half_life", "must be at least 1 tick"),
            Shape::Flat { suppression: 0 } => refuse("suppression", "must be at least 1 tick"),
            Shape::ProgressiveStaircase { steps } => check_steps(steps).map(|()| Self(shape)),
            Shape::ActionPotential {
                burst_threshold: 0, ..
            } => refuse("burst_threshold", "must be at least 1 fire"),
            Shape::ActionPotential {
                multiplier_half_life: 0,
                ..
            } => refuse("multiplier_half_life", "must be at least 1 tick"),
            Shape::ActionPotential {
                peak_multiplier, ..
            } if !(peak_multiplier.is_finite() && *peak_multiplier >= 1.0) => {
                refuse("peak_multiplier", "must be a finite number of at least 1")
            }
            _ => Ok(Self(shape)),
        }
    }

    /// The parameters.
    pub fn shape(&self) -> &Shape {
        &self.0
    }

    /// What is left, from 1 (just fired) down to 0, `distance` ticks after a fire.
    ///
    /// `Exponential`: `0.5^(distance / half_life)`. `Flat`: 1, then 0. Staircase: the salience
    /// of the last step that was reached. `ActionPotential`: always 1.
    pub fn salience(&self, distance: TickDelta) -> f64 {
        match &self.0 {
            Shape::Exponential { half_life } => halved(distance, *half_life),
            Shape::Flat { suppression } => f64::from(u8::from(distance.get() < *suppression)),
            Shape::ProgressiveStaircase { steps } => steps[step_at(steps, distance)].1,
            Shape::ActionPotential { .. } => 1.0,
        }
    }

    /// How many times its threshold a sum must reach to fire `distance` ticks after the last
    /// fire, of which `live` fires are [live](Self::is_live).
    ///
    /// 1 for every shape but `ActionPotential`, where it is infinite within the absolute
    /// refractory, then `1 + (peak - 1) · 0.5^(distance / multiplier_half_life)` while a burst
    /// is live, else 1. It never rises with distance.
    pub fn multiplier(&self, distance: TickDelta, live: usize) -> f64 {
        let Shape::ActionPotential {
            burst_threshold,
            peak_multiplier,
            absolute_refractory,
            multiplier_half_life,
        } = &self.0
        else {
            return 1.0;
        };
        if distance.get() < *absolute_refractory {
            f64::INFINITY
        } else if live >= *burst_threshold as usize {
            1.0 + (peak_multiplier - 1.0) * halved(distance, *multiplier_half_life)
        } else {
            1.0
        }
    }

    /// Whether firing is impossible `distance` ticks after the last fire, whatever the sum.
    pub fn is_absolute(&self, distance: TickDelta) -> bool {
        matches!(&self.0, Shape::ActionPotential { absolute_refractory, .. } if distance.get() < *absolute_refractory)
    }

    /// Whether a fire `age` ticks ago still counts towards a burst: `0.5^(age / M) > 0.01`, `M`
    /// being the multiplier's half-life.
    ///
    /// Only an `ActionPotential` knows bursts.
    pub fn is_live(&self, age: TickDelta) -> bool {
        match &self.0 {
            Shape::ActionPotential {
                multiplier_half_life,
                ..
            } => (age.get() as f64) < LIVE_HALF_LIVES * *multiplier_half_life as f64,
            _ => false,
        }
    }

    /// How many of the latest fires matter: the burst threshold, else 1.
    pub fn memory(&self) -> usize {
        match &self.0 {
            Shape::ActionPotential {
                burst_threshold, ..
            } => *burst_threshold as usize,
            _ => 1,
        }
    }

    /// The smallest distance at which the salience is strictly below `floor`, if it ever is.
    pub fn refire_delta(&self, floor: f64) -> Option<TickDelta> {
        let below = |at: Tick| self.salience(TickDelta::new(at.get())) < floor;
        first_tick(Tick::new(0), below).map(|at| TickDelta::new(at.get()))
    }

    /// The steps of a staircase; none for any other shape.
    pub(super) fn steps(&self) -> Option<&[(u64, f64)]> {
        match &self.0 {
            Shape::ProgressiveStaircase { steps } => Some(steps),
            _ => None,
        }
    }

    /// The step of a staircase that is reached `distance` ticks after its anchor; 0 elsewhere.
    pub(super) fn step(&self, distance: TickDelta) -> usize {
        self.steps().map_or(0, |steps| step_at(steps, distance))
    }
}

impl TryFrom<Shape> for Curve {
    type Error = CurveError;

    fn try_from(shape: Shape) -> Result<Self, CurveError> {
        Self::new(shape)
    }
}

impl From<Curve> for Shape {
    fn from(curve: Curve) -> Self {
        curve.0
    }
}

fn halved(distance: TickDelta, half_life: u64) -> f64 {
    (-(distance.get() as f64 / half_life as f64)).exp2()
}

/// The index of the last step whose distance is reached; the first is always reached.
fn step_at(steps: &[(u64, f64)], distance: TickDelta) -> usize {
    steps
        .partition_point(|(at, _)| *at <= distance.get())
        .saturating_sub(1)
}

fn check_steps(steps: &[(u64, f64)]) -> Result<(), CurveError> {
    let refuse = |problem| {
        Err(CurveError {
            field: STEPS,
            problem,
        })
    };
    match steps.first() {
        None => return refuse("must hold at least one step"),
        Some((0, _)) => {}
        Some(_) => return refuse("must start at distance 0"),
    }
    if !steps
        .iter()
        .all(|(_, salience)| (0.0..=1.0).contains(salience))
    {
        return refuse("must hold saliences from 0 to 1");
    }
    if !steps.is_sorted_by(|a, b| a.0 < b.0) {
        return refuse("must rise in distance");
    }
    if !steps.is_sorted_by(|a, b| a.1 >= b.1) {
        return refuse("must never rise in salience");
    }
    Ok(())
}
