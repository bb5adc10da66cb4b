//! Handing over: what a session that sits down takes, and what it leaves for others.

use std::path::Path;

use rusqlite::{OptionalExtension, Transaction};

use super::column::params;
use super::error::Done;
use super::names::room;
use super::rooms::enter;
use super::row::{count, path_bytes, process, project_tray, seq, tray, via};
use super::seen::occupied;
use super::send::WIDER;
use crate::mail::around::{Around, Process};
use crate::mail::envelope::Seq;
use crate::mail::name::RoomName;
use crate::mail::seat::{ProjectId, SeatId};

/// A session that sits down.
pub(super) struct Coming<'a> {
    pub(super) session: &'a str,
    pub(super) process: &'a Process,
    pub(super) project: ProjectId,
    pub(super) root: &'a Path,
    pub(super) around: &'a dyn Around,
}

/// The vacant seats of a project with their roots, lowest first.
pub(super) fn vacant(
    tx: &Transaction<'_>,
    project: ProjectId,
    around: &dyn Around,
) -> Done<Vec<(SeatId, Vec<u8>)>> {
    let mut sql = tx.prepare_cached(
        "SELECT id, root, pid, started, boot, namespace FROM seat WHERE project = ? ORDER BY id",
    )?;
    let seats = sql.query_map(params![project], |row| {
        let root: Option<Vec<u8>> = row.get(1)?;
        let seat = SeatId::new(count(row.get(0)?));
        Ok((seat, root.unwrap_or_default(), process(row, 2)?))
    })?;
    let mut vacant = Vec::new();
    for seat in seats {
        let (seat, root, occupant) = seat?;
        if !occupied(occupant.as_ref(), around) {
            vacant.push((seat, root));
        }
    }
    Ok(vacant)
}

pub(super) fn void(tx: &Transaction<'_>, seat: SeatId) -> Done<()> {
    tx.prepare_cached("DELETE FROM claim WHERE seat = ?")?
        .execute(params![seat])?;
    Ok(())
}

pub(super) fn enter_open(tx: &Transaction<'_>, seat: SeatId) -> Done<()> {
    match room(tx, &RoomName::open())? {
        Some(open) => enter(tx, seat, open),
        None => Ok(()),
    }
}

/// A different session takes what its predecessor was sent by name, and is in no room but the
/// open one, from now.
pub(super) fn hand_over(tx: &Transaction<'_>, seat: SeatId, coming: &Coming<'_>) -> Done<()> {
    // Of the rooms' mutes only that of the open one stays: they belong to the seat.
    let quiet: Option<Option<i64>> = tx
        .prepare_cached(
            "SELECT quiet FROM member JOIN room ON room.id = member.room
             WHERE seat = ? AND room.name = ?",
        )?
        .query_row(params![seat, RoomName::open().as_str()], |row| row.get(0))
        .optional()?;
    tx.prepare_cached("DELETE FROM member WHERE seat = ?")?
        .execute(params![seat])?;
    enter_open(tx, seat)?;
    if let Some(quiet) = quiet.flatten() {
        tx.prepare_cached("UPDATE member SET quiet = ? WHERE seat = ?")?
            .execute(params![quiet, seat])?;
    }
    let tray = tray(seat);
    // What may have been shown and may yet come by the project stays as nobody's, for its mark.
    let stays = "attempted = 1 AND EXISTS (SELECT 1 FROM delivery AS other
        WHERE other.seq = delivery.seq AND other.via = 1 AND other.state = 0)";
    for sql in [
        format!(
            "UPDATE delivery SET state = 6
             WHERE tray = ? AND posted = 1 AND via = 2 AND {stays}"
        ),
        format!(
            "DELETE FROM delivery INDEXED BY delivery_posted
             WHERE tray = ? AND posted = 1 AND via = 2 AND NOT ({stays})"
        ),
    ] {
        tx.prepare_cached(&sql)?.execute([tray])?;
    }
    // What was never seen is offered to whoever comes; its index holds what was counted, too.
    tx.prepare_cached(
        "UPDATE delivery INDEXED BY delivery_left SET state = 0
         WHERE tray = ? AND state IN (1, 4) AND state = 4 AND sessions < 2",
    )?
    .execute([tray])?;
    awaited_becomes_new(tx, seat)?;
    own_becomes_new(tx, seat, coming)?;
    tx.prepare_cached("UPDATE seat SET last = '' WHERE id = ?")?
        .execute(params![seat])?;
    Ok(())
}

/// Another session is there: what its predecessor may not have seen is new once more. What two
/// have had is left to be asked for, also where the second has missed it.
pub(super) fn awaited_becomes_new(tx: &Transaction<'_>, seat: SeatId) -> Done<()> {
    let tray = tray(seat);
    tx.prepare_cached(
        "UPDATE delivery INDEXED BY delivery_again SET state = 4
         WHERE tray = ? AND state = 0 AND shown > 0 AND sessions >= 2",
    )?
    .execute([tray])?;
    tx.prepare_cached(
        "UPDATE delivery INDEXED BY delivery_awaited SET state = iif(sessions < 2, 0, 4)
         WHERE tray = ? AND state = 2",
    )?
    .execute([tray])?;
    Ok(())
}

/// What an earlier session sent to this seat is for the one that sits there now; what this one
/// sent is its own, also where it comes back.
pub(super) fn own_becomes_new(tx: &Transaction<'_>, seat: SeatId, coming: &Coming<'_>) -> Done<()> {
    let by_this = "(SELECT session FROM message WHERE message.seq = delivery.seq AND message.seat = ?1) IS ?2";
    let from_here =
        "EXISTS (SELECT 1 FROM message WHERE message.seq = delivery.seq AND message.seat = ?1)";
    for sql in [
        format!(
            "UPDATE delivery INDEXED BY delivery_own SET state = 0
             WHERE tray = ?1 AND state = 6 AND via < 2 AND {from_here} AND NOT {by_this}"
        ),
        format!(
            "UPDATE delivery INDEXED BY delivery_new SET state = 6
             WHERE tray = ?1 AND state = 0 AND via < 2 AND {from_here} AND {by_this}"
        ),
    ] {
        tx.prepare_cached(&sql)?
            .execute(params![seat, coming.session])?;
    }
    Ok(())
}

/// What was sent to another work tree and that nobody has seen waits for that one.
pub(super) fn send_home(
    tx: &Transaction<'_>,
    seat: SeatId,
    coming: &Coming<'_>,
    is_other: bool,
) -> Done<()> {
    let mut sql = tx.prepare_cached(
        "SELECT seq, posted, EXISTS (
             SELECT 1 FROM member JOIN post ON post.room = member.room AND post.seq = found.seq
             WHERE member.seat = ?1 AND post.seq > member.since)
         FROM delivery AS found INDEXED BY delivery_new
         WHERE tray = ?1 AND state = 0 AND via = 1 AND root <> ?2",
    )?;
    let strangers = sql.query_map(params![tray(seat), path_bytes(coming.root)], |row| {
        Ok((seq(row, 0)?, row.get::<_, bool>(1)?, row.get::<_, bool>(2)?))
    })?;
    let strangers: Vec<(Seq, bool, bool)> = strangers.collect::<Result<_, _>>()?;
    for (at, is_posted, is_heard) in strangers {
        let stays = is_heard || !is_other && is_posted;
        move_row(tx, (tray(seat), project_tray(coming.project)), at, stays)?;
    }
    Ok(())
}

/// Takes what was sent to the project and that nobody has seen: from its own tray, and from
/// vacant seats.
pub(super) fn collect(tx: &Transaction<'_>, seat: SeatId, coming: &Coming<'_>) -> Done<()> {
    let mut trays = vec![project_tray(coming.project)];
    let vacant = vacant(tx, coming.project, coming.around)?;
    trays.extend(
        vacant
            .iter()
            .map(|(other, _)| tray(*other))
            .filter(|other| *other != tray(seat)),
    );
    let mut sql = tx.prepare_cached(
        "SELECT seq, posted FROM delivery AS found INDEXED BY delivery_new
         WHERE tray = ?1 AND state = 0 AND via = 1 AND sessions < 2 AND (root IS NULL OR root = ?2)
         AND (SELECT session FROM message WHERE message.seq = found.seq) IS NOT ?3
         AND NOT EXISTS (SELECT 1 FROM delivery AS other WHERE other.seq = found.seq AND other.via = ?4
             AND other.state NOT IN (0, 6))",
    )?;
    for from in trays {
        let asked = params![from, path_bytes(coming.root), coming.session, via::PROJECT];
        let found = sql.query_map(asked, |row| Ok((seq(row, 0)?, row.get::<_, bool>(1)?)))?;
        let found: Vec<(Seq, bool)> = found.collect::<Result<_, _>>()?;
        for (at, is_posted) in found {
            move_row(tx, (from, tray(seat)), at, from > 0 && is_posted)?;
        }
    }
    Ok(())
}

/// Moves a delivery that nobody has seen; as a room's it `stays` with the session that was in the
/// room. Where there was one before, the two become one.
fn move_row(tx: &Transaction<'_>, (from, to): (i64, i64), at: Seq, stays: bool) -> Done<()> {
    tx.prepare_cached(&format!(
        "INSERT INTO delivery
             (tray, seq, state, via, root, posted, named, attempted, session, sessions, shown, shown_at, shown_boot)
         SELECT ?1, seq, state, via, root, posted, named, attempted, session, sessions, shown, shown_at, shown_boot
         FROM delivery WHERE tray = ?2 AND seq = ?3
         ON CONFLICT (tray, seq) DO UPDATE SET
             named = named | excluded.named,
             attempted = max(attempted, excluded.attempted),
             state = iif(state IN (1, 6), excluded.state, state), {WIDER}",
    ))?
    .execute(params![to, from, at])?;
    let sql = if stays {
        "UPDATE delivery SET via = 2, root = NULL, named = 0, claim = NULL,
             session = NULL, sessions = 0, shown = 0, shown_at = NULL, shown_boot = NULL WHERE tray = ? AND seq = ?"
    } else {
        "DELETE FROM delivery WHERE tray = ? AND seq = ?"
    };
    tx.prepare_cached(sql)?.execute(params![from, at])?;
    Ok(())
}
