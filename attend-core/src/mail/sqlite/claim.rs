//! Claiming and settling: what keeps a message from being lost, and from being shown twice
//! without a mark.

use std::time::Duration;

use rusqlite::{OptionalExtension, Transaction};

use super::column::params;
use super::error::Done;
use super::evidence::is_tracked;
use super::news::View;
use super::quiet::set;
use super::row::{count, nanos, number, numbers, numbers_text, seq, seqs_text, stage, tray, via};
use super::seen::{by_id, fence, head, members, state_of};
use super::send::boot;
use crate::mail::around::Around;
use crate::mail::claim::{Claim, ClaimId, ClaimRequest, Granted, Settled, Wanted};
use crate::mail::envelope::{Seq, State};
use crate::mail::error::MailError;
use crate::mail::mute::Hush;
use crate::mail::seat::{Reader, SeatId};

/// How long a claim that nobody settles is remembered: long after it has lapsed.
const FORGOTTEN: Duration = Duration::from_mins(10);

pub(super) fn claim(
    tx: &Transaction<'_>,
    request: &ClaimRequest,
    around: &dyn Around,
) -> Done<Claim> {
    let reader = &request.reader;
    let seat = reader.seat;
    fence(tx, reader, around)?;
    forget(tx, seat, around)?;
    let view = View::new(tx, seat, around)?;
    let (mut upto, mut counts) = (None, None);
    let wanted = match &request.what {
        Wanted::Print(seqs) => still_new(tx, seat, seqs, &view)?,
        Wanted::Digest { print, upto: to } => {
            // Nothing that is yet to come can have been counted.
            let to = head(tx)?.min(*to);
            (upto, counts) = (Some(to), Some(view.counts(to, around)?.0));
            still_new(tx, seat, print, &view)?
        }
        Wanted::Unread { most } => view.first_unread(*most)?,
        Wanted::Show(id) => {
            let at = by_id(tx, id)?.ok_or_else(|| MailError::no_message(id))?;
            state_of(tx, seat, at)?.into_iter().map(|_| at).collect()
        }
    };
    let id = open(tx, reader, (upto, &view.muted()), around)?;
    if let Some(upto) = upto {
        hold(tx, seat, (id, upto), &view)?;
    }
    let mut granted = Vec::new();
    for at in wanted {
        granted.push(Granted::new(at, attempt(tx, seat, at, id)?));
    }
    pass_rows(tx, seat)?;
    let mut claim = Claim::new(id, granted);
    if let Some(counts) = counts.filter(|counts| counts.total() > 0) {
        claim = claim.counting(counts);
    }
    Ok(claim)
}

/// Those of `seqs` that are new and that nobody holds, in order.
fn still_new(tx: &Transaction<'_>, seat: SeatId, seqs: &[Seq], view: &View<'_>) -> Done<Vec<Seq>> {
    let mut sql =
        tx.prepare_cached("SELECT claim, via FROM delivery WHERE tray = ? AND seq = ?")?;
    let mut seqs = seqs.to_vec();
    seqs.sort_unstable();
    seqs.dedup();
    let mut still = Vec::new();
    for at in seqs {
        let row = sql.query_row(params![tray(seat), at], |row| {
            Ok((row.get(0)?, row.get(1)?))
        });
        let (held, kept) = row.optional()?.unwrap_or((None, via::ROOM));
        let is_muted = kept == via::ROOM && view.is_muted(at)?;
        if !view.is_held(held) && !is_muted && state_of(tx, seat, at)? == Some(State::New) {
            still.push(at);
        }
    }
    Ok(still)
}

fn open(
    tx: &Transaction<'_>,
    reader: &Reader,
    (upto, muted): (Option<Seq>, &[i64]),
    around: &dyn Around,
) -> Done<ClaimId> {
    let mut sql = tx.prepare_cached(
        "INSERT INTO claim (seat, pid, started, boot, namespace, at_boot, at, upto, muted)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
    )?;
    let by = &reader.process;
    let id = sql.insert(params![
        reader.seat,
        by.pid,
        by.started,
        by.boot,
        number(by.namespace),
        around.boot_id(),
        nanos(around.boot()),
        upto,
        numbers_text(muted),
    ])?;
    Ok(ClaimId::new(count(id)))
}

/// Drops claims that lapsed long ago.
fn forget(tx: &Transaction<'_>, seat: SeatId, around: &dyn Around) -> Done<()> {
    let since = around.boot().saturating_sub(FORGOTTEN);
    tx.prepare_cached("DELETE FROM claim WHERE seat = ? AND (at_boot <> ? OR at < ?)")?
        .execute(params![seat, around.boot_id(), nanos(since)])?;
    Ok(())
}

/// Holds what is counted and has a row, so that exactly this is counted in the end. It is not
/// marked: counting is no showing.
fn hold(
    tx: &Transaction<'_>,
    seat: SeatId,
    (id, upto): (ClaimId, Seq),
    view: &View<'_>,
) -> Done<()> {
    let mut sql = tx.prepare_cached(
        "SELECT seq, claim FROM delivery INDEXED BY delivery_new
         WHERE tray = ? AND state = 0 AND via = 2 AND seq <= ?",
    )?;
    let rows = sql.query_map(params![tray(seat), upto], |row| {
        Ok((seq(row, 0)?, row.get::<_, Option<i64>>(1)?))
    })?;
    let rows: Vec<(Seq, Option<i64>)> = rows.collect::<Result<_, _>>()?;
    let mut sql = tx.prepare_cached("UPDATE delivery SET claim = ? WHERE tray = ? AND seq = ?")?;
    for (at, claim) in rows {
        if !view.is_held(claim) && !view.is_muted(at)? {
            sql.execute(params![number(id.get()), tray(seat), at])?;
        }
    }
    Ok(())
}

/// Marks a message as one that may have been shown, and gives whether it was before.
fn attempt(tx: &Transaction<'_>, seat: SeatId, at: Seq, claim: ClaimId) -> Done<bool> {
    let mut sql = tx.prepare_cached("SELECT attempted FROM delivery WHERE tray = ? AND seq = ?")?;
    let row = sql.query_row(params![tray(seat), at], |row| row.get(0));
    let claim = number(claim.get());
    if let Some(again) = row.optional()? {
        tx.prepare_cached(
            "UPDATE delivery SET attempted = 1, claim = ? WHERE tray = ? AND seq = ?",
        )?
        .execute(params![claim, tray(seat), at])?;
        return Ok(again);
    }
    let state = match state_of(tx, seat, at)? {
        Some(State::Counted) => stage::COUNTED,
        _ => stage::NEW,
    };
    tx.prepare_cached(
        "INSERT INTO delivery (tray, seq, state, via, posted, named, attempted, claim)
         VALUES (?, ?, ?, ?, 1, 0, 1, ?)",
    )?
    .execute(params![tray(seat), at, state, via::ROOM, claim])?;
    Ok(false)
}

/// Moves the marks of a seat's rooms over whatever has a row by now.
fn pass_rows(tx: &Transaction<'_>, seat: SeatId) -> Done<()> {
    let mut sql = tx.prepare_cached(
        "SELECT seq, EXISTS (SELECT 1 FROM delivery WHERE tray = ?1 AND delivery.seq = post.seq)
         FROM post WHERE room = ?2 AND seq > ?3 ORDER BY seq",
    )?;
    let mut passed = |room: i64, mark: Seq| -> Done<Seq> {
        let mut rows = sql.query(params![tray(seat), room, mark])?;
        let mut mark = mark;
        while let Some(row) = rows.next()? {
            if !row.get::<_, bool>(1)? {
                break;
            }
            mark = seq(row, 0)?;
        }
        Ok(mark)
    };
    for member in members(tx, seat)? {
        let read = passed(member.room, member.read)?;
        let told = if read >= member.told {
            read
        } else {
            passed(member.room, member.told)?
        };
        if (read, told) != (member.read, member.told) {
            tx.prepare_cached("UPDATE member SET read = ?, told = ? WHERE seat = ? AND room = ?")?
                .execute(params![read, told, seat, member.room])?;
        }
    }
    Ok(())
}

pub(super) fn settle(
    tx: &Transaction<'_>,
    id: ClaimId,
    settled: &Settled,
    around: &dyn Around,
) -> Done<()> {
    let reader = &settled.reader;
    fence(tx, reader, around)?;
    let claim = number(id.get());
    let mut sql = tx.prepare_cached(
        "SELECT seq FROM delivery INDEXED BY delivery_claim WHERE claim = ? AND tray = ? ORDER BY seq",
    )?;
    let rows = sql.query_map(params![claim, tray(reader.seat)], |row| seq(row, 0))?;
    let rows: Vec<Seq> = rows.collect::<Result<_, _>>()?;
    let printed = if settled.tracked && is_tracked(tx, &reader.session)? {
        stage::AWAITED
    } else {
        stage::PRINTED
    };
    let mut show = tx.prepare_cached(
        "UPDATE delivery SET claim = NULL, shown = iif(session IS ?3, shown, 0) + 1,
             sessions = sessions + (session IS NOT ?3), session = ?3,
             shown_at = ?5, shown_boot = ?6, state = iif(state = 5, 5, ?4)
         WHERE tray = ?1 AND seq = ?2",
    )?;
    let seat = tray(reader.seat);
    let now = (nanos(around.boot()), boot(tx, &around.boot_id())?);
    let known: Option<(Option<i64>, String)> = tx
        .prepare_cached("DELETE FROM claim WHERE id = ? AND seat = ? RETURNING upto, muted")?
        .query_row(params![claim, seat], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()?;
    let (upto, muted) = known.unwrap_or_default();
    let upto = upto.filter(|_| settled.counted);
    // What was counted and not shown is counted; all else goes back to where it was.
    let mut release = tx.prepare_cached(
        "UPDATE delivery SET claim = NULL, state = iif(state = 0 AND via = 2 AND seq <= ?3, 1, state)
         WHERE tray = ?1 AND seq = ?2",
    )?;
    let mut shown = Vec::new();
    for at in rows {
        if settled.printed.contains(&at) {
            show.execute(params![seat, at, reader.session, printed, now.0, now.1])?;
            shown.push(at);
        } else {
            release.execute(params![seat, at, upto.unwrap_or(0)])?;
        }
    }
    if !shown.is_empty() {
        tx.prepare_cached("UPDATE seat SET last = ? WHERE id = ?")?
            .execute(params![seqs_text(&shown), seat])?;
    }
    if let Some(upto) = upto {
        let muted = numbers(&muted);
        told(tx, reader.seat, (Seq::new(count(upto)), &muted), around)?;
    }
    Ok(())
}

/// Everything up to `upto` was told of, except in the rooms that were `muted` when it was counted.
fn told(
    tx: &Transaction<'_>,
    seat: SeatId,
    (upto, muted): (Seq, &[i64]),
    around: &dyn Around,
) -> Done<()> {
    let mut sql = tx.prepare_cached("UPDATE member SET told = ? WHERE seat = ? AND room = ?")?;
    let members = members(tx, seat)?;
    for member in members
        .iter()
        .filter(|member| !muted.contains(&member.room))
    {
        let told = member.told.max(upto);
        if told != member.told {
            sql.execute(params![told, seat, member.room])?;
        }
        if member.hush != Hush::No {
            let hush = member.hush.told(told, head(tx)?, around.wall());
            set(tx, seat, member.room, hush)?;
        }
    }
    Ok(())
}
