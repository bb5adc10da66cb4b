//! How the `context` sensor is configured.

use std::collections::BTreeMap;

use attend_core::sensor::{ConfigError, Magnitude};
use serde::{Deserialize, Serialize};

use super::share::Share;

/// How the `context` sensor is configured. All shares are of the window: 0.85 is 85 %.
///
/// ```
/// use attend_core::sensor::SensorSpec;
/// use attend_sensors::context::ContextConfig;
///
/// let config = ContextConfig::default();
/// assert_eq!(ContextConfig::KIND, "context");
/// let shares: Vec<f64> = config.tiers.iter().map(|tier| tier.at).collect();
/// assert_eq!(shares, [0.4, 0.5, 0.65, 0.85, 0.92]);
/// ```
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
#[non_exhaustive]
pub struct ContextConfig {
    /// The shares from which on the context is told of, rising, with how much each matters.
    pub tiers: Vec<Tier>,
    /// The share at which the host compacts. Otherwise it is what the last automatic compaction
    /// showed, else 0.95.
    pub compaction: Option<f64>,
    /// Tokens that fit into the window of a model, by the beginning of the model's name; the
    /// longest one that fits counts. What the host itself says comes first.
    pub windows: BTreeMap<String, u64>,
}

/// A share of the window from which on the context is told of.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Tier {
    /// The share, above 0 and at most 1.
    pub at: f64,
    /// How much it matters, from 0 to 100.
    pub magnitude: f64,
}

impl Tier {
    /// The tier from the share `at` on.
    pub const fn new(at: f64, magnitude: f64) -> Self {
        Self { at, magnitude }
    }
}

impl Default for ContextConfig {
    fn default() -> Self {
        Self {
            tiers: vec![
                Tier::new(0.40, 1.5),
                Tier::new(0.50, 2.0),
                Tier::new(0.65, 3.0),
                Tier::new(0.85, 4.0),
                Tier::new(0.92, 5.0),
            ],
            compaction: None,
            windows: BTreeMap::new(),
        }
    }
}

impl ContextConfig {
    /// Refuses values that make no sense.
    pub(super) fn refuse(&self) -> Result<(), ConfigError> {
        for tier in &self.tiers {
            if Share::of_config(tier.at).is_none() {
                return Err(ConfigError::at(
                    "tiers",
                    format!("{} is no share above 0 and at most 1", tier.at),
                ));
            }
            if Magnitude::new(tier.magnitude).is_none() {
                return Err(ConfigError::at(
                    "tiers",
                    format!("{} is no magnitude from 0 to 100", tier.magnitude),
                ));
            }
        }
        for (low, high) in self.tiers.iter().zip(self.tiers.iter().skip(1)) {
            if low.at >= high.at || low.magnitude > high.magnitude {
                return Err(ConfigError::at(
                    "tiers",
                    format!(
                        "the tier at {} does not rise above the one at {}",
                        high.at, low.at
                    ),
                ));
            }
        }
        if let Some(at) = self.compaction
            && Share::of_config(at).is_none()
        {
            return Err(ConfigError::at(
                "compaction",
                format!("{at} is no share above 0 and at most 1"),
            ));
        }
        if let Some((model, _)) = self.windows.iter().find(|(_, tokens)| **tokens == 0) {
            return Err(ConfigError::at(
                "windows",
                format!("nothing would fit into the window of {model:?}"),
            ));
        }
        Ok(())
    }

    /// The highest tier that `share` has reached.
    pub(super) fn tier(&self, share: Share) -> Option<Tier> {
        let reached = |tier: &&Tier| Share::of_config(tier.at).is_some_and(|at| at <= share);
        self.tiers.iter().rev().find(reached).copied()
    }

    /// The window that is configured for `model`.
    pub(super) fn window(&self, model: &str) -> Option<u64> {
        let fits = self
            .windows
            .iter()
            .filter(|(name, _)| model.starts_with(name.as_str()));
        fits.max_by_key(|(name, _)| name.len())
            .map(|(_, tokens)| *tokens)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tiers(tiers: &[(f64, f64)]) -> ContextConfig {
        let tiers = tiers
            .iter()
            .map(|(at, magnitude)| Tier::new(*at, *magnitude));
        ContextConfig {
            tiers: tiers.collect(),
            ..ContextConfig::default()
        }
    }

    fn refusal(config: &ContextConfig) -> String {
        config.refuse().unwrap_err().to_string()
    }

    #[test]
    fn the_highest_tier_that_is_reached_counts() {
        let config = ContextConfig::default();
        config.refuse().unwrap();
        for (tokens, magnitude) in [
            (39_999, None),
            (40_000, Some(1.5)),
            (64_999, Some(2.0)),
            (65_000, Some(3.0)),
            (84_999, Some(3.0)),
            (85_000, Some(4.0)),
            (92_000, Some(5.0)),
            (140_000, Some(5.0)),
        ] {
            let share = Share::of(tokens, 100_000).unwrap();
            let tier = config.tier(share).map(|tier| tier.magnitude);
            assert_eq!(tier, magnitude, "{tokens}");
        }
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        for (config, said) in [
            (
                tiers(&[(40.0, 1.0)]),
                "`tiers`: 40 is no share above 0 and at most 1",
            ),
            (
                tiers(&[(0.0, 1.0)]),
                "`tiers`: 0 is no share above 0 and at most 1",
            ),
            (
                tiers(&[(f64::NAN, 1.0)]),
                "`tiers`: NaN is no share above 0 and at most 1",
            ),
            (
                tiers(&[(0.4, 101.0)]),
                "`tiers`: 101 is no magnitude from 0 to 100",
            ),
            (
                tiers(&[(0.5, 1.0), (0.4, 2.0)]),
                "`tiers`: the tier at 0.4 does not rise above the one at 0.5",
            ),
            (
                tiers(&[(0.5, 2.0), (0.6, 1.0)]),
                "`tiers`: the tier at 0.6 does not rise above the one at 0.5",
            ),
        ] {
            assert_eq!(refusal(&config), said);
        }
        tiers(&[]).refuse().unwrap();
        let mut config = ContextConfig {
            compaction: Some(1.5),
            ..ContextConfig::default()
        };
        let said = "`compaction`: 1.5 is no share above 0 and at most 1";
        assert_eq!(refusal(&config), said);
        config.compaction = Some(1.0);
        config.refuse().unwrap();
        config.windows.insert("m".to_owned(), 0);
        let said = "`windows`: nothing would fit into the window of \"m\"";
        assert_eq!(refusal(&config), said);
    }

    #[test]
    fn the_longest_name_of_a_model_counts() {
        let mut config = ContextConfig::default();
        for (name, tokens) in [("opus", 1), ("opus-9", 2), ("opus-9-1", 3)] {
            config.windows.insert(name.to_owned(), tokens);
        }
        let window = |model| config.window(model);
        assert_eq!(window("opus-9-1-20270101"), Some(3));
        assert_eq!(window("opus-9"), Some(2));
        assert_eq!(window("opus-8"), Some(1));
        assert_eq!(window("sonnet"), None);
    }
}
