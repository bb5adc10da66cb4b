//! The pages of `docs/sensors`: each is generated from the types of its kind and a short text.
//!
//! A kind has a page as soon as there is a text for it: `attend-sensors/src/KIND/page.md`. With
//! `UPDATE=1` in the environment the pages are written anew, to be read before they are committed.

use std::fs;
use std::path::{Path, PathBuf};

use attend_core::runtime::config::{File, Layer, page, resolve};
use attend_core::sensor::Registration;
use attend_core::testkit::Harness;
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

/// Words by which the scenarios of a kind are known, and its tests with real processes, where those
/// are not its name.
const OTHERWISE: [(&str, &str, &str); 2] = [
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
        let (scenario, real) = (format!("\nsensor {kind}"), format!("sensor={kind} "));
        let otherwise = OTHERWISE.iter().find(|(name, ..)| *name == kind);
        let named = (scenario.as_str(), real.as_str());
        let (scenario, real) = otherwise.map_or(named, |(_, scenario, real)| (scenario, real));
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

/// The blocks of YAML in `page`.
fn yaml(page: &str) -> impl Iterator<Item = &str> {
    let blocks = page.split("```yaml\n").skip(1);
    blocks.filter_map(|block| block.split("```").next())
}

#[test]
fn every_page_has_an_example_that_is_understood_and_makes_a_sensor() {
    let Some(workspace) = workspace() else { return };
    let (registry, harness) = (built_in(), Harness::new());
    for kind in registry.kinds() {
        let name = kind.kind();
        let page = workspace.join(format!("docs/sensors/{name}.md"));
        let page = fs::read_to_string(page).expect("a page");
        let mut made = 0;
        for text in yaml(&page) {
            let file = File {
                layer: Layer::User,
                path: format!("{name}.yaml").into(),
                bytes: text.into(),
            };
            let config = resolve(&[file], &registry);
            assert_eq!(config.findings, [], "{name}");
            for sensor in config.sensors.iter().filter(|sensor| sensor.kind == name) {
                let usual = resolve(&[], &registry);
                let mut usual = usual.sensors.into_iter();
                let usual = usual.find(|other| other.name == sensor.name);
                assert!(
                    usual.is_none_or(|usual| usual.config != sensor.config),
                    "{name}: the example says no key of its own"
                );
                let sensor = kind.build(sensor.config.clone(), &harness.build_context());
                made += usize::from(sensor.is_ok());
                assert!(sensor.is_ok(), "{name}: {:?}", sensor.err());
            }
        }
        assert!(made > 0, "{name} has no example");
    }
}

#[test]
fn the_readme_of_the_sensors_lists_every_kind_with_its_page() {
    let Some(workspace) = workspace() else { return };
    let readme = fs::read_to_string(workspace.join("attend-sensors/README.md")).expect("a page");
    let rows: Vec<&str> = readme
        .lines()
        .filter(|line| line.contains("](../docs/sensors/"))
        .collect();
    let registry = built_in();
    let expected = registry.kinds().map(|kind| {
        let (name, about) = (kind.kind(), kind.about());
        format!("| [`{name}`](../docs/sensors/{name}.md) | {about} |")
    });
    assert_eq!(rows, expected.collect::<Vec<_>>());
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
