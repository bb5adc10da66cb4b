//! The JSON Schema of the files, for editors.

use serde_json::{Map, Value as Json, json};

use super::reference::{Chapter, common, kinds, sections};
use crate::sensor::{Registration, Registry, Schema};

/// The JSON Schema of a file, for a program that knows the kinds in `registry`.
pub fn schema(registry: &Registry) -> Schema {
    let mut top: Map<String, Json> = sections()
        .into_iter()
        .map(|chapter| (chapter.name.clone(), closed(chapter.schema)))
        .collect();
    let kinds = kinds(registry);
    let named = kinds
        .iter()
        .filter(|(kind, _)| kind.declares().by_itself)
        .map(|(kind, chapter)| (kind.kind().to_owned(), sensor(kind, chapter, false)));
    let named: Map<String, Json> = named.collect();
    let others: Vec<Json> = kinds
        .iter()
        .map(|(kind, chapter)| sensor(kind, chapter, true))
        .collect();
    top.insert(
        "sensors".to_owned(),
        json!({
            "description": "The sensors by their names.",
            "type": ["object", "null"],
            "propertyNames": {"pattern": "^[a-z0-9-]{1,32}$"},
            "properties": named,
            "additionalProperties": {"oneOf": others},
        }),
    );
    let schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "attend's configuration",
        "type": ["object", "null"],
        "properties": top,
        "additionalProperties": false,
    });
    Schema::from_json(schema)
}

/// One sensor of `kind`, which has to say so where it is not called like it.
fn sensor(kind: &Registration, chapter: &Chapter, says: bool) -> Json {
    let mut properties = properties(&common(Some(kind)).schema);
    properties.insert("kind".to_owned(), json!({"const": kind.kind()}));
    properties.extend(self::properties(&chapter.schema));
    let implied = kind.declares().implied_by.iter().map(String::as_str);
    let said = ["kind"].into_iter().chain(implied);
    let said: Vec<Json> = said.map(|key| json!({"required": [key]})).collect();
    let required = if says {
        json!({"anyOf": said})
    } else {
        json!(true)
    };
    let open = chapter.schema.get("properties").is_none();
    json!({
        "description": kind.about(),
        "type": if says { json!("object") } else { json!(["object", "null"]) },
        "properties": properties,
        "allOf": [required],
        "additionalProperties": open,
    })
}

fn properties(schema: &Json) -> Map<String, Json> {
    let properties = schema.get("properties").and_then(Json::as_object);
    properties.cloned().unwrap_or_default()
}

/// A mapping without other keys, or nothing.
fn closed(mut schema: Json) -> Json {
    if let Some(schema) = schema.as_object_mut() {
        schema.insert("type".to_owned(), json!(["object", "null"]));
        schema.insert("additionalProperties".to_owned(), json!(false));
        schema.remove("title");
    }
    schema
}
