//! The documentation of all keys, and of one kind of sensor, as Markdown.

use std::fmt::Write as _;

use super::flow::flow;
use super::reference::{Chapter, chapter, common, kinds, sections};
use crate::sensor::{Registration, Registry};

const HEAD: &str = "\
# Configuration

`attend config init` writes a commented sample, `attend config show` tells what holds and where it comes from,
`attend config check` finds mistakes. This page is what `attend config schema --markdown` prints.

There are two files. `attend config path` names them:

| file | for |
|---|---|
| `$XDG_CONFIG_HOME/attend/config.yaml` (or `config/config.yaml` below `$ATTEND_HOME`) | you, in all projects |
| `.claude/attend.yaml` in a project | everybody who works on it; it wins, key by key |

A running attend reads both again when they change. Only sensors that are configured otherwise start anew, and nothing
that is held is forgotten.

A mistake is told with its line, and with the known key that is nearest. A key that nobody knows is ignored. A wrong value
costs the sensor or the key at the top in which it stands: that is then as if this file had not said it. The rest of the file
counts. A file that is no YAML any more, as when it is half written, leaves what it said before.

A *span* is a number of seconds, or a text: `90s`, `10m`, `2h`, `3d`; at most `365d`.

A project's file comes with the project, from whoever wrote that. It may not say `messages` or `ways`, and cannot set up a sensor that
runs commands.
";

/// A page that describes every key.
pub fn document(registry: &Registry) -> String {
    let mut text = HEAD.to_owned();
    for chapter in sections() {
        let _ = writeln!(text, "\n## `{}`\n\n{}\n", chapter.name, chapter.about);
        table(&mut text, &chapter);
    }
    text.push_str(
        "\n## `sensors`\n\nThe sensors by their names. Every kind is there once under its own name; `enabled: false` \
         switches it off. Under\nanother name, with its `kind`, it is there once more. All of them understand:\n\n\
         | key | type | |\n|---|---|---|\n",
    );
    for key in common(None).keys {
        let _ = writeln!(text, "| `{}` | {} | {} |", key.name, key.is, key.about);
    }
    text.push_str(
        "\n| kind | looks at | `interval` | `min_interval` | `threshold` | `decay_threshold` |\n|---|---|---|---|---|---|\n",
    );
    let kinds = kinds(registry);
    for (kind, chapter) in &kinds {
        let _ = write!(text, "| `{}` | {} |", kind.kind(), chapter.about);
        let common = common(Some(kind)).keys;
        let cadence = common.iter().skip_while(|key| key.name != "interval");
        for default in cadence.filter_map(|key| key.default.as_ref()) {
            let _ = write!(text, " {} |", flow(default));
        }
        text.push('\n');
    }
    for (_, chapter) in kinds.iter().filter(|(_, chapter)| !chapter.keys.is_empty()) {
        let _ = writeln!(text, "\n### `{}`\n", chapter.name);
        table(&mut text, chapter);
    }
    text
}

/// A page about one kind of sensor: what it looks at, what `intro` says of it in Markdown, its keys
/// with their defaults, and the signals that it declares.
pub fn page(kind: &Registration, intro: &str) -> String {
    let (about, declares) = (kind.about(), kind.declares());
    let mut text = format!(
        "# `{}`\n\nLooks at: {about}.\n\n{}\n\n## Keys\n\nAll sensors understand these:\n\n",
        kind.kind(),
        intro.trim()
    );
    table(&mut text, &common(Some(kind)));
    let own = chapter(kind);
    if !own.keys.is_empty() {
        text.push_str("\nThis kind understands these, too:\n\n");
        table(&mut text, &own);
    }
    if !declares.signals.is_empty() {
        text.push_str("\n## Signals\n\n| signal | guidance |\n|---|---|\n");
        for (signal, purpose) in &declares.signals {
            let _ = writeln!(text, "| `{signal}` | {purpose} |");
        }
    }
    text
}

fn table(text: &mut String, chapter: &Chapter) {
    text.push_str("| key | type | default | |\n|---|---|---|---|\n");
    for key in &chapter.keys {
        let default = key
            .default
            .as_ref()
            .map(|default| format!("`{}`", flow(default)));
        let default = default.unwrap_or_else(|| "not set".to_owned());
        let _ = writeln!(
            text,
            "| `{}` | {} | {default} | {} |",
            key.name, key.is, key.about
        );
    }
}
