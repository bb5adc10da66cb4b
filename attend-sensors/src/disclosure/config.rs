//! How the `disclosure` sensor is configured.

use attend_core::dynamics::{Curve, Shape};
use attend_core::sensor::ConfigError;
use serde::{Deserialize, Serialize};

/// How the `disclosure` sensor is configured.
///
/// ```
/// use attend_core::sensor::SensorSpec;
/// use attend_sensors::disclosure::DisclosureConfig;
///
/// assert_eq!(DisclosureConfig::KIND, "disclosure");
/// assert_eq!(DisclosureConfig::default().refire, 0.25);
/// ```
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
#[non_exhaustive]
pub struct DisclosureConfig {
    /// The share of the context window after which something is taught again; above 0 and at
    /// most 1.
    pub refire: f64,
}

impl Default for DisclosureConfig {
    fn default() -> Self {
        Self { refire: 0.25 }
    }
}

/// In how many parts a window is divided, so that a share of it is exact.
const PARTS: u128 = 1_000_000;

impl DisclosureConfig {
    /// Refuses values that make no sense.
    pub(super) fn refuse(&self) -> Result<(), ConfigError> {
        if self.parts().is_some() {
            return Ok(());
        }
        let problem = format!("{} is no share above 0 and at most 1", self.refire);
        Err(ConfigError::at("refire", problem))
    }

    /// How a teaching fades in a window of so many tokens: it stands for its share of them,
    /// rounded up.
    pub(super) fn curve(&self, window: u64) -> Option<Curve> {
        let tokens = (u128::from(window) * self.parts()?).div_ceil(PARTS);
        let suppression = u64::try_from(tokens).unwrap_or(u64::MAX).max(1);
        Curve::new(Shape::Flat { suppression }).ok()
    }

    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "checked to lie from 0 to 1"
    )]
    fn parts(&self) -> Option<u128> {
        let is_share = self.refire > 0.0 && self.refire <= 1.0;
        is_share.then(|| ((self.refire * PARTS as f64).round() as u128).max(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_teaching_stands_for_its_share_of_the_window_rounded_up() {
        let stands = |refire, window| {
            let curve = DisclosureConfig { refire }.curve(window)?;
            match curve.shape() {
                Shape::Flat { suppression } => Some(*suppression),
                _ => None,
            }
        };
        assert_eq!(stands(0.25, 1_000_000), Some(250_000));
        assert_eq!(stands(0.25, 200_000), Some(50_000));
        assert_eq!(stands(0.25, 200_001), Some(50_001));
        assert_eq!(stands(0.15, 1_000_000), Some(150_000));
        assert_eq!(stands(1.0, u64::MAX), Some(u64::MAX));
        assert_eq!(stands(0.25, 0), Some(1), "a window that nobody knows");
        for odd in [0.0, -0.25, 1.01, f64::NAN] {
            assert_eq!(stands(odd, 200_000), None);
            let refused = DisclosureConfig { refire: odd }.refuse().unwrap_err();
            assert_eq!(refused.key(), Some("refire"));
        }
    }
}
