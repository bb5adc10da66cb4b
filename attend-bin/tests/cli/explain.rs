//! `attend explain` after a loop that looked once.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};

use crate::home::{Home, stderr, stdout};

/// A home in which a loop looked once at a directory without a repository.
fn looked_once() -> Home {
    let home = Home::new();
    let output = home.output(&["run", "--once"]);
    assert!(output.status.success(), "{}", stderr(&output));
    home
}

/// The journal's file below `directory`.
fn journal(directory: &Path) -> Option<PathBuf> {
    let entries = std::fs::read_dir(directory).ok()?.flatten();
    let mut paths = entries.map(|entry| entry.path());
    paths.find_map(|path| {
        let is_journal = path.ends_with("journal.1.jsonl");
        if is_journal {
            Some(path)
        } else {
            journal(&path)
        }
    })
}

#[test]
fn a_sensor_that_is_not_there_is_said_and_those_that_are_named() {
    let home = looked_once();
    let output = home.output(&["explain", "--sensor", "nosuch"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(output.stdout.is_empty());
    let said = stderr(&output);
    assert!(said.contains("`nosuch`; known are: "), "{said}");
    assert!(said.contains("git"), "{said}");
    assert!(
        home.output(&["explain", "--sensor", "git"])
            .status
            .success()
    );
}

#[test]
fn what_is_missing_is_told_in_both_forms() {
    let home = looked_once();
    let file = journal(&home.path().join("attend")).expect("a journal");
    let mut file = OpenOptions::new()
        .append(true)
        .open(file)
        .expect("it opens");
    writeln!(file, "{{\"lost\":7}}").expect("it is written");
    let told = stdout(&home.output(&["explain"]));
    assert!(told.contains("7 records are missing here"), "{told}");
    let json = stdout(&home.output(&["explain", "--json"]));
    assert!(json.lines().any(|line| line == "{\"lost\":7}"), "{json}");
}

#[test]
fn what_cannot_be_read_is_named_and_the_rest_is_shown() {
    let home = looked_once();
    let file = journal(&home.path().join("attend")).expect("a journal");
    let whole = std::fs::read_to_string(&file).expect("a file");
    let record = whole.lines().last().expect("a record").to_owned();
    let name = file.display().to_string();
    for (name_of, text, told, code) in [
        (
            "a garbled line",
            format!("{whole}garbage\n"),
            "1 line of ",
            0,
        ),
        (
            "garbled lines",
            format!("{whole}\x1b[31m\n{{}}\n"),
            "2 lines of ",
            0,
        ),
        (
            "no head",
            format!("garbage\n{record}\n"),
            "does not begin as a journal",
            0,
        ),
        (
            "garbage",
            "\u{0}garbage".to_owned(),
            "the next `attend run` sets it aside",
            1,
        ),
    ] {
        std::fs::write(&file, text).expect("a file");
        let output = home.output(&["explain"]);
        assert_eq!(output.status.code(), Some(code), "{name_of}");
        let said = stderr(&output);
        assert!(
            said.contains(told) && said.contains(&name),
            "{name_of}: {said}"
        );
        assert_eq!(said.lines().count(), 1 + usize::from(code == 1), "{said}");
        assert_eq!(output.stdout.is_empty(), code == 1, "{name_of}");
    }
    // What is being written right now is no damage.
    std::fs::write(&file, format!("{whole}{{\"tick\":1,")).expect("a file");
    let output = home.output(&["explain"]);
    assert_eq!(stderr(&output), "");
    assert!(!output.stdout.is_empty());
}
