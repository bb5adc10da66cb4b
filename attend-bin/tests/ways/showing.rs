//! `ways show`: whole, in one line, and again.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use crate::desk::{Desk, SESSION, way};
use crate::home::{stderr, stdout};

const FLAT: &str = "curve: { type: Flat, suppression: 30000 }\n";

fn files(below: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(below) else {
        return Vec::new();
    };
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let all = paths.flat_map(|path| {
        let mut deeper = files(&path);
        deeper.push(path);
        deeper
    });
    all.collect()
}

#[test]
fn a_way_is_shown_whole_then_in_a_line_then_whole_again() {
    let mut desk = Desk::at(50_000);
    desk.way(
        "review/mine",
        &way("mine", "How to go on", "own-signal", FLAT),
    );
    let show = ["show", "attend/own-signal"];
    assert_eq!(desk.says(&show), "The guidance of mine.\n");
    desk.answer(79_999);
    assert_eq!(
        desk.says(&show),
        "mine: How to go on — shown lately; whole again in 1 token, or now with --force\n"
    );
    desk.answer(80_000);
    assert_eq!(desk.says(&show), "The guidance of mine.\n");
    let log = desk.log();
    let told: Vec<_> = log
        .iter()
        .map(|one| {
            (
                one["event"].as_str(),
                one["tokens"].as_u64(),
                one["distance"].as_u64(),
            )
        })
        .collect();
    assert_eq!(
        told,
        [
            (Some("way_fired"), Some(50_000), None),
            (Some("way_redisclosed"), Some(80_000), Some(30_000)),
        ]
    );
    assert!(
        desk.state()
            .join("way-engagement/review/mine.json")
            .is_file()
    );
}

#[test]
fn a_compaction_shows_it_anew() {
    let mut desk = Desk::at(50_000);
    desk.way("mine", &way("mine", "d", "own-signal", FLAT));
    let show = ["show", "attend/own-signal"];
    assert_eq!(desk.says(&show), "The guidance of mine.\n");
    desk.compact();
    desk.answer(50_001);
    assert_eq!(desk.says(&show), "The guidance of mine.\n");
    assert_eq!(desk.log()[1]["event"], "way_fired");
    assert_eq!(desk.log()[1]["fires"], 2);
    // A count that fell is a new epoch as well.
    desk.answer(20_000);
    assert_eq!(desk.says(&show), "The guidance of mine.\n");
}

#[test]
fn critical_shows_it_sooner_and_force_without_a_trace() {
    let mut desk = Desk::at(10_000);
    let more = "curve: { type: Exponential, half_life: 10000 }\n";
    desk.way("mine", &way("mine", "d", "own-signal", more));
    let show = ["show", "attend/own-signal"];
    desk.says(&show);
    desk.answer(13_220);
    assert!(desk.says(&show).contains("whole again in 6,781 tokens"));
    assert_eq!(
        desk.says(&[&show[..], &["--force"]].concat()),
        "The guidance of mine.\n"
    );
    assert_eq!(desk.log().len(), 1);
    assert_eq!(
        desk.says(&[&show[..], &["--mode", "critical"]].concat()),
        "The guidance of mine.\n"
    );
    assert_eq!(desk.log().len(), 2);
}

#[test]
fn of_several_the_one_that_fits_is_shown_and_the_others_are_named() {
    let desk = Desk::at(10_000);
    desk.way(
        "linker",
        &way(
            "linker",
            "Errors of the linker, undefined symbols",
            "own-signal",
            FLAT,
        ),
    );
    desk.way(
        "disk",
        &way("disk", "Free space on a full disk", "own-signal", FLAT),
    );
    let show = [
        "show",
        "attend/own-signal",
        "--context",
        "error: undefined symbol foo",
    ];
    assert_eq!(
        desk.says(&show),
        "The guidance of linker.\n\nAlso for attend/own-signal: disk: Free space on a full disk\n"
    );
    // The best of those that have faded.
    assert!(desk.says(&show).starts_with("The guidance of disk.\n"));
    let terse = desk.says(&show);
    assert!(
        terse.starts_with("linker: ") && terse.lines().count() == 1,
        "{terse}"
    );
}

#[test]
fn without_a_context_what_was_said_last_is_compared_and_not_kept() {
    let mut desk = Desk::at(10_000);
    desk.way("a", &way("a", "Errors of the linker", "own-signal", FLAT));
    desk.way(
        "b",
        &way("b", "Free space on a full disk", "own-signal", FLAT),
    );
    desk.prompt("the disk is full of quince marmalade");
    let said = desk.says(&["show", "attend/own-signal"]);
    assert!(said.starts_with("The guidance of b.\n"), "{said}");
    for path in files(&desk.home.path().join("attend")) {
        let bytes = fs::read(&path).unwrap_or_default();
        assert!(
            !String::from_utf8_lossy(&bytes).contains("quince"),
            "{path:?}"
        );
    }
}

#[test]
fn without_a_session_it_is_shown_and_nothing_is_remembered() {
    let desk = Desk::new();
    for _ in 0..2 {
        let output = desk.output(&["show", "attend/build-failed"]);
        assert!(output.status.success());
        assert!(stdout(&output).starts_with("A build has failed.\n"));
        let said = stderr(&output);
        assert!(
            said.starts_with("ways: nothing is remembered of this showing: there is no host"),
            "{said}"
        );
    }
    assert!(!desk.home.path().join("attend").exists());
}

#[test]
fn a_signal_that_no_way_handles_is_refused_with_those_that_are() {
    let desk = Desk::new();
    let output = desk.output(&["show", "attend/build-faild"]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(stdout(&output), "");
    let said = stderr(&output);
    assert!(
        said.contains("no way handles the signal attend/build-faild"),
        "{said}"
    );
    assert!(
        said.contains("attend/build-failed, attend/context-pressure"),
        "{said}"
    );
    let output = desk.output(&["show", "build-failed"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        stderr(&output).contains("attend/NAME"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn a_session_that_nobody_knows_is_refused() {
    let desk = Desk::at(10_000);
    for id in ["11111111-0000-4000-8000-000000000001", "../../x", ""] {
        let output = desk.output(&["show", "attend/build-failed", "--session", id]);
        assert_eq!(output.status.code(), Some(1), "{id}");
        assert_eq!(stdout(&output), "", "{id}");
    }
    assert!(!desk.home.path().join("attend/state/ways").exists());
}

#[test]
fn what_is_kept_is_private_and_holds_no_words_of_the_context() {
    let desk = Desk::at(10_000);
    let show = [
        "show",
        "attend/build-failed",
        "--context",
        "quince marmalade",
    ];
    desk.says(&show);
    desk.says(&show);
    let home = desk.home.path().join("attend");
    let all = files(&home);
    assert!(
        all.iter()
            .any(|path| path.ends_with(format!("{SESSION}/events.jsonl")))
    );
    for path in &all {
        let meta = fs::symlink_metadata(path).expect("there");
        let mode = meta.permissions().mode() & 0o777;
        let expected = if meta.is_dir() { 0o700 } else { 0o600 };
        assert_eq!(mode, expected, "{}", path.display());
        if meta.is_file() {
            let bytes = fs::read(path).expect("readable");
            let text = String::from_utf8_lossy(&bytes);
            assert!(
                !text.contains("quince") && !text.contains("marmalade"),
                "{text}"
            );
        }
    }
}

#[test]
fn a_broken_way_costs_itself_and_one_warning() {
    let desk = Desk::at(10_000);
    desk.way("broken", "---\nname: [\n---\n");
    let output = desk.output(&["show", "attend/build-failed", "--session", SESSION]);
    assert!(output.status.success());
    assert!(stdout(&output).starts_with("A build has failed."));
    let said = stderr(&output);
    assert_eq!(said.lines().count(), 1, "{said}");
    assert!(
        said.starts_with("ways: ") && said.contains("broken.md:"),
        "{said}"
    );
}

#[test]
fn the_configuration_names_more_places_and_another_cadence() {
    let mut desk = Desk::at(10_000);
    let config = desk.home.path().join("attend/config");
    let more = desk.home.path().join("more");
    fs::create_dir_all(&config).expect("a directory");
    fs::create_dir_all(&more).expect("a directory");
    fs::write(more.join("mine.md"), way("mine", "d", "own-signal", "")).expect("a way");
    let text = "ways:\n  roots: [~/more]\n  default_refire: 0.01\n";
    fs::write(config.join("config.yaml"), text).expect("a file");
    let show = ["show", "attend/own-signal"];
    assert_eq!(desk.says(&show), "The guidance of mine.\n");
    desk.answer(12_000);
    assert!(desk.says(&show).contains("whole again in 1 token"));
    desk.answer(12_001);
    assert_eq!(desk.says(&show), "The guidance of mine.\n");
}

#[test]
fn a_project_cannot_name_other_places() {
    let desk = Desk::at(10_000);
    let more = desk.home.path().join("more");
    fs::create_dir_all(&more).expect("a directory");
    fs::write(more.join("mine.md"), way("mine", "d", "own-signal", "")).expect("a way");
    desk.way("x/y", &way("y", "d", "other", ""));
    let file = desk.home.project().join(".claude/attend.yaml");
    fs::write(file, "ways: { roots: [~/more] }\n").expect("a file");
    let output = desk.home.output(&["config", "check"]);
    assert_eq!(output.status.code(), Some(3));
    assert!(
        stdout(&output).contains("only the user's own file"),
        "{}",
        stdout(&output)
    );
    let output = desk.output(&["show", "attend/own-signal"]);
    assert_eq!(output.status.code(), Some(1));
}
