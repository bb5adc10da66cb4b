//! A search that may only look so far at once: page by page it finds everything.

use rusqlite::Connection;

use super::*;
use crate::mail::{Before, Ledger, MessageId};

/// All positions that pages within `bounds` find, one page after another, and how many pages.
fn all(
    conn: &mut Connection,
    seat: SeatId,
    words: &str,
    bounds: &search::Bounds,
) -> (Vec<u64>, usize) {
    let tx = conn.transaction().unwrap();
    let mut ledger = Ledger::new(seat, 3);
    ledger.words = (!words.is_empty()).then(|| words.to_owned());
    let (mut found, mut pages) = (Vec::new(), 0);
    loop {
        let (page, next) = search::page_within(&tx, &ledger, bounds).unwrap();
        assert!(page.is_sorted() && page.len() <= 3, "{page:?}");
        found.extend(page.iter().rev().map(|seq| seq.get()));
        pages += 1;
        let Some(next) = next else {
            return (found, pages);
        };
        let id = "SELECT id FROM message WHERE seq = ?";
        let id: String = tx
            .query_row(id, [next.get().cast_signed()], |row| row.get(0))
            .unwrap();
        ledger.before = Some(Before::Id(MessageId::parse(&id).unwrap()));
    }
}

#[test]
fn pages_that_stop_early_miss_nothing_and_end() {
    let scene = Scene::new();
    let mailbox = scene.open();
    let sam = sam(&mailbox).seat;
    let mut fit: Vec<u64> = Vec::new();
    for n in 1..=120 {
        let body = match n % 4 {
            0 => "the deploy waits",
            1 => "the build is green",
            2 if n % 40 == 2 => "a deployed build is greener",
            _ => "nothing",
        };
        let seq = send(&mailbox, sam, "#open", body).seq;
        if body.contains("deployed") {
            fit.insert(0, seq.get());
        }
    }
    let mut conn = Connection::open(scene.dir().join("mail.db")).unwrap();
    let everything = search::Bounds {
        most: 1_000,
        newest: 1_000,
        tried: 0,
        named: 0,
    };
    assert_eq!(
        all(&mut conn, sam, "dep green", &everything),
        (fit.clone(), 1)
    );
    let (mut cut, mut whole) = (0, 0);
    for newest in [1, 7] {
        for (tried, named) in [(0, 1), (1, 2), (5, 40)] {
            let bounds = search::Bounds {
                most: 10,
                newest,
                tried,
                named,
            };
            let (found, pages) = all(&mut conn, sam, "dep green", &bounds);
            assert_eq!(found, fit, "{newest} {tried} {named}");
            cut += usize::from(pages > 1);
            whole += usize::from(pages == 1);
            let (found, _) = all(&mut conn, sam, "", &bounds);
            assert_eq!(found.len(), 120, "without words, too");
            let (found, _) = all(&mut conn, sam, "nowhere green", &bounds);
            assert_eq!(found, [0; 0]);
        }
    }
    assert!(cut > 0 && whole > 0, "{cut} cut, {whole} whole");
    let none = all(&mut conn, sam, "deployed waits", &everything);
    assert_eq!(none, (Vec::new(), 1));
}
