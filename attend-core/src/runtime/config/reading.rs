//! Reading one mapping over what the layers below it said: what of it counts, and what is wrong.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde_json::{Map, Value as Json};

use super::finding::{Finding, Layer, Problem};
use crate::sensor::{Inspection, Way};
use crate::yaml::{Field, Mark, mark_at, to_map};

/// Where a value comes from.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "layer", rename_all = "lowercase")]
#[non_exhaustive]
pub enum Origin {
    /// Nobody said anything.
    Default,
    /// The user's file.
    User {
        /// The file.
        file: PathBuf,
        /// The line of the key, counted from 1.
        line: usize,
    },
    /// The project's file.
    Project {
        /// The file.
        file: PathBuf,
        /// The line of the key, counted from 1.
        line: usize,
    },
}

/// One file while it is read.
#[derive(Debug)]
pub(super) struct Source<'a> {
    pub(super) layer: Layer,
    pub(super) file: &'a Path,
    pub(super) fields: &'a [Field],
}

/// What the layers so far said in one mapping.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Said {
    pub(super) given: Map<String, Json>,
    pub(super) origins: BTreeMap<String, Origin>,
}

/// One mapping of one file, about to be read.
#[derive(Debug)]
pub(super) struct Reading<'a> {
    pub(super) source: &'a Source<'a>,
    /// The keys on the way to it.
    pub(super) way: &'a str,
    /// Where it stands.
    pub(super) mark: Mark,
    pub(super) fields: Vec<Field>,
}

impl Source<'_> {
    pub(super) fn origin(&self, mark: Mark) -> Origin {
        let (file, line) = (self.file.to_owned(), mark.line);
        match self.layer {
            Layer::User => Origin::User { file, line },
            Layer::Project => Origin::Project { file, line },
        }
    }

    pub(super) fn finding(&self, mark: Mark, problem: Problem, text: impl Into<String>) -> Finding {
        Finding::new(self.file, Some(mark), problem, text)
    }
}

impl Said {
    pub(super) fn origin(&self, key: &str) -> Origin {
        self.origins.get(key).cloned().unwrap_or(Origin::Default)
    }

    /// Forgets what was said of `key`.
    pub(super) fn forget(&mut self, key: &str) {
        self.given.remove(key);
        self.origins.remove(key);
    }

    /// Says `given` over it, where `reading` has it.
    fn say(&mut self, reading: &Reading<'_>, given: Map<String, Json>) {
        for field in &reading.fields {
            if given.contains_key(&field.key) {
                let origin = reading.source.origin(field.mark);
                self.origins.insert(field.key.clone(), origin);
            }
        }
        merge(&mut self.given, given);
    }
}

impl Reading<'_> {
    /// What the mapping says over `said`, and what `inspect` makes of both; none where
    /// something in it is wrong. What nobody reads is left out.
    pub(super) fn over(
        &self,
        said: &Said,
        inspect: impl Fn(&Json) -> Inspection,
        known: &[&str],
        findings: &mut Vec<Finding>,
    ) -> Option<(Said, Json)> {
        let mut given = to_map(&self.fields);
        let mut told: Vec<Way> = Vec::new();
        let mut sound = true;
        loop {
            let mut all = said.given.clone();
            merge(&mut all, given.clone());
            let Inspection { unread, read } = inspect(&Json::Object(all));
            for way in unread {
                if !told.contains(&way) && stands(&given, &way) {
                    findings.push(self.unknown(&way, known));
                    told.push(way);
                }
            }
            match read {
                Err((way, text)) => {
                    // What is wrong with the rest as a whole may be so for want of a key that was
                    // taken away.
                    if sound || !way.is_empty() {
                        findings.push(self.wrong(&way, &text));
                    }
                    sound = false;
                    // What else is wrong shows without it.
                    way.first().and_then(|key| given.remove(key))?;
                }
                Ok(_) if !sound => return None,
                Ok(read) => {
                    given.retain(|key, _| !told.iter().any(|way| way.as_slice() == [key.as_str()]));
                    let mut said = said.clone();
                    said.say(self, given);
                    return Some((said, read));
                }
            }
        }
    }

    /// Where `key` stands; where the mapping itself does, if it has no such key.
    pub(super) fn mark(&self, key: &str) -> Mark {
        let field = self.fields.iter().find(|field| field.key == key);
        field.map_or(self.mark, |field| field.mark)
    }

    pub(super) fn has(&self, key: &str) -> bool {
        self.fields.iter().any(|field| field.key == key)
    }

    /// A finding about `key`.
    pub(super) fn at(&self, key: &str, problem: Problem, text: impl Into<String>) -> Finding {
        let finding = self.source.finding(self.mark(key), problem, text);
        finding.key(format!("{}.{key}", self.way))
    }

    fn unknown(&self, way: &Way, known: &[&str]) -> Finding {
        let finding = self.found(
            way,
            Problem::UnknownKey,
            "there is no such key; it is ignored".to_owned(),
        );
        match way.as_slice() {
            [key] => finding.nearest(key, known.iter().copied()),
            _ => finding,
        }
    }

    fn wrong(&self, way: &Way, text: &str) -> Finding {
        let problem = if text.starts_with("invalid type") {
            Problem::WrongType
        } else {
            Problem::WrongValue
        };
        self.found(way, problem, in_words(text))
    }

    /// What the mapping says, by itself.
    pub(super) fn given(&self) -> Json {
        Json::Object(to_map(&self.fields))
    }

    /// A finding about the value at `way`.
    pub(super) fn found(&self, way: &Way, problem: Problem, text: String) -> Finding {
        let mark = mark_at(&self.fields, way).unwrap_or(self.mark);
        let keys: Vec<&str> = [self.way]
            .into_iter()
            .chain(way.iter().map(String::as_str))
            .collect();
        self.source.finding(mark, problem, text).key(keys.join("."))
    }
}

/// `over` on top of `base`: mappings key by key, everything else as a whole.
fn merge(base: &mut Map<String, Json>, over: Map<String, Json>) {
    for (key, value) in over {
        match (base.get_mut(&key), value) {
            (Some(Json::Object(base)), Json::Object(over)) => merge(base, over),
            (_, value) => _ = base.insert(key, value),
        }
    }
}

/// Whether there is something at `way` in `given`.
fn stands(given: &Map<String, Json>, way: &[String]) -> bool {
    let Some((first, rest)) = way.split_first() else {
        return false;
    };
    let mut at = given.get(first);
    for key in rest {
        at = match at {
            Some(Json::Object(map)) => map.get(key),
            Some(Json::Array(list)) => key.parse().ok().and_then(|place: usize| list.get(place)),
            _ => None,
        };
    }
    at.is_some()
}

/// Whether `text` looks like a number to people who know others of its notations, or to YAML
/// where it is no finite one.
fn is_notation(text: &str) -> bool {
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    let lower = unsigned.to_ascii_lowercase();
    let radix = ["0x", "0o", "0b"]
        .iter()
        .any(|mark| lower.starts_with(mark));
    radix || lower.trim_start_matches('.').parse::<f64>().is_ok() || {
        let digits = lower.replace(['_', ','], "");
        digits != lower && digits.parse::<f64>().is_ok()
    }
}

/// What serde says, without the names of Rust's types: `invalid type: X, expected Y`.
fn in_words(text: &str) -> String {
    const GIVEN: [(&str, &str); 8] = [
        ("string ", "the text "),
        ("integer ", "the number "),
        ("floating point ", "the number "),
        ("boolean ", ""),
        ("null", "nothing"),
        ("unit value", "nothing"),
        ("sequence", "a list"),
        ("map", "a mapping"),
    ];
    let refused = ["invalid type: ", "invalid value: "];
    let refused = refused.iter().find_map(|prefix| text.strip_prefix(prefix));
    let Some((given, expected)) = refused.and_then(|text| text.rsplit_once(", expected ")) else {
        return text.to_owned();
    };
    let expected = match expected {
        "u8" => "a whole number from 0 to 255",
        "u16" => "a whole number from 0 to 65535",
        "u32" => "a whole number from 0 to 4294967295",
        "u64" | "usize" => "a whole number from 0 on",
        "i32" | "i64" | "isize" => "a whole number",
        "f32" | "f64" => "a number",
        "a boolean" => "true or false",
        "a string" => "a text",
        "a sequence" => "a list",
        "a map" => "a mapping of keys",
        other => other
            .strip_prefix("struct ")
            .map_or(other, |_| "a mapping of keys"),
    };
    let text = given
        .strip_prefix("string \"")
        .and_then(|text| text.strip_suffix('"'));
    if let Some(text) = text.filter(|text| expected.contains("number") && is_notation(text)) {
        let digits = if expected.starts_with("a whole") {
            "16"
        } else {
            "16, 0.5 or 2e3"
        };
        return format!(
            "{expected} is expected, and `{text}` is none: write digits, as in {digits}"
        );
    }
    let word = |(rust, word): &(&str, &str)| Some(format!("{word}{}", given.strip_prefix(rust)?));
    let given = GIVEN
        .iter()
        .find_map(word)
        .unwrap_or_else(|| given.to_owned());
    format!("{expected} is expected, this is {given}")
}
