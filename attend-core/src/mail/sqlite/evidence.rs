//! Seen, not only printed: what is awaited, what is missed, and when nobody looks any more.

use std::time::Duration;

use rusqlite::{OptionalExtension, Transaction};

use super::column::params;
use super::error::Done;
use super::row::{count, number, seq, stage, tray};
use super::seen::{fence, known};
use crate::mail::around::Around;
use crate::mail::envelope::{MessageId, Seq};
use crate::mail::evidence::{Awaited, Awaiting, Evidence, MOST_MISSED, MOST_SHOWN, Tracking};
use crate::mail::seat::{Reader, SeatId};

/// What is known of the evidence in one session.
#[derive(Clone, Copy, Default)]
struct Track {
    /// How many showings in a row were missed.
    missed: u32,
    is_off: bool,
    /// Up to where the host's record was read.
    read: Option<u64>,
}

/// The rows that were shown to a session, and that may still turn out to be seen.
const AWAITED: [&str; 2] = [
    "FROM delivery INDEXED BY delivery_awaited WHERE tray = ?1 AND state = 2 AND session = ?2",
    "FROM delivery INDEXED BY delivery_again
     WHERE tray = ?1 AND state = 0 AND shown > 0 AND session = ?2",
];

fn track(tx: &Transaction<'_>, session: &str) -> Done<Track> {
    let mut sql = tx.prepare_cached("SELECT missed, untracked, read FROM session WHERE id = ?")?;
    let found = sql.query_row([session], |row| {
        Ok(Track {
            missed: row.get(0)?,
            is_off: row.get(1)?,
            read: row.get::<_, Option<i64>>(2)?.map(count),
        })
    });
    Ok(found.optional()?.unwrap_or_default())
}

pub(super) fn is_tracked(tx: &Transaction<'_>, session: &str) -> Done<bool> {
    Ok(!track(tx, session)?.is_off)
}

/// Whether anything that was shown to the reader's session may still turn out to be seen.
pub(super) fn is_awaited(tx: &Transaction<'_>, reader: &Reader) -> Done<bool> {
    for rows in AWAITED {
        let mut sql = tx.prepare_cached(&format!("SELECT 1 {rows} LIMIT 1"))?;
        if sql.exists(params![tray(reader.seat), reader.session])? {
            return Ok(true);
        }
    }
    Ok(false)
}

pub(super) fn awaited(
    tx: &Transaction<'_>,
    reader: &Reader,
    around: &dyn Around,
) -> Done<Awaiting> {
    known(tx, reader.seat)?;
    let mut messages = Vec::new();
    for rows in AWAITED {
        let mut sql = tx.prepare_cached(&format!(
            "SELECT seq, state, shown, shown_at,
                 (SELECT id FROM message WHERE message.seq = delivery.seq),
                 (SELECT name FROM boot WHERE boot.id = shown_boot) {rows}"
        ))?;
        let found = sql.query_map(params![tray(reader.seat), reader.session], |row| {
            let at: Option<i64> = row.get(3)?;
            let boot: Option<String> = row.get(5)?;
            let is_here = boot.is_some_and(|boot| boot == around.boot_id());
            let at = at.filter(|_| is_here).map(count).map(Duration::from_nanos);
            let age = at.map(|at| around.boot().saturating_sub(at));
            let id = MessageId::new(row.get::<_, String>(4)?);
            let mut awaited = Awaited::new(id, seq(row, 0)?, row.get(2)?, age);
            awaited.is_open = row.get::<_, i64>(1)? != stage::NEW;
            Ok(awaited)
        })?;
        for awaited in found {
            messages.push(awaited?);
        }
    }
    messages.sort_by_key(|awaited| awaited.seq);
    let track = track(tx, &reader.session)?;
    Ok(Awaiting::new(messages, track.read, !track.is_off))
}

pub(super) fn evidence(
    tx: &Transaction<'_>,
    found: &Evidence,
    around: &dyn Around,
) -> Done<Tracking> {
    let reader = &found.reader;
    known(tx, reader.seat)?;
    if !found.missing.is_empty() {
        fence(tx, reader, around)?;
    }
    let (tray, session) = (tray(reader.seat), &reader.session);
    let mut track = track(tx, session)?;
    let was_off = track.is_off;
    track.read = found.read.or(track.read);
    let mut sql = tx.prepare_cached(
        "UPDATE delivery SET state = 5
         WHERE tray = ? AND seq = ? AND session = ? AND state IN (0, 1, 2, 3, 4)",
    )?;
    let mut last_seen = None;
    for at in &found.seen {
        if sql.execute(params![tray, at, session])? > 0 {
            track.missed = 0;
            last_seen = last_seen.max(Some(*at));
        }
    }
    let mut sql = tx.prepare_cached(
        "UPDATE delivery SET state = iif(shown < ?5, 0, 4)
         WHERE tray = ?1 AND seq = ?2 AND session = ?3 AND state = 2 AND shown = ?4",
    )?;
    for (at, shown) in &found.missing {
        let is_missed = sql.execute(params![tray, at, session, shown, MOST_SHOWN])? > 0;
        // What came before something that was seen is not in a row with what comes.
        if is_missed && last_seen < Some(*at) {
            track.missed = track.missed.saturating_add(1);
        }
    }
    track.is_off |= track.missed >= MOST_MISSED;
    if track.is_off && !was_off {
        settle_for_printed(tx, reader)?;
    }
    keep(tx, reader.seat, session, track)?;
    Ok(match (was_off, track.is_off) {
        (_, false) => Tracking::On,
        (false, true) => Tracking::Ended,
        (true, true) => Tracking::Off,
    })
}

fn keep(tx: &Transaction<'_>, seat: SeatId, session: &str, track: Track) -> Done<()> {
    let read = track.read.map(number);
    tx.prepare_cached(
        "INSERT INTO session (id, seat, missed, untracked, read) VALUES (?1, ?2, ?3, ?4, ?5)
         ON CONFLICT DO UPDATE SET missed = ?3, untracked = ?4, read = ?5",
    )?
    .execute(params![session, seat, track.missed, track.is_off, read])?;
    Ok(())
}

/// From now on nobody looks for evidence: what was shown is done, also where somebody is about to
/// show it again.
fn settle_for_printed(tx: &Transaction<'_>, reader: &Reader) -> Done<()> {
    let mut all: Vec<Seq> = Vec::new();
    for rows in AWAITED {
        let mut sql = tx.prepare_cached(&format!("SELECT seq {rows}"))?;
        let asked = params![tray(reader.seat), reader.session];
        let found = sql.query_map(asked, |row| seq(row, 0))?;
        all.extend(found.collect::<Result<Vec<_>, _>>()?);
    }
    let mut sql = tx.prepare_cached("UPDATE delivery SET state = 3 WHERE tray = ? AND seq = ?")?;
    for at in all {
        sql.execute(params![tray(reader.seat), at])?;
    }
    Ok(())
}
