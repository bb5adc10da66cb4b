//! Where files lie: links, homes, other places, and names that nobody would choose.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::sync::Arc;

use attend_core::runtime::system::SystemWatcher;
use attend_core::sensor::Root;
use attend_core::testkit::Harness;

use super::world::{World, directory, each, paths};

#[test]
fn nothing_leads_out_of_the_project_by_links() {
    each(&["**", "named/*", "link"], |world| {
        directory(&world.beside("secret"), "s");
        fs::write(world.beside("secret/t"), "").unwrap();
        world.write("a", "");
        symlink(world.beside("secret"), world.path("all")).unwrap();
        symlink(world.beside("secret"), world.path("named")).unwrap();
        symlink(world.beside("secret/t"), world.path("link")).unwrap();
        world.begin();
        fs::write(world.beside("secret/s"), "more").unwrap();
        fs::write(world.beside("secret/t"), "more").unwrap();
        fs::write(world.beside("secret/new"), "").unwrap();
        assert_eq!(world.told(), [""; 0]);
        // A directory that is replaced by such a link holds nothing any more.
        world.write("sub/s", "1");
        assert_eq!(world.told(), ["created sub/s"]);
        world.remove("sub");
        symlink(world.beside("secret"), world.path("sub")).unwrap();
        world.much_later();
        assert_eq!(
            world.told(),
            ["2 files: 1 created (sub), 1 removed (sub/s)"]
        );
    });
}

#[test]
fn a_link_inside_is_followed_where_its_name_is_said() {
    each(&["current/*.yaml", "file"], |world| {
        world.write("v1/a.yaml", "1");
        world.write("v2/b.yaml", "1");
        world.write("real", "1");
        symlink("v1", world.path("current")).unwrap();
        symlink("real", world.path("file")).unwrap();
        world.begin();
        world.write("v1/a.yaml", "22");
        assert_eq!(world.told(), ["changed current/a.yaml"]);
        world.much_later();
        symlink("v2", world.path("next")).unwrap();
        world.rename("next", "current");
        assert_eq!(
            world.told(),
            ["2 files: 1 created (current/b.yaml), 1 removed (current/a.yaml)"]
        );
    });
}

#[test]
fn a_link_in_a_circle_ends() {
    each(&["**", "loop/**"], |world| {
        world.write("sub/a", "");
        symlink(".", world.path("loop")).unwrap();
        symlink("..", world.path("sub/up")).unwrap();
        world.begin();
        world.write("sub/a", "more");
        assert_eq!(world.told(), ["changed sub/a", "changed loop/sub/a"]);
    });
}

#[test]
fn homes_and_other_places_are_looked_at() {
    let harness = Harness::new().watched_by(Arc::new(SystemWatcher::new()));
    let elsewhere = harness.work().parent().unwrap().join("elsewhere");
    let rule = format!("{}/later/*", elsewhere.display());
    let mut world = World::of(harness, paths(&["~/notes/", &rule]));
    fs::create_dir_all(&elsewhere).unwrap();
    world.begin();
    let home = world.harness.path(Root::Home, "notes");
    directory(&home, "todo.md");
    assert_eq!(world.told(), ["created ~/notes/todo.md"]);
    fs::write(home.join("todo.md"), "more").unwrap();
    directory(&elsewhere.join("later"), "x");
    world.much_later();
    assert_eq!(
        world.told(),
        [
            "changed ~/notes/todo.md".to_owned(),
            format!("created {}/later/x", elsewhere.display())
        ]
    );
    fs::remove_dir_all(elsewhere.join("later")).unwrap();
    world.much_later();
    assert_eq!(
        world.told(),
        [format!("removed {}/later/x", elsewhere.display())]
    );
}

#[test]
fn odd_names_are_told_apart_and_remembered() {
    each(&["*"], |world| {
        let names: [&[u8]; 5] = [b"a\xff", b"a\xfe", b"line\nbreak", b"\x1b[31m", b" "];
        world.begin();
        for name in names {
            fs::write(world.work().join(OsStr::from_bytes(name)), "").unwrap();
        }
        let told = world.told();
        assert_eq!(told.len(), 1);
        assert!(told[0].starts_with("5 files created: "), "{told:?}");
        world.restart();
        assert_eq!(world.told(), [""; 0]);
        fs::remove_file(world.work().join(OsStr::from_bytes(b"a\xff"))).unwrap();
        assert_eq!(world.told(), ["removed a\u{fffd}"]);
    });
}
