//! A full disk, and one that may only be read: each in a namespace of its own.

use std::fs;
use std::path::Path;

use super::*;
use crate::mail::{Answer, Ledger, Query};

/// Runs an ignored test of this file inside a mount namespace, after a script has prepared it.
#[expect(
    clippy::disallowed_methods,
    reason = "mounts are for a process of its own"
)]
fn inside(prepare: &str, test: &str) {
    let script = format!("{prepare} && exec \"$0\" --ignored --exact \"$1\"");
    let output = std::process::Command::new("unshare")
        .args(["-Urm", "sh", "-c", &script])
        .arg(std::env::current_exe().unwrap())
        .arg(format!(
            "{}::{test}",
            module_path!().trim_start_matches("attend_core::")
        ))
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    let erred = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success() && said.contains("1 passed"),
        "{said}{erred}"
    );
}

#[test]
#[ignore = "needs a user namespace"]
fn a_full_disk_keeps_what_it_has() {
    inside("mount -t tmpfs -o size=4m none /mnt", "on_the_full_disk");
}

#[test]
#[ignore = "is started by the test above, on a small disk of its own"]
fn on_the_full_disk() {
    let around = Arc::new(SystemAround::new());
    let dir = Path::new("/mnt/data");
    let mailbox = SqliteMailbox::open(dir, around.clone()).unwrap();
    let sam = sam(&mailbox).seat;
    let mut sent = 0;
    let error = loop {
        match try_send(
            &mailbox,
            sam,
            "#open",
            &format!("{sent} {}", "x".repeat(2_000)),
        ) {
            Ok(_) => sent += 1,
            Err(error) => break error,
        }
    };
    assert_eq!(error.kind(), MailErrorKind::Full, "{error}");
    assert!(error.to_string().contains("make room"), "{error}");
    assert!(sent > 20, "{sent}");
    let there = || {
        let mailbox = SqliteMailbox::existing(dir, around.clone())
            .unwrap()
            .unwrap();
        let page = Query::Ledger(Ledger::new(sam, 10_000));
        match block_on(mailbox.read(&page)).unwrap() {
            Answer::Ledger(page) => page.entries.len(),
            _ => panic!("no page"),
        }
    };
    assert_eq!(there(), sent);
    drop(mailbox);
    assert_eq!(there(), sent, "also for whoever comes later");
}

#[test]
#[ignore = "needs a user namespace"]
fn a_home_that_may_only_be_read_is_read() {
    let scene = Scene::new();
    let mailbox = scene.open();
    send(&mailbox, sam(&mailbox).seat, "#open", "hello");
    drop(mailbox);
    let home = scene.home.path().display();
    let prepare = format!("mount --bind {home} /mnt && mount -o remount,bind,ro /mnt");
    inside(&prepare, "on_the_read_only_disk");
}

#[test]
#[ignore = "is started by the test above, on a disk of its own"]
fn on_the_read_only_disk() {
    let around = Arc::new(SystemAround::new());
    let dir = Path::new("/mnt/data");
    let error = SqliteMailbox::open(dir, around.clone()).unwrap_err();
    assert_eq!(error.kind(), MailErrorKind::Denied, "{error}");
    assert!(error.to_string().contains("/mnt/data"), "{error}");
    let missing = SqliteMailbox::open(Path::new("/mnt/other"), around.clone()).unwrap_err();
    assert_eq!(missing.kind(), MailErrorKind::Denied, "{missing}");
    let mailbox = SqliteMailbox::existing(dir, around).unwrap().unwrap();
    let name = Name::parse("sam").unwrap();
    let Answer::Seat(Some(sam)) = block_on(mailbox.read(&Query::SeatOfPerson(name))).unwrap()
    else {
        panic!("nobody is there")
    };
    let page = Query::Ledger(Ledger::new(sam.seat, 25));
    let Answer::Ledger(page) = block_on(mailbox.read(&page)).unwrap() else {
        panic!("no page")
    };
    assert_eq!(page.entries[0].body, "hello");
    let error = try_send(&mailbox, sam.seat, "#open", "hello").unwrap_err();
    assert_eq!(error.kind(), MailErrorKind::Denied, "{error}");
    assert!(fs::write("/mnt/data/probe", b"").is_err());
}
