//! The keys of the files: their names, types, defaults, and what is said of them to people.
//!
//! Schema, sample and documentation are generated from what stands here.

use std::num::NonZeroU32;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::section::{Holds, Refused, Section, WaysSettings};
use super::span::Span;
use crate::attention::{Aging, Settings};
use crate::dynamics::{Curve, Shape};
use crate::runtime::Cleanup;

/// How often events may cause a notification. Messages are never held back by this.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub(super) struct Governor {
    /// The least time between two notifications.
    cooldown: Span,
    /// How many notifications a window holds at most; 1 to 1000.
    max_per_window: u32,
    /// The length of the window; at least 1s.
    window: Span,
}

/// How messages are shown. Only the user's own file may say this.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub(super) struct Messages {
    /// The least time between two notifications of messages.
    cooldown: Span,
    /// More new messages than this are counted in one line, and those to you follow a few at a
    /// time; 1 to 50.
    digest_above: u32,
}

/// Cleaning up after projects that are gone. Only the user's own file may say this.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub(super) struct CleanupKeys {
    /// Whether a running attend does it; `attend cleanup` does it in any case.
    enabled: bool,
    /// How often, and for how long a project has to be gone before its mail goes, and a session
    /// before what it was shown of ways does; at least 1s.
    interval: Span,
}

/// How a sensor that was shown is held back, so that it does not go on and on.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub(super) struct Engagement {
    /// How many showings in a row make a burst; 1 to 1000.
    burst_threshold: u32,
    /// How many times its threshold a sensor must reach right after a burst; at least 1.
    peak_multiplier: f64,
    /// The time after a showing in which the sensor is not shown again, whatever it says.
    absolute_refractory: Span,
    /// The time in which half of what a burst demands is gone; at least 1s.
    multiplier_half_life: Span,
    /// In place of `multiplier_half_life`: the share of it that is lost in a minute, above 0 and
    /// below 1. 0.1 is a half-life of 395s.
    #[serde(skip_serializing_if = "Option::is_none")]
    decay_per_minute: Option<f64>,
}

/// How long what stays below its sensor's threshold is kept.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub(super) struct AgingKeys {
    /// The time in which an event loses half of its weight; at least 1s.
    half_life: Span,
    /// The share of its weight below which it is dropped; 0 to 1, 0 for never.
    floor: f64,
}

/// Guidance in files. Only the user's own file may say this.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub(super) struct Ways {
    /// More directories with ways, the later over the earlier: whole paths, or paths that begin
    /// with `~/`. Your own ways and those of a project win over them.
    roots: Vec<String>,
    /// The share of the context window in which half of a way is gone, for ways that say nothing
    /// of it; above 0, at most 1.
    default_refire: f64,
}

/// What every sensor can be told, beside what its kind understands.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub(super) struct SensorKeys {
    /// Whether it runs.
    pub(super) enabled: Option<bool>,
    /// What it is. A sensor that is called like its kind need not say it.
    pub(super) kind: Option<String>,
    /// The longest time between two looks; 1s to 365d.
    pub(super) interval: Option<Span>,
    /// The shortest time between two looks; at least 1s, and no longer than `interval`.
    pub(super) min_interval: Option<Span>,
    /// The sum of magnitudes below which it is silent; 0 to 100.
    pub(super) threshold: Option<f64>,
    /// How many looks that find nothing new make it look less often.
    pub(super) decay_threshold: Option<u32>,
}

impl SensorKeys {
    /// Their names, in the order in which they are shown.
    pub(super) const NAMES: [&'static str; 6] = [
        "enabled",
        "kind",
        "interval",
        "min_interval",
        "threshold",
        "decay_threshold",
    ];
}

/// The most messages that may be shown at once: each takes a line, and the host drops a flood.
const MOST_SHOWN: u32 = 50;

/// The most that a count may be, where something is remembered for each.
const MOST: u32 = 1_000;

fn count(key: &'static str, count: u32) -> Result<NonZeroU32, Refused> {
    let fits = NonZeroU32::new(count).filter(|_| count <= MOST);
    fits.ok_or_else(|| Refused::new(key, format!("must be from 1 to {MOST}")))
}

impl Default for Governor {
    fn default() -> Self {
        let limits = Settings::default().governor;
        Self {
            cooldown: limits.cooldown.into(),
            max_per_window: limits.max_per_window.get(),
            window: limits.window.into(),
        }
    }
}

impl Section for Governor {
    const NAME: &'static str = "governor";

    fn apply(self, holds: &mut Holds) -> Result<(), Refused> {
        let most = count("max_per_window", self.max_per_window)?;
        if self.window.seconds() == 0 {
            return Err(Refused::new("window", "must be at least 1s"));
        }
        holds.engine.governor.cooldown = self.cooldown.into();
        holds.engine.governor.max_per_window = most;
        holds.engine.governor.window = self.window.into();
        Ok(())
    }
}

impl Default for Messages {
    fn default() -> Self {
        let settings = Settings::default();
        Self {
            cooldown: settings.mail_cooldown.into(),
            digest_above: u32::try_from(settings.digest_above).unwrap_or(MOST_SHOWN),
        }
    }
}

impl Section for Messages {
    const NAME: &'static str = "messages";
    const USER_ONLY: bool = true;

    fn apply(self, holds: &mut Holds) -> Result<(), Refused> {
        if !(1..=MOST_SHOWN).contains(&self.digest_above) {
            let why = format!("must be from 1 to {MOST_SHOWN}");
            return Err(Refused::new("digest_above", why));
        }
        holds.engine.mail_cooldown = self.cooldown.into();
        holds.engine.digest_above = self.digest_above as usize;
        Ok(())
    }
}

impl Default for Engagement {
    fn default() -> Self {
        let curve = Settings::default().engagement;
        let Shape::ActionPotential {
            burst_threshold,
            peak_multiplier,
            absolute_refractory,
            multiplier_half_life,
        } = *curve.shape()
        else {
            unreachable!("the default curve of engagement is an action potential")
        };
        Self {
            burst_threshold,
            peak_multiplier,
            absolute_refractory: Span::of_seconds(absolute_refractory),
            multiplier_half_life: Span::of_seconds(multiplier_half_life),
            decay_per_minute: None,
        }
    }
}

impl Section for Engagement {
    const NAME: &'static str = "engagement";
    const INSTEAD: Option<(&'static str, &'static str)> =
        Some(("decay_per_minute", "multiplier_half_life"));

    fn apply(self, holds: &mut Holds) -> Result<(), Refused> {
        count("burst_threshold", self.burst_threshold)?;
        let half_life = match self.decay_per_minute {
            None => self.multiplier_half_life.seconds(),
            Some(share) => half_life(share)?,
        };
        holds.engine.engagement = Curve::new(Shape::ActionPotential {
            burst_threshold: self.burst_threshold,
            peak_multiplier: self.peak_multiplier,
            absolute_refractory: self.absolute_refractory.seconds(),
            multiplier_half_life: half_life,
        })?;
        Ok(())
    }
}

/// The half-life, in seconds, of what loses `share` of itself in a minute:
/// `60 · ln(0.5) / ln(1 - share)`.
fn half_life(share: f64) -> Result<u64, Refused> {
    if !(share > 0.0 && share < 1.0) {
        return Err(Refused::new(
            "decay_per_minute",
            "must be above 0 and below 1",
        ));
    }
    let seconds = 60.0 * 0.5_f64.ln() / (-share).ln_1p();
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "it is positive, and what is too large for a whole number is for ever"
    )]
    let seconds = seconds.round() as u64;
    Ok(Span::of_seconds(seconds.max(1)).seconds())
}

impl Default for AgingKeys {
    fn default() -> Self {
        let aging = Settings::default().aging;
        let Shape::Exponential { half_life } = *aging.curve().shape() else {
            unreachable!("the default curve of aging is exponential")
        };
        Self {
            half_life: Span::of_seconds(half_life),
            floor: aging.floor(),
        }
    }
}

impl Section for AgingKeys {
    const NAME: &'static str = "aging";

    fn apply(self, holds: &mut Holds) -> Result<(), Refused> {
        if !(0.0..=1.0).contains(&self.floor) {
            return Err(Refused::new("floor", "must be from 0 to 1"));
        }
        let half_life = self.half_life.seconds();
        let curve = Curve::new(Shape::Exponential { half_life })?;
        holds.engine.aging = Aging::new(curve, self.floor);
        Ok(())
    }
}

impl Default for WaysSettings {
    fn default() -> Self {
        Self {
            roots: Vec::new(),
            default_refire: 0.25,
        }
    }
}

impl Default for Ways {
    fn default() -> Self {
        let ways = WaysSettings::default();
        Self {
            roots: ways.roots,
            default_refire: ways.default_refire,
        }
    }
}

impl Section for Ways {
    const NAME: &'static str = "ways";
    const USER_ONLY: bool = true;

    fn apply(self, holds: &mut Holds) -> Result<(), Refused> {
        let is_whole = |root: &String| root.starts_with('/') || root.starts_with("~/");
        if !self.roots.iter().all(is_whole) {
            let why = "must hold whole paths, which begin with / or ~/";
            return Err(Refused::new("roots", why));
        }
        if !(self.default_refire > 0.0 && self.default_refire <= 1.0) {
            return Err(Refused::new(
                "default_refire",
                "must be above 0 and at most 1",
            ));
        }
        holds.ways.roots = self.roots;
        holds.ways.default_refire = self.default_refire;
        Ok(())
    }
}

impl Default for CleanupKeys {
    fn default() -> Self {
        let Cleanup { enabled, interval } = Cleanup::default();
        Self {
            enabled,
            interval: Span::of_seconds(interval.as_secs()),
        }
    }
}

impl Section for CleanupKeys {
    const NAME: &'static str = "cleanup";
    const USER_ONLY: bool = true;

    fn apply(self, holds: &mut Holds) -> Result<(), Refused> {
        let interval = Duration::from(self.interval);
        if interval < Duration::from_secs(1) {
            return Err(Refused::new("interval", "must be at least 1s"));
        }
        holds.cleanup = Cleanup {
            enabled: self.enabled,
            interval,
        };
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn applied<S: Section>() -> Holds {
        let mut holds = Holds::default();
        S::default().apply(&mut holds).unwrap();
        assert_eq!(holds.cleanup, Cleanup::default());
        holds
    }

    #[test]
    fn the_defaults_of_the_keys_are_those_of_the_engine() {
        let defaults = Holds::default();
        assert_eq!(applied::<Governor>(), defaults);
        assert_eq!(applied::<Messages>(), defaults);
        assert_eq!(applied::<Engagement>(), defaults);
        assert_eq!(applied::<AgingKeys>(), defaults);
        assert_eq!(applied::<CleanupKeys>(), defaults);
        assert_eq!(applied::<Ways>(), defaults);
    }

    #[test]
    fn a_loss_per_minute_is_a_half_life() {
        for (share, seconds) in [(0.1, 395), (0.5, 60), (0.999_999, 3), (0.01, 4_138)] {
            assert_eq!(half_life(share), Ok(seconds), "{share}");
        }
        for share in [0.0, 1.0, -0.1, 1.5, f64::NAN] {
            assert!(half_life(share).is_err(), "{share}");
        }
        assert!(half_life(f64::MIN_POSITIVE).is_ok());
    }

    #[test]
    fn the_names_of_what_every_sensor_understands_are_all_of_them() {
        let keys = serde_json::to_value(SensorKeys::default()).unwrap();
        let mut names = SensorKeys::NAMES;
        names.sort_unstable();
        assert!(keys.as_object().unwrap().keys().eq(names));
    }
}
