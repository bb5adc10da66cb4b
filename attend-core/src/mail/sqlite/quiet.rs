//! Mutes, and what a room that was muted still owes.

use std::time::SystemTime;

use rusqlite::Transaction;

use super::column::params;
use super::error::Done;
use super::row::{hush_columns, seq, stage, tray, until, until_nanos, via, wall_nanos};
use super::seen::{Member, head, known, members};
use crate::mail::around::Around;
use crate::mail::change::Changed;
use crate::mail::closest::closest;
use crate::mail::envelope::Seq;
use crate::mail::error::MailError;
use crate::mail::mute::{Hush, Muted, Quiet, Voice, holds};
use crate::mail::name::RoomName;
use crate::mail::seat::SeatId;

/// What is muted, as it is kept. Rooms are muted in the membership.
const SENSOR: i64 = 0;
const SIGNAL: i64 = 1;

/// A post that has no row at the seat `?3`.
pub(super) const NO_ROW: &str =
    "NOT EXISTS (SELECT 1 FROM delivery WHERE tray = ?3 AND delivery.seq = post.seq)";

/// The same, and that no other room of the seat has counted: while one was muted, another may
/// have.
pub(super) const FRESH: &str =
    "NOT EXISTS (SELECT 1 FROM delivery WHERE tray = ?3 AND delivery.seq = post.seq)
     AND (multi = 0 OR NOT EXISTS (SELECT 1 FROM member
         JOIN post AS other ON other.room = member.room AND other.seq = post.seq
         WHERE member.seat = ?3 AND other.seq > member.read AND other.seq <= member.told))";

/// The columns of a mute that is no room's.
fn columns(what: &Quiet) -> Option<(i64, &str)> {
    match what {
        Quiet::Sensor(name) => Some((SENSOR, name)),
        Quiet::Signal(name) => Some((SIGNAL, name)),
        Quiet::Room(_) => None,
    }
}

pub(super) fn mute(
    tx: &Transaction<'_>,
    seat: SeatId,
    muted: &Muted,
    around: &dyn Around,
) -> Done<Changed> {
    known(tx, seat)?;
    forget(tx, seat, around.wall())?;
    match &muted.what {
        Quiet::Room(room) => {
            let members = members(tx, seat)?;
            let Some(member) = members.iter().find(|member| member.name == room.as_str()) else {
                let names = members.iter().map(|member| member.name.as_str());
                let near = closest(room.as_str(), names);
                let near: Vec<String> = near.iter().map(|room| format!("#{room}")).collect();
                return Err(MailError::not_in(room, &near).into());
            };
            set(tx, seat, member.room, Hush::Until(muted.until))?;
        }
        other => {
            if let Some((kind, name)) = columns(other) {
                tx.prepare_cached(
                    "INSERT INTO mute (seat, kind, name, until) VALUES (?, ?, ?, ?)
                     ON CONFLICT DO UPDATE SET until = excluded.until",
                )?
                .execute(params![seat, kind, name, until_nanos(muted.until)])?;
            }
        }
    }
    Ok(Changed::Done)
}

pub(super) fn unmute(
    tx: &Transaction<'_>,
    seat: SeatId,
    what: Option<&Quiet>,
    around: &dyn Around,
) -> Done<Changed> {
    let now = around.wall();
    let mut ended = mutes(tx, seat, now)?;
    forget(tx, seat, now)?;
    ended.retain(|muted| what.is_none_or(|what| muted.what == *what));
    let members = members(tx, seat)?;
    for muted in &ended {
        match &muted.what {
            Quiet::Room(room) => {
                let is_it = |member: &&Member| member.name == room.as_str();
                if let Some(member) = members.iter().find(is_it) {
                    set(tx, seat, member.room, member.hush.end(head(tx)?))?;
                }
            }
            other => {
                if let Some((kind, name)) = columns(other) {
                    let sql = "DELETE FROM mute WHERE seat = ? AND kind = ? AND name = ?";
                    tx.prepare_cached(sql)?.execute(params![seat, kind, name])?;
                }
            }
        }
    }
    Ok(Changed::Unmuted(ended))
}

/// What is muted at a seat, in order.
pub(super) fn mutes(tx: &Transaction<'_>, seat: SeatId, now: SystemTime) -> Done<Vec<Muted>> {
    known(tx, seat)?;
    let mut sql = tx.prepare_cached("SELECT kind, name, until FROM mute WHERE seat = ?")?;
    let rows = sql.query_map(params![seat], |row| {
        let name = row.get(1)?;
        let what = match row.get(0)? {
            SENSOR => Quiet::Sensor(name),
            _ => Quiet::Signal(name),
        };
        Ok(Muted::new(what, until(row.get(2)?)))
    })?;
    let mut mutes: Vec<Muted> = rows.collect::<Result<_, _>>()?;
    for member in members(tx, seat)? {
        if let (Hush::Until(until), Some(room)) = (member.hush, RoomName::parse(&member.name)) {
            mutes.push(Muted::new(Quiet::Room(room), until));
        }
    }
    mutes.retain(|muted| holds(muted.until, now));
    mutes.sort_by(|a, b| a.what.cmp(&b.what));
    Ok(mutes)
}

fn forget(tx: &Transaction<'_>, seat: SeatId, now: SystemTime) -> Done<()> {
    tx.prepare_cached("DELETE FROM mute WHERE seat = ? AND until BETWEEN 0 AND ?")?
        .execute(params![seat, wall_nanos(now)])?;
    Ok(())
}

/// Keeps what a mute makes of a membership.
pub(super) fn set(tx: &Transaction<'_>, seat: SeatId, room: i64, hush: Hush) -> Done<()> {
    let (quiet, over) = hush_columns(hush);
    tx.prepare_cached("UPDATE member SET quiet = ?, over = ? WHERE seat = ? AND room = ?")?
        .execute(params![quiet, over, seat, room])?;
    Ok(())
}

/// Mutes of a room that have passed are over before something else is said there.
pub(super) fn end_quiet(
    tx: &Transaction<'_>,
    room: i64,
    head: Seq,
    around: &dyn Around,
) -> Done<()> {
    tx.prepare_cached(
        "UPDATE member INDEXED BY member_quiet SET quiet = NULL, over = ?
         WHERE room = ? AND quiet IS NOT NULL AND quiet BETWEEN 0 AND ?",
    )?
    .execute(params![head, room, wall_nanos(around.wall())])?;
    Ok(())
}

/// How a message that was not sent by name reaches a seat through its rooms: by the loudest of
/// them.
pub(super) fn voice(
    tx: &Transaction<'_>,
    members: &[Member],
    at: Seq,
    now: SystemTime,
) -> Done<Voice> {
    if members.iter().all(|member| member.hush == Hush::No) {
        return Ok(Voice::Plain);
    }
    let mut sql = tx.prepare_cached("SELECT 1 FROM post WHERE room = ? AND seq = ?")?;
    let mut loudest = None;
    for member in members.iter().filter(|member| at > member.since) {
        if sql.exists(params![member.room, at])? {
            loudest = loudest.max(Some(member.hush.voice(at, now)));
        }
    }
    Ok(loudest.unwrap_or(Voice::Plain))
}

/// Whether any of what is new may only be counted, since its room was muted.
pub(super) fn owes_counts(
    tx: &Transaction<'_>,
    seat: SeatId,
    (members, now): (&[Member], SystemTime),
    is_held: impl Fn(Option<i64>) -> bool,
) -> Done<bool> {
    let heard = members.iter().filter(|member| !member.hush.is_on(now));
    let ended = heard.filter_map(|member| Some((member, member.hush.bound()?)));
    let ended: Vec<(&Member, Seq)> = ended.collect();
    if ended.is_empty() {
        return Ok(false);
    }
    let mut sql = tx.prepare_cached(&format!(
        "SELECT seq FROM post WHERE room = ?1 AND seq > ?2 AND seq <= ?4 AND {FRESH} ORDER BY seq"
    ))?;
    for (member, bound) in ended {
        let mut posts = sql.query(params![member.room, member.told, tray(seat), bound])?;
        while let Some(row) = posts.next()? {
            if voice(tx, members, seq(row, 0)?, now)? == Voice::Counted {
                return Ok(true);
            }
        }
    }
    let mut sql = tx.prepare_cached(
        "SELECT seq, claim FROM delivery INDEXED BY delivery_new
         WHERE tray = ? AND state = 0 AND via = 2 ORDER BY seq",
    )?;
    let mut rows = sql.query([tray(seat)])?;
    while let Some(row) = rows.next()? {
        let is_due = voice(tx, members, seq(row, 0)?, now)? == Voice::Counted;
        if is_due && !is_held(row.get(1)?) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Counts what waits in a room that is left and was muted, unless another room has it too.
/// Everything that is unread there has a row.
pub(super) fn count_quiet(
    tx: &Transaction<'_>,
    seat: SeatId,
    room: i64,
    around: &dyn Around,
) -> Done<()> {
    let members = members(tx, seat)?;
    let Some(left) = members.iter().find(|member| member.room == room) else {
        return Ok(());
    };
    let bound = match left.hush.bound() {
        _ if left.hush.is_on(around.wall()) => Seq::new(u64::MAX),
        Some(bound) => bound,
        None => return Ok(()),
    };
    tx.prepare_cached(
        "UPDATE delivery SET state = ?1
         WHERE tray = ?2 AND state = ?3 AND via = ?4 AND seq > ?5 AND seq <= ?6
         AND EXISTS (SELECT 1 FROM post WHERE post.room = ?7 AND post.seq = delivery.seq)
         AND NOT EXISTS (SELECT 1 FROM member JOIN post ON post.room = member.room
             WHERE member.seat = ?2 AND member.room <> ?7 AND post.seq = delivery.seq
             AND post.seq > member.since)",
    )?
    .execute(params![
        stage::COUNTED,
        tray(seat),
        stage::NEW,
        via::ROOM,
        left.since,
        bound,
        room
    ])?;
    Ok(())
}
