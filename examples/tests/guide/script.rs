//! The script of the guide, in a shell.

#![expect(
    clippy::disallowed_methods,
    reason = "scripts are started as processes, and waited for"
)]

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::pages::{file_in, page};

/// What `program` prints, run in `directory`.
fn said(directory: &Path, program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program)
        .args(arguments)
        .current_dir(directory)
        .env("ATTEND_STATE_DIR", directory.join(".git"))
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn it_tells_of_more_conflict_markers_once() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    said(here, "git", &["init", "-q"]);
    let script = file_in(&page("scripts.md"), "conflicts.sh");
    fs::write(here.join(".git/conflicts.sh"), script).unwrap();
    let look = || said(here, "sh", &[".git/conflicts.sh"]);
    assert_eq!(look(), "");
    fs::write(here.join("a.txt"), "<<<<<<< ours\n").unwrap();
    said(here, "git", &["add", "a.txt"]);
    assert_eq!(look(), "4|conflict markers in files: 1\n");
    assert_eq!(look(), "");
}
