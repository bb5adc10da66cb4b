//! The commands that the READMEs show do what they say of them.

use std::fs;
use std::os::unix::fs::symlink;

use crate::home::{Home, stdout};
use crate::mail::in_host;

/// Every command in a block of shell, without what is said of it, in order.
fn commands(page: &str) -> Vec<String> {
    let blocks = page.split("```sh\n").skip(1);
    let lines = blocks.flat_map(|block| block.split("```").next().unwrap_or("").lines());
    let said = lines.map(|line| line.split(" #").next().unwrap_or(line).trim());
    said.filter(|line| !line.is_empty())
        .map(str::to_owned)
        .collect()
}

/// How a command ends, with why it does not end with 0; none where it cannot be run here.
fn end(command: &str) -> Option<i32> {
    match command {
        // It was built.
        _ if command.starts_with("cargo ") => None,
        // The host of this test tells no version, which is found.
        "attend doctor" => Some(3),
        _ => Some(0),
    }
}

#[test]
fn every_command_of_the_readme_does_what_it_says() {
    let readme = concat!(env!("CARGO_MANIFEST_DIR"), "/../README.md");
    let Ok(readme) = fs::read_to_string(readme) else {
        return; // This package was unpacked alone.
    };
    let (run, left) = run_all(&readme);
    assert!(run > 25 && left == 4, "{run}, {left}");
}

#[test]
fn every_command_of_the_program_s_own_readme_does_what_it_says() {
    let readme = include_str!("../../README.md");
    assert_eq!(run_all(readme), (4, 1));
}

/// Runs the commands that `readme` shows; gives how many those were, and how many cannot be run
/// here.
fn run_all(readme: &str) -> (usize, usize) {
    let home = Home::new();
    let bin = home.path().join("bin");
    for dir in [&bin, &home.path().join("api")] {
        fs::create_dir(dir).expect("a directory");
    }
    symlink(env!("CARGO_BIN_EXE_attend"), bin.join("attend")).expect("a link");
    symlink(env!("CARGO_BIN_EXE_ways"), bin.join("ways")).expect("a link");
    let path = format!("PATH='{}':\"$PATH\"", bin.display());
    // Of a loop that never ran nothing can be told.
    in_host(
        &home,
        &format!("{path}; git init -q; attend run --once >../first"),
    );
    let commands = commands(readme);
    let mut count = 0;
    for command in &commands {
        let Some(code) = end(command) else { continue };
        count += 1;
        let output = in_host(&home, &format!("{path}; {command} 2>../said\necho \"=$?\""));
        let said = fs::read_to_string(home.path().join("said")).expect("UTF-8");
        let told = stdout(&output);
        assert!(
            told.ends_with(&format!("={code}\n")),
            "{command}: {told}{said}"
        );
    }
    (count, commands.len() - count)
}

#[test]
fn the_readme_is_short_and_explains_its_terms() {
    let readme = concat!(env!("CARGO_MANIFEST_DIR"), "/../README.md");
    let Ok(readme) = fs::read_to_string(readme) else {
        return; // This package was unpacked alone.
    };
    assert!(readme.lines().count() < 250);
    let long: Vec<&str> = readme
        .lines()
        .filter(|line| line.chars().count() > 130)
        .collect();
    assert_eq!(long, [""; 0]);
    for term in ["seat", "room", "way", "signal", "sensor", "event", "lanes"] {
        assert_eq!(readme.matches(&format!("**{term}**")).count(), 1, "{term}");
    }
}
