//! The reference: every key with its meaning, type and default, as schema, sample and
//! documentation show it.

use serde_json::{Value as Json, json};

use super::keys::{AgingKeys, CleanupKeys, Engagement, Governor, Messages, SensorKeys, Ways};
use super::order;
use super::section::Section;
use super::span::Span;
use crate::sensor::{Registration, Registry, Schema};

/// One mapping of the files.
pub(super) struct Chapter {
    pub(super) name: String,
    pub(super) about: String,
    pub(super) keys: Vec<Key>,
    /// Its JSON Schema.
    pub(super) schema: Json,
}

/// One key of a mapping.
pub(super) struct Key {
    pub(super) name: String,
    pub(super) about: String,
    /// Its type, in words.
    pub(super) is: String,
    /// None, where it is not set.
    pub(super) default: Option<Json>,
}

/// What is said to the engine, to the loop, and to whoever loads ways.
pub(super) fn sections() -> [Chapter; 6] {
    [
        section::<Governor>(),
        section::<Messages>(),
        section::<Engagement>(),
        section::<AgingKeys>(),
        section::<CleanupKeys>(),
        section::<Ways>(),
    ]
}

fn section<S: Section + schemars::JsonSchema>() -> Chapter {
    let names = order::keys(&S::default());
    let instead = S::INSTEAD.map(|(key, _)| key.to_owned());
    let defaults = serde_json::to_value(S::default()).unwrap_or_default();
    let names = names.into_iter().chain(instead);
    Chapter::new(S::NAME, Schema::of::<S>().json(), names, &defaults)
}

/// What every sensor understands; its defaults are those of the kind.
pub(super) fn common(kind: Option<&Registration>) -> Chapter {
    let defaults = kind.map_or(json!({}), |kind| {
        let profile = kind.profile();
        json!({
            "enabled": true,
            "kind": kind.kind(),
            "interval": Span::of_seconds(profile.interval.as_secs()),
            "min_interval": Span::of_seconds(profile.min_interval.as_secs()),
            "threshold": profile.threshold.get(),
            "decay_threshold": profile.decay_threshold,
        })
    });
    let names = SensorKeys::NAMES.map(str::to_owned);
    let schema = Schema::of::<SensorKeys>();
    Chapter::new("sensors", schema.json(), names.into_iter(), &defaults)
}

/// What the sensors of each kind understand beside that.
pub(super) fn kinds(registry: &Registry) -> Vec<(&Registration, Chapter)> {
    registry.kinds().map(|kind| (kind, chapter(kind))).collect()
}

/// What the sensors of `kind` understand beside that.
pub(super) fn chapter(kind: &Registration) -> Chapter {
    let defaults = kind.inspect(&json!({})).read.unwrap_or_default();
    let names = defaults
        .as_object()
        .into_iter()
        .flat_map(|keys| keys.keys().cloned());
    let names: Vec<String> = names.collect();
    let name = format!("sensors.{}", kind.kind());
    let mut chapter = Chapter::new(&name, kind.schema().json(), names.into_iter(), &defaults);
    kind.about().clone_into(&mut chapter.about);
    chapter
}

impl Chapter {
    fn new(
        name: &str,
        schema: &Json,
        names: impl Iterator<Item = String>,
        defaults: &Json,
    ) -> Self {
        let properties = schema.get("properties");
        let key = |name: String| {
            let schema = properties
                .and_then(|all| all.get(&name))
                .unwrap_or(&Json::Null);
            let default = defaults.get(&name).filter(|value| !value.is_null());
            Key {
                about: about(schema),
                is: is(schema),
                default: default.cloned(),
                name,
            }
        };
        Self {
            name: name.to_owned(),
            about: about(schema),
            keys: names.map(key).collect(),
            schema: schema.clone(),
        }
    }
}

fn about(schema: &Json) -> String {
    let text = schema
        .get("description")
        .and_then(Json::as_str)
        .unwrap_or_default();
    // Examples are for those who read Rust.
    let text = text.split("\n\n```").next().unwrap_or_default();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A type in words.
fn is(schema: &Json) -> String {
    if schema.get("title").is_some_and(|title| title == "span") {
        return "span".to_owned();
    }
    let either = schema
        .get("anyOf")
        .and_then(Json::as_array)
        .into_iter()
        .flatten();
    let either: Vec<String> = either.map(is).filter(|is| !is.is_empty()).collect();
    if !either.is_empty() {
        return either.join(" or ");
    }
    let types: Vec<&str> = match schema.get("type") {
        Some(Json::Array(types)) => types.iter().filter_map(Json::as_str).collect(),
        Some(one) => one.as_str().into_iter().collect(),
        None => Vec::new(),
    };
    let words = types.into_iter().filter_map(|name| match name {
        "boolean" => Some("true or false"),
        "integer" => Some("whole number"),
        "number" => Some("number"),
        "string" => Some("text"),
        "array" => Some("list"),
        "object" => Some("mapping"),
        _ => None,
    });
    words.collect::<Vec<_>>().join(" or ")
}
