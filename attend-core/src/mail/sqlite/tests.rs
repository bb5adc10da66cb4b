//! The durable store on real files.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use futures::executor::block_on;
use tempfile::TempDir;

use super::*;
use crate::mail::{
    Address, Draft, Letter, MailboxExt, Name, Place, SeatId, Seated, Sender, Sitter, Waiting,
};
use crate::runtime::system::SystemAround;

mod contract;

mod damage;

mod disk;

mod files;

mod killed;

mod searched;

mod steps;

mod still;

mod swept;

/// A store of its own, in a directory of its own.
struct Scene {
    home: TempDir,
    around: SystemAround,
}

impl Scene {
    fn new() -> Self {
        Self {
            home: tempfile::tempdir().unwrap(),
            around: SystemAround::new(),
        }
    }

    fn dir(&self) -> PathBuf {
        self.home.path().join("data")
    }

    fn file(&self) -> PathBuf {
        self.dir().join("mail.db")
    }

    fn try_open(&self) -> Result<SqliteMailbox, MailError> {
        SqliteMailbox::open(&self.dir(), Arc::new(self.around.clone()))
    }

    fn open(&self) -> SqliteMailbox {
        self.try_open().unwrap()
    }

    fn existing(&self) -> Result<Option<SqliteMailbox>, MailError> {
        SqliteMailbox::existing(&self.dir(), Arc::new(self.around.clone()))
    }
}

fn sam(mailbox: &SqliteMailbox) -> Seated {
    let sam = Sitter::Person(Name::parse("sam").unwrap());
    block_on(mailbox.sit(sam)).unwrap()
}

/// A session of this process, number `n`, in a project of its own.
fn session(mailbox: &SqliteMailbox, n: u64) -> (Seated, Reader) {
    let around = SystemAround::new();
    let mut process = around.process(std::process::id());
    process.namespace += n;
    let place = Place::new(format!("/projects/{n}"), format!("/projects/{n}"));
    let session = format!("session-{n}");
    let seated = block_on(mailbox.sit(Sitter::Session {
        session: session.clone(),
        process: process.clone(),
        place,
    }))
    .unwrap();
    let reader = seated.reader(session, around.process(std::process::id()));
    (seated, reader)
}

fn try_send(
    mailbox: &SqliteMailbox,
    from: SeatId,
    to: &str,
    body: &str,
) -> Result<Receipt, MailError> {
    let sender = Sender::Seat {
        seat: from,
        session: None,
    };
    let draft = Draft::new(body).to(Address::parse(to).unwrap());
    block_on(mailbox.send(&Submission::new(sender, draft)))
}

fn send(mailbox: &SqliteMailbox, from: SeatId, to: &str, body: &str) -> Receipt {
    try_send(mailbox, from, to, body).unwrap()
}

/// What is new for a reader, one by one.
fn letters(mailbox: &SqliteMailbox, reader: &Reader) -> Vec<Letter> {
    match block_on(mailbox.look(reader, 1_000)).unwrap() {
        Waiting::Few(letters) => letters,
        Waiting::Many { .. } => panic!("more than a thousand"),
    }
}

#[test]
fn what_was_sent_is_there_after_everybody_has_gone() {
    let scene = Scene::new();
    let body = "1 👩‍👩‍👧 漢字\r\n\0|\u{1b}[31m\u{202e}end";
    {
        let mailbox = scene.open();
        let (seated, _) = session(&mailbox, 1);
        send(
            &mailbox,
            sam(&mailbox).seat,
            &format!("@{}", seated.name),
            body,
        );
    }
    let mailbox = scene.existing().unwrap().unwrap();
    let (_, reader) = session(&mailbox, 1);
    let letters = letters(&mailbox, &reader);
    assert_eq!(letters.len(), 1);
    assert_eq!(letters[0].body, body);
}

#[test]
fn many_threads_and_stores_share_one_file() {
    let scene = Scene::new();
    let (_, reader) = session(&scene.open(), 1);
    let name = session(&scene.open(), 1).0.name;
    std::thread::scope(|scope| {
        for writer in 0..8 {
            let (scene, name) = (&scene, &name);
            scope.spawn(move || {
                let mailbox = scene.open();
                let sam = sam(&mailbox).seat;
                for n in 0..25 {
                    send(&mailbox, sam, &format!("@{name}"), &format!("{writer} {n}"));
                }
            });
        }
    });
    let mailbox = scene.open();
    let letters = letters(&mailbox, &reader);
    assert_eq!(letters.len(), 200);
    assert!(letters.is_sorted_by_key(|letter| letter.seq));
    for writer in 0..8 {
        let own = letters
            .iter()
            .filter(|letter| letter.body.starts_with(&format!("{writer} ")));
        let own: Vec<&str> = own.map(|letter| letter.body.as_str()).collect();
        let sent: Vec<String> = (0..25).map(|n| format!("{writer} {n}")).collect();
        assert_eq!(own, sent);
    }
}

#[test]
fn the_log_stays_short_where_nobody_keeps_the_store_open() {
    let scene = Scene::new();
    let seat = sam(&scene.open()).seat;
    for n in 0..200 {
        send(&scene.open(), seat, "#open", &n.to_string());
    }
    let log = scene.file().with_extension("db-wal");
    let log = std::fs::metadata(log).unwrap().len();
    // A page with its head, and what the last message wrote beyond the bound.
    let longest = u64::try_from(log::LOG).unwrap() * (4_096 + 24) * 3 / 2;
    assert!((1..longest).contains(&log), "{log} bytes");
}

#[test]
fn a_reader_that_stands_still_holds_up_nobody() {
    let scene = Scene::new();
    let mailbox = scene.open();
    let seat = sam(&mailbox).seat;
    let still = rusqlite::Connection::open(scene.file()).unwrap();
    let count = "SELECT count(*) FROM message";
    still.execute_batch("BEGIN").unwrap();
    let read = || still.query_row(count, [], |row| row.get::<_, i64>(0));
    assert_eq!(read(), Ok(0));
    let (done, all_sent) = mpsc::channel();
    std::thread::spawn(move || {
        for n in 0..200 {
            send(&mailbox, seat, "#open", &n.to_string());
        }
        done.send(()).unwrap();
    });
    // Who waited for the reader would wait ten seconds each time.
    assert_eq!(all_sent.recv_timeout(Duration::from_mins(1)), Ok(()));
    assert_eq!(read(), Ok(0), "it goes on with what it began with");
    still.execute_batch("COMMIT").unwrap();
    assert_eq!(read(), Ok(200));
}

#[test]
fn a_store_that_is_not_there_is_none() {
    let scene = Scene::new();
    assert!(scene.existing().unwrap().is_none());
    std::fs::create_dir(scene.dir()).unwrap();
    assert!(scene.existing().unwrap().is_none());
    assert!(!scene.file().exists(), "asking makes nothing");
}
