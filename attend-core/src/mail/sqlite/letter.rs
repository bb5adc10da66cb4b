//! Messages as one of their addressees sees them.

use rusqlite::{OptionalExtension, Transaction};

use super::column::params;
use super::error::Done;
use super::row::{ENTRY, entry, tray};
use crate::mail::envelope::{Letter, Seq};
use crate::mail::seat::SeatId;

/// The messages at these positions, in their order, as a seat sees them.
pub(super) fn letters(
    tx: &Transaction<'_>,
    seat: SeatId,
    seqs: impl IntoIterator<Item = Seq>,
) -> Done<Vec<Letter>> {
    let mut messages = tx.prepare_cached(&format!("SELECT {ENTRY} FROM message WHERE seq = ?"))?;
    let mut rows = tx.prepare_cached("SELECT named FROM delivery WHERE tray = ? AND seq = ?")?;
    let mut letters = Vec::new();
    for at in seqs {
        let Some(entry) = messages.query_row(params![at], entry).optional()? else {
            continue;
        };
        let named = rows.query_row(params![tray(seat), at], |row| row.get(0));
        let named: i64 = named.optional()?.unwrap_or(0);
        let to = to(&entry.to, named);
        let letter = Letter::new(entry.seq, entry.id, entry.from, to, entry.body);
        letters.push(letter.sent_by(entry.kind));
    }
    Ok(letters)
}

/// The addressees as one of them sees them, who is called by those in `named`.
fn to(addressees: &[String], named: i64) -> String {
    let mut to: Vec<&str> = Vec::new();
    for (index, address) in addressees.iter().enumerate() {
        let address = if named & (1 << index) == 0 {
            address
        } else {
            "you"
        };
        if !to.contains(&address) {
            to.push(address);
        }
    }
    to.sort_by_key(|address| *address != "you");
    to.join(", ")
}
