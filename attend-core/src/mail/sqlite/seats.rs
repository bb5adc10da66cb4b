//! Seats: who sits where, and what whoever comes finds.

use std::path::Path;

use rusqlite::{OptionalExtension, Transaction};

use super::cleanup::{Going, count_all, going, remove};
use super::column::params;
use super::error::Done;
use super::evidence::evidence;
use super::handover::{
    Coming, awaited_becomes_new, collect, enter_open, hand_over, own_becomes_new, send_home,
    vacant, void,
};
use super::names::{is_known, project, room};
use super::projects::is_there;
use super::quiet::{mute, unmute};
use super::reminders::{cancel, next_due, remind, send_due};
use super::rooms::{join, leave, posts};
use super::row::{count, number, path_bytes, path_of, process, tray};
use super::seen::{fence, known};
use crate::mail::address::Place;
use crate::mail::around::{Around, Life, Process};
use crate::mail::change::{Change, Changed};
use crate::mail::error::{MailError, MailErrorKind};
use crate::mail::name::{Name, RoomName, fold};
use crate::mail::persona::seat_name;

use crate::mail::seat::{Arrival, Epoch, ProjectId, Reader, SeatId, Seated, Sitter};

/// Does it. For a sweep it was looked for what may go.
pub(super) fn change(
    tx: &Transaction<'_>,
    (change, found): (&Change, Option<Going>),
    around: &dyn Around,
) -> Done<Changed> {
    Ok(match change {
        Change::Sit(Sitter::Person(name)) => Changed::Sat(sit_person(tx, name)?),
        Change::Sit(Sitter::Session {
            session,
            process,
            place,
        }) => Changed::Sat(sit(tx, session, process, place, around)?),
        Change::Stand(reader) => {
            fence(tx, reader, around)?;
            vacate(tx, reader.seat)?;
            Changed::Done
        }
        Change::Register(reader) => {
            fence(tx, reader, around)?;
            register(tx, reader, around)?;
            Changed::Done
        }
        Change::Join { seat, room } => join(tx, *seat, room)?,
        Change::Leave { seat, room } => leave(tx, *seat, room, around)?,
        Change::Mute { seat, muted } => mute(tx, *seat, muted, around)?,
        Change::Unmute { seat, what } => unmute(tx, *seat, what.as_ref(), around)?,
        Change::Evidence(found) => Changed::Tracked(evidence(tx, found, around)?),
        // Kept as the time of a file, by whoever has the directory.
        Change::Looked(seat) => {
            known(tx, *seat)?;
            Changed::Done
        }
        Change::Remind { seat, due, text } => {
            Changed::Reminding(remind(tx, *seat, (*due, text), around)?)
        }
        Change::Cancel { seat, id } => Changed::Cancelled(cancel(tx, *seat, id)?),
        Change::Due(seat) => Changed::Reminded(send_due(tx, *seat, around)?),
        Change::Sweep(sweep) => {
            let going = match found {
                Some(found) => found,
                None => going(tx, sweep, around)?,
            };
            Changed::Swept(remove(tx, sweep, going, around)?)
        }
    })
}

/// What a change answers where it changes nothing, which then needs no lock: whoever sits there
/// already sits there as before. None where it has to be written.
pub(super) fn unchanged(
    tx: &Transaction<'_>,
    change: &Change,
    around: &dyn Around,
) -> Done<Option<Changed>> {
    let seat = match change {
        Change::Looked(seat) => {
            known(tx, *seat)?;
            return Ok(Some(Changed::Done));
        }
        Change::Due(seat) => {
            known(tx, *seat)?;
            let is_due = next_due(tx, *seat)?.is_some_and(|due| due <= around.wall());
            return Ok((!is_due).then_some(Changed::Reminded(0)));
        }
        Change::Sweep(sweep) if sweep.dry => {
            return Ok(Some(Changed::Swept(count_all(tx, sweep, around)?)));
        }
        Change::Sit(Sitter::Person(name)) => person(tx, name)?,
        Change::Sit(Sitter::Session {
            session,
            process,
            place,
        }) => {
            let sits = match occupied_by(tx, process)? {
                Some((seat, of)) if is_known(tx, of, place)? && is_placed(tx, seat, process)? => {
                    Some(seat)
                }
                _ => None,
            };
            match sits {
                Some(seat) if is_remembered(tx, seat, session, &place.root)? => Some(seat),
                _ => None,
            }
        }
        _ => None,
    };
    let seated = seat.map(|seat| seated(tx, seat, None)).transpose()?;
    Ok(seated.map(Changed::Sat))
}

/// Whether the namespace of the process that sits there is recorded as well as it can be.
fn is_placed(tx: &Transaction<'_>, seat: SeatId, process: &Process) -> Done<bool> {
    let mut sql = tx.prepare_cached("SELECT 1 FROM seat WHERE id = ? AND namespace = 0")?;
    Ok(process.namespace == 0 || !sql.exists(params![seat])?)
}

fn sit_person(tx: &Transaction<'_>, name: &Name) -> Done<Seated> {
    if let Some(seat) = person(tx, name)? {
        return seated(tx, seat, None);
    }
    let mut sql = tx.prepare_cached("INSERT INTO seat (name, folded, epoch) VALUES (?, ?, 0)")?;
    let id = sql.insert(params![name.as_str(), fold(name.as_str())])?;
    let seat = SeatId::new(count(id));
    enter_open(tx, seat)?;
    seated(tx, seat, None)
}

/// The seat of a person.
pub(super) fn person(tx: &Transaction<'_>, name: &Name) -> Done<Option<SeatId>> {
    let mut sql = tx.prepare_cached("SELECT id FROM seat WHERE folded = ? AND project IS NULL")?;
    let found = sql
        .query_row([fold(name.as_str())], |row| row.get(0))
        .optional()?;
    Ok(found.map(|id: i64| SeatId::new(count(id))))
}

fn sit(
    tx: &Transaction<'_>,
    session: &str,
    process: &Process,
    place: &Place,
    around: &dyn Around,
) -> Done<Seated> {
    let (project, persona) = project(tx, place)?;
    let coming = Coming {
        session,
        process,
        project,
        root: &place.root,
        around,
    };
    if let Some((seat, of)) = occupied_by(tx, process)? {
        if of == project {
            return stay(tx, seat, &coming);
        }
        // The session moved to another project: here it gives up its seat.
        vacate(tx, seat)?;
    }
    let vacant = vacant(tx, project, around)?;
    let former: Option<i64> = tx
        .prepare_cached("SELECT seat FROM session WHERE id = ?")?
        .query_row([session], |row| row.get(0))
        .optional()?;
    let former = former.map(|id| SeatId::new(count(id)));
    let found = vacant
        .iter()
        .find(|(seat, _)| Some(*seat) == former)
        .or_else(|| {
            vacant
                .iter()
                .find(|(_, root)| root == path_bytes(&place.root))
        })
        .or_else(|| vacant.first())
        .map(|(seat, _)| *seat);
    let seat = match found {
        Some(seat) => seat,
        None => new_seat(tx, &coming, &persona)?,
    };
    take(tx, seat, &coming, found.is_none())
}

/// The seat that `process` occupies, and its project.
fn occupied_by(tx: &Transaction<'_>, process: &Process) -> Done<Option<(SeatId, ProjectId)>> {
    let mut sql = tx.prepare_cached(
        "SELECT id, project FROM seat WHERE pid = ?1 AND started = ?2 AND boot = ?3
         AND (namespace = ?4 OR namespace = 0 OR ?4 = 0) ORDER BY id LIMIT 1",
    )?;
    let namespace = number(process.namespace);
    let found = sql.query_row(
        params![process.pid, process.started, process.boot, namespace],
        |row| {
            Ok((
                SeatId::new(count(row.get(0)?)),
                ProjectId::new(count(row.get(1)?)),
            ))
        },
    );
    Ok(found.optional()?)
}

fn new_seat(tx: &Transaction<'_>, coming: &Coming<'_>, persona: &str) -> Done<SeatId> {
    let mut sql = tx.prepare_cached("SELECT count(*) FROM seat WHERE project = ?")?;
    let before: i64 = sql.query_row(params![coming.project], |row| row.get(0))?;
    let name = seat_name(persona, count(before) + 1);
    let mut sql = tx.prepare_cached(
        "INSERT INTO seat (project, name, folded, epoch, root, session) VALUES (?, ?, ?, 0, ?, ?)",
    )?;
    let root = path_bytes(coming.root);
    let id = sql.insert(params![
        coming.project,
        name,
        fold(&name),
        root,
        coming.session
    ])?;
    Ok(SeatId::new(count(id)))
}

/// The seat is nobody's, and what was claimed there is void.
fn vacate(tx: &Transaction<'_>, seat: SeatId) -> Done<()> {
    tx.prepare_cached(
        "UPDATE seat SET pid = NULL, started = NULL, boot = NULL, namespace = NULL,
         run_pid = NULL, run_started = NULL, run_boot = NULL, run_namespace = NULL WHERE id = ?",
    )?
    .execute(params![seat])?;
    void(tx, seat)
}

/// The session and the root that were recorded for a seat.
fn recorded(tx: &Transaction<'_>, seat: SeatId) -> Done<(String, Vec<u8>)> {
    let mut sql = tx.prepare_cached("SELECT coalesce(session, ''), root FROM seat WHERE id = ?")?;
    Ok(sql.query_row(params![seat], |row| Ok((row.get(0)?, row.get(1)?)))?)
}

/// Whether [`remember`] would change nothing.
fn is_remembered(tx: &Transaction<'_>, seat: SeatId, session: &str, root: &Path) -> Done<bool> {
    let mut sql = tx.prepare_cached(
        "SELECT EXISTS (SELECT 1 FROM seat JOIN session ON session.seat = seat.id
             WHERE seat.id = ?1 AND seat.session = ?2 AND seat.root = ?3 AND session.id = ?2)",
    )?;
    Ok(sql.query_row(params![seat, session, path_bytes(root)], |row| row.get(0))?)
}

fn remember(tx: &Transaction<'_>, seat: SeatId, coming: &Coming<'_>) -> Done<()> {
    let root = path_bytes(coming.root);
    tx.prepare_cached(
        "UPDATE seat SET session = ?1, root = ?2 WHERE id = ?3 AND (session IS NOT ?1 OR root <> ?2)",
    )?
    .execute(params![coming.session, root, seat])?;
    // What is known already is not written again: nothing then has to reach the disk.
    tx.prepare_cached(
        "INSERT INTO session (id, seat) VALUES (?, ?)
         ON CONFLICT DO UPDATE SET seat = excluded.seat WHERE seat <> excluded.seat",
    )?
    .execute(params![coming.session, seat])?;
    Ok(())
}

/// The same process goes on, maybe as another session or in another work tree.
fn stay(tx: &Transaction<'_>, seat: SeatId, coming: &Coming<'_>) -> Done<Seated> {
    let (session, root) = recorded(tx, seat)?;
    let is_other = session != coming.session;
    let moved = root != path_bytes(coming.root);
    remember(tx, seat, coming)?;
    // Seen from a sandbox first, its life could not be told.
    let namespace = number(coming.process.namespace);
    tx.prepare_cached(
        "UPDATE seat SET namespace = ?1 WHERE id = ?2 AND namespace = 0 AND ?1 <> 0",
    )?
    .execute(params![namespace, seat])?;
    if is_other {
        awaited_becomes_new(tx, seat)?;
        own_becomes_new(tx, seat, coming)?;
    }
    if moved {
        send_home(tx, seat, coming, is_other)?;
    }
    if is_other || moved {
        collect(tx, seat, coming)?;
    }
    seated(tx, seat, None)
}

/// Another process takes the seat.
fn take(tx: &Transaction<'_>, seat: SeatId, coming: &Coming<'_>, is_new: bool) -> Done<Seated> {
    let is_other = is_new || recorded(tx, seat)?.0 != coming.session;
    vacate(tx, seat)?;
    let by = coming.process;
    tx.prepare_cached(
        "UPDATE seat SET pid = ?, started = ?, boot = ?, namespace = ?, epoch = epoch + 1 WHERE id = ?",
    )?
    .execute(params![by.pid, by.started, by.boot, number(by.namespace), seat])?;
    remember(tx, seat, coming)?;
    is_there(tx, coming.project)?;
    if is_other {
        hand_over(tx, seat, coming)?;
    }
    send_home(tx, seat, coming, is_other)?;
    collect(tx, seat, coming)?;
    let mut arrival = None;
    if is_other {
        let mut found = Arrival::default();
        if let Some(open) = room(tx, &RoomName::open())? {
            found.open = posts(tx, open)?;
        }
        let mut sql = tx.prepare_cached(
            "SELECT count(*) FROM delivery INDEXED BY delivery_new WHERE tray = ? AND state = 0",
        )?;
        found.waiting = count(sql.query_row([tray(seat)], |row| row.get(0))?);
        arrival = Some(found);
    }
    seated(tx, seat, arrival)
}

/// One loop reads a seat. Another takes over once it has ended.
fn register(tx: &Transaction<'_>, reader: &Reader, around: &dyn Around) -> Done<()> {
    let mut sql = tx.prepare_cached(
        "SELECT project IS NULL, run_pid, run_started, run_boot, run_namespace FROM seat WHERE id = ?",
    )?;
    let (is_person, run) = sql.query_row(params![reader.seat], |row| {
        Ok((row.get(0)?, process(row, 1)?))
    })?;
    if is_person {
        let text = "a person's seat has no loop";
        return Err(MailError::new(MailErrorKind::Invalid, text).into());
    }
    if let Some(other) = run
        && !other.is(&reader.process)
        && around.life(&other) != Life::Dead
    {
        return Err(MailError::taken(other.pid).into());
    }
    let by = &reader.process;
    tx.prepare_cached(
        "UPDATE seat SET run_pid = ?, run_started = ?, run_boot = ?, run_namespace = ? WHERE id = ?",
    )?
    .execute(params![by.pid, by.started, by.boot, number(by.namespace), reader.seat])?;
    Ok(())
}

/// A seat, as whoever sits there knows it.
pub(super) fn seated(tx: &Transaction<'_>, seat: SeatId, arrival: Option<Arrival>) -> Done<Seated> {
    let mut sql = tx.prepare_cached(
        "SELECT seat.name, seat.epoch, seat.root, project.id, project.persona
         FROM seat LEFT JOIN project ON project.id = seat.project WHERE seat.id = ?",
    )?;
    let found = sql.query_row(params![seat], |row| {
        let epoch = Epoch::new(count(row.get(1)?));
        let mut seated = Seated::new(seat, row.get::<_, String>(0)?, epoch);
        seated.root = row.get::<_, Option<Vec<u8>>>(2)?.map(path_of);
        seated.project = row
            .get::<_, Option<i64>>(3)?
            .map(|id| ProjectId::new(count(id)));
        seated.persona = row.get(4)?;
        Ok(seated)
    });
    let mut seated = found.optional()?.ok_or_else(MailError::no_seat)?;
    seated.arrival = arrival;
    Ok(seated)
}
