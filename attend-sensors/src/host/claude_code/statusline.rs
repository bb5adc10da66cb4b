//! What the host says of itself in the JSON that it gives to a status-line command.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::folder::is_session_id;
use super::lenient::{Object, Plain};
use super::row::is_name;

/// What ends the id of a model whose large window was chosen.
pub(super) const LARGE_MARK: &str = "[1m]";

/// The part of a status line that is kept.
///
/// It is written as [`to_json`](Self::to_json) gives it, and read by [`parse`](Self::parse), which
/// reads the host's own JSON as well.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct StatusLine {
    /// The session.
    pub session: Option<String>,
    /// The model, with the mark of a large window where it has one.
    pub model: Option<String>,
    /// How many tokens fit.
    pub window: Option<u64>,
    /// The tokens that stood before the model last; none before the first answer, and after a
    /// compaction.
    pub used: Option<u64>,
}

#[derive(Serialize)]
struct Written<'a> {
    session_id: &'a Option<String>,
    model: WrittenModel<'a>,
    context_window: WrittenWindow,
}

#[derive(Serialize)]
struct WrittenModel<'a> {
    id: &'a Option<String>,
}

#[derive(Serialize)]
struct WrittenWindow {
    context_window_size: Option<u64>,
    current_usage: Option<WrittenUsage>,
}

#[derive(Serialize)]
struct WrittenUsage {
    input_tokens: u64,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Raw<'a> {
    #[serde(borrow)]
    session_id: Plain<'a>,
    model: Object<Model<'a>>,
    context_window: Object<Window<'a>>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Model<'a> {
    #[serde(borrow)]
    id: Plain<'a>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Window<'a> {
    #[serde(borrow)]
    context_window_size: Plain<'a>,
    current_usage: Object<Usage<'a>>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Usage<'a> {
    #[serde(borrow, rename = "input_tokens")]
    input: Plain<'a>,
    #[serde(rename = "cache_creation_input_tokens")]
    created: Plain<'a>,
    #[serde(rename = "cache_read_input_tokens")]
    read: Plain<'a>,
}

impl StatusLine {
    /// Reads the host's JSON; none where it is no JSON object.
    pub fn parse(json: &[u8]) -> Option<Self> {
        let text = std::str::from_utf8(json).ok()?;
        let Object { value: raw, .. } = serde_json::from_str::<Object<Raw<'_>>>(text).ok()?;
        let Window {
            context_window_size,
            current_usage: Object { value: usage, .. },
        } = raw.context_window.value;
        let parts = [usage.input, usage.created, usage.read];
        let used = parts
            .iter()
            .filter_map(Plain::number)
            .fold(0, u64::saturating_add);
        let name = |plain: &Plain<'_>| plain.text().filter(|text| is_name(text)).map(str::to_owned);
        Some(Self {
            session: name(&raw.session_id),
            model: name(&raw.model.value.id),
            window: context_window_size.number().filter(|size| *size > 0),
            used: (used > 0).then_some(used),
        })
    }

    /// What is kept of it, in the shape in which it is read.
    pub fn to_json(&self) -> String {
        let written = Written {
            session_id: &self.session,
            model: WrittenModel { id: &self.model },
            context_window: WrittenWindow {
                context_window_size: self.window,
                current_usage: self.used.map(|input_tokens| WrittenUsage { input_tokens }),
            },
        };
        serde_json::to_string(&written).unwrap_or_default()
    }

    /// Where it is kept for `session`, below attend's state directory; none where `session` is
    /// no id of a session.
    pub fn path(state: &Path, session: &str) -> Option<PathBuf> {
        is_session_id(session).then(|| state.join("statusline").join(format!("{session}.json")))
    }

    /// Whether it was said of `model`.
    pub(super) fn is_of(&self, model: Option<&str>) -> bool {
        match (self.model.as_deref(), model) {
            (Some(own), Some(model)) => bare(own) == bare(model),
            _ => true,
        }
    }
}

/// The id of a model without the mark of a large window.
pub(super) fn bare(model: &str) -> &str {
    model.strip_suffix(LARGE_MARK).unwrap_or(model)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_is_read_again() {
        let line = StatusLine {
            session: Some("00000000-0000-4000-8000-000000000001".to_owned()),
            model: Some("claude-opus-4-6[1m]".to_owned()),
            window: Some(1_000_000),
            used: Some(312_000),
        };
        assert_eq!(StatusLine::parse(line.to_json().as_bytes()), Some(line));
        let nothing = StatusLine::default();
        assert_eq!(
            StatusLine::parse(nothing.to_json().as_bytes()),
            Some(nothing)
        );
    }

    #[test]
    fn what_is_no_json_is_none_and_what_has_odd_types_is_unknown() {
        assert_eq!(StatusLine::parse(b"{"), None);
        assert_eq!(StatusLine::parse(b"\xff"), None);
        let odd = br#"{"session_id":7,"model":"x","context_window":{"context_window_size":"big","current_usage":[1]}}"#;
        assert_eq!(StatusLine::parse(odd), Some(StatusLine::default()));
        assert_eq!(StatusLine::path(Path::new("/s"), "../x"), None);
    }
}
