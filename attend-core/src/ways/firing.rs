//! Firing: reading on what a way fires.

use super::fields::{Fields, Findings, listed};
use super::finding::Problem;
use super::legacy;
use super::pattern::{FileGlob, Pattern, PatternError};
use super::trigger::{Calls, Prompts, SourceOfStart, ToolEvent, Trigger};
use crate::sensor::Signal;
use crate::yaml::{Mark, nearest};

/// The longest signal.
const MOST_SIGNAL: usize = 64;

/// The trigger of a way.
pub(super) fn trigger(top: Fields<'_>, found: &mut Findings<'_>) -> Option<Trigger> {
    if !top.has("trigger") {
        let instead =
            "write `trigger: { type: attend, signals: [context-pressure] }`, or another type";
        top.refuse("trigger", Problem::Missing, "it is missing", instead, found);
        return None;
    }
    let fields = top.below("trigger", found)?;
    legacy::find(fields, found);
    let kind = fields.needed("type", "attend", found)?;
    let known = |kind: &str| -> Option<&'static [&'static str]> {
        Some(match kind {
            "attend" => &["type", "signals"],
            "UserPromptSubmit" => &["type", "pattern", "keywords"],
            "SessionStart" => &["type", "source"],
            "PostCompact" | "Stop" => &["type"],
            "context-threshold" => &["type", "above"],
            other => {
                ToolEvent::of(other)?;
                &["type", "tools", "commands", "files"]
            }
        })
    };
    let Some(known) = known(kind) else {
        let instead = match nearest(kind, Trigger::TYPES) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("write {}", listed(&Trigger::TYPES)),
        };
        let text = format!("there is no trigger of the type `{kind}`");
        fields.refuse("type", Problem::WrongValue, &text, &instead, found);
        return None;
    };
    fields.unknown(known, &legacy::KEYS, found);
    match kind {
        "attend" => signals(fields, found).map(|signals| Trigger::Attend { signals }),
        "UserPromptSubmit" => prompts(fields, found).map(Trigger::UserPromptSubmit),
        "SessionStart" => sources(fields, found).map(|sources| Trigger::SessionStart { sources }),
        "PostCompact" => Some(Trigger::PostCompact),
        "Stop" => Some(Trigger::Stop),
        "context-threshold" => above(fields, found),
        event => {
            let calls = calls(fields, found)?;
            Some(Trigger::Tool(ToolEvent::of(event)?, calls))
        }
    }
}

fn signals(fields: Fields<'_>, found: &mut Findings<'_>) -> Option<Vec<Signal>> {
    let before = found.all.len();
    let texts = fields.texts("signals", found);
    for (text, mark) in &texts {
        let fits = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
        if text.len() > MOST_SIGNAL || !text.bytes().all(fits) {
            let what = format!("`{text}` is no signal");
            let finding = found.find(*mark, "trigger.signals", Problem::WrongValue, &what);
            finding.instead =
                Some("write 1 to 64 of a-z, 0-9 and -, such as `build-failed`".to_owned());
        }
    }
    if texts.is_empty() && found.all.len() == before {
        let instead = "name at least one, such as `signals: [context-pressure]`";
        fields.refuse(
            "signals",
            Problem::Missing,
            "it names no signal",
            instead,
            found,
        );
    }
    let signals = texts.iter().map(|(text, _)| Signal::from(*text)).collect();
    (found.all.len() == before).then_some(signals)
}

fn prompts(fields: Fields<'_>, found: &mut Findings<'_>) -> Option<Prompts> {
    let before = found.all.len();
    let pattern = fields.text("pattern", found).and_then(|text| {
        let mark = fields.get("pattern").map(|field| field.value.mark)?;
        checked(Pattern::new(text), mark, "trigger.pattern", found)
    });
    let words = fields.texts("keywords", found);
    let keywords: Vec<String> = words.iter().map(|(word, _)| (*word).to_owned()).collect();
    if pattern.is_none() && keywords.is_empty() && found.all.len() == before {
        let instead = "give `pattern`, a regular expression, or `keywords`, a list of words";
        fields.refuse(
            "type",
            Problem::Missing,
            "nothing says which prompts",
            instead,
            found,
        );
    }
    (found.all.len() == before).then_some(Prompts { pattern, keywords })
}

fn calls(fields: Fields<'_>, found: &mut Findings<'_>) -> Option<Calls> {
    let before = found.all.len();
    let tools = fields.texts("tools", found);
    let mut calls = Calls {
        tools: tools.iter().map(|(tool, _)| (*tool).to_owned()).collect(),
        ..Calls::default()
    };
    for (text, mark) in fields.texts("commands", found) {
        calls
            .commands
            .extend(checked(Pattern::new(text), mark, "trigger.commands", found));
    }
    for (text, mark) in fields.texts("files", found) {
        calls
            .files
            .extend(checked(FileGlob::new(text), mark, "trigger.files", found));
    }
    if calls == Calls::default() && found.all.len() == before {
        let instead = "give `tools`, `commands` or `files`";
        fields.refuse(
            "type",
            Problem::Missing,
            "nothing says which calls",
            instead,
            found,
        );
    }
    (found.all.len() == before).then_some(calls)
}

fn checked<T>(
    made: Result<T, PatternError>,
    mark: Mark,
    key: &str,
    found: &mut Findings<'_>,
) -> Option<T> {
    made.map_err(|error| {
        let finding = found.find(mark, key, Problem::WrongValue, &error.to_string());
        finding.instead = Some("escape what is meant as it stands with a backslash".to_owned());
    })
    .ok()
}

fn sources(fields: Fields<'_>, found: &mut Findings<'_>) -> Option<Vec<SourceOfStart>> {
    let before = found.all.len();
    let mut sources = Vec::new();
    for (text, mark) in fields.texts("source", found) {
        if let Some(source) = SourceOfStart::of(text) {
            sources.push(source);
            continue;
        }
        let instead = match nearest(text, SourceOfStart::NAMES) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("write {}", listed(&SourceOfStart::NAMES)),
        };
        let what = format!("no session starts from `{text}`");
        let finding = found.find(mark, "trigger.source", Problem::WrongValue, &what);
        finding.instead = Some(instead);
    }
    (found.all.len() == before).then_some(sources)
}

fn above(fields: Fields<'_>, found: &mut Findings<'_>) -> Option<Trigger> {
    let instead = "write a share of the window, such as `above: 0.75`";
    if !fields.has("above") {
        fields.refuse("above", Problem::Missing, "it is missing", instead, found);
        return None;
    }
    let above = fields.number("above", found)?;
    if above > 0.0 && above <= 1.0 {
        return Some(Trigger::ContextThreshold { above });
    }
    fields.refuse(
        "above",
        Problem::WrongValue,
        "it is no share of the window",
        instead,
        found,
    );
    None
}
