//! The directory and the files: private, and nobody else's.

use std::fs::{self, File};
use std::io::Write as _;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use rustix::fs::FlockOperation;

use super::*;

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

#[test]
fn everything_is_closed_to_others() {
    let scene = Scene::new();
    fs::create_dir(scene.dir()).unwrap();
    fs::set_permissions(scene.dir(), fs::Permissions::from_mode(0o755)).unwrap();
    let mailbox = scene.open();
    sam(&mailbox);
    assert_eq!(mode(&scene.dir()), 0o700);
    let mut found = 0;
    for file in fs::read_dir(scene.dir()).unwrap() {
        let path = file.unwrap().path();
        let closed = if path.is_dir() { 0o700 } else { 0o600 };
        assert_eq!(mode(&path), closed, "{}", path.display());
        found += 1;
    }
    assert!(
        found >= 5,
        "the store, its log, its index, the lock and the doorbells"
    );
}

#[test]
fn links_and_other_things_are_refused_by_name() {
    let refused = |spoil: &dyn Fn(&Scene), name: &str, why: &str| {
        let scene = Scene::new();
        spoil(&scene);
        for refused in [scene.try_open().map(|_| ()), scene.existing().map(|_| ())] {
            let said = refused.unwrap_err().to_string();
            assert!(said.contains(name) && said.contains(why), "{name}: {said}");
        }
    };
    let elsewhere = |scene: &Scene| {
        let other = scene.home.path().join("other");
        fs::create_dir(&other).unwrap();
        other
    };
    refused(
        &|scene| symlink(elsewhere(scene), scene.dir()).unwrap(),
        "data",
        "symbolic link",
    );
    refused(
        &|scene| {
            fs::create_dir(scene.dir()).unwrap();
            let other = elsewhere(scene).join("mail.db");
            fs::write(&other, b"").unwrap();
            symlink(other, scene.file()).unwrap();
        },
        "mail.db",
        "symbolic link",
    );
    refused(
        &|scene| fs::create_dir_all(scene.file()).unwrap(),
        "mail.db",
        "r", // "is a directory", or "not a regular file", by how it was opened
    );
    refused(
        &|scene| fs::write(scene.dir(), b"").unwrap(),
        "data",
        "ot a directory",
    );
}

#[test]
#[ignore = "needs the right to give files away"]
fn what_belongs_to_somebody_else_is_refused() {
    for name in ["", "mail.db", "mail.lock"] {
        let scene = Scene::new();
        drop(scene.open());
        let given = scene.dir().join(name);
        std::os::unix::fs::chown(&given, Some(4_242), None).unwrap();
        let error = scene.try_open().unwrap_err().to_string();
        assert!(error.contains("belongs to another user"), "{name}: {error}");
    }
}

#[test]
fn a_holder_that_does_not_let_go_is_named() {
    let scene = Scene::new();
    let mailbox = scene.open().patience(Duration::from_millis(20));
    let sam = sam(&mailbox).seat;
    let lock = scene.dir().join("mail.lock");
    let mut held = File::options().read(true).write(true).open(&lock).unwrap();
    rustix::fs::flock(&held, FlockOperation::LockExclusive).unwrap();
    writeln!(held, "4242").unwrap();
    let error = try_send(&mailbox, sam, "#open", "hello").unwrap_err();
    assert_eq!(error.kind(), MailErrorKind::Busy);
    assert!(error.to_string().contains("process 4242"), "{error}");
    // Reading waits for nobody.
    assert_eq!(block_on(mailbox.unread(sam)), Ok(0));
    rustix::fs::flock(&held, FlockOperation::Unlock).unwrap();
    send(&mailbox, sam, "#open", "hello");
}

#[test]
fn whoever_waits_gets_the_store_when_it_is_free() {
    let scene = Scene::new();
    let mailbox = scene.open();
    let sam = sam(&mailbox).seat;
    let held = File::open(scene.dir().join("mail.lock")).unwrap();
    rustix::fs::flock(&held, FlockOperation::LockExclusive).unwrap();
    std::thread::scope(|scope| {
        let sending = scope.spawn(|| try_send(&mailbox, sam, "#open", "hello"));
        assert!(!sending.is_finished());
        drop(held);
        sending.join().unwrap().unwrap();
    });
}

#[test]
fn files_that_are_taken_away_or_replaced_are_noticed() {
    let scene = Scene::new();
    let mailbox = scene.open();
    let (seated, reader) = session(&mailbox, 1);
    let other = sam(&mailbox).seat;
    send(&mailbox, other, &format!("@{}", seated.name), "one");
    assert_eq!(letters(&mailbox, &reader).len(), 1);
    // The index alone: whoever comes next makes another, and both go on with that.
    fs::remove_file(scene.dir().join("mail.db-shm")).unwrap();
    send(&scene.open(), other, &format!("@{}", seated.name), "two");
    assert_eq!(letters(&mailbox, &reader).len(), 2);
    // All of it: seats are other ones then.
    for name in ["mail.db", "mail.db-wal", "mail.db-shm"] {
        // The log may be gone already.
        let _ = fs::remove_file(scene.dir().join(name));
    }
    let (_, stranger) = session(&scene.open(), 2);
    assert_eq!(stranger.seat, reader.seat, "the first number again");
    let error = block_on(mailbox.look(&reader, 8)).unwrap_err();
    assert_eq!(error.kind(), MailErrorKind::Displaced, "{error}");
}

#[test]
fn a_loop_that_found_nothing_looks_anew_in_files_that_are_others() {
    let scene = Scene::new();
    let mailbox = scene.open();
    let (seated, reader) = session(&mailbox, 1);
    let other = sam(&mailbox).seat;
    block_on(mailbox.change(&Change::Register(reader.clone()))).unwrap();
    for _ in 0..2 {
        assert_eq!(letters(&mailbox, &reader).len(), 0);
    }
    let writer = scene.open();
    fs::remove_file(scene.dir().join("mail.db-shm")).unwrap();
    send(&writer, other, &format!("@{}", seated.name), "one");
    assert_eq!(letters(&mailbox, &reader).len(), 1);
}

#[test]
fn what_the_disk_does_not_keep_is_not_called_written() {
    let scene = Scene::new();
    let mailbox = scene.open();
    let sam = sam(&mailbox).seat;
    let home = || lock::Home::existing(&scene.dir()).unwrap().unwrap();
    assert!(!home().log_is_new(), "the tables were the first in it");
    try_send(&mailbox, sam, "#open", "kept").unwrap();
    home().force_log().unwrap();
    let log = scene.dir().join("mail.db-wal");
    fs::remove_file(&log).unwrap();
    assert!(home().log_is_new());
    let said = home().force_log().unwrap_err().to_string();
    let path = log.display().to_string();
    assert!(
        said.contains(&path) && said.contains("look in the ledger"),
        "{said}"
    );
}
