//! The plan of the house: `docs/architecture.md` names every wing, room and feature that there is.

use crate::arrows::WINGS;
use crate::source::Source;
use crate::{Check, Finding, hold, lines};

const ON_THE_PLAN: Check = Check {
    name: "docs/architecture.md names every wing and room of attend-core, and every feature; the \
           README and the documentation of attend-core name every feature, too",
    find: unnamed,
    advice: "Say there what it is for, in the row of its wing or of the features.",
};

const PLAN: &str = "docs/architecture.md";

fn unnamed(sources: &[Source]) -> Vec<Finding> {
    let Some(plan) = file(sources, PLAN) else {
        return Vec::new();
    };
    let mut findings = Vec::new();
    for (wing, _) in WINGS {
        let Some(rooms) = file(sources, &format!("attend-core/src/{wing}/mod.rs")) else {
            continue;
        };
        let first = format!("| `{wing}/` |");
        let row = plan.text.lines().find(|line| line.starts_with(&first));
        for room in rooms.declares() {
            let is_named = row.is_some_and(|row| names(row, &room));
            if !is_named {
                let what = format!("it does not name `{room}` of `{wing}/`");
                findings.push(Finding::new(plan, 1, what));
            }
        }
    }
    let manifest = file(sources, "attend-core/Cargo.toml");
    for feature in manifest.into_iter().flat_map(features) {
        let first = format!("| `{feature}`");
        if !plan.text.lines().any(|line| line.starts_with(&first)) {
            let what = format!("it does not name the feature `{feature}`");
            findings.push(Finding::new(plan, 1, what));
        }
        for path in ["attend-core/README.md", "attend-core/src/lib.rs"] {
            let Some(page) = file(sources, path) else {
                continue;
            };
            let mut lines = page
                .text
                .lines()
                .map(|line| line.trim_start_matches("//! "));
            if !lines.any(|line| line.starts_with(&first)) {
                let what = format!("it does not name the feature `{feature}`");
                findings.push(Finding::new(page, 1, what));
            }
        }
    }
    findings
}

fn file<'a>(sources: &'a [Source], path: &str) -> Option<&'a Source> {
    sources.iter().find(|source| source.path == path)
}

fn names(row: &str, room: &str) -> bool {
    let named = row.split('`').skip(1).step_by(2);
    named
        .map(|name| name.trim_end_matches('/'))
        .any(|name| name == room)
}

/// The features that a manifest declares, but for the list of those that are on by default.
fn features(manifest: &Source) -> impl Iterator<Item = &str> {
    let lines = manifest.text.lines();
    let lines = lines.skip_while(|line| *line != "[features]").skip(1);
    let lines = lines.take_while(|line| !line.starts_with('['));
    let names = lines.filter_map(|line| line.split_once(" = ").map(|(name, _)| name));
    names.filter(|name| *name != "default")
}

#[test]
fn the_plan_names_what_there_is() {
    hold(&ON_THE_PLAN);
}

#[test]
fn what_the_plan_does_not_name_is_found() {
    let files = [
        (
            "docs/architecture.md",
            "| `mail/` | `seat`, `memory/` (a store) |\n| `sensor/` | `host` |\n| `sqlite` | a store |",
        ),
        (
            "attend-core/src/mail/mod.rs",
            "mod seat;\nmod name;\nmod memory;",
        ),
        ("attend-core/src/ways/mod.rs", "mod host;"),
        (
            "attend-core/Cargo.toml",
            "[features]\ndefault = [\"sqlite\"]\nsqlite = []\nschema = []\n[x]\na = 1",
        ),
        ("attend-core/README.md", "| `schema` | schemas |"),
        (
            "attend-core/src/lib.rs",
            "//! | `sqlite` (default) |\n//! | `schema` |",
        ),
    ];
    let expected = [
        "docs/architecture.md:1: it does not name `name` of `mail/`",
        "docs/architecture.md:1: it does not name `host` of `ways/`",
        "attend-core/README.md:1: it does not name the feature `sqlite`",
        "docs/architecture.md:1: it does not name the feature `schema`",
    ];
    assert_eq!(lines(&ON_THE_PLAN, &files), expected);
}
