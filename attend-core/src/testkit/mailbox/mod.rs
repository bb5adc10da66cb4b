//! Checks that a mailbox keeps the contract, whatever stands behind it.

mod words;

mod desk;

mod later;

mod addressing;

mod delivery;

mod keys;

mod bodies;

mod seats;

mod epochs;

mod handover;

mod claims;

mod leases;

mod digest;

mod rooms;

mod evidence;

mod missed;

mod tracking;

mod reminders;

mod looks;

mod ledger;

mod told;

mod together;

mod mutes;

mod quiet;

mod cleanup;

mod agree;
pub use agree::mailboxes_agree;

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use self::desk::{Check, Desk};
use super::around::FakeAround;
use crate::mail::Mailbox;

/// The rules, by what they are about.
const RULES: [&[Check]; 22] = [
    addressing::CHECKS,
    delivery::CHECKS,
    keys::CHECKS,
    bodies::CHECKS,
    seats::CHECKS,
    epochs::CHECKS,
    handover::CHECKS,
    claims::CHECKS,
    leases::CHECKS,
    digest::CHECKS,
    rooms::CHECKS,
    evidence::CHECKS,
    missed::CHECKS,
    tracking::CHECKS,
    reminders::CHECKS,
    looks::CHECKS,
    ledger::CHECKS,
    told::CHECKS,
    together::CHECKS,
    mutes::CHECKS,
    quiet::CHECKS,
    cleanup::CHECKS,
];

/// Checks that the mailboxes which `make` builds keep the contract of [`Mailbox`], rule by rule:
/// each on a fresh and empty mailbox, on a machine of its own whose clock and processes it moves.
///
/// No runtime is needed, as every call is waited for on the spot; a store that brings threads of
/// its own may.
///
/// ```
/// use std::sync::Arc;
/// use attend_core::mail::MemoryMailbox;
/// use attend_core::testkit::mailbox_conformance;
///
/// mailbox_conformance(|around| Box::new(MemoryMailbox::new(Arc::new(around))));
/// ```
///
/// # Panics
///
/// Where a rule is broken, after all of them were checked. The message names each rule that is
/// broken, with what was seen.
pub fn mailbox_conformance(make: impl Fn(FakeAround) -> Box<dyn Mailbox>) {
    let mut broken = Vec::new();
    for (rule, check) in RULES.into_iter().flatten() {
        let checked = catch_unwind(AssertUnwindSafe(|| check(&Desk::new(&make))));
        if let Err(panic) = checked {
            broken.push(format!("{rule}: {}", said(panic.as_ref())));
        }
    }
    assert!(
        broken.is_empty(),
        "this mailbox breaks {} of the rules:\n- {}",
        broken.len(),
        broken.join("\n- ")
    );
}

/// The words of a panic.
fn said(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied())
        .unwrap_or("a panic without words")
}
