//! What a sweep leaves of the tables, and what it costs.

use super::steps::Counted;
use super::*;
use crate::mail::sqlite::cleanup::{going, remove};
use crate::mail::{Sightings, Sweep, Swept};

/// What is not whole: each has to find nothing.
const TORN: [&str; 6] = [
    "SELECT * FROM pragma_integrity_check WHERE integrity_check <> 'ok'",
    "SELECT * FROM pragma_foreign_key_check",
    "SELECT seq FROM post WHERE seq NOT IN (SELECT seq FROM message)",
    "SELECT name FROM room WHERE posts <> (SELECT count(*) FROM post WHERE room = room.id)",
    "SELECT seq FROM message WHERE seq NOT IN (SELECT seq FROM post)
         AND seq NOT IN (SELECT seq FROM delivery)",
    "SELECT seq FROM gap WHERE seq IN (SELECT seq FROM post WHERE room = gap.room)",
];

/// A session that is gone with its project, after it said so many words in `#open` and was sent as
/// many.
fn gone(mailbox: &SqliteMailbox, messages: usize) -> Sweep {
    let (seated, reader) = session(mailbox, 1);
    let sam = sam(mailbox).seat;
    for _ in 0..messages {
        send(mailbox, seated.seat, "#open", "ship it");
        send(mailbox, sam, &format!("@{}", seated.name), "ship it");
    }
    block_on(mailbox.change(&Change::Stand(reader))).unwrap();
    let seen = Sightings::new(seated.project.into_iter().collect(), Vec::new());
    let sweep = Sweep::new(seen, Duration::ZERO);
    assert_eq!(
        block_on(mailbox.sweep(sweep.clone())).unwrap(),
        Swept::default()
    );
    sweep
}

#[test]
fn a_sweep_leaves_the_tables_and_the_index_whole() {
    let scene = Scene::new();
    let mailbox = scene.open();
    sam(&mailbox);
    let sweep = gone(&mailbox, 6).most(5);
    let mut store = Store::open(&scene.dir(), Arc::new(scene.around.clone())).unwrap();
    let mut whole = |when: &str| {
        let conn = store.connection();
        for torn in TORN {
            assert!(
                !conn.prepare(torn).unwrap().exists([]).unwrap(),
                "{when}: {torn}"
            );
        }
        let check = "INSERT INTO words (words, rank) VALUES ('integrity-check', 1)";
        conn.execute(check, []).unwrap();
    };
    for all in [false, false, true, true] {
        block_on(mailbox.sweep(sweep.clone().all(all))).unwrap();
        whole(&format!("all: {all}"));
    }
    let left = block_on(mailbox.sweep(sweep.all(true).dry(true))).unwrap();
    assert_eq!(left, Swept::default());
}

#[test]
fn a_sweep_costs_the_same_whatever_else_there_is() {
    let mut steps = Vec::new();
    for messages in [90, 900] {
        let scene = Scene::new();
        let mailbox = scene.open();
        let (seated, _) = session(&mailbox, 2);
        let sam = sam(&mailbox).seat;
        for n in 0..messages {
            let to = if n % 2 == 0 {
                "#open"
            } else {
                &*format!("@{}", seated.name)
            };
            send(&mailbox, sam, to, "ship it");
        }
        let sweep = gone(&mailbox, 20).all(true);
        steps.push(Counted::open(&scene).steps(|store| {
            let swept = store.write(Durability::Normal, |tx, around| {
                let found = going(tx, &sweep, around)?;
                remove(tx, &sweep, found, around)
            });
            assert_eq!(swept.unwrap(), Swept::new(40, 1));
        }));
    }
    let [few, many] = steps[..] else {
        panic!("{steps:?}")
    };
    assert!(few > 1_000, "{few} steps are none");
    assert!(many * 10 <= few * 11, "{few} steps became {many}");
}
