//! Files that are created, changed and removed: each is told once, in words that count.

use std::fs;

use super::world::{World, directory, each, paths};

#[test]
fn a_first_look_tells_nothing_and_every_change_is_told_once() {
    each(&["a*", "sub/**"], |world| {
        world.write("a", "1");
        world.write("sub/deep/b", "1");
        world.write("other", "1");
        world.begin();
        assert_eq!(world.told(), [""; 0]);
        world.write("a", "22");
        assert_eq!(world.told(), ["changed a"]);
        assert_eq!(world.told(), [""; 0]);
        world.write("sub/new", "1");
        world.write("other", "22");
        assert_eq!(world.told(), ["created sub/new"]);
        world.much_later();
        world.remove("sub/deep/b");
        assert_eq!(world.told(), ["removed sub/deep/b"]);
        assert_eq!(world.told(), [""; 0]);
    });
}

#[test]
fn what_changes_together_is_one_event() {
    each(&["*.sql", "Cargo.lock"], |world| {
        for name in ["a.sql", "b.sql", "Cargo.lock"] {
            world.write(name, "");
        }
        world.begin();
        for name in ["b.sql", "c.sql", "d.sql", "Cargo.lock"] {
            world.write(name, "more");
        }
        world.remove("a.sql");
        assert_eq!(
            world.told(),
            [
                "4 files: 2 created (c.sql, d.sql), 1 changed (b.sql), 1 removed (a.sql)",
                "changed Cargo.lock",
            ]
        );
    });
}

#[test]
fn the_rule_says_how_much_it_matters_and_the_first_counts() {
    let config = paths(&[]);
    let config = config.path("a", 0.5).unwrap().path("*", 3.0).unwrap();
    let mut world = World::of(attend_core::testkit::Harness::new(), config);
    world.begin();
    world.write("a", "");
    world.write("b", "");
    world.harness.watcher().lost();
    world.look_after(1);
    let polled = world.look_after(2);
    polled.assert_texts(&["created a", "created b"]);
    assert_eq!(polled.keys(), ["a", "*"]);
    assert_eq!(polled.magnitudes(), [0.5, 3.0]);
}

#[test]
fn what_comes_and_goes_between_is_nothing() {
    each(&["**"], |world| {
        world.write("a", "1");
        world.begin();
        world.write("new", "");
        world.look_after(1).assert_quiet();
        world.remove("new");
        assert_eq!(world.told(), [""; 0]);
        world.rename("a", "away");
        world.look_after(1).assert_quiet();
        world.rename("away", "a");
        assert_eq!(world.told(), [""; 0]);
    });
}

#[test]
fn a_file_that_never_rests_is_told_all_the_same() {
    each(&["log"], |world| {
        world.write("log", "");
        world.begin();
        let mut told = 0;
        for n in 0..33 {
            world.write("log", &"x".repeat(n + 1));
            told += world.look_after(1).texts().len();
        }
        assert_eq!(told, 3, "every ten seconds");
    });
}

#[test]
fn a_directory_that_is_replaced_is_compared_file_by_file() {
    each(&["conf/*", "deep/in/it/*"], |world| {
        for name in ["conf/a", "conf/b", "deep/in/it/a"] {
            world.write(name, "1");
        }
        world.begin();
        world.remove("conf");
        assert_eq!(world.told(), ["2 files removed: conf/a, conf/b"]);
        world.much_later();
        directory(&world.path("conf"), "a");
        assert_eq!(world.told(), ["created conf/a"]);
        world.much_later();

        directory(&world.path("next"), "c");
        world.rename("conf", "old");
        world.rename("next", "conf");
        assert_eq!(
            world.told(),
            ["2 files: 1 created (conf/c), 1 removed (conf/a)"]
        );
        world.much_later();
        world.write("conf/c", "more");
        assert_eq!(world.told(), ["changed conf/c"]);

        // One that lies above what is looked at.
        directory(&world.path("other/in/it"), "b");
        world.rename("deep", "old/deep");
        world.rename("other", "deep");
        assert_eq!(
            world.told(),
            ["2 files: 1 created (deep/in/it/b), 1 removed (deep/in/it/a)"]
        );
        world.much_later();
        world.write("deep/in/it/b", "more");
        assert_eq!(world.told(), ["changed deep/in/it/b"]);
    });
}

#[test]
fn a_directory_removed_and_made_anew_at_once_has_changed_files() {
    each(&["conf/*"], |world| {
        world.write("conf/a", "1");
        world.begin();
        world.remove("conf");
        world.write("conf/a", "2");
        assert_eq!(world.told(), ["changed conf/a"]);
    });
}

#[test]
fn directories_that_appear_later_are_looked_into() {
    each(&["src/**/*.proto", "gen/out/x"], |world| {
        world.begin();
        world.write("src/a/b/c.proto", "");
        world.write("src/a/b/c.txt", "");
        assert_eq!(world.told(), ["created src/a/b/c.proto"]);
        fs::create_dir_all(world.path("gen")).unwrap();
        assert_eq!(world.told(), [""; 0]);
        world.write("gen/out/x", "");
        assert_eq!(world.told(), ["created gen/out/x"]);
        world.write("gen/out/x", "more");
        world.much_later();
        assert_eq!(world.told(), ["changed gen/out/x"]);
    });
}

#[test]
fn a_file_that_becomes_a_directory_is_gone_and_stands_for_what_is_in_it() {
    each(&["a"], |world| {
        world.write("a", "1");
        world.begin();
        world.remove("a");
        world.write("a/b", "");
        assert_eq!(world.told(), ["2 files: 1 created (a/b), 1 removed (a)"]);
    });
}

#[test]
fn permissions_are_no_change() {
    use std::os::unix::fs::PermissionsExt;
    each(&["a"], |world| {
        world.write("a", "1");
        world.begin();
        fs::set_permissions(world.path("a"), fs::Permissions::from_mode(0o600)).unwrap();
        assert_eq!(world.told(), [""; 0]);
    });
}

#[test]
fn what_is_skipped_is_not_looked_at_unless_it_is_named() {
    each(&["**", ".git/HEAD"], |world| {
        world.begin();
        for name in [
            ".git/HEAD",
            ".git/index",
            "node_modules/a/b.js",
            "x/target/a",
            "a~",
            ".a.swp",
        ] {
            world.write(name, "");
        }
        assert_eq!(world.told(), ["created .git/HEAD"]);
    });
}
