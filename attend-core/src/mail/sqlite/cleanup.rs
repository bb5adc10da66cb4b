//! Cleaning up after projects that are gone.
//!
//! What goes is looked for before the store is locked, and looked at once more before it goes.

use std::collections::{BTreeSet, HashMap, HashSet};

use rusqlite::{OptionalExtension, Transaction};

use super::column::params;
use super::error::Done;
use super::names::room;
use super::projects::is_there;
use super::row::{kind_number, list, nanos, number, process, project_tray, seq, seqs, stage, via};
use super::seen::{age, occupied};
use super::send::boot;
use crate::mail::around::Around;
use crate::mail::cleanup::{Sweep, Swept};
use crate::mail::envelope::{SenderKind, Seq};
use crate::mail::name::RoomName;
use crate::mail::seat::ProjectId;

/// What may go.
pub(super) struct Going {
    /// Messages in rooms, at most as many as one sweep removes.
    posts: Vec<Seq>,
    /// There are more of them.
    is_more: bool,
}

/// The projects that are gone, and their trays.
struct Gone<'a> {
    tx: &'a Transaction<'a>,
    /// With their personas.
    projects: Vec<(ProjectId, String)>,
    /// First those of projects, then those of seats.
    trays: Vec<i64>,
    /// The same.
    is_tray: HashSet<i64>,
    /// The positions that the last write to any other seat showed.
    last: HashSet<Seq>,
    /// How far each seat of a room that is not gone has read.
    read: HashMap<i64, Vec<(i64, Seq)>>,
    all: bool,
}

/// What may go in one sweep.
pub(super) fn going(tx: &Transaction<'_>, sweep: &Sweep, around: &dyn Around) -> Done<Going> {
    let mut gone = Gone::find(tx, sweep, around)?;
    let mut posts = gone.posts(sweep.most.saturating_add(1))?;
    let is_more = posts.len() > sweep.most;
    posts.truncate(sweep.most);
    Ok(Going { posts, is_more })
}

/// How much would go in all.
pub(super) fn count_all(tx: &Transaction<'_>, sweep: &Sweep, around: &dyn Around) -> Done<Swept> {
    let mut gone = Gone::find(tx, sweep, around)?;
    let mut messages: HashSet<Seq> = gone.posts(usize::MAX)?.into_iter().collect();
    let mut trays = 0;
    let mut sql = tx.prepare_cached("SELECT seq FROM delivery WHERE tray = ?")?;
    for tray in gone.trays.clone() {
        trays += u64::from(holds_any(tx, tray)?);
        let rows = sql.query_map([tray], |row| seq(row, 0))?;
        for at in rows.collect::<Result<Vec<Seq>, _>>()? {
            if gone.holds_all(at)? && rooms(tx, at)?.is_empty() {
                messages.insert(at);
            }
        }
    }
    Ok(Swept::new(messages.len() as u64, trays))
}

/// Notes what was seen, and removes what may go.
pub(super) fn remove(
    tx: &Transaction<'_>,
    sweep: &Sweep,
    going: Going,
    around: &dyn Around,
) -> Done<Swept> {
    let mut gone = Gone::find(tx, sweep, around)?;
    note(tx, sweep, around)?;
    let (mut swept, mut left) = (Swept::default(), sweep.most);
    for tray in gone.trays.clone() {
        clear(tx, tray, (&mut swept, &mut left))?;
    }
    swept.is_more |= going.is_more;
    let mut touched = BTreeSet::new();
    for at in going.posts {
        if left == 0 {
            swept.is_more = true;
            break;
        }
        let Some(rooms) = gone.may_go(at)? else {
            continue;
        };
        left -= 1;
        swept.messages += 1;
        take_down(tx, at, &rooms)?;
        touched.extend(rooms);
    }
    // What everybody has read is counted by nobody any more.
    let mut sql = tx.prepare_cached(
        "DELETE FROM gap WHERE room = ?1 AND NOT EXISTS
             (SELECT 1 FROM member WHERE member.room = ?1 AND member.read < gap.seq)",
    )?;
    for room in touched {
        sql.execute([room])?;
    }
    Ok(swept)
}

impl<'a> Gone<'a> {
    /// Those that are seen gone, were seen gone long enough ago, and where nobody sits.
    fn find(tx: &'a Transaction<'a>, sweep: &Sweep, around: &dyn Around) -> Done<Self> {
        let mut gone = Self {
            tx,
            projects: Vec::new(),
            trays: Vec::new(),
            is_tray: HashSet::new(),
            last: HashSet::new(),
            read: HashMap::new(),
            all: sweep.all,
        };
        let mut known = tx.prepare_cached(
            "SELECT persona, gone_up, boot.name FROM project JOIN boot ON boot.id = gone_boot
             WHERE project.id = ?",
        )?;
        let mut of = tx.prepare_cached(
            "SELECT id, pid, started, boot, namespace FROM seat WHERE project = ? ORDER BY id",
        )?;
        let mut seen = sweep.seen.gone.clone();
        seen.retain(|id| !sweep.seen.there.contains(id));
        seen.sort_unstable();
        seen.dedup();
        let mut seats = Vec::new();
        for id in seen {
            let found = known.query_row(params![id], |row| {
                Ok((row.get(0)?, row.get(1)?, row.get::<_, String>(2)?))
            });
            let Some((persona, up, boot)) = found.optional()? else {
                continue;
            };
            let rows = of.query_map(params![id], |row| {
                Ok((row.get::<_, i64>(0)?, process(row, 1)?))
            })?;
            let rows: Vec<_> = rows.collect::<Result<_, _>>()?;
            let sits = |(_, occupant): &(i64, Option<_>)| occupied(occupant.as_ref(), around);
            if age(up, &boot, around) >= sweep.apart && !rows.iter().any(sits) {
                gone.projects.push((id, persona));
                gone.trays.push(project_tray(id));
                seats.extend(rows.into_iter().map(|(seat, _)| seat));
            }
        }
        seats.sort_unstable();
        gone.trays.extend(seats);
        gone.is_tray = gone.trays.iter().copied().collect();
        if !gone.projects.is_empty() {
            let mut sql = tx.prepare_cached("SELECT id, last FROM seat WHERE last <> ''")?;
            let mut rows = sql.query([])?;
            while let Some(row) = rows.next()? {
                if !gone.is_tray.contains(&row.get(0)?) {
                    gone.last.extend(seqs(&row.get::<_, String>(1)?));
                }
            }
        }
        Ok(gone)
    }

    /// The first messages in rooms that may go, at most `most`.
    fn posts(&mut self, most: usize) -> Done<Vec<Seq>> {
        let mut sent = BTreeSet::new();
        let mut by_seat = self
            .tx
            .prepare_cached("SELECT seq FROM message WHERE seat = ?")?;
        for seat in self.trays.iter().filter(|tray| **tray > 0) {
            for at in by_seat.query_map([seat], |row| seq(row, 0))? {
                sent.insert(at?);
            }
        }
        let mut by_name = self.tx.prepare_cached(
            "SELECT seq FROM message INDEXED BY message_sender
             WHERE seat IS NULL AND lower(sender) = lower(?1) AND sender = ?1 AND kind = ?2",
        )?;
        for (_, persona) in &self.projects {
            let asked = params![persona, kind_number(SenderKind::Agent)];
            for at in by_name.query_map(asked, |row| seq(row, 0))? {
                sent.insert(at?);
            }
        }
        let mut posts = Vec::new();
        for at in sent {
            if posts.len() >= most {
                break;
            }
            if self.may_go(at)?.is_some() {
                posts.push(at);
            }
        }
        Ok(posts)
    }

    /// The rooms of a message that one of these projects sent, where nobody who is not gone still
    /// needs it.
    fn may_go(&mut self, at: Seq) -> Done<Option<Vec<i64>>> {
        let rooms = rooms(self.tx, at)?;
        let is_wanted = self.last.contains(&at)
            || self.is_wanted_by_row(at)?
            || !self.all && self.is_wanted_by_mark(at, &rooms)?;
        Ok((!rooms.is_empty() && !is_wanted).then_some(rooms))
    }

    fn is_wanted_by_row(&self, at: Seq) -> Done<bool> {
        let mut sql = self.tx.prepare_cached(
            "SELECT tray, via, state FROM delivery INDEXED BY delivery_seq WHERE seq = ?",
        )?;
        let mut rows = sql.query(params![at])?;
        while let Some(row) = rows.next()? {
            let (tray, how, kept): (i64, i64, i64) = (row.get(0)?, row.get(1)?, row.get(2)?);
            let is_done = [stage::PRINTED, stage::SEEN, stage::OWN].contains(&kept);
            let is_wanted = how != via::ROOM || !self.all && !is_done;
            if is_wanted && !self.is_tray.contains(&tray) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn is_wanted_by_mark(&mut self, at: Seq, rooms: &[i64]) -> Done<bool> {
        let mut has_row = self
            .tx
            .prepare_cached("SELECT 1 FROM delivery WHERE tray = ? AND seq = ?")?;
        for room in rooms {
            if !self.read.contains_key(room) {
                let read = self.members(*room)?;
                self.read.insert(*room, read);
            }
            for (seat, read) in self.read.get(room).into_iter().flatten() {
                if at > *read && !has_row.exists(params![seat, at])? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// The seats in a room that are not gone, and how far they have read.
    fn members(&self, room: i64) -> Done<Vec<(i64, Seq)>> {
        let mut sql = self.tx.prepare_cached(
            "SELECT member.seat, member.read FROM member INDEXED BY member_room WHERE room = ?",
        )?;
        let rows = sql.query_map([room], |row| Ok((row.get(0)?, seq(row, 1)?)))?;
        let mut rows: Vec<(i64, Seq)> = rows.collect::<Result<_, _>>()?;
        rows.retain(|(seat, _)| !self.is_tray.contains(seat));
        Ok(rows)
    }

    /// Whether a message lies in no other trays than these.
    fn holds_all(&self, at: Seq) -> Done<bool> {
        let mut sql = self
            .tx
            .prepare_cached("SELECT tray FROM delivery INDEXED BY delivery_seq WHERE seq = ?")?;
        let trays = sql.query_map(params![at], |row| row.get(0))?;
        let trays: Vec<i64> = trays.collect::<Result<_, _>>()?;
        Ok(trays.iter().all(|tray| self.is_tray.contains(tray)))
    }
}

/// The rooms that a message is posted in.
fn rooms(tx: &Transaction<'_>, at: Seq) -> Done<Vec<i64>> {
    let mut sql = tx.prepare_cached("SELECT addressees FROM message WHERE seq = ?")?;
    let found = sql.query_row(params![at], |row| row.get::<_, String>(0));
    let mut rooms = Vec::new();
    for address in list(&found.optional()?.unwrap_or_default()) {
        if let Some(name) = address.strip_prefix('#').and_then(RoomName::parse) {
            rooms.extend(room(tx, &name)?);
        }
    }
    Ok(rooms)
}

fn note(tx: &Transaction<'_>, sweep: &Sweep, around: &dyn Around) -> Done<()> {
    for id in &sweep.seen.there {
        is_there(tx, *id)?;
    }
    let (now, up) = (boot(tx, &around.boot_id())?, nanos(around.boot()));
    let mut sql = tx.prepare_cached(
        "UPDATE project SET gone_boot = ?, gone_up = ? WHERE id = ? AND gone_boot IS NULL",
    )?;
    for id in &sweep.seen.gone {
        if !sweep.seen.there.contains(id) {
            sql.execute(params![now, up, id])?;
        }
    }
    tx.prepare_cached(
        "INSERT INTO sweep (id, boot, up) VALUES (1, ?, ?)
         ON CONFLICT DO UPDATE SET boot = excluded.boot, up = excluded.up",
    )?
    .execute(params![now, up])?;
    Ok(())
}

/// Whether anything lies in a tray or belongs to its seat.
fn holds_any(tx: &Transaction<'_>, tray: i64) -> Done<bool> {
    let mut sql = tx.prepare_cached(
        "SELECT EXISTS (SELECT 1 FROM delivery WHERE tray = ?1)
             OR EXISTS (SELECT 1 FROM seat WHERE id = ?1 AND session IS NOT NULL)
             OR EXISTS (SELECT 1 FROM member WHERE seat = ?1)
             OR EXISTS (SELECT 1 FROM mute WHERE seat = ?1)
             OR EXISTS (SELECT 1 FROM reminder WHERE seat = ?1)",
    )?;
    Ok(sql.query_row([tray], |row| row.get(0))?)
}

/// Takes out of a tray what there is room for, and in the end all else that belongs to it.
fn clear(tx: &Transaction<'_>, tray: i64, (swept, left): (&mut Swept, &mut usize)) -> Done<()> {
    if !holds_any(tx, tray)? {
        return Ok(());
    }
    let most = number((*left as u64).saturating_add(1));
    let mut sql =
        tx.prepare_cached("SELECT seq FROM delivery WHERE tray = ? ORDER BY seq LIMIT ?")?;
    let rows = sql.query_map([tray, most], |row| seq(row, 0))?;
    let rows: Vec<Seq> = rows.collect::<Result<_, _>>()?;
    let mut taken = tx.prepare_cached("DELETE FROM delivery WHERE tray = ? AND seq = ?")?;
    let mut others =
        tx.prepare_cached("SELECT 1 FROM delivery INDEXED BY delivery_seq WHERE seq = ?")?;
    for at in rows {
        if *left == 0 {
            swept.is_more = true;
            return Ok(());
        }
        *left -= 1;
        taken.execute(params![tray, at])?;
        if !others.exists(params![at])? && rooms(tx, at)?.is_empty() {
            swept.messages += 1;
            take_down(tx, at, &[])?;
        }
    }
    swept.trays += 1;
    for sql in [
        "DELETE FROM member WHERE seat = ?",
        "DELETE FROM mute WHERE seat = ?",
        "DELETE FROM reminder WHERE seat = ?",
        "DELETE FROM claim WHERE seat = ?",
        "DELETE FROM session WHERE seat = ?",
        "UPDATE seat SET session = NULL, last = '' WHERE id = ?",
    ] {
        tx.prepare_cached(sql)?.execute([tray])?;
    }
    Ok(())
}

/// Removes a message from everywhere, also from its `rooms`.
fn take_down(tx: &Transaction<'_>, at: Seq, rooms: &[i64]) -> Done<()> {
    for room in rooms {
        for sql in [
            "DELETE FROM post WHERE room = ?1 AND seq = ?2",
            "UPDATE room SET posts = posts - 1 WHERE id = ?1 AND ?2 IS NOT NULL",
            "INSERT INTO gap (room, seq) SELECT ?1, ?2
             WHERE EXISTS (SELECT 1 FROM member WHERE room = ?1 AND read < ?2)",
        ] {
            tx.prepare_cached(sql)?.execute(params![room, at])?;
        }
    }
    for sql in [
        "DELETE FROM delivery WHERE seq = ?",
        "INSERT INTO words (words, rowid, body) SELECT 'delete', seq, body FROM message WHERE seq = ?",
        "DELETE FROM message WHERE seq = ?",
    ] {
        tx.prepare_cached(sql)?.execute(params![at])?;
    }
    Ok(())
}
