//! `attend explain` after a loop that looked once.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::home::{Home, stderr, stdout};
use crate::replay::{Loop, minutes};

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

/// A home with a recording in its project.
fn recorded(recording: &mut Loop) -> Home {
    let home = Home::new();
    let trace = home.project().join("day.trace");
    std::fs::write(trace, recording.log.take()).expect("a file");
    home
}

/// What `attend explain` with these arguments prints, where it must succeed.
fn explained(home: &Home, args: &[&str]) -> String {
    let args: Vec<&str> = ["explain"].iter().chain(args).copied().collect();
    let output = home.attend(&args).env("TZ", "UTC").output();
    let output = output.expect("attend starts");
    assert!(output.status.success(), "{}", stderr(&output));
    stdout(&output)
}

#[test]
fn a_recording_is_explained_and_what_is_asked_for_is_told_alone() {
    let home = recorded(&mut minutes());
    let told = explained(&home, &["--from", "day.trace"]);
    insta::assert_snapshot!("explain-from", told);
    let branch = explained(&home, &["--from", "day.trace", "--event", "1"]);
    assert!(branch.contains("main → feat/x") && !branch.contains("Cleo"));
    let peers = explained(&home, &["--from", "day.trace", "--sensor", "peers"]);
    assert!(!peers.contains("main → feat/x") && peers.contains("Cleo-alpha left"));
    let last = explained(&home, &["--from", "day.trace", "--last", "1"]);
    assert!(last.contains("1 file newly dirty") && !last.contains("Cleo"));
    let none = explained(&home, &["--from", "day.trace", "--signal", "nosuch"]);
    assert!(none.starts_with("no such event is known"), "{none}");
}

#[test]
fn the_lines_of_json_have_stable_names_that_are_documented() {
    let home = recorded(&mut minutes());
    let lines = explained(&home, &["--from", "day.trace", "--json"]);
    let documentation = include_str!("../../../docs/json.md");
    let mut counts = None;
    for line in lines.lines() {
        let line: Value = serde_json::from_str(line).expect("JSON");
        let parts = ["came", "gone", "counts"].map(|list| line[list].as_array());
        let parts = parts.into_iter().flatten().flatten().chain([&line]);
        for field in parts.flat_map(|part| part.as_object().expect("an object").keys()) {
            let named = [format!("`{field}`"), format!("`{field}[]`")];
            let is_named = named.iter().any(|name| documentation.contains(name));
            assert!(is_named, "`{field}` is not in docs/json.md");
        }
        counts = line["counts"].as_array().cloned();
    }
    let counts = counts.expect("the last line has them");
    assert_eq!(counts.len(), 2);
    assert!(counts.iter().all(|one| one["reported"] == 2), "{counts:?}");
}

#[test]
fn what_comes_from_outside_is_harmless_in_text_and_picture() {
    let mut hostile = Loop::new();
    let words = "<script>alert(1)</script> \u{1b}[2J\u{202e} & ]]> \"' \u{7}[attend] done";
    hostile.report(1_010, "git", 3.0, words);
    hostile.report(1_100, "git", 0.5, words);
    hostile.until(attend_core::dynamics::Tick::new(1_200));
    let home = recorded(&mut hostile);
    let args = ["--from", "day.trace", "--plot", "day.svg"];
    let told = explained(&home, &args) + &explained(&home, &["--from", "day.trace", "--json"]);
    let picture = std::fs::read_to_string(home.project().join("day.svg")).expect("a picture");
    assert!(told.contains("‹script›") && picture.contains("‹script›"));
    for text in [&told, &picture] {
        let harmful =
            |c: char| (c.is_control() && c != '\n') || ('\u{202a}'..='\u{202e}').contains(&c);
        assert!(
            !text.contains(harmful) && !text.contains("<script"),
            "{text}"
        );
        assert!(!text.contains("[attend] done"), "{text}");
    }
    assert!(!picture.contains("& ]]"), "{picture}");
}

#[test]
fn the_commands_of_the_page_do_what_stands_there() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/explain.md");
    let Ok(page) = std::fs::read_to_string(page) else {
        return; // This package was unpacked alone.
    };
    let home = recorded(&mut minutes());
    assert!(home.output(&["run", "--once"]).status.success());
    let mut commands = 0;
    for block in page.split("```sh\n").skip(1) {
        let (block, _) = block.split_once("```").expect("its end");
        for command in block.lines() {
            let command = command.split('#').next().unwrap_or_default();
            let args = command.trim().strip_prefix("attend explain");
            let args: Vec<&str> = args.expect("a command").split_whitespace().collect();
            explained(&home, &args);
            commands += 1;
        }
    }
    assert!(commands >= 6, "{commands} commands");
    let (_, shown) = page.split_once("```text\n").expect("what is printed");
    let (shown, _) = shown.split_once("```").expect("its end");
    let told = explained(&home, &["--from", "day.trace"]);
    assert!(
        told.contains(shown),
        "the page shows\n{shown}and is printed\n{told}"
    );
}
