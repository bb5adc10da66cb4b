//! Two mailboxes that are asked the same have to answer the same.

mod op;

mod chance;

mod chosen;

mod side;

mod later;

mod ask;

use self::chance::Chance;
use self::side::Side;
use super::FakeAround;
use crate::mail::Mailbox;

/// How many operations before a difference are told.
const TOLD: usize = 12;

/// Does the same random operations to two mailboxes and compares every answer: sending, claiming,
/// settling, sitting down and leaving, rooms, mutes, evidence, reminders, pages, sweeps, while
/// processes end, clocks step and machines start anew.
///
/// After each operation it compares what is new, unread, awaited, muted and yet to come at every
/// seat. A sweep that leaves alone what is unread must leave that as it was, and one that only
/// counts everything.
///
/// Numbers and ids that a mailbox chooses may differ, as long as they are equal where the other's
/// are. Errors are compared by their kind. One `seed` always gives the same operations.
///
/// ```
/// use std::sync::Arc;
/// use attend_core::mail::{Mailbox, MemoryMailbox};
/// use attend_core::testkit::{FakeAround, mailboxes_agree};
///
/// let make = |around: FakeAround| Box::new(MemoryMailbox::new(Arc::new(around))) as Box<dyn Mailbox>;
/// mailboxes_agree(1, 50, make, make);
/// ```
///
/// # Panics
///
/// At the first difference, with the operations that led to it.
pub fn mailboxes_agree(
    seed: u64,
    steps: usize,
    one: impl Fn(FakeAround) -> Box<dyn Mailbox>,
    other: impl Fn(FakeAround) -> Box<dyn Mailbox>,
) {
    let mut chance = Chance::new(seed);
    let mut sides = (Side::new(&one), Side::new(&other));
    let mut done = Vec::new();
    for step in 0..steps {
        let op = chance.op();
        done.push(format!("{op:?}"));
        let answers = (sides.0.apply(&op), sides.1.apply(&op));
        if answers.0 != answers.1 {
            let last = done.len().saturating_sub(TOLD);
            panic!(
                "seed {seed}, step {step}: the mailboxes differ\none:   {}\nother: {}\nafter:\n- {}",
                answers.0,
                answers.1,
                done[last..].join("\n- ")
            );
        }
    }
}
