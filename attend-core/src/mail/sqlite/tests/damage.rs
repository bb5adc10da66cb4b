//! Stores that are damaged, foreign, or of another version: said, and never made worse.

use std::fs;

use rusqlite::Connection;

use super::*;
use crate::mail::{Answer, Ledger, Query};

/// A closed store with some mail in it, in one file.
fn filled() -> Scene {
    let scene = Scene::new();
    {
        let mailbox = scene.open();
        let (seated, _) = session(&mailbox, 1);
        let sam = sam(&mailbox).seat;
        for n in 0..50 {
            let to = if n % 2 == 0 {
                "#open"
            } else {
                &format!("@{}", seated.name)
            };
            send(&mailbox, sam, to, &format!("message {n}"));
        }
    }
    let conn = Connection::open(scene.file()).unwrap();
    conn.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)")
        .unwrap();
    scene
}

/// Everything that may be asked; each thing is answered or refused.
fn use_it(scene: &Scene) -> Vec<MailError> {
    let mailbox = match scene.try_open() {
        Ok(mailbox) => mailbox,
        Err(error) => return vec![error],
    };
    let mut errors = Vec::new();
    let sitter = Sitter::Person(Name::parse("sam").unwrap());
    match block_on(mailbox.sit(sitter)) {
        Err(error) => errors.push(error),
        Ok(sam) => {
            errors.extend(try_send(&mailbox, sam.seat, "#open", "hello").err());
            errors.extend(block_on(mailbox.unread(sam.seat)).err());
            let page = Query::Ledger(Ledger::new(sam.seat, 25));
            errors.extend(block_on(mailbox.read(&page)).err());
        }
    }
    errors.extend(block_on(mailbox.read(&Query::Seats)).err());
    errors
}

#[test]
fn a_file_that_is_no_store_is_left_as_it_is() {
    for garbage in [
        &b"not a database, but a diary of some length"[..],
        &[0xff; 8_192],
    ] {
        let scene = Scene::new();
        fs::create_dir(scene.dir()).unwrap();
        fs::write(scene.file(), garbage).unwrap();
        let error = scene.try_open().unwrap_err();
        assert_eq!(error.kind(), MailErrorKind::Damaged, "{error}");
        assert!(error.to_string().contains("mail.db"), "{error}");
        assert!(error.to_string().contains("elsewhere"), "{error}");
        assert_eq!(fs::read(scene.file()).unwrap(), garbage);
    }
}

#[test]
fn a_truncated_store_is_said_to_be_damaged() {
    let whole = fs::metadata(filled().file()).unwrap().len();
    let mut found = 0;
    for share in 1..8 {
        let scene = filled();
        let file = fs::OpenOptions::new()
            .write(true)
            .open(scene.file())
            .unwrap();
        file.set_len(whole * share / 8).unwrap();
        for error in use_it(&scene) {
            assert_eq!(error.kind(), MailErrorKind::Damaged, "{share}/8: {error}");
            found += 1;
        }
    }
    assert!(found > 0);
}

#[test]
fn flipped_bits_end_in_an_answer_or_an_error() {
    let bytes = fs::read(filled().file()).unwrap();
    let mut damaged = 0;
    for n in 0_usize..60 {
        let scene = Scene::new();
        fs::create_dir(scene.dir()).unwrap();
        let mut flipped = bytes.clone();
        for bit in 0..40 {
            let at = (n * 7_919 + bit * 104_729) % flipped.len();
            flipped[at] ^= 1 << (bit % 8);
        }
        fs::write(scene.file(), flipped).unwrap();
        damaged += use_it(&scene).len();
    }
    assert!(damaged > 0, "none of it was ever noticed");
}

#[test]
fn a_look_through_all_of_it_finds_a_page_that_holds_something_else() {
    let scene = filled();
    let check = |scene: &Scene| {
        let mailbox = scene.existing().unwrap().expect("a store");
        block_on(mailbox.check())
    };
    assert_eq!(check(&scene), Ok(()));
    let conn = Connection::open(scene.file()).unwrap();
    let all = "PRAGMA wal_checkpoint(TRUNCATE)";
    conn.query_row(all, [], |_| Ok(())).unwrap();
    let root = "SELECT rootpage FROM sqlite_schema WHERE name = 'message'";
    let page: u32 = conn.query_row(root, [], |row| row.get(0)).unwrap();
    let page = page as usize;
    drop(conn);
    let mut bytes = fs::read(scene.file()).unwrap();
    bytes[(page - 1) * 4_096..page * 4_096].fill(0x55);
    fs::write(scene.file(), bytes).unwrap();
    let error = check(&scene).unwrap_err();
    assert_eq!(error.kind(), MailErrorKind::Damaged);
    assert!(error.to_string().contains("; move it and "), "{error}");
}

#[test]
fn the_database_of_another_program_is_refused_and_left_alone() {
    let scene = Scene::new();
    fs::create_dir(scene.dir()).unwrap();
    for version in [0, 7, 1_001, 2_000] {
        let conn = Connection::open(scene.file()).unwrap();
        conn.execute_batch("CREATE TABLE IF NOT EXISTS mine (x)")
            .unwrap();
        conn.pragma_update(None, "user_version", version).unwrap();
        drop(conn);
        let before = fs::read(scene.file()).unwrap();
        for refused in [scene.try_open().map(|_| ()), scene.existing().map(|_| ())] {
            let error = refused.unwrap_err();
            assert_eq!(error.kind(), MailErrorKind::Damaged, "{version}: {error}");
            assert!(error.to_string().contains("another program"), "{error}");
        }
        assert_eq!(fs::read(scene.file()).unwrap(), before);
    }
}

#[test]
fn a_store_of_a_newer_kind_is_refused_and_a_newer_addition_is_not() {
    let scene = filled();
    let set = |version: i64| {
        let conn = Connection::open(scene.file()).unwrap();
        conn.pragma_update(None, "user_version", version).unwrap();
    };
    set(1_001);
    assert_eq!(use_it(&scene), []);
    let conn = Connection::open(scene.file()).unwrap();
    let kept: i64 = conn
        .query_row("PRAGMA user_version", [], |row| row.get(0))
        .unwrap();
    assert_eq!(kept, 1_001, "an older attend leaves the version alone");
    drop(conn);
    set(2_000);
    let error = scene.try_open().unwrap_err();
    assert_eq!(error.kind(), MailErrorKind::Newer);
    assert!(scene.existing().is_err());
    set(1_000);
    let mailbox = scene.open();
    let page = Query::Ledger(Ledger::new(sam(&mailbox).seat, 100));
    let Answer::Ledger(page) = block_on(mailbox.read(&page)).unwrap() else {
        panic!("no page")
    };
    assert_eq!(page.entries.len(), 51, "nothing was lost");
}
