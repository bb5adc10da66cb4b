//! Reminders: words that wait, and become a message to the seat that wrote them.

use std::time::SystemTime;

use rusqlite::{OptionalExtension, Transaction};

use super::column::{named_params, params};
use super::error::Done;
use super::row::{count, kind_number, list_text, nanos, stage, tray, via, wall_nanos, wall_time};
use super::seen::known;
use super::send::{boot, free_id};
use crate::mail::around::Around;
use crate::mail::check::check_body;
use crate::mail::envelope::{MessageId, SenderKind, Seq};
use crate::mail::error::MailError;
use crate::mail::reminder::{MOST_DUE, MOST_REMINDERS, Reminder, SPACE};
use crate::mail::seat::SeatId;

pub(super) fn remind(
    tx: &Transaction<'_>,
    seat: SeatId,
    (due, text): (SystemTime, &str),
    around: &dyn Around,
) -> Done<MessageId> {
    known(tx, seat)?;
    check_body(text)?;
    let mut sql = tx.prepare_cached("SELECT count(*) FROM reminder WHERE seat = ?")?;
    let waiting: i64 = sql.query_row(params![seat], |row| row.get(0))?;
    if count(waiting) >= MOST_REMINDERS as u64 {
        return Err(MailError::too_many_reminders().into());
    }
    let id = free_id(tx, around)?;
    tx.prepare_cached("INSERT INTO reminder (id, seat, due, text) VALUES (?, ?, ?, ?)")?
        .execute(params![id.as_str(), seat, wall_nanos(due), text])?;
    Ok(id)
}

pub(super) fn cancel(tx: &Transaction<'_>, seat: SeatId, id: &MessageId) -> Done<bool> {
    known(tx, seat)?;
    let mut sql = tx.prepare_cached("DELETE FROM reminder WHERE id = ? AND seat = ?")?;
    Ok(sql.execute(params![id.as_str(), seat])? > 0)
}

/// The reminders of a seat, the next one first.
pub(super) fn reminders(tx: &Transaction<'_>, seat: SeatId) -> Done<Vec<Reminder>> {
    first(tx, seat, i64::MAX, MOST_REMINDERS)
}

/// Those of a seat that are due at `until`, in nanoseconds since 1970, the oldest `most`.
fn first(tx: &Transaction<'_>, seat: SeatId, until: i64, most: usize) -> Done<Vec<Reminder>> {
    let mut sql = tx.prepare_cached(
        "SELECT id, due, text FROM reminder INDEXED BY reminder_due
         WHERE seat = ? AND due <= ? ORDER BY due, id LIMIT ?",
    )?;
    let most = i64::try_from(most).unwrap_or(i64::MAX);
    let reminders = sql.query_map(params![seat, until, most], |row| {
        let id = MessageId::new(row.get::<_, String>(0)?);
        let due = wall_time(row.get(1)?);
        Ok(Reminder::new(id, due, row.get::<_, String>(2)?))
    })?;
    Ok(reminders.collect::<Result<_, _>>()?)
}

/// When the next reminder of a seat is due.
pub(super) fn next_due(tx: &Transaction<'_>, seat: SeatId) -> Done<Option<SystemTime>> {
    let mut sql = tx.prepare_cached(
        "SELECT due FROM reminder INDEXED BY reminder_due WHERE seat = ? ORDER BY due LIMIT 1",
    )?;
    let due = sql.query_row(params![seat], |row| row.get(0)).optional()?;
    Ok(due.map(wall_time))
}

/// Sends what is due, each once, the oldest first: the reminder goes in the same transaction.
pub(super) fn send_due(tx: &Transaction<'_>, seat: SeatId, around: &dyn Around) -> Done<u64> {
    known(tx, seat)?;
    let due = first(tx, seat, wall_nanos(around.wall()), MOST_DUE)?;
    for reminder in &due {
        cancel(tx, seat, &reminder.id)?;
        become_message(tx, seat, reminder, around)?;
    }
    Ok(due.len() as u64)
}

fn become_message(
    tx: &Transaction<'_>,
    seat: SeatId,
    reminder: &Reminder,
    around: &dyn Around,
) -> Done<()> {
    let mut sql = tx.prepare_cached("SELECT name, project IS NULL FROM seat WHERE id = ?")?;
    let (name, is_person): (String, bool) =
        sql.query_row(params![seat], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let kind = if is_person {
        SenderKind::Person
    } else {
        SenderKind::Agent
    };
    let body = reminder.body(around.wall());
    // Without a session it is no session's own: whoever sits there hears of it.
    let mut sql = tx.prepare_cached(
        "INSERT INTO message (id, sent_at, boot, up, sender, kind, seat, addressees, space, key, asked, body)
         VALUES (:id, :sent_at, :boot, :up, :sender, :kind, :seat, :addressees, :space, :key, '[]', :body)",
    )?;
    sql.execute(named_params! {
        ":id": reminder.id.as_str(),
        ":sent_at": wall_nanos(around.wall()),
        ":boot": boot(tx, &around.boot_id())?,
        ":up": nanos(around.boot()),
        ":sender": name,
        ":kind": kind_number(kind),
        ":seat": seat,
        ":addressees": list_text(&[format!("@{name}")]),
        ":space": SPACE,
        ":key": reminder.key(),
        ":body": body,
    })?;
    let seq = Seq::new(count(tx.last_insert_rowid()));
    tx.prepare_cached("INSERT INTO words (rowid, body) VALUES (?, ?)")?
        .execute(params![seq, body])?;
    tx.prepare_cached(
        "INSERT INTO delivery (tray, seq, state, via, posted, named) VALUES (?, ?, ?, ?, 0, 1)",
    )?
    .execute(params![tray(seat), seq, stage::NEW, via::SEAT])?;
    Ok(())
}
