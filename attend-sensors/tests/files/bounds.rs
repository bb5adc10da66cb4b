//! Much of everything: bounded work, few events, and what is left out said.

use std::fs;

use attend_core::testkit::Harness;
use attend_sensors::files::FilesConfig;

use super::world::{World, each, paths, warnings};

#[test]
fn ten_thousand_changes_in_a_second_are_one_event_that_counts() {
    each(&["out/**"], |world| {
        world.begin();
        fs::create_dir(world.path("out")).unwrap();
        for n in 0..10_000 {
            fs::write(world.path(&format!("out/f{n:04}")), "").unwrap();
            if n % 2_500 == 0 {
                assert_eq!(world.look_after(0).texts(), [""; 0]);
            }
        }
        let text = "10000 files created: out/f0000, out/f0001, out/f0002 and 9997 more";
        assert_eq!(world.told(), [text]);
        assert_eq!(world.told(), [""; 0]);
        // So many are not remembered over a restart: the next look begins anew.
        fs::write(world.path("out/f0000"), "xx").unwrap();
        world.restart();
        assert_eq!(world.told(), [""; 0]);
    });
}

#[test]
fn a_huge_tree_is_looked_at_in_part_and_that_is_said() {
    huge(&mut World::watched(&["**"]));
}

#[test]
fn a_huge_tree_that_cannot_be_watched_is_looked_at_in_part_too() {
    huge(&mut World::polled(&["**"]));
}

fn huge(world: &mut World) {
    for dir in 0..21 {
        let dir = world.path(&format!("d{dir:02}"));
        fs::create_dir(&dir).unwrap();
        for n in 0..1_000 {
            fs::write(dir.join(format!("f{n:03}")), "").unwrap();
        }
    }
    let polled = world.look_after(0);
    let said = warnings(&polled);
    let of_it = said
        .iter()
        .filter(|said| said.starts_with("more than 20000 entries lie "));
    assert_eq!(of_it.count(), 1, "{said:?}");
    assert_eq!(polled.texts(), [""; 0]);

    // What comes into sight by room that others leave is not new.
    fs::remove_dir_all(world.path("d20")).unwrap();
    fs::remove_dir_all(world.path("d19")).unwrap();
    let told = world.told();
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(
        told[0].ends_with(" more") && !told[0].contains("created"),
        "{told:?}"
    );
    world.much_later();
    world.write("d00/new", "");
    world.write("d01/f000", "more");
    assert_eq!(
        world.told(),
        ["2 files: 1 created (d00/new), 1 changed (d01/f000)"]
    );
}

#[test]
fn a_look_with_a_watch_costs_what_changed() {
    let mut world = World::told_of(&["**"]);
    world.write("a", "1");
    world.write("sub/b", "1");
    world.begin();
    // Nobody saw it: so it is not looked for until everything is looked at anyway.
    world.write("a", "22");
    world.write("sub/b", "22");
    world.harness.watcher().changed(world.path("sub/b"));
    assert_eq!(world.told(), ["changed sub/b"]);
    world.look_after(590).assert_quiet();
    world.look_after(10).assert_quiet();
    assert_eq!(world.told(), ["changed a"]);
}

#[test]
fn without_paths_nothing_is_watched_and_nothing_known() {
    let mut world = World::of(Harness::new(), FilesConfig::default());
    world.write("a", "");
    world.begin();
    world.write("a", "more");
    world.harness.watcher().lost();
    assert_eq!(world.told(), [""; 0]);
    assert_eq!(
        world.harness.watcher().watched(),
        [""; 0].map(std::path::PathBuf::from)
    );
    assert!(
        !world.harness.watcher().changed(world.path("a")),
        "nobody watches"
    );
    assert!(world.sensor.snapshot().is_none());
    assert_eq!(world.harness.woken(), 0);
}

#[test]
fn only_directories_in_which_something_is_meant_are_watched() {
    let mut world = World::told_of(&["src/*/a", "/etc/passwd"]);
    for name in ["src/x/a", "src/y/b", "src/x/deep/a", "other/a"] {
        world.write(name, "");
    }
    world.begin();
    let mut watched = world.harness.watcher().watched();
    watched.sort();
    let mut expected = vec![std::path::PathBuf::from("/etc"), world.work()];
    expected.extend(["src", "src/x", "src/y"].map(|name| world.path(name)));
    expected.sort();
    assert_eq!(watched, expected);
    assert_eq!(paths(&["a"]).paths.len(), 1);
}
