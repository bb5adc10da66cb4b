//! The two sample ways load unchanged, and so do those that come with the program.

use std::path::Path;

use attend_core::ways::{BUNDLED, Corpus, Origin, Root, Trigger, WayId, lint, read};

fn samples() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ways/samples")
}

#[test]
fn the_sample_ways_load_unchanged() {
    let root = Root {
        origin: Origin::User,
        path: samples(),
    };
    let corpus = Corpus::load(&[root]);
    let way = &corpus.get("reflect-on-context-pressure").unwrap().way;
    assert_eq!(
        way.description,
        "Guide Claude through progressive ledger reflection as context approaches compaction"
    );
    assert!(
        way.body
            .starts_with("(way body — the guidance Claude reads")
    );
    let signals = |id: &str| corpus.get(id).unwrap().way.trigger.signals().to_vec();
    let expected = ["context-pressure", "reflection-overdue"].map(Into::into);
    assert_eq!(signals("reflect-on-context-pressure"), expected);
    assert_eq!(
        signals("note-build-completion"),
        ["build-complete"].map(Into::into)
    );
    for id in ["reflect-on-context-pressure", "note-build-completion"] {
        let (files, found) = lint(&samples().join(format!("{id}.md")));
        assert_eq!((files, found.as_slice()), (1, [].as_slice()));
    }
}

#[test]
fn bundled_ways_are_short_and_without_findings() {
    assert!(BUNDLED.len() >= 5);
    for (id, text) in BUNDLED {
        let read = read(&WayId::new(id).unwrap(), Path::new(id), text);
        assert_eq!(read.findings, [], "{id}");
        let way = read.way.unwrap();
        assert!(matches!(way.trigger, Trigger::Attend { .. }), "{id}");
        let characters = text.chars().count();
        assert!(characters < 1_500, "{id} has {characters} characters");
    }
    let corpus = Corpus::bundled();
    assert!(corpus.warnings().is_empty());
    assert_eq!(corpus.ways().count(), BUNDLED.len());
}
