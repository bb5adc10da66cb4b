//! How the `overlap` sensor is configured.

use attend_core::sensor::ConfigError;
use serde::{Deserialize, Serialize};

/// The longest time for which an edit counts, in hours: a month.
const MAX_HOURS: u32 = 744;

/// How the `overlap` sensor is configured.
///
/// ```
/// use attend_core::sensor::SensorSpec;
/// use attend_sensors::overlap::OverlapConfig;
///
/// assert_eq!(OverlapConfig::KIND, "overlap");
/// assert_eq!(OverlapConfig::default().hours, 8);
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
#[non_exhaustive]
pub struct OverlapConfig {
    /// For how many hours an edit counts that was not committed; 1 to 744.
    pub hours: u32,
}

impl Default for OverlapConfig {
    fn default() -> Self {
        Self { hours: 8 }
    }
}

impl OverlapConfig {
    /// Refuses values that make no sense.
    pub(super) fn refuse(&self) -> Result<(), ConfigError> {
        let hours = self.hours;
        if (1..=MAX_HOURS).contains(&hours) {
            return Ok(());
        }
        let text = format!("{hours} is no number of hours from 1 to {MAX_HOURS}");
        Err(ConfigError::at("hours", text))
    }

    /// The same in ticks.
    pub(super) fn seconds(&self) -> u64 {
        u64::from(self.hours) * 3_600
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_makes_no_sense_is_refused() {
        for (hours, fits) in [(0, false), (1, true), (744, true), (745, false)] {
            assert_eq!(OverlapConfig { hours }.refuse().is_ok(), fits, "{hours}");
        }
        let said = OverlapConfig { hours: 0 }.refuse().unwrap_err().to_string();
        assert_eq!(said, "`hours`: 0 is no number of hours from 1 to 744");
    }
}
