//! Damaged files of state: named, set aside, and nothing else is the worse for it.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use rustix::process::Signal;

use crate::live::{Live, left_out};
use crate::world::{Told, World};

/// A file of state that somebody damages.
struct Damage {
    name: &'static str,
    file: &'static str,
    /// What is said of it.
    said: &'static str,
    make: fn(&Path),
}

const CHECKPOINT: &str = "checkpoint.json";
const JOURNAL: &str = "journal.1.jsonl";

const DAMAGES: [Damage; 9] = [
    Damage {
        name: "truncated",
        file: CHECKPOINT,
        said: "EOF while parsing",
        make: |file| {
            let whole = fs::read(file).expect("a file");
            fs::write(file, &whole[..whole.len() / 2]).expect("a file");
        },
    },
    Damage {
        name: "garbage",
        file: CHECKPOINT,
        said: "expected value",
        make: |file| fs::write(file, b"\x00\xff\x1b[31m garbage\n[attend] x").expect("a file"),
    },
    Damage {
        name: "empty",
        file: CHECKPOINT,
        said: "EOF while parsing",
        make: |file| fs::write(file, "").expect("a file"),
    },
    Damage {
        name: "newer",
        file: CHECKPOINT,
        said: "it has version 99, this attend writes version 1",
        make: |file| {
            let whole = fs::read_to_string(file).expect("a file");
            let newer = whole.replacen("\"version\":1", "\"version\":99", 1);
            fs::write(file, newer).expect("a file");
        },
    },
    Damage {
        name: "of another shape",
        file: CHECKPOINT,
        said: "missing field",
        make: |file| fs::write(file, "{\"version\":1}").expect("a file"),
    },
    Damage {
        name: "a directory",
        file: CHECKPOINT,
        said: "it is not a regular file",
        make: |file| {
            fs::remove_file(file).expect("a file");
            fs::create_dir(file).expect("a directory");
        },
    },
    Damage {
        name: "a symbolic link",
        file: CHECKPOINT,
        said: "it is a symbolic link",
        make: |file| {
            let elsewhere = file.with_file_name("elsewhere");
            fs::rename(file, &elsewhere).expect("a file");
            symlink(elsewhere, file).expect("a link");
        },
    },
    Damage {
        name: "a garbled journal",
        file: JOURNAL,
        said: "it is no journal",
        make: |file| fs::write(file, b"\xff\xfe\n{}\n").expect("a file"),
    },
    Damage {
        name: "a directory for a journal",
        file: JOURNAL,
        said: "it is not a regular file",
        make: |file| {
            fs::remove_file(file).expect("a file");
            fs::create_dir(file).expect("a directory");
        },
    },
];

#[test]
fn a_damaged_file_is_named_and_set_aside() {
    std::thread::scope(|scope| {
        for damage in &DAMAGES {
            scope.spawn(|| is_set_aside(damage));
        }
    });
}

#[test]
fn a_checkpoint_that_may_not_be_read_is_named_and_left_as_it_is() {
    if rustix::process::geteuid().is_root() {
        return left_out("an unreadable checkpoint", "root may read everything");
    }
    let world = World::known();
    let checkpoint = world.state().join(CHECKPOINT);
    let mode = |mode| {
        let mode = fs::Permissions::from_mode(mode);
        fs::set_permissions(&checkpoint, mode).expect("a file");
    };
    mode(0o000);
    world.git(["switch", "-qc", "feat/x"]);
    let told = world.once();
    assert_eq!(told.errors.lines().count(), 1, "{told:?}");
    assert!(
        told.errors.contains(&checkpoint.display().to_string()),
        "{told:?}"
    );
    assert!(told.errors.contains("Permission denied"), "{told:?}");
    assert_eq!(
        told.count("[attend] notice: nothing is remembered"),
        1,
        "{told:?}"
    );
    mode(0o600);
    let later = world.once();
    assert_eq!(later.count("branch changed: main → feat/x"), 1, "{later:?}");
    assert_eq!(later.lines.len(), 1, "{later:?}");
}

fn is_set_aside(damage: &Damage) {
    let Damage {
        name,
        file,
        said,
        make,
    } = damage;
    let world = World::known();
    // Something for the journal, and for the checkpoint to hold.
    world.write("base", "touched");
    world.tells("1 file newly dirty: base");
    let path = world.state().join(file);
    make(&path);
    let kind = fs::symlink_metadata(&path)
        .expect("it is there")
        .file_type();

    let told = world.once();
    assert_eq!(told.errors.lines().count(), 1, "{name}: {told:?}");
    for words in [*said, "it was set aside as ", &path.display().to_string()] {
        assert!(told.errors.contains(words), "{name}: {words}: {told:?}");
    }
    let aside = told.errors.trim_end().rsplit(' ').next().expect("a name");
    let aside = fs::symlink_metadata(world.state().join(aside)).expect("it is there");
    assert_eq!(aside.file_type(), kind, "{name}");

    // The next change is told, and the notice rides with the first batch.
    world.git(["switch", "-qc", "feat/x"]);
    let later = world.once();
    assert_eq!(later.errors, "", "{name}");
    assert_eq!(
        later.count("branch changed: main → feat/x"),
        1,
        "{name}: {later:?}"
    );
    let notices = told.count("[attend] notice: ") + later.count("[attend] notice: ");
    assert_eq!(notices, 1, "{name}: {told:?}, {later:?}");
    world.status().assert_adds_up();
    let explained = Told::by(&mut world.home.attend(&["explain"]));
    assert!(
        explained.count("branch changed: main → feat/x") > 0,
        "{name}"
    );
}

#[test]
fn many_damaged_checkpoints_do_not_pile_up() {
    let world = World::known();
    for n in 0..5 {
        fs::write(world.state().join(CHECKPOINT), format!("damage {n}")).expect("a file");
        assert_eq!(world.once().errors.lines().count(), 1);
    }
    let files = fs::read_dir(world.state()).expect("a directory").flatten();
    let damaged = files.filter(|file| file.file_name().to_string_lossy().contains("damaged"));
    assert_eq!(damaged.count(), 3);
    let last = fs::read_to_string(world.state().join("checkpoint.json.damaged-3"));
    assert_eq!(last.expect("the newest is kept"), "damage 4");
}

#[test]
fn status_names_a_checkpoint_that_it_cannot_read_and_leaves_it() {
    let world = World::known();
    let checkpoint = world.state().join(CHECKPOINT);
    fs::write(&checkpoint, "damage").expect("a file");
    let output = world.home.output(&["status"]);
    assert_eq!(output.status.code(), Some(1));
    let said = crate::home::stderr(&output);
    assert!(said.contains(&checkpoint.display().to_string()), "{said}");
    assert_eq!(fs::read_to_string(&checkpoint).expect("a file"), "damage");
}

#[test]
fn status_says_why_there_is_no_mail() {
    let world = World::known();
    let status = || crate::home::stdout(&world.home.output(&["status"]));
    assert!(
        status().contains("mail: none is known here\n"),
        "{}",
        status()
    );
    let mut live = Live::start(&mut world.home.attend(&["run"]));
    live.line();
    let observes = "mail: off: this loop observes, and mail comes to one beside a session\n";
    assert!(status().contains(observes), "{}", status());
    live.signal(Signal::TERM);
    live.ended();
    let data = world.beside("attend/data");
    fs::create_dir_all(&data).expect("a directory");
    fs::write(
        data.join("mail.db"),
        "no store at all, and long. ".repeat(40),
    )
    .expect("a file");
    let damaged = "mail: off: the mail store is damaged";
    assert!(status().contains(damaged), "{}", status());
    assert!(!status().contains("none is known"), "{}", status());
}
