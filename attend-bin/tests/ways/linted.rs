//! `ways lint` on a corpus with every kind of mistake.

use std::collections::BTreeMap;
use std::fs;

use serde_json::Value;

use crate::desk::{Desk, way};
use crate::home::{stderr, stdout};

const TRIGGER: &str = "trigger: { type: attend, signals: [a] }\n";

/// Files with one mistake each: a name, the frontmatter below `name: n`, the kind and the line.
const MISTAKES: [(&str, &str, &str, u64); 16] = [
    ("syntax", "description: [\n", "syntax", 4),
    (
        "twice",
        "description: d\ndescription: e\n",
        "duplicate_key",
        4,
    ),
    ("unknown", "description: d\nrefir: 0.2\n", "unknown_key", 4),
    ("missing", "scope: agent\n", "missing", 2),
    (
        "type",
        "description: d\nembed_threshold: high\n",
        "wrong_type",
        4,
    ),
    ("list", "description: [a]\n", "wrong_type", 3),
    ("value", "description: d\nrefire: 25\n", "wrong_value", 4),
    (
        "both",
        "description: d\nrefire: 0.2\ncurve: { type: Flat, suppression: 5 }\n",
        "conflict",
        4,
    ),
    (
        "redisclose",
        "description: d\nredisclose: 25\n",
        "legacy",
        4,
    ),
    (
        "subscriptions",
        "description: d\nsubscriptions: [a]\n",
        "legacy",
        4,
    ),
    (
        "debounce",
        "description: d\ndebounce_turns: 3\n",
        "legacy",
        4,
    ),
    (
        "floor",
        "description: d\nsalience_floor: 0.5\n",
        "legacy",
        4,
    ),
    (
        "curve",
        "description: d\ncurve: { type: Falt, suppression: 5 }\n",
        "wrong_value",
        4,
    ),
    ("steps", "description: d\ncurve: Flat\n", "wrong_type", 4),
    ("scope", "description: d\nscope: [any]\n", "wrong_type", 4),
    ("share", "description: d\nrefire: often\n", "wrong_type", 4),
];

/// Files that are wrong as a whole, with the kind and the line.
const OTHERS: [(&str, &[u8], &str, Option<u64>); 6] = [
    ("nothing.md", b"", "frontmatter", Some(1)),
    ("plain.md", b"# Notes\n", "frontmatter", Some(1)),
    ("endless.md", b"---\nname: n\n", "frontmatter", Some(1)),
    ("latin.md", b"---\nname: \xe9\n---\n", "unreadable", None),
    ("what?.md", b"---\n", "bad_id", None),
    (
        "empty.md",
        b"---\nname: n\ndescription: d\ntrigger: { type: Stop }\n---\n",
        "empty_body",
        Some(5),
    ),
];

#[test]
fn every_kind_of_mistake_is_told_with_its_line_and_what_to_write_instead() {
    let desk = Desk::new();
    let ways = desk.home.project().join(".claude/ways");
    let mut expected = BTreeMap::new();
    for (name, lines, kind, line) in MISTAKES {
        desk.way(name, &format!("---\nname: n\n{lines}{TRIGGER}---\nB\n"));
        expected.insert(format!("{name}.md"), (kind, Some(line)));
    }
    for (name, bytes, kind, line) in OTHERS {
        fs::write(ways.join(name), bytes).expect("a file");
        expected.insert(name.to_owned(), (kind, line));
    }
    desk.way("deep/good", &way("good", "d", "own-signal", ""));
    let output = desk.output(&["lint", ".claude/ways", "--json"]);
    assert_eq!(
        (output.status.code(), stderr(&output)),
        (Some(3), String::new())
    );
    let linted: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(linted["files"], expected.len() + 1);
    let mut found = BTreeMap::new();
    for finding in linted["findings"].as_array().expect("a list") {
        let file = finding["file"].as_str().expect("a file");
        let file = file.rsplit('/').next().expect("a name").to_owned();
        let kind = finding["problem"].as_str().expect("a kind");
        assert!(
            finding["instead"].is_string(),
            "what to write instead: {finding}"
        );
        let twice = found.insert(file, (kind, finding["line"].as_u64()));
        assert_eq!(twice, None, "{finding}");
    }
    assert_eq!(found, expected);

    // People are told one line each, with the place where an editor goes.
    let output = desk.output(&["lint", ".claude/ways"]);
    assert_eq!(output.status.code(), Some(3));
    let said = stdout(&output);
    assert_eq!(said.lines().count(), expected.len(), "{said}");
    for (file, (_, line)) in &expected {
        let place = line.map_or(format!("/{file}: "), |line| format!("/{file}:{line}: "));
        assert!(said.contains(&place), "{place} in {said}");
    }

    // None of them hides one that is right, nor those that come with the program.
    let all = stdout(&desk.output(&["list"]));
    for id in ["deep/good ", "build-failed ", "attend "] {
        assert!(all.lines().any(|line| line.starts_with(id)), "{all}");
    }
}
