//! How the `peers` sensor is configured.

use serde::{Deserialize, Serialize};

/// How the `peers` sensor is configured.
///
/// ```
/// use attend_core::sensor::SensorSpec;
/// use attend_sensors::peers::PeersConfig;
///
/// assert_eq!(PeersConfig::KIND, "peers");
/// assert!(PeersConfig::default().elsewhere);
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
#[non_exhaustive]
pub struct PeersConfig {
    /// Whether sessions that work on other projects are told of, too.
    pub elsewhere: bool,
}

impl Default for PeersConfig {
    fn default() -> Self {
        Self { elsewhere: true }
    }
}
