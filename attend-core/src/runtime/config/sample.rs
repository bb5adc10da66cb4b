//! The sample: a file in which every key stands as a comment, with its meaning and its default.

use std::fmt::Write as _;

use super::flow::flow;
use super::reference::{Chapter, Key, common, kinds, sections};
use crate::sensor::{Registration, Registry};

const WIDTH: usize = 96;

const HEAD: &str = "\
# Configuration of attend: every key, with its default.
#
# Where a `#` touches a key, take it away and say something else. What is not said keeps its
# default, also in later versions. Spans of time are seconds, or 90s, 10m, 2h, 3d.
#
# This is the user's file, for all projects. `.claude/attend.yaml` in a project has the same form
# and wins key by key. A running attend reads both again when they change, and
# `attend config check` finds mistakes.
";

/// A commented file that says nothing: with the comment taken from any key it says the default.
pub fn sample(registry: &Registry) -> String {
    let mut text = HEAD.to_owned();
    for chapter in sections() {
        text.push('\n');
        comment(&mut text, "", &chapter.about);
        let _ = writeln!(text, "{}:", chapter.name);
        for key in &chapter.keys {
            comment(&mut text, "  ", &key.about);
            value(&mut text, "  ", key);
        }
    }
    text.push('\n');
    comment(
        &mut text,
        "",
        "The sensors by their names. Every kind is there once under its own name; under another name, with its `kind`, it is there once more. All of them understand:",
    );
    for key in common(None).keys {
        comment(&mut text, "", &format!("  {}: {}", key.name, key.about));
    }
    text.push_str("sensors:\n");
    for (kind, chapter) in kinds(registry) {
        comment(&mut text, "  ", &format!("Looks at: {}.", chapter.about));
        if !kind.declares().by_itself {
            configured(&mut text, kind, &chapter);
            continue;
        }
        let _ = writeln!(text, "  {}:", kind.kind());
        for key in common(Some(kind))
            .keys
            .iter()
            .filter(|key| key.name != "kind")
        {
            value(&mut text, "    ", key);
        }
        for key in &chapter.keys {
            comment(&mut text, "    ", &key.about);
            value(&mut text, "    ", key);
        }
    }
    text
}

/// A kind of which there is none until somebody configures one.
fn configured(text: &mut String, kind: &Registration, chapter: &Chapter) {
    let keys = kind.declares().implied_by.join("` or `");
    let how = format!(
        "There is none until you give one a name and say its `{keys}`; then it need not say its `kind`, `{}`. It understands:",
        kind.kind()
    );
    comment(text, "  ", &how);
    for key in &chapter.keys {
        let default = key.default.as_ref().map(flow);
        let default = default.filter(|default| default != "[]");
        let default = default.map(|default| format!(" [{default}]"));
        let about = format!("  {}: {}", key.name, key.about);
        comment(text, "  ", &(about + &default.unwrap_or_default()));
    }
}

fn value(text: &mut String, indent: &str, key: &Key) {
    let _ = match &key.default {
        Some(default) => writeln!(text, "{indent}#{}: {}", key.name, flow(default)),
        None => writeln!(text, "{indent}# {}: (not set)", key.name),
    };
}

fn comment(text: &mut String, indent: &str, about: &str) {
    let lead = about.len() - about.trim_start().len();
    let mut line = String::new();
    for word in about.split_whitespace() {
        if !line.is_empty() && indent.len() + line.chars().count() + word.chars().count() > WIDTH {
            let _ = writeln!(text, "{indent}{line}");
            line.clear();
        }
        if line.is_empty() {
            let _ = write!(line, "#{:lead$}", "");
        }
        let _ = write!(line, " {word}");
    }
    if !line.is_empty() {
        let _ = writeln!(text, "{indent}{line}");
    }
}
