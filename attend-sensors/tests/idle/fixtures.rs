//! The transcripts of the fixtures, each as one whose session then waits for an hour.

use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use attend_core::sensor::Root;

use super::live::{Desk, ID};

fn transcripts() -> Vec<PathBuf> {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/claude-code");
    let directories = ["transcripts", "constructed/transcripts"];
    let directories = directories.map(|directory| fixtures.join(directory));
    let entries = directories
        .iter()
        .flat_map(|directory| std::fs::read_dir(directory).unwrap());
    let mut found: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    found.sort();
    assert!(found.len() >= 20, "{found:?}");
    found
}

/// What is told in the hour after the last row of `transcript`, each with its minute.
fn told(transcript: &Path) -> Vec<String> {
    let mut desk = Desk::new();
    let text = String::from_utf8_lossy(&std::fs::read(transcript).unwrap()).into_owned();
    // Its project is the one that is watched.
    let work = desk.harness.work().display().to_string();
    let text = text.replace("/home/dev/proj", &work);
    let written = text.split(r#""timestamp""#).skip(1);
    let written =
        written.filter_map(|rest| rest.split('"').nth(1)?.parse::<jiff::Timestamp>().ok());
    let last = written.max().expect("a time").as_second();
    let path = format!("projects/-w/{ID}.jsonl");
    desk.harness.roots().file_in(Root::Host, path, text);
    let wall = desk.harness.wall().duration_since(UNIX_EPOCH).unwrap();
    let wall = i64::try_from(wall.as_secs()).unwrap();
    desk.harness.clock().step_wall(last - wall);
    desk.does("idle");
    let mut told = Vec::new();
    for minute in 0..60 {
        let polled = desk.after(u64::from(minute > 0));
        told.extend(
            polled
                .texts()
                .iter()
                .map(|text| format!("{minute}: {text}")),
        );
        assert!(polled.texts().len() <= 1, "{minute}: {polled:?}");
    }
    told
}

#[test]
fn only_open_work_breaks_the_silence_once_for_each_level_and_nothing_is_overdue() {
    for transcript in transcripts() {
        let name = transcript.file_name().unwrap().to_string_lossy();
        // Three files that it edited; one that it read, and one whose edit was refused.
        let open = "41-own-edits-and-shell-calls.jsonl";
        let levels = [10, 30, 50].into_iter().filter(|_| name == open);
        let expected = levels.map(|minutes| {
            format!("{minutes}: nobody spoke for {minutes} minutes; 3 files edited")
        });
        assert_eq!(told(&transcript), expected.collect::<Vec<_>>(), "{name}");
    }
}
