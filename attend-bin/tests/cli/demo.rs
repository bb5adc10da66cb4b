//! The demo is what the README shows.

use crate::home::{Home, stdout};

#[test]
fn the_readme_shows_what_the_demo_prints() {
    let output = Home::new().output(&["demo"]);
    assert!(output.status.success());
    let readme = include_str!("../../../README.md");
    let shown = stdout(&output);
    assert!(shown.lines().count() > 15, "{shown}");
    assert!(
        readme.contains(&shown),
        "the README is not fresh; the demo prints:\n{shown}"
    );
}

#[test]
fn the_demo_needs_nothing() {
    let home = Home::new();
    let mut command = home.attend(&["demo"]);
    command.env_clear();
    assert!(command.output().expect("attend starts").status.success());
    assert!(
        !home.path().join("attend").exists(),
        "the demo writes nothing"
    );
}
