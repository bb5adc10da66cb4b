//! How the `idle` sensor is configured.

use attend_core::sensor::{ConfigError, Magnitude};
use serde::{Deserialize, Serialize};

/// The longest silence that has a level, in minutes: a year.
const MAX_MINUTES: u64 = 525_600;

/// The most turns that can be asked for: the host tells no more.
const MAX_TURNS: u32 = 200;

/// How the `idle` sensor is configured.
///
/// ```
/// use attend_core::sensor::SensorSpec;
/// use attend_sensors::idle::IdleConfig;
///
/// let config = IdleConfig::default();
/// assert_eq!(IdleConfig::KIND, "idle");
/// let minutes: Vec<u64> = config.levels.iter().map(|level| level.minutes).collect();
/// assert_eq!(minutes, [10, 30, 50]);
/// ```
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
#[non_exhaustive]
pub struct IdleConfig {
    /// After how many minutes in which nobody spoke that is told, rising, with how much each
    /// matters: below 3 it rides along, from 5 on it wakes.
    pub levels: Vec<Level>,
    /// The share of the context window after which reflection is overdue; above 0 and at most 1.
    pub reflection_share: f64,
    /// The number of turns after which it is; 1 to 200.
    pub reflection_turns: u32,
}

/// A length of silence from which on it is told.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Level {
    /// The length, in minutes.
    pub minutes: u64,
    /// How much it matters, from 0 to 100.
    pub magnitude: f64,
}

impl Level {
    /// The level from so many minutes on.
    pub const fn new(minutes: u64, magnitude: f64) -> Self {
        Self { minutes, magnitude }
    }

    /// The length in ticks.
    pub(super) fn seconds(self) -> u64 {
        self.minutes.saturating_mul(60)
    }
}

impl Default for IdleConfig {
    fn default() -> Self {
        Self {
            levels: vec![
                Level::new(10, 1.5),
                Level::new(30, 2.0),
                Level::new(50, 5.0),
            ],
            reflection_share: 0.25,
            reflection_turns: 40,
        }
    }
}

impl IdleConfig {
    /// Refuses values that make no sense.
    pub(super) fn refuse(&self) -> Result<(), ConfigError> {
        let refused = |key, text| Err(ConfigError::at(key, text));
        for level in &self.levels {
            let (minutes, magnitude) = (level.minutes, level.magnitude);
            if !(1..=MAX_MINUTES).contains(&minutes) {
                let text = format!("{minutes} is no number of minutes from 1 to {MAX_MINUTES}");
                return refused("levels", text);
            }
            if Magnitude::new(magnitude).is_none() {
                return refused(
                    "levels",
                    format!("{magnitude} is no magnitude from 0 to 100"),
                );
            }
        }
        for (low, high) in self.levels.iter().zip(self.levels.iter().skip(1)) {
            if low.minutes >= high.minutes || low.magnitude > high.magnitude {
                let (low, high) = (low.minutes, high.minutes);
                let text = format!("the level at {high} does not rise above the one at {low}");
                return refused("levels", text);
            }
        }
        let share = self.reflection_share;
        if !(share > 0.0 && share <= 1.0) {
            let text = format!("{share} is no share above 0 and at most 1");
            return refused("reflection_share", text);
        }
        let turns = self.reflection_turns;
        if !(1..=MAX_TURNS).contains(&turns) {
            let text = format!("{turns} is no number of turns from 1 to {MAX_TURNS}");
            return refused("reflection_turns", text);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_makes_no_sense_is_refused() {
        let with = |change: &dyn Fn(&mut IdleConfig)| {
            let mut config = IdleConfig::default();
            change(&mut config);
            config.refuse().map_err(|error| error.to_string())
        };
        let levels = |levels: &[(u64, f64)]| {
            with(&|config| {
                let levels = levels.iter().map(|(at, much)| Level::new(*at, *much));
                config.levels = levels.collect();
            })
        };
        with(&|_| ()).unwrap();
        levels(&[]).unwrap();
        for (found, said) in [
            (
                levels(&[(0, 1.0)]),
                "`levels`: 0 is no number of minutes from 1 to 525600",
            ),
            (
                levels(&[(1, 101.0)]),
                "`levels`: 101 is no magnitude from 0 to 100",
            ),
            (
                levels(&[(5, 1.0), (5, 2.0)]),
                "`levels`: the level at 5 does not rise above the one at 5",
            ),
            (
                with(&|config| config.reflection_share = f64::NAN),
                "`reflection_share`: NaN is no share above 0 and at most 1",
            ),
            (
                with(&|config| config.reflection_turns = 201),
                "`reflection_turns`: 201 is no number of turns from 1 to 200",
            ),
        ] {
            assert_eq!(found.unwrap_err(), said);
        }
    }
}
