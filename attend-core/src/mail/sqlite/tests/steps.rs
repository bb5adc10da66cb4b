//! What a look costs, in steps of the database's machine: the same whatever there is.

use std::sync::atomic::{AtomicU64, Ordering};

use super::*;
use crate::mail::sqlite::news::look;

/// A store without a thread, whose steps are counted.
pub(super) struct Counted {
    store: Store,
    steps: Arc<AtomicU64>,
}

impl Counted {
    pub(super) fn open(scene: &Scene) -> Self {
        let mut store = Store::open(&scene.dir(), Arc::new(scene.around.clone())).unwrap();
        let steps = Arc::new(AtomicU64::new(0));
        let counter = Arc::clone(&steps);
        let count = move || {
            counter.fetch_add(1, Ordering::Relaxed);
            false
        };
        store.connection().progress_handler(1, Some(count)).unwrap();
        Self { store, steps }
    }

    fn look(&mut self, reader: &Reader) -> u64 {
        self.steps(|store| {
            let waiting = store.read(|tx, around| look(tx, reader, 8, around));
            assert!(waiting.is_ok());
        })
    }

    /// How many steps something takes.
    pub(super) fn steps(&mut self, act: impl FnOnce(&mut Store)) -> u64 {
        let before = self.steps.load(Ordering::Relaxed);
        act(&mut self.store);
        self.steps.load(Ordering::Relaxed) - before
    }
}

/// Fills the store: each message to another seat, in `#open`, and in a room.
fn fill(mailbox: &SqliteMailbox, messages: usize, name: &str) {
    let sam = sam(mailbox).seat;
    for n in 0..messages {
        let to = match n % 3 {
            0 => format!("@{name}"),
            1 => "#open".to_owned(),
            _ => "#deploy".to_owned(),
        };
        send(mailbox, sam, &to, "ship it");
    }
}

fn take_all(mailbox: &SqliteMailbox, reader: &Reader) {
    loop {
        let letters = letters(mailbox, reader);
        if letters.is_empty() {
            return;
        }
        let seqs: Vec<_> = letters.iter().map(|letter| letter.seq).collect();
        let request = ClaimRequest::new(reader.clone(), crate::mail::Wanted::Print(seqs.clone()));
        let claim = block_on(mailbox.claim(&request)).unwrap();
        block_on(mailbox.settle(claim.id, &Settled::printed(reader.clone(), seqs))).unwrap();
    }
}

#[test]
fn a_look_with_nothing_new_costs_the_same_whatever_there_is() {
    let scene = Scene::new();
    let mailbox = scene.open();
    let (seated, reader) = session(&mailbox, 1);
    let deploy = crate::mail::RoomName::parse("deploy").unwrap();
    block_on(mailbox.join(seated.seat, deploy)).unwrap();
    let mut steps = Vec::new();
    for messages in [90, 900] {
        fill(&mailbox, messages, &seated.name);
        take_all(&mailbox, &reader);
        steps.push(Counted::open(&scene).look(&reader));
    }
    let [few, many] = steps[..] else {
        panic!("{steps:?}")
    };
    assert!(few > 20, "{few} steps are none");
    assert!(many * 10 <= few * 11, "{few} steps became {many}");
}

#[test]
fn a_look_behind_a_backlog_costs_by_what_it_gives() {
    let scene = Scene::new();
    let mailbox = scene.open();
    let (_, reader) = session(&mailbox, 1);
    let mut steps = Vec::new();
    for messages in [90, 900] {
        let sam = sam(&mailbox).seat;
        for _ in 0..messages {
            send(&mailbox, sam, "#open", "ship it");
        }
        steps.push(Counted::open(&scene).look(&reader));
    }
    let [few, many] = steps[..] else {
        panic!("{steps:?}")
    };
    assert!(many * 10 <= few * 11, "{few} steps became {many}");
}
