//! What a loop leaves behind: no process, and nothing in the repository.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::Read;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::thread;

use rustix::fs::OFlags;
use rustix::process::Signal;

use crate::live::{Live, eventually};
use crate::world::World;

#[test]
fn a_command_that_hangs_ends_with_the_loop() {
    thread::scope(|scope| {
        for way in ["a signal", "a reader that goes", "an output that refuses"] {
            scope.spawn(move || hangs(way));
        }
    });
}

/// Each look starts a `git` that never ends, with a child of its own; both hold a pipe.
fn hangs(way: &str) {
    let world = World::new();
    let pipe = world.beside("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(
        made.is_ok_and(|status| status.success()),
        "a pipe with a name"
    );
    let script = format!(
        "exec 9>'{}'\necho up >&9\nsleep 1000 & exec sleep 1000",
        pipe.display()
    );
    let mut command = world.with_git(&["run"], &script);
    let refuses = way == "an output that refuses";
    let mut live = if refuses {
        let full = File::options().write(true).open("/dev/full");
        Live::start_on(
            &mut command,
            full.map_or_else(|_| Stdio::null(), Stdio::from),
        )
    } else {
        Live::start(&mut command)
    };
    // Opened without waiting: an output that refuses may end it before there is a command.
    let mut held = OpenOptions::new();
    let held = held
        .read(true)
        .custom_flags(OFlags::NONBLOCK.bits().cast_signed())
        .open(&pipe);
    let mut held = held.expect("the pipe can be opened");
    let mut read = [0; 16];
    if !refuses {
        eventually("a command runs", || {
            held.read(&mut read).is_ok_and(|n| n > 0)
        });
    }
    match way {
        "a signal" => live.signal(Signal::TERM),
        "a reader that goes" => live.close(),
        _ => {}
    }
    let (code, _) = live.silent_end();
    assert_eq!(code, Some(i32::from(refuses)), "{way}");
    // A pipe is at its end once nobody holds it any more: neither the command nor its child.
    let left = format!("{way}: a command is left behind");
    eventually(&left, || matches!(held.read(&mut read), Ok(0)));
}

#[test]
fn nothing_in_the_repository_is_written() {
    let world = World::known();
    fs::write(world.repo().join(".gitignore"), "*.log\n").expect("a file");
    world.git(["add", "-A"]);
    world.git(["commit", "-qm", "ignore"]);
    // A stale index is what a status would like to refresh.
    let base = File::options()
        .write(true)
        .open(world.repo().join("base"))
        .expect("a file");
    base.set_modified(std::time::SystemTime::UNIX_EPOCH)
        .expect("another time");
    drop(base);
    let before = listing(&world.repo());
    for _ in 0..2 {
        world.once();
    }
    let mut live = world.noting(&["run"]);
    live.line();
    world.looked(1);
    live.signal(Signal::TERM);
    live.ended();
    assert_eq!(listing(&world.repo()), before);
    assert_eq!(world.git(["status", "--porcelain"]), "");
    assert_ne!(
        listing(&world.repo()),
        before,
        "git itself refreshes the index"
    );
}

/// Every path below `top`, with what would show that somebody touched it.
fn listing(top: &Path) -> BTreeMap<PathBuf, (u64, u64, i64, i64, i64)> {
    let mut open = vec![top.to_owned()];
    let mut found = BTreeMap::new();
    while let Some(path) = open.pop() {
        let meta = path.symlink_metadata().expect("it is there");
        if meta.is_dir() {
            let entries = fs::read_dir(&path).expect("a directory").flatten();
            open.extend(entries.map(|entry| entry.path()));
        }
        let times = (meta.mtime(), meta.mtime_nsec(), meta.ctime_nsec());
        found.insert(path, (meta.ino(), meta.size(), times.0, times.1, times.2));
    }
    found
}
