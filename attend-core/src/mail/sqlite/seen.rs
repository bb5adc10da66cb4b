//! What can be seen of one message and one seat: the questions that every other step asks.

use std::collections::HashSet;
use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

use rusqlite::{OptionalExtension, Transaction};

use super::column::params;
use super::error::Done;
use super::lock::{BELLS, look_name};
use super::row::{count, hush, process, seq, state, tray};
use crate::mail::around::{Around, Life, Process};
use crate::mail::claim::CLAIM_LEASE;
use crate::mail::envelope::{MessageId, Seq, State};
use crate::mail::error::MailError;
use crate::mail::evidence::is_shortly_before;
use crate::mail::mute::Hush;
use crate::mail::seat::{Presence, Reader, SeatId};

/// How far one seat got in one room.
#[derive(Clone, Debug)]
pub(super) struct Member {
    pub(super) room: i64,
    pub(super) name: String,
    /// At or below, everything has a row, is own, or came before joining.
    pub(super) read: Seq,
    /// At or below, everything has a row or was counted.
    pub(super) told: Seq,
    /// It joined after this.
    pub(super) since: Seq,
    /// Whether the room is, or was, muted.
    pub(super) hush: Hush,
}

/// The position of a message.
pub(super) fn by_id(tx: &Transaction<'_>, id: &MessageId) -> Done<Option<Seq>> {
    let mut sql = tx.prepare_cached("SELECT seq FROM message WHERE id = ?")?;
    Ok(sql.query_row([id.as_str()], |row| seq(row, 0)).optional()?)
}

/// Whether a reminder has this id, which a message will have then.
pub(super) fn is_reminder(tx: &Transaction<'_>, id: &MessageId) -> Done<bool> {
    let mut sql = tx.prepare_cached("SELECT 1 FROM reminder WHERE id = ?")?;
    Ok(sql.exists([id.as_str()])?)
}

/// The last position there ever was.
pub(super) fn head(tx: &Transaction<'_>) -> Done<Seq> {
    let mut sql = tx.prepare_cached(
        "SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'message'), 0)",
    )?;
    Ok(sql.query_row([], |row| seq(row, 0))?)
}

/// The rooms of a seat, by name.
pub(super) fn members(tx: &Transaction<'_>, seat: SeatId) -> Done<Vec<Member>> {
    let mut sql = tx.prepare_cached(
        "SELECT member.room, room.name, member.read, member.told, member.since,
             member.quiet, member.over
         FROM member JOIN room ON room.id = member.room WHERE member.seat = ? ORDER BY room.name",
    )?;
    let members = sql.query_map(params![seat], |row| {
        Ok(Member {
            room: row.get(0)?,
            name: row.get(1)?,
            read: seq(row, 2)?,
            told: seq(row, 3)?,
            since: seq(row, 4)?,
            hush: hush(row.get(5)?, row.get(6)?),
        })
    })?;
    Ok(members.collect::<Result<_, _>>()?)
}

/// How far a message got with a seat; none where it is not for it.
pub(super) fn state_of(tx: &Transaction<'_>, seat: SeatId, at: Seq) -> Done<Option<State>> {
    let mut sql = tx.prepare_cached("SELECT state FROM delivery WHERE tray = ? AND seq = ?")?;
    let row = sql.query_row(params![tray(seat), at], |row| row.get(0));
    if let Some(kept) = row.optional()? {
        return Ok(state(kept));
    }
    // What one room has counted was told of, also where another is muted.
    let mut sql = tx.prepare_cached(
        "SELECT max(CASE WHEN post.seq > member.told THEN 0 WHEN post.seq > member.read THEN 1 END)
         FROM member JOIN post ON post.room = member.room AND post.seq = ?2
         WHERE member.seat = ?1",
    )?;
    let mark: Option<i64> = sql.query_row(params![seat, at], |row| row.get(0))?;
    Ok(mark.and_then(state))
}

/// There is such a seat.
pub(super) fn known(tx: &Transaction<'_>, seat: SeatId) -> Done<()> {
    let mut sql = tx.prepare_cached("SELECT 1 FROM seat WHERE id = ?")?;
    if sql.exists(params![seat])? {
        return Ok(());
    }
    Err(MailError::no_seat().into())
}

/// Whether a live session sits where `occupant` was recorded, as far as can be seen.
pub(super) fn occupied(occupant: Option<&Process>, around: &dyn Around) -> bool {
    occupant.is_some_and(|process| around.life(process) != Life::Dead)
}

/// Refuses a reader whose seat has moved on, or whose session has ended.
pub(super) fn fence(tx: &Transaction<'_>, reader: &Reader, around: &dyn Around) -> Done<()> {
    let mut sql = tx.prepare_cached(
        "SELECT epoch, project IS NULL, pid, started, boot, namespace FROM seat WHERE id = ?",
    )?;
    let found = sql.query_row(params![reader.seat], |row| {
        Ok((
            row.get::<_, i64>(0)?,
            row.get::<_, bool>(1)?,
            process(row, 2)?,
        ))
    });
    let (epoch, is_person, occupant) = found.optional()?.ok_or_else(MailError::no_seat)?;
    let is_occupied = is_person || occupied(occupant.as_ref(), around);
    if count(epoch) != reader.epoch.get() || !is_occupied {
        return Err(MailError::displaced().into());
    }
    Ok(())
}

/// The claims on a seat that still hold what they claimed.
pub(super) fn live(tx: &Transaction<'_>, seat: SeatId, around: &dyn Around) -> Done<HashSet<i64>> {
    let mut sql = tx.prepare_cached(
        "SELECT id, at_boot, at, pid, started, boot, namespace FROM claim WHERE seat = ?",
    )?;
    let claims = sql.query_map(params![seat], |row| {
        let at = Duration::from_nanos(count(row.get(2)?));
        Ok((row.get(0)?, row.get::<_, String>(1)?, at, process(row, 3)?))
    })?;
    let mut live = HashSet::new();
    for claim in claims {
        let (id, boot, at, process) = claim?;
        let age = around.boot().checked_sub(at);
        let holds = boot == around.boot_id() && age.is_some_and(|age| age < CLAIM_LEASE);
        if holds && process.is_some_and(|process| around.life(&process) != Life::Dead) {
            live.insert(id);
        }
    }
    Ok(live)
}

/// The name of a seat, and how soon it notices.
pub(super) fn presence(
    tx: &Transaction<'_>,
    seat: i64,
    around: &dyn Around,
) -> Done<(String, Presence)> {
    let mut sql = tx.prepare_cached(
        "SELECT name, pid, started, boot, namespace, run_pid, run_started, run_boot, run_namespace
         FROM seat WHERE id = ?",
    )?;
    let found = sql.query_row([seat], |row| {
        Ok((row.get(0)?, process(row, 1)?, process(row, 5)?))
    });
    let (name, occupant, run) = found?;
    let is_there = occupied(occupant.as_ref(), around);
    let reads = || {
        let looked = || looked_at(tx, seat);
        occupied(run.as_ref(), around)
            || looked().is_some_and(|then| is_shortly_before(then, around.wall()))
    };
    let presence = match (is_there, is_there && reads()) {
        (false, _) => Presence::Waiting,
        (true, true) => Presence::Listening,
        (true, false) => Presence::NoReader,
    };
    Ok((name, presence))
}

/// How long ago a moment of a boot was. Where the machine has started anew, it was before that.
pub(super) fn age(up: i64, boot: &str, around: &dyn Around) -> Duration {
    let now = around.boot();
    if boot == around.boot_id() {
        return now.saturating_sub(Duration::from_nanos(count(up)));
    }
    now
}

/// Whether a loop is registered at a seat, and lives.
pub(super) fn has_loop(tx: &Transaction<'_>, seat: SeatId, around: &dyn Around) -> Done<bool> {
    let mut sql = tx.prepare_cached(
        "SELECT run_pid, run_started, run_boot, run_namespace FROM seat WHERE id = ?",
    )?;
    let run = sql.query_row(params![seat], |row| process(row, 0))?;
    Ok(occupied(run.as_ref(), around))
}

/// When a reader that comes and goes looked last at a seat: the time of a file.
fn looked_at(tx: &Transaction<'_>, seat: i64) -> Option<SystemTime> {
    let dir = Path::new(tx.path()?).parent()?;
    let look = fs::symlink_metadata(dir.join(BELLS).join(look_name(seat))).ok()?;
    look.modified().ok()
}
