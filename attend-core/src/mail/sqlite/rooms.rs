//! Rooms: posting, joining, and leaving without losing what is unread.

use rusqlite::{OptionalExtension, Transaction};

use super::column::params;
use super::error::Done;
use super::names::room;
use super::quiet::count_quiet;
use super::row::{count, seq, stage, tray, via};
use super::seen::{head, known, state_of};
use crate::mail::around::Around;
use crate::mail::change::Changed;
use crate::mail::envelope::{Seq, State};
use crate::mail::error::{MailError, MailErrorKind};
use crate::mail::name::RoomName;
use crate::mail::seat::SeatId;

/// Posts a message in a room. For its sender it is read: by moving the marks where nothing waits
/// before it, else by a row.
pub(super) fn post(
    tx: &Transaction<'_>,
    room: i64,
    (at, multi): (Seq, bool),
    from: Option<SeatId>,
) -> Done<()> {
    let last: Seq = last(tx, room)?;
    let n: i64 = tx
        .prepare_cached(
            "UPDATE room SET posts = posts + 1, said = said + 1 WHERE id = ? RETURNING said",
        )?
        .query_row([room], |row| row.get(0))?;
    tx.prepare_cached("INSERT INTO post (room, seq, n, multi) VALUES (?, ?, ?, ?)")?
        .execute(params![room, at, n, multi])?;
    let Some(from) = from else {
        return Ok(());
    };
    let marks = tx
        .prepare_cached("SELECT read, told FROM member WHERE seat = ? AND room = ?")?
        .query_row(params![from, room], |row| Ok((seq(row, 0)?, seq(row, 1)?)))
        .optional()?;
    let Some((read, told)) = marks else {
        return Ok(());
    };
    if read == told && last <= told {
        tx.prepare_cached("UPDATE member SET read = ?3, told = ?3 WHERE seat = ?1 AND room = ?2")?
            .execute(params![from, room, at])?;
    } else {
        let mut sql = tx.prepare_cached(
            "INSERT INTO delivery (tray, seq, state, via, posted, named) VALUES (?, ?, ?, ?, 1, 0)
             ON CONFLICT DO NOTHING",
        )?;
        sql.execute(params![tray(from), at, stage::OWN, via::ROOM])?;
    }
    Ok(())
}

/// The last post of a room.
fn last(tx: &Transaction<'_>, room: i64) -> Done<Seq> {
    let mut sql = tx.prepare_cached("SELECT coalesce(max(seq), 0) FROM post WHERE room = ?")?;
    Ok(sql.query_row([room], |row| seq(row, 0))?)
}

/// Makes a seat a member of a room from now on.
pub(super) fn enter(tx: &Transaction<'_>, seat: SeatId, room: i64) -> Done<()> {
    let mut sql = tx.prepare_cached(
        "INSERT INTO member (seat, room, since, read, told) VALUES (?1, ?2, ?3, ?3, ?3)",
    )?;
    sql.execute(params![seat, room, head(tx)?])?;
    Ok(())
}

fn is_member(tx: &Transaction<'_>, seat: SeatId, room: i64) -> Done<bool> {
    let mut sql = tx.prepare_cached("SELECT 1 FROM member WHERE seat = ? AND room = ?")?;
    Ok(sql.exists(params![seat, room])?)
}

pub(super) fn join(tx: &Transaction<'_>, seat: SeatId, name: &RoomName) -> Done<Changed> {
    known(tx, seat)?;
    let room = if let Some(room) = room(tx, name)? {
        room
    } else {
        let mut sql = tx.prepare_cached("INSERT INTO room (name) VALUES (?)")?;
        sql.insert([name.as_str()])?
    };
    let is_new = !is_member(tx, seat, room)?;
    let mut earlier = 0;
    if is_new {
        enter(tx, seat, room)?;
        earlier = posts(tx, room)?;
    }
    Ok(Changed::Joined { earlier, is_new })
}

/// How many posts of a room lie above `from`, up to `upto`: by their numbers, not one by one.
pub(super) fn between(tx: &Transaction<'_>, room: i64, (from, upto): (Seq, Seq)) -> Done<i64> {
    let end = |sql: &str, bound: Seq| -> Done<Option<(Seq, i64)>> {
        let mut sql = tx.prepare_cached(sql)?;
        let found = sql.query_row(params![room, bound], |row| Ok((seq(row, 0)?, row.get(1)?)));
        Ok(found.optional()?)
    };
    let first = "SELECT seq, n FROM post WHERE room = ? AND seq > ? ORDER BY seq LIMIT 1";
    let last = "SELECT seq, n FROM post WHERE room = ? AND seq <= ? ORDER BY seq DESC LIMIT 1";
    let (Some(first), Some(last)) = (end(first, from)?, end(last, upto)?) else {
        return Ok(0);
    };
    if first.0 > last.0 {
        return Ok(0);
    }
    let mut sql =
        tx.prepare_cached("SELECT count(*) FROM gap WHERE room = ? AND seq > ? AND seq < ?")?;
    let gaps: i64 = sql.query_row(params![room, first.0, last.0], |row| row.get(0))?;
    Ok(last.1 - first.1 + 1 - gaps)
}

/// How many messages a room holds.
pub(super) fn posts(tx: &Transaction<'_>, room: i64) -> Done<u64> {
    let mut sql = tx.prepare_cached("SELECT posts FROM room WHERE id = ?")?;
    Ok(count(sql.query_row([room], |row| row.get(0))?))
}

pub(super) fn leave(
    tx: &Transaction<'_>,
    seat: SeatId,
    name: &RoomName,
    around: &dyn Around,
) -> Done<Changed> {
    known(tx, seat)?;
    if name.is_open() {
        let text = "nobody leaves #open; attend mute #open keeps it quiet for a while";
        return Err(MailError::new(MailErrorKind::Invalid, text).into());
    }
    let marks = match room(tx, name)? {
        None => None,
        Some(room) => tx
            .prepare_cached("SELECT read FROM member WHERE seat = ? AND room = ?")?
            .query_row(params![seat, room], |row| Ok((room, seq(row, 0)?)))
            .optional()?,
    };
    let Some((room, read)) = marks else {
        return Ok(Changed::Left {
            was_member: false,
            unread: 0,
        });
    };
    let mut left =
        tx.prepare_cached("SELECT seq FROM post WHERE room = ? AND seq > ? ORDER BY seq")?;
    let left = left.query_map(params![room, read], |row| seq(row, 0))?;
    let mut sql = tx.prepare_cached(
        "INSERT INTO delivery (tray, seq, state, via, posted, named) VALUES (?, ?, ?, ?, 1, 0)
         ON CONFLICT DO NOTHING",
    )?;
    for at in left {
        let at = at?;
        let kept = match state_of(tx, seat, at)? {
            Some(State::Counted) => stage::COUNTED,
            _ => stage::NEW,
        };
        sql.execute(params![tray(seat), at, kept, via::ROOM])?;
    }
    count_quiet(tx, seat, room, around)?;
    // By now whatever is unread has a row.
    let mut sql = tx.prepare_cached(
        "SELECT count(*) FROM (
             SELECT seq FROM delivery INDEXED BY delivery_new WHERE tray = ?1 AND state = 0
             UNION ALL
             SELECT seq FROM delivery INDEXED BY delivery_left WHERE tray = ?1 AND state IN (1, 4)
         ) AS unread JOIN post ON post.room = ?2 AND post.seq = unread.seq",
    )?;
    let unread: i64 = sql.query_row(params![tray(seat), room], |row| row.get(0))?;
    tx.prepare_cached("DELETE FROM member WHERE seat = ? AND room = ?")?
        .execute(params![seat, room])?;
    Ok(Changed::Left {
        was_member: true,
        unread: count(unread),
    })
}
