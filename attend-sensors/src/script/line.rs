//! The lines of a script, as text: an event each, or a reason why it is none.

use attend_core::sensor::Event;
use serde::Deserialize;

/// How many bytes of a line count.
pub(super) const MOST_BYTES: usize = 4 << 10;

/// How much of a line a warning repeats, in characters.
const QUOTED: usize = 120;

/// What the object forms of a line may say.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Object {
    magnitude: f64,
    text: String,
    key: Option<String>,
    signal: Option<String>,
}

/// Reads one line: `magnitude|text`, or a JSON object. None where it is blank.
///
/// The error says what is wrong, with the line.
pub(super) fn event(line: &[u8]) -> Result<Option<Event>, String> {
    let is_cut = line.len() > MOST_BYTES;
    let line = line.get(..MOST_BYTES).unwrap_or(line);
    let text = String::from_utf8_lossy(line);
    let mut text = text.trim().to_owned();
    if text.is_empty() {
        return Ok(None);
    }
    if is_cut {
        text.push('…');
    }
    let event = if text.starts_with('{') {
        object(&text, is_cut)
    } else {
        plain(&text)
    };
    let event = event.and_then(|event| match event.clone().check() {
        Ok(_) => Ok(event),
        Err(refusal) => Err(refusal.to_string()),
    });
    match event {
        Ok(event) => Ok(Some(event)),
        Err(why) => Err(format!("a line does not count, {why}: {}", quoted(&text))),
    }
}

fn plain(line: &str) -> Result<Event, String> {
    let (magnitude, text) = line
        .split_once('|')
        .ok_or("it is neither `magnitude|text` nor a JSON object")?;
    let magnitude = magnitude.trim().parse::<f64>();
    let magnitude = magnitude.map_err(|_| "it does not begin with a number")?;
    told(magnitude, text)
}

fn object(line: &str, is_cut: bool) -> Result<Event, String> {
    if is_cut {
        return Err("it is longer than 4 KiB".to_owned());
    }
    let read: Result<Object, _> = serde_json::from_str(line);
    let read = read.map_err(|error| {
        let error = error.to_string();
        let why = error.split(" at line ").next().unwrap_or_default();
        format!("its JSON is wrong ({why})")
    })?;
    let mut event = told(read.magnitude, &read.text)?;
    if let Some(key) = read.key {
        event = event.key(key);
    }
    if let Some(signal) = read.signal {
        event = event.signal(signal);
    }
    Ok(event)
}

fn told(magnitude: f64, text: &str) -> Result<Event, String> {
    match text.trim() {
        "" => Err("it says nothing".to_owned()),
        text => Ok(Event::new(magnitude, text)),
    }
}

/// The beginning of `text`, for people.
pub(super) fn quoted(text: &str) -> String {
    let mut quoted: String = text.chars().take(QUOTED).collect();
    if quoted.len() < text.len() && !quoted.ends_with('…') {
        quoted.push('…');
    }
    quoted
}

/// The lines of some errors, without blank ones.
pub(super) fn lines(errors: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(errors);
    let lines = text.lines().map(str::trim_end);
    lines
        .filter(|line| !line.is_empty())
        .map(str::to_owned)
        .collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(line: &str) -> Result<Option<Event>, String> {
        event(line.as_bytes())
    }

    #[test]
    fn both_forms_of_a_line_are_read() {
        let plain = Event::new(2.5, "3 reviews | 1 new");
        let whole = Event::new(2.0, "x").key("k").signal("ready");
        for (line, told) in [
            ("2.5|3 reviews | 1 new", Some(plain.clone())),
            (" 2.5 | 3 reviews | 1 new \r", Some(plain)),
            (
                r#"{"magnitude":2,"text":"x","key":"k","signal":"ready"}"#,
                Some(whole),
            ),
            (
                r#" {"text":"x","magnitude":0.5}"#,
                Some(Event::new(0.5, "x")),
            ),
            ("", None),
            (" \t", None),
        ] {
            assert_eq!(read(line), Ok(told), "{line}");
        }
    }

    #[test]
    fn a_bad_line_says_why_with_its_text() {
        for (line, why) in [
            (
                "disk full",
                "it is neither `magnitude|text` nor a JSON object: disk full",
            ),
            ("much|disk", "it does not begin with a number: much|disk"),
            ("|disk", "it does not begin with a number: |disk"),
            ("2|", "it says nothing: 2|"),
            (
                "101|x",
                "its magnitude is not a number from 0 to 100: 101|x",
            ),
            (
                "NaN|x",
                "its magnitude is not a number from 0 to 100: NaN|x",
            ),
            ("-1|x", "its magnitude is not a number from 0 to 100: -1|x"),
            (
                r#"{"magnitude":2}"#,
                r#"its JSON is wrong (missing field `text`): {"magnitude":2}"#,
            ),
            (
                r#"{"magnitude":2,"text":"x","standing":true}"#,
                "its JSON is wrong (unknown field `standing`, expected one of `magnitude`, `text`, `key`, `signal`): \
                 {\"magnitude\":2,\"text\":\"x\",\"standing\":true}",
            ),
        ] {
            let why = format!("a line does not count, {why}");
            assert_eq!(read(line), Err(why), "{line}");
        }
    }

    #[test]
    fn a_long_line_is_cut_and_not_fatal() {
        let line = format!("3|{}", "x".repeat(MOST_BYTES));
        let told = format!("{}…", "x".repeat(MOST_BYTES - 2));
        assert_eq!(read(&line), Ok(Some(Event::new(3.0, told))));
        let error = read(&format!("no number {line}")).unwrap_err();
        assert!(error.len() < 300 && error.ends_with('…'), "{error}");
    }

    proptest! {
        #[test]
        fn any_bytes_are_an_event_or_a_warning(line in proptest::collection::vec(any::<u8>(), 0..200)) {
            if let Ok(Some(event)) = event(&line) {
                prop_assert!(event.check().is_ok());
            }
        }
    }
}
