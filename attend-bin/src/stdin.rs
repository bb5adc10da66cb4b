//! Standard input of commands that the host starts: bounded, and no reason to fail or to wait.

use std::io::ErrorKind;
use std::time::Duration;

use attend_core::runtime::system::read_input;
use serde_json::{Map, Value};

/// More than the host ever sends, in bytes.
const MOST: usize = 8 << 20;

/// What is read past, of what is more: whoever is not heard out may take that for a failure.
const MOST_HEARD: usize = 256 << 20;

/// How long a piece of that may take to come.
const PAUSE: Duration = Duration::from_millis(200);

/// How long the host may take to send it.
const PATIENCE: Duration = Duration::from_secs(2);

/// The JSON object that the host sends to `command`, and its text. Nothing behind it is waited
/// for: the host may leave its end open.
///
/// # Errors
///
/// What stands there instead, for people: nothing, too much, no JSON, or another JSON value.
pub(crate) fn object(command: &str) -> Result<(Vec<u8>, Map<String, Value>), String> {
    let whose = format!("the host runs `attend {command}` and sends it a JSON object");
    let mut span = Span::default();
    let read = read_input(MOST, PATIENCE, |piece| span.ends_in(piece));
    let bytes = read.map_err(|error| match error.kind() {
        ErrorKind::TimedOut => format!(
            "standard input holds no whole JSON object after {PATIENCE:?} and was not ended; {whose}"
        ),
        _ => format!("cannot read standard input: {error}; {whose}"),
    })?;
    if bytes.len() > MOST {
        hear_out();
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

/// Reads past what is more than is kept.
fn hear_out() {
    let mut heard = 0;
    while heard < MOST_HEARD {
        // That it cannot be read to its end changes nothing.
        match read_input(0, PAUSE, |_| None) {
            Ok(piece) if !piece.is_empty() => heard += piece.len(),
            _ => break,
        }
    }
}

/// How far a JSON object or list has come, piece by piece. Other values have no end of their own.
#[derive(Debug, Default)]
struct Span {
    depth: u32,
    is_quoted: bool,
    is_escaped: bool,
}

impl Span {
    /// How many bytes of `piece` still belong to it; none where it goes on behind them.
    fn ends_in(&mut self, piece: &[u8]) -> Option<usize> {
        for (at, byte) in piece.iter().enumerate() {
            if self.is_quoted {
                match byte {
                    _ if self.is_escaped => self.is_escaped = false,
                    b'\\' => self.is_escaped = true,
                    b'"' => self.is_quoted = false,
                    _ => {}
                }
                continue;
            }
            match byte {
                b'"' => self.is_quoted = true,
                b'{' | b'[' => self.depth += 1,
                b'}' | b']' => {
                    self.depth = self.depth.saturating_sub(1);
                    if self.depth == 0 {
                        return Some(at + 1);
                    }
                }
                _ => {}
            }
        }
        None
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

#[cfg(test)]
mod tests {
    use super::*;

    /// How much of `text` is taken when it comes in pieces of `size` bytes.
    fn taken(text: &str, size: usize) -> Option<usize> {
        let mut span = Span::default();
        let mut before = 0;
        for piece in text.as_bytes().chunks(size) {
            if let Some(more) = span.ends_in(piece) {
                return Some(before + more);
            }
            before += piece.len();
        }
        None
    }

    #[test]
    fn an_object_ends_where_it_ends_however_it_comes() {
        let whole = r#" {"a": "}\"]\\", "b": [{}, []], "c": {"d": "\\\"}"}}"#;
        let more = format!("{whole}\n{{}} x");
        for size in [1, 2, 3, 7, 64] {
            assert_eq!(taken(&more, size), Some(whole.len()), "{size}");
            for cut in 0..whole.len() {
                assert_eq!(taken(whole.get(..cut).unwrap(), size), None, "{cut}");
            }
        }
        assert_eq!(taken("7 ", 1), None);
    }
}
