//! `attend doctor` where the system gives less than is needed: disks and limits of its own.

use std::fs;
use std::process::Command;

use crate::doctor::Found;
use crate::home::scrub;
use crate::world::World;

/// The doctor at the end of `script`, in namespaces made by `options` of `unshare`.
fn doctor(world: &World, options: &[&str], script: &str) -> Command {
    let mut command = Command::new("unshare");
    scrub(&mut command, world.home.path());
    let script = format!("{script}\nexec \"$A\" doctor --json");
    command
        .args(options)
        .args(["sh", "-ec", &script])
        .env("A", env!("CARGO_BIN_EXE_attend"))
        .current_dir(world.repo());
    command
}

/// The same with a disk of its own as the home.
fn on_a_disk(options: &str, script: &str) -> Found {
    let world = World::new();
    fs::create_dir_all(world.beside("attend")).expect("a directory");
    let mount = format!("mount -t tmpfs -o size=1m,mode=700,{options} none \"$ATTEND_HOME\"");
    Found::by(&mut doctor(&world, &["-m"], &format!("{mount}\n{script}")))
}

#[test]
#[ignore = "needs root: it mounts a disk"]
fn a_home_that_may_not_be_written_is_found() {
    let found = on_a_disk("ro", "true");
    found.mends(
        "home",
        "Read-only file system",
        "set ATTEND_HOME to a directory of your own",
    );
}

#[test]
#[ignore = "needs root: it mounts a disk"]
fn a_full_disk_is_found() {
    let fill = "cat /dev/zero > \"$ATTEND_HOME/filler\" 2>/dev/null || true";
    let found = on_a_disk("rw", fill);
    found.mends(
        "home",
        "the disk is full, with 0 KiB left: state in ",
        "make room there",
    );
    on_a_disk("rw", "true").is_well("home");
}

#[test]
#[ignore = "needs root: it mounts a disk"]
fn a_plugin_is_not_written_where_nothing_may_be_and_says_so() {
    let world = World::new();
    fs::create_dir_all(world.beside("attend")).expect("a directory");
    let script = "mount -t tmpfs -o size=1m,ro none \"$ATTEND_HOME\"\n\
                  \"$A\" plugin install 2>\"$HOME/said\" && exit 9 || true";
    Found::by(&mut doctor(&world, &["-m"], script)).mends(
        "home",
        "Read-only file system",
        "allow writing there",
    );
    let said = fs::read_to_string(world.beside("said")).expect("what it said");
    assert!(
        said.contains("cannot write ") && said.contains("Read-only file system"),
        "{said}"
    );
    assert!(said.contains("attend plugin install --dir DIR"), "{said}");
}

#[test]
#[ignore = "needs a user namespace"]
fn exhausted_instances_and_watches_of_inotify_are_found() {
    for limit in ["instances", "watches"] {
        let world = World::new();
        let script = format!("echo 0 > /proc/sys/user/max_inotify_{limit}");
        let found = Found::by(&mut doctor(&world, &["-Ur"], &script));
        let named = format!("fs.inotify.max_user_{limit}");
        found.mends("watching", &named, "raise the limit");
        assert_eq!(found.count("watching"), 1, "one limit is one thing to mend");
    }
}
