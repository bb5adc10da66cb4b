//! The examples whose sensors, hosts and mailboxes are tested where they stand: what they print.

use crate::program::{Program, promised};

#[test]
fn each_example_is_tested_here_or_elsewhere() {
    let here = env!("CARGO_MANIFEST_DIR");
    let entries = std::fs::read_dir(here).unwrap();
    let mut names: Vec<String> = entries
        .filter_map(|entry| entry.unwrap().file_name().into_string().ok())
        .filter_map(|name| name.strip_suffix(".rs").map(str::to_owned))
        .collect();
    names.sort();
    let known = [
        "archive",
        "disk_space",
        "first_sensor",
        "jsonl_host",
        "lib",
        "log_lines",
        "plain_loop",
        "tutorial",
        "unix_socket",
    ];
    assert_eq!(
        names, known,
        "a new one is to be run by a test, then named here"
    );
}

#[test]
fn the_first_sensor_prints_what_it_says() {
    let told = Program::start("first_sensor", "").rest();
    let told: Vec<&str> = told.iter().map(|line| line.trim_start()).collect();
    assert_eq!(told, promised("first_sensor"));
}

#[test]
fn the_configured_sensor_prints_what_it_says() {
    assert_eq!(
        Program::start("log_lines", "").rest(),
        promised("log_lines")
    );
}

#[test]
fn the_plain_loop_prints_what_it_says() {
    let input = "disk 1 81 % full\nbuild 4 cargo build failed\n";
    let told = Program::fed("plain_loop", &[], input).rest();
    assert_eq!(told, promised("plain_loop"));
}

#[test]
fn the_archive_prints_what_it_says() {
    let told = Program::start("archive", "").rest();
    let words = |lines: &[String]| -> Vec<String> {
        let behind = lines.iter().map(|line| line.split_once(' ').unwrap().1);
        behind.map(str::to_owned).collect()
    };
    assert_eq!(words(&told), words(&promised("archive")));
}

#[test]
fn the_host_prints_what_it_says() {
    let config = "sensors: {disclosure: {enabled: false}, git: {enabled: false}}\n";
    let transcript = concat!(
        r#"{"type":"session","id":"s1","window":200000}"#,
        "\n",
        r#"{"type":"answer","at":90,"tokens":172000,"ends":false}"#,
        "\n"
    );
    let files = [
        (".claude/attend.yaml", config),
        ("transcript.jsonl", transcript),
    ];
    let told = Program::fed("jsonl_host", &files, "").rest();
    assert_eq!(told, promised("jsonl_host"));
}

#[test]
fn the_tutorial_prints_what_it_says() {
    let notes = ("notes.md", "TODO: a second sensor\n");
    // What `cargo init` makes is a repository; this directory is none.
    let without_git = "sensors:\n  git: {enabled: false}\n";
    let config = (".claude/attend.yaml", without_git);
    let told = Program::fed("tutorial", &[notes, config], "").rest();
    let line = "[attend sensor=todo priority=medium] lines of notes.md that say TODO: 1";
    assert_eq!(told, [line]);

    let patient = format!("{without_git}  todo:\n    interval: 10s\n    threshold: 4\n");
    let files = [notes, (".claude/attend.yaml", patient.as_str())];
    assert!(Program::fed("tutorial", &files, "").rest().is_empty());
}
