//! Opaque JSON: configuration, what a sensor remembers, and schemas.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::error::{ConfigError, SensorError};

/// A sensor's configuration, not yet read.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Value(serde_json::Value);

impl Value {
    /// No configuration: every default.
    pub fn none() -> Self {
        Self::default()
    }

    /// Any serialisable configuration.
    ///
    /// # Errors
    ///
    /// What cannot be written as JSON, such as a map whose keys are not text.
    pub fn of(config: &impl Serialize) -> Result<Self, ConfigError> {
        serde_json::to_value(config)
            .map(Self)
            .map_err(|error| ConfigError::new(error.to_string()))
    }

    /// Reads it as `T`; nothing at all is `T`'s default.
    pub(super) fn read<T: DeserializeOwned + Default>(self) -> Result<T, ConfigError> {
        match self.0 {
            serde_json::Value::Null => Ok(T::default()),
            value => {
                serde_json::from_value(value).map_err(|error| ConfigError::new(error.to_string()))
            }
        }
    }
}

/// What a sensor remembers over a restart.
///
/// ```
/// use attend_core::sensor::Snapshot;
///
/// let snapshot = Snapshot::of(&("main", 3))?;
/// assert_eq!(snapshot.read::<(String, u32)>()?, ("main".to_owned(), 3));
/// # Ok::<(), attend_core::sensor::SensorError>(())
/// ```
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Snapshot(serde_json::Value);

impl Snapshot {
    /// Any serialisable memory.
    ///
    /// # Errors
    ///
    /// What cannot be written as JSON, such as a map whose keys are not text.
    pub fn of(memory: &impl Serialize) -> Result<Self, SensorError> {
        let read = serde_json::to_value(memory).map(Self);
        read.map_err(|error| SensorError::transient(format!("cannot take a snapshot: {error}")))
    }

    /// Reads it as `T`.
    ///
    /// # Errors
    ///
    /// Another shape than `T`'s, as after an upgrade.
    pub fn read<T: DeserializeOwned>(&self) -> Result<T, SensorError> {
        let read = T::deserialize(&self.0);
        read.map_err(|error| SensorError::transient(format!("cannot read a snapshot: {error}")))
    }
}

/// A JSON Schema of a sensor's configuration.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Schema(serde_json::Value);

impl Schema {
    /// The schema that accepts anything.
    pub fn any() -> Self {
        Self(serde_json::Value::Bool(true))
    }
}
