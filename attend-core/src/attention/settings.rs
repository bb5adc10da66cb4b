//! Every default of the engine, in one place.

use std::num::NonZeroU32;

use crate::dynamics::{Curve, Limits, Shape, TickDelta};

/// What the engine can be told to do otherwise. All distances are in ticks: attend feeds seconds.
///
/// The defaults stand beside the fields. What they do over eight labelled days, and what other
/// values would, is measured in `docs/signal-quality.md`.
///
/// ```
/// use attend_core::attention::Settings;
///
/// let settings = Settings::default();
/// assert_eq!(settings.governor.max_per_window.get(), 3);
/// assert_eq!(settings.aging.lifetime().unwrap().get(), 3_127); // 52 minutes
/// assert_eq!((settings.mail_cooldown.get(), settings.digest_above), (3, 8));
/// assert_eq!((settings.footnote_alone.get(), settings.tell_age_after.get()), (600, 120));
/// assert_eq!(settings.idle_deep.get(), 3_600);
/// ```
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Settings {
    /// Notifications caused by events: 3 in any 120, and 20 between two.
    pub governor: Limits,
    /// The slot that only critical events have: 1 in any 120.
    pub critical: Limits,
    /// Ticks between two batches of mail: 3.
    pub mail_cooldown: TickDelta,
    /// How many new messages are shown one by one: 8; more make a digest.
    pub digest_above: usize,
    /// How a sensor that was shown is held back: not at all heard for 60, and after 3 fires only
    /// with 2.25 times its threshold, half of what that demands more gone after 395.
    pub engagement: Curve,
    /// How long what stays below the threshold is kept: 3,127, when less than 0.3 of it is left by
    /// a half-life of 1,800.
    pub aging: Aging,
    /// Ticks of a busy host after which a footnote leaves alone: 600.
    pub footnote_alone: TickDelta,
    /// Ticks after the last report from which on a line says how old it is: 120.
    pub tell_age_after: TickDelta,
    /// Ticks of idleness after which the host's prompt cache is gone and only critical events
    /// are worth a turn: 3,600.
    pub idle_deep: TickDelta,
}

/// How long an event that never became ready is kept.
#[derive(Clone, PartialEq, Debug)]
pub struct Aging {
    curve: Curve,
    floor: f64,
    lifetime: Option<TickDelta>,
}

impl Aging {
    /// Dropped once `curve` is strictly below `floor`.
    pub fn new(curve: Curve, floor: f64) -> Self {
        let lifetime = curve.refire_delta(floor);
        Self {
            curve,
            floor,
            lifetime,
        }
    }

    /// In which shape it loses its weight.
    pub fn curve(&self) -> &Curve {
        &self.curve
    }

    /// The share of its weight below which it is dropped.
    pub fn floor(&self) -> f64 {
        self.floor
    }

    /// The age at which an event is dropped; none where that never happens.
    pub fn lifetime(&self) -> Option<TickDelta> {
        self.lifetime
    }
}

/// The fires that make a burst.
const BURST_THRESHOLD: u32 = 3;

/// How many times its threshold a sensor must reach at the peak after a burst.
const PEAK_MULTIPLIER: f64 = 2.25;

/// Ticks after a fire in which a sensor does not fire again.
const ABSOLUTE_REFRACTORY: u64 = 60;

/// A loss of a tenth a minute: `60 · ln(0.5) / ln(1 - 0.1)` seconds.
const MULTIPLIER_HALF_LIFE: u64 = 395;

/// Ticks in which an event below the threshold loses half of its weight.
const AGING_HALF_LIFE: u64 = 1_800;

/// The share of its weight below which an event is dropped.
const AGING_FLOOR: f64 = 0.3;

impl Default for Settings {
    fn default() -> Self {
        let limits = |cooldown, most: u32, window| Limits {
            cooldown: TickDelta::new(cooldown),
            max_per_window: NonZeroU32::MIN.saturating_add(most - 1),
            window: TickDelta::new(window),
        };
        Self {
            governor: limits(20, 3, 120),
            critical: limits(0, 1, 120),
            mail_cooldown: TickDelta::new(3),
            digest_above: 8,
            engagement: known(Shape::ActionPotential {
                burst_threshold: BURST_THRESHOLD,
                peak_multiplier: PEAK_MULTIPLIER,
                absolute_refractory: ABSOLUTE_REFRACTORY,
                multiplier_half_life: MULTIPLIER_HALF_LIFE,
            }),
            aging: Aging::new(
                known(Shape::Exponential {
                    half_life: AGING_HALF_LIFE,
                }),
                AGING_FLOOR,
            ),
            footnote_alone: TickDelta::new(600),
            tell_age_after: TickDelta::new(120),
            idle_deep: TickDelta::new(3_600),
        }
    }
}

/// A curve whose parameters are the constants above, which a test checks.
fn known(shape: Shape) -> Curve {
    Curve::new(shape).unwrap_or_else(|error| unreachable!("a default is no curve: {error}"))
}
