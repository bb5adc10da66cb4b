//! Processes killed at any instant: what was answered is kept, and the store is whole.

#![expect(
    clippy::disallowed_methods,
    reason = "the test starts itself as a process that it can kill"
)]

use std::io::{BufRead as _, BufReader};
use std::process::{Command, Stdio};

use rusqlite::Connection;

use super::*;
use crate::mail::{RoomName, Wanted};

const STORE: &str = "ATTEND_TEST_STORE";

/// How many are killed.
const KILLS: u64 = 25;

/// What is not whole: each has to find nothing.
const TORN: [&str; 5] = [
    "SELECT * FROM pragma_integrity_check WHERE integrity_check <> 'ok'",
    "SELECT * FROM pragma_foreign_key_check",
    "SELECT seq FROM message WHERE
        (SELECT count(*) FROM delivery WHERE seq = message.seq AND named = 1) <> 1
        OR (SELECT count(*) FROM post WHERE seq = message.seq) <> 2",
    "SELECT name FROM room WHERE posts <> (SELECT count(*) FROM post WHERE room = room.id)",
    "SELECT room, n FROM post GROUP BY room, n HAVING count(*) > 1",
];

fn deploy() -> RoomName {
    RoomName::parse("deploy").unwrap()
}

/// What is killed: it sends to a seat and to two rooms, reads, joins and leaves, without end.
#[test]
#[ignore = "started by the test below"]
fn writer() {
    let Some(dir) = std::env::var_os(STORE) else {
        return;
    };
    let mailbox = SqliteMailbox::open(&PathBuf::from(dir), Arc::new(SystemAround::new())).unwrap();
    let sam = sam(&mailbox).seat;
    let (seated, reader) = session(&mailbox, 1);
    for n in 0.. {
        let draft = Draft::new(format!("n{n}"))
            .to(Address::parse(&format!("@{}", seated.name)).unwrap())
            .to(Address::parse("#open").unwrap())
            .to(Address::parse("#deploy").unwrap());
        let sender = Sender::Seat {
            seat: sam,
            session: None,
        };
        let receipt = block_on(mailbox.send(&Submission::new(sender, draft))).unwrap();
        // A line that is whole ends in a full stop.
        println!("\nsent {} n{n}.", receipt.seq.get());
        match n % 3 {
            0 => _ = block_on(mailbox.join(sam, deploy())).unwrap(),
            1 => _ = block_on(mailbox.leave(sam, deploy())).unwrap(),
            _ => {
                let request = ClaimRequest::new(reader.clone(), Wanted::Unread { most: 8 });
                let claim = block_on(mailbox.claim(&request)).unwrap();
                let seqs = claim.granted.iter().map(|granted| granted.seq);
                let settled = Settled::printed(reader.clone(), seqs);
                block_on(mailbox.settle(claim.id, &settled)).unwrap();
            }
        }
    }
}

/// Starts a writer, and kills it some time after so many of its messages were answered. Gives
/// the place and the words of each that was.
fn killed(scene: &Scene, answers: u64, moment: u64) -> Vec<(i64, String)> {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command
        .args([
            "--exact",
            "mail::sqlite::tests::killed::writer",
            "--ignored",
            "--nocapture",
        ])
        .env(STORE, scene.dir())
        .stdin(Stdio::null())
        .stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut sent = Vec::new();
    let mut note = |line: String| {
        let sent_one = line
            .strip_prefix("sent ")
            .and_then(|sent| sent.strip_suffix('.'));
        let Some((seq, body)) = sent_one.and_then(|sent| sent.split_once(' ')) else {
            return;
        };
        sent.push((seq.parse().unwrap(), body.to_owned()));
    };
    let mut left = answers;
    while left > 0 {
        let line = lines
            .next()
            .expect("it ends by no error of its own")
            .unwrap();
        left -= u64::from(line.starts_with("sent "));
        note(line);
    }
    for _ in 0..moment {
        std::thread::yield_now();
    }
    child.kill().unwrap();
    lines.map_while(Result::ok).for_each(note);
    child.wait().unwrap();
    sent
}

#[test]
fn whoever_is_killed_leaves_a_whole_store_and_all_that_was_answered() {
    let scene = Scene::new();
    let mailbox = scene.open();
    let sam = sam(&mailbox);
    block_on(mailbox.join(sam.seat, deploy())).unwrap();
    let mut dice = 0x9e37_79b9_7f4a_7c15_u64;
    let mut sent = Vec::new();
    for kill in 0..KILLS {
        dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        sent.extend(killed(&scene, kill % 5 + 1, (dice >> 33) % 4_000));
        let conn = Connection::open(scene.file()).unwrap();
        for torn in TORN {
            let found = conn.prepare(torn).unwrap().exists([]).unwrap();
            assert!(!found, "after {kill}: {torn}");
        }
        // The index of words holds what the messages say, and nothing else.
        let sql = "INSERT INTO words (words, rank) VALUES ('integrity-check', 1)";
        conn.execute(sql, []).unwrap();
        for (seq, body) in &sent {
            let kept = conn.query_row("SELECT body FROM message WHERE seq = ?", [seq], |row| {
                row.get::<_, String>(0)
            });
            assert_eq!(kept.as_deref(), Ok(body.as_str()), "after {kill}: {seq}");
        }
    }
    assert!(sent.len() as u64 >= KILLS);
    assert!(sent.is_sorted_by(|a, b| a.0 < b.0));
}
