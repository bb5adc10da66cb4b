//! How a sensor fares, for those who ask.

use serde::{Deserialize, Serialize};

use crate::sensor::SensorName;

/// How one sensor fares.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct SensorHealth {
    /// Its name.
    pub name: SensorName,
    /// What it is.
    pub kind: String,
    /// Whether it works.
    pub condition: Condition,
    /// Looks so far in this run.
    pub looks: u64,
    /// When the last look ended, in seconds since 1970.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_look: Option<u64>,
    /// When the next look is due, in seconds since 1970.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_look: Option<u64>,
    /// The last error.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// The warnings of the last look that counted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// What the last look told beside: the last lines of a script's errors, for example.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub details: Vec<String>,
}

/// Whether a sensor works.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Condition {
    /// It was not looked at yet.
    New,
    /// The last look counted.
    Healthy,
    /// The last look failed; it is looked at again.
    Failing,
    /// What it looks at is not there; it is looked for rarely.
    Unavailable,
    /// It blocked the sensor thread and rests.
    Resting,
    /// It is switched off.
    Disabled,
}
