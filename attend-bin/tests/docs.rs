//! The pages of `docs/sensors`: each is generated from the types of its kind and a short text.
//!
//! A kind has a page as soon as there is a text for it: `attend-sensors/src/KIND/page.md`. With
//! `UPDATE=1` in the environment the pages are written anew, to be read before they are committed.

use std::fs;
use std::path::{Path, PathBuf};

use attend_core::runtime::config::page;
use attend_core::sensor::Registration;
use attend_sensors::built_in;

/// The directory that holds all packages; none where this one was unpacked alone.
fn workspace() -> Option<PathBuf> {
    let above = Path::new(env!("CARGO_MANIFEST_DIR")).parent()?;
    above.join("attend-sensors").is_dir().then(|| above.into())
}

/// Each page that there is to be: its path, and what stands in it.
fn pages(workspace: &Path) -> Vec<(PathBuf, String)> {
    let registry = built_in();
    let made = registry.kinds().filter_map(|kind| {
        let module = kind.kind().replace('-', "_");
        let intro = workspace.join(format!("attend-sensors/src/{module}/page.md"));
        let intro = fs::read_to_string(intro).ok()?;
        let path = workspace.join(format!("docs/sensors/{}.md", kind.kind()));
        Some((path, page(kind, &intro)))
    });
    made.collect()
}

#[test]
#[expect(clippy::disallowed_methods, reason = "a person asks for new pages")]
fn the_page_of_each_kind_is_made_of_its_types_and_its_text() {
    let Some(workspace) = workspace() else { return };
    let pages = pages(&workspace);
    assert!(!pages.is_empty(), "no kind has a text");
    if std::env::var_os("UPDATE").is_some() {
        fs::create_dir_all(workspace.join("docs/sensors")).expect("a directory");
        for (path, text) in &pages {
            fs::write(path, text).expect("a page");
        }
    }
    for (path, text) in &pages {
        let written = fs::read_to_string(path).unwrap_or_default();
        let path = path.display();
        assert!(
            written == *text,
            "{path} is not fresh; write it anew: UPDATE=1 cargo test -p attend-bin --test docs"
        );
    }
}

/// Words by which the scenarios of each kind are known, and its tests with real processes.
const SHOWN: [(&str, &str, &str); 9] = [
    ("context", "\nsensor context", "sensor=context "),
    ("disclosure", "\nsensor disclosure", "sensor=disclosure "),
    ("files", "\nsensor files", "sensor=files "),
    ("git", "\nsensor git", "sensor=git "),
    ("idle", "\nsensor idle", "sensor=idle "),
    ("overlap", "\nsensor overlap", "sensor=overlap "),
    ("peers", "\nsensor peers", "sensor=peers "),
    ("process", "\nsensor process", "make finished after "),
    ("script", "What a script says", "protocol: stream"),
];

#[test]
fn every_kind_has_a_page_its_conformance_a_scenario_and_tests_of_real_processes() {
    let Some(workspace) = workspace() else { return };
    let holds = |directory: &str, words: &str| {
        let entries = fs::read_dir(workspace.join(directory)).expect("tests");
        let mut paths = entries.flatten().map(|entry| entry.path());
        paths.any(|path| fs::read_to_string(path).is_ok_and(|text| text.contains(words)))
    };
    let registry = built_in();
    let kinds: Vec<&str> = registry.kinds().map(Registration::kind).collect();
    assert_eq!(pages(&workspace).len(), kinds.len(), "{kinds:?}");
    for kind in kinds {
        let shown = SHOWN.iter().find(|(name, ..)| *name == kind);
        let (_, scenario, real) = shown.unwrap_or_else(|| panic!("nothing shows {kind}"));
        let tests = format!("attend-sensors/tests/{kind}");
        assert!(holds(&tests, ".check_kind(&"), "{kind}: conformance");
        assert!(
            holds("attend-core/tests/scenarios", scenario),
            "{kind}: a scenario"
        );
        assert!(
            holds("attend-bin/tests/run", real),
            "{kind}: real processes"
        );
    }
}

#[test]
fn no_page_is_left_of_a_kind_that_is_gone() {
    let Some(workspace) = workspace() else { return };
    let pages = pages(&workspace);
    for entry in fs::read_dir(workspace.join("docs/sensors")).expect("the pages") {
        let path = entry.expect("an entry").path();
        let known = pages.iter().any(|(page, _)| *page == path);
        assert!(known, "{} is of no kind that has a text", path.display());
    }
}

/// What stands above the keys in their page.
#[cfg(feature = "chat")]
const KEYS: &str = "F1 shows them in the chat.\n";

#[cfg(feature = "chat")]
#[test]
#[expect(clippy::disallowed_methods, reason = "a person asks for new pages")]
fn the_keys_of_the_chat_are_those_of_its_table() {
    let Some(workspace) = workspace() else { return };
    let path = workspace.join("docs/chat.md");
    let written = fs::read_to_string(&path).expect("a page");
    let (above, _) = written.split_once(KEYS).expect("a place for the keys");
    let fresh = format!("{above}{KEYS}{}", attend_bin::chat::keys());
    if std::env::var_os("UPDATE").is_some() {
        fs::write(&path, &fresh).expect("a page");
        return;
    }
    assert!(
        written == fresh,
        "docs/chat.md is not fresh; write it anew: UPDATE=1 cargo test -p attend-bin --test docs"
    );
}
