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

    /// Reads it as `T`; nothing at all is `T`'s default. An error names the key to blame, where
    /// one can be told.
    pub(super) fn read<T: DeserializeOwned + Default>(self) -> Result<T, ConfigError> {
        if self.0.is_null() {
            return Ok(T::default());
        }
        T::deserialize(&self.0).map_err(|error| {
            let text = error.to_string();
            match self.0.as_object().and_then(|map| blame::<T>(map, &text)) {
                Some(key) => ConfigError::at(key, text),
                None => ConfigError::new(text),
            }
        })
    }
}

/// The key without which `map` fails otherwise or not at all: serde's errors name no key.
fn blame<T: DeserializeOwned>(
    map: &serde_json::Map<String, serde_json::Value>,
    text: &str,
) -> Option<String> {
    if text.starts_with("missing field") {
        return None;
    }
    let innocent = |key: &String| {
        let mut rest = map.clone();
        rest.remove(key);
        T::deserialize(&serde_json::Value::Object(rest))
            .is_err_and(|error| error.to_string() == text)
    };
    map.keys().find(|key| !innocent(key)).cloned()
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

    /// The schema of `T`, whole: it refers to nothing outside itself. Doc comments are its
    /// descriptions, and the values of `T`'s default its defaults.
    #[cfg(feature = "schema")]
    pub fn of<T: schemars::JsonSchema>() -> Self {
        let settings = schemars::generate::SchemaSettings::draft2020_12();
        let settings = settings.with(|settings| {
            settings.inline_subschemas = true;
            settings.meta_schema = None;
        });
        let schema = settings.into_generator().into_root_schema_for::<T>();
        Self(schema.to_value())
    }

    #[cfg(all(feature = "config", feature = "schema"))]
    pub(crate) fn json(&self) -> &serde_json::Value {
        &self.0
    }

    #[cfg(all(feature = "config", feature = "schema"))]
    pub(crate) fn from_json(json: serde_json::Value) -> Self {
        Self(json)
    }
}
