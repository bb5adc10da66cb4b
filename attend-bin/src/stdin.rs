//! Standard input of commands that the host starts: bounded, and no reason to fail.

use std::io::{self, Read};

use serde_json::{Map, Value};

/// More than the host ever sends.
const MOST: u64 = 8 << 20;

/// What is read past, of what is more: whoever is not heard out may take that for a failure.
const MOST_HEARD: u64 = 256 << 20;

/// The JSON object that the host sends to `command`, and its text.
///
/// # Errors
///
/// What stands there instead, for people: nothing, too much, no JSON, or another JSON value.
pub(crate) fn object(command: &str) -> Result<(Vec<u8>, Map<String, Value>), String> {
    let whose = format!("the host runs `attend {command}` and sends it a JSON object");
    let mut bytes = Vec::new();
    let mut input = io::stdin().lock();
    let read = input.by_ref().take(MOST + 1).read_to_end(&mut bytes);
    read.map_err(|error| format!("cannot read standard input: {error}; {whose}"))?;
    if bytes.len() as u64 > MOST {
        // That it cannot be read to its end changes nothing.
        let _ = io::copy(&mut input.take(MOST_HEARD), &mut io::sink());
        return Err(format!(
            "standard input is longer than {} MiB and was not read; {whose}",
            MOST >> 20
        ));
    }
    if bytes.trim_ascii().is_empty() {
        return Err(format!("standard input is empty; {whose}"));
    }
    match serde_json::from_slice(&bytes) {
        Ok(Value::Object(object)) => Ok((bytes, object)),
        Ok(other) => Err(format!("standard input is {}; {whose}", kind(&other))),
        Err(error) => Err(format!("standard input is no JSON ({error}); {whose}")),
    }
}

/// The text under `key`; empty where there is none.
///
/// # Errors
///
/// Something else stands there: what it is, for people.
pub(crate) fn text(object: &Map<String, Value>, key: &str) -> Result<String, String> {
    match object.get(key) {
        None | Some(Value::Null) => Ok(String::new()),
        Some(Value::String(text)) => Ok(text.clone()),
        Some(other) => Err(format!(
            "`{key}` in the host's JSON is {}, where a text is expected",
            kind(other)
        )),
    }
}

/// What a value is, for people.
fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}
