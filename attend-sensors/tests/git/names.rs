//! Names with spaces, quotes, line breaks and bytes that are not text; renames and copies.

use std::fs;

use super::world::World;

#[test]
fn odd_names_are_told_as_they_are() {
    let mut world = World::started();
    for name in [
        " lead",
        "trail ",
        "two  words",
        "a\nb",
        "say \"x\"",
        "-> y",
        "ü",
        "1 .M N",
    ] {
        world.write(name, "");
        let count = world
            .git(["status", "--porcelain", "-z"])
            .matches("??")
            .count();
        let text = format!("1 file newly dirty: {name} ({count} dirty in all)");
        world.look_after(120).assert_texts(&[&text]);
    }
    world.restart();
    world.look().assert_quiet();
}

#[test]
fn names_that_are_not_text() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let mut world = World::started();
    let odd = |bytes: &[u8]| fs::write(world.work().join(OsStr::from_bytes(bytes)), "").unwrap();
    odd(b"x\xff");
    odd(b"x\xfe");
    world
        .look()
        .assert_texts(&["2 files newly dirty: x\u{fffd}, x\u{fffd} (2 dirty in all)"]);
    world.restart();
    world.look().assert_quiet();
    world.harness.advance(std::time::Duration::from_secs(200));
    fs::write(world.work().join(OsStr::from_bytes(b"x\xfd")), "").unwrap();
    world
        .look()
        .assert_texts(&["1 file newly dirty: x\u{fffd} (3 dirty in all)"]);
}

#[test]
fn a_long_name_is_cut() {
    let mut world = World::started();
    world.write(&"n".repeat(200), "");
    let text = format!("1 file newly dirty: {}… (1 dirty in all)", "n".repeat(79));
    world.look().assert_texts(&[&text]);
}

#[test]
fn a_rename_is_one_file_with_its_new_name() {
    let mut world = World::started();
    world.git(["mv", "base", "base\nmoved"]);
    world
        .look()
        .assert_texts(&["1 file newly dirty: base\nmoved (1 dirty in all)"]);
}

#[test]
fn a_copy_is_one_file() {
    let mut world = World::bare();
    world.start();
    world.commit("long", &"a line\n".repeat(50), "long");
    world.git(["config", "status.renames", "copies"]);
    world.look().assert_quiet();
    world.write("copy", &"a line\n".repeat(50));
    world.write("long", &format!("{}more\n", "a line\n".repeat(50)));
    world.git(["add", "-A"]);
    world
        .look()
        .assert_texts(&["2 files newly dirty: copy, long (2 dirty in all)"]);
}

#[test]
fn a_new_directory_is_one_entry() {
    let mut world = World::started();
    for n in 0..50 {
        world.write(&format!("new/f{n}"), "");
    }
    world
        .look()
        .assert_texts(&["1 file newly dirty: new/ (1 dirty in all)"]);
}
