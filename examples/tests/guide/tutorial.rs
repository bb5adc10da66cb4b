//! The tutorial: its code is the example of that name, which the other tests run.

use std::fs;

use crate::pages::{file_in, page, workspace};

#[test]
fn its_code_is_the_example() {
    let example = fs::read_to_string(workspace().join("examples/tutorial.rs")).unwrap();
    assert_eq!(file_in(&page("first-sensor.md"), "src/main.rs"), example);
}

#[test]
fn its_manifest_asks_for_this_version() {
    let manifest = file_in(&page("first-sensor.md"), "Cargo.toml");
    let version = env!("CARGO_PKG_VERSION");
    for name in ["attend-core", "attend-sensors"] {
        let lines = manifest.lines().filter(|line| line.starts_with(name));
        let all = lines
            .clone()
            .all(|line| line.contains(version) || line.contains("testkit"));
        assert!(all && lines.count() > 0, "{name}: {manifest}");
    }
}
