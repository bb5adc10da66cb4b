//! The durable store keeps the contract, and does what the store in memory does.

use std::cell::RefCell;

use super::*;
use crate::mail::{Mailbox, MemoryMailbox};
use crate::testkit::{FakeAround, mailbox_conformance, mailboxes_agree};

/// Makes stores in fresh directories, which last as long as this.
#[derive(Default)]
struct Homes(RefCell<Vec<TempDir>>);

impl Homes {
    fn make(&self, around: FakeAround) -> Box<dyn Mailbox> {
        let home = tempfile::tempdir().unwrap();
        let mailbox = SqliteMailbox::open(&home.path().join("data"), Arc::new(around)).unwrap();
        self.0.borrow_mut().push(home);
        Box::new(mailbox)
    }
}

fn memory(around: FakeAround) -> Box<dyn Mailbox> {
    Box::new(MemoryMailbox::new(Arc::new(around)))
}

#[test]
fn it_keeps_the_contract() {
    let homes = Homes::default();
    mailbox_conformance(|around| homes.make(around));
}

/// Set `ATTEND_HISTORIES` at build time to try more.
#[test]
fn it_does_what_the_store_in_memory_does() {
    let first = option_env!("ATTEND_FIRST").map_or(0, |n| n.parse().unwrap());
    let histories = option_env!("ATTEND_HISTORIES").map_or(12, |n| n.parse().unwrap());
    for seed in first..first + histories {
        let homes = Homes::default();
        mailboxes_agree(seed, 150, memory, |around| homes.make(around));
    }
}
