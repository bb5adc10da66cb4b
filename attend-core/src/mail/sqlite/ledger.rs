//! Reading without taking: messages, threads, states, seats and rooms.

use std::collections::BTreeSet;

use rusqlite::{OptionalExtension, Transaction};

use super::column::params;
use super::error::Done;
use super::evidence::awaited;
use super::letter::letters;
use super::names::room;
use super::news::{View, look};
use super::projects::projects;
use super::quiet::mutes;
use super::reminders::reminders;
use super::row::{ENTRY, count, entry, path_bytes, seq, seqs, stage, state, via};
use super::search::page;
use super::seats::{person, seated};
use super::seen::{by_id, known, members, presence, state_of};
use crate::mail::around::Around;
use crate::mail::envelope::{Entry, MessageId, SenderKind, Seq};
use crate::mail::error::MailError;
use crate::mail::name::RoomName;
use crate::mail::request::{Answer, Page, Query, RoomInfo, SeatInfo, Whole};
use crate::mail::seat::SeatId;

/// How many messages of a thread are given.
const MOST_OF_THREAD: usize = 50;

pub(super) fn read(tx: &Transaction<'_>, query: &Query, around: &dyn Around) -> Done<Answer> {
    Ok(match query {
        Query::New { reader, above } => Answer::New(look(tx, reader, *above, around)?),
        Query::Unread(seat) => {
            last(tx, *seat)?;
            Answer::Unread(View::new(tx, *seat, around)?.unread()?)
        }
        Query::Ledger(ledger) => {
            last(tx, ledger.seat)?;
            let (seqs, next) = page(tx, ledger)?;
            let next = entries(tx, None, Vec::from_iter(next))?.pop();
            let entries = entries(tx, Some(ledger.seat), seqs)?;
            Answer::Ledger(Page::new(entries, next.map(|next| next.id)))
        }
        Query::Message { id, seat } => Answer::Message(whole(tx, id, *seat)?.map(Box::new)),
        Query::Entries { seat, seqs } => {
            let seqs: BTreeSet<Seq> = seqs.iter().copied().collect();
            Answer::Entries(entries(tx, Some(*seat), seqs)?)
        }
        Query::Letters { seat, seqs } => {
            let seqs: BTreeSet<Seq> = seqs.iter().copied().collect();
            Answer::Letters(letters(tx, *seat, seqs)?)
        }
        Query::Awaited(reader) => Answer::Awaited(awaited(tx, reader, around)?),
        Query::Reminders(seat) => {
            known(tx, *seat)?;
            Answer::Reminders(reminders(tx, *seat)?)
        }
        Query::Projects => Answer::Projects(projects(tx, around)?),
        Query::Mutes(seat) => Answer::Mutes(mutes(tx, *seat, around.wall())?),
        Query::LastShown(seat) => {
            let last = seqs(&last(tx, *seat)?);
            Answer::Entries(entries(tx, Some(*seat), last)?)
        }
        Query::SeatOf { session } => {
            let mut sql = tx.prepare_cached(
                "SELECT seat.id FROM session JOIN seat ON seat.id = session.seat
                 WHERE session.id = ?1 AND seat.session = ?1",
            )?;
            let seat: Option<i64> = sql.query_row([session], |row| row.get(0)).optional()?;
            let seat = seat.map(|id| seated(tx, SeatId::new(count(id)), None));
            Answer::Seat(seat.transpose()?)
        }
        Query::SeatOfPerson(name) => {
            let seat = person(tx, name)?.map(|seat| seated(tx, seat, None));
            Answer::Seat(seat.transpose()?)
        }
        Query::Seats => Answer::Seats(all_seats(tx, around)?),
        Query::Rooms(seat) => Answer::Rooms(all_rooms(tx, *seat)?),
        Query::Project(place) => {
            let mut sql = tx.prepare_cached("SELECT persona FROM project WHERE path = ?")?;
            let persona = sql.query_row([path_bytes(&place.project)], |row| row.get(0));
            Answer::Project(persona.optional()?)
        }
    })
}

/// What was shown by the last write to a seat, which has to be one.
fn last(tx: &Transaction<'_>, seat: SeatId) -> Done<String> {
    let mut sql = tx.prepare_cached("SELECT last FROM seat WHERE id = ?")?;
    let last = sql.query_row(params![seat], |row| row.get(0)).optional()?;
    Ok(last.ok_or_else(MailError::no_seat)?)
}

/// The messages at these positions, in their order, as a seat sees them.
fn entries(
    tx: &Transaction<'_>,
    seat: Option<SeatId>,
    seqs: impl IntoIterator<Item = Seq>,
) -> Done<Vec<Entry>> {
    let mut sql = tx.prepare_cached(&format!("SELECT {ENTRY} FROM message WHERE seq = ?"))?;
    let mut entries = Vec::new();
    for at in seqs {
        if let Some(found) = sql.query_row(params![at], entry).optional()? {
            let state = match seat {
                Some(seat) => state_of(tx, seat, at)?,
                None => None,
            };
            entries.push(found.state(state));
        }
    }
    Ok(entries)
}

fn whole(tx: &Transaction<'_>, id: &MessageId, seat: Option<SeatId>) -> Done<Option<Whole>> {
    let Some(at) = by_id(tx, id)? else {
        return Ok(None);
    };
    let Some(found) = entries(tx, seat, [at])?.pop() else {
        return Ok(None);
    };
    let root = found.re.clone().unwrap_or_else(|| id.clone());
    let mut whole = Whole::new(found);
    whole.thread = thread(tx, seat, (id, &root), at)?;
    let mut sql = tx.prepare_cached(
        "SELECT coalesce(seat.name, project.persona), delivery.state FROM delivery
         LEFT JOIN seat ON seat.id = delivery.tray LEFT JOIN project ON project.id = -delivery.tray
         WHERE delivery.seq = ? AND delivery.via <> ?",
    )?;
    let states = sql.query_map(params![at, via::ROOM], |row| {
        Ok((row.get::<_, String>(0)?, row.get::<_, i64>(1)?))
    })?;
    for found in states {
        let (name, kept) = found?;
        whole.states.extend(state(kept).map(|state| (name, state)));
    }
    for address in whole.entry.to.clone() {
        let Some(name) = address.strip_prefix('#').and_then(RoomName::parse) else {
            continue;
        };
        let Some(number) = room(tx, &name)? else {
            continue;
        };
        let mut sql = tx.prepare_cached(
            "SELECT count(*), count(delivery.seq) FROM member
             LEFT JOIN delivery ON delivery.tray = member.seat AND delivery.seq = ?2
                 AND delivery.state IN (?3, ?4)
             WHERE member.room = ?1 AND member.since < ?2
             AND member.seat IS NOT (SELECT seat FROM message WHERE seq = ?2)",
        )?;
        let asked = params![number, at, stage::PRINTED, stage::SEEN];
        let counts = sql.query_row(asked, |row| Ok((count(row.get(1)?), count(row.get(0)?))))?;
        whole.rooms.insert(name, counts);
    }
    Ok(Some(whole))
}

/// What a message answers, and what answers it or the same.
fn thread(
    tx: &Transaction<'_>,
    seat: Option<SeatId>,
    (id, root): (&MessageId, &MessageId),
    at: Seq,
) -> Done<Vec<Entry>> {
    let mut sql = tx.prepare_cached(
        "SELECT seq FROM message WHERE id = ?1
         UNION SELECT seq FROM message INDEXED BY message_re WHERE re IS NOT NULL AND re = ?1
         UNION SELECT seq FROM message INDEXED BY message_re WHERE re IS NOT NULL AND re = ?2
         ORDER BY seq",
    )?;
    let found = sql.query_map([root.as_str(), id.as_str()], |row| seq(row, 0))?;
    let found: Vec<Seq> = found.collect::<Result<_, _>>()?;
    let others = found.into_iter().filter(|other| *other != at);
    entries(tx, seat, others.take(MOST_OF_THREAD))
}

fn all_seats(tx: &Transaction<'_>, around: &dyn Around) -> Done<Vec<SeatInfo>> {
    let mut sql =
        tx.prepare_cached("SELECT id, project IS NULL, session FROM seat ORDER BY name, id")?;
    let rows = sql.query_map([], |row| {
        Ok((row.get::<_, i64>(0)?, row.get::<_, bool>(1)?, row.get(2)?))
    })?;
    let mut seats = Vec::new();
    for row in rows {
        let (id, is_person, session) = row?;
        let seat = SeatId::new(count(id));
        let kind = if is_person {
            SenderKind::Person
        } else {
            SenderKind::Agent
        };
        let (_, presence) = presence(tx, id, around)?;
        let mut info = SeatInfo::new(seated(tx, seat, None)?, kind, presence);
        info.session = session;
        let rooms = members(tx, seat)?;
        info.rooms = rooms
            .iter()
            .filter_map(|member| RoomName::parse(&member.name))
            .collect();
        info.oldest = View::new(tx, seat, around)?.oldest()?;
        seats.push(info);
    }
    Ok(seats)
}

fn all_rooms(tx: &Transaction<'_>, seat: Option<SeatId>) -> Done<Vec<RoomInfo>> {
    let mut sql = tx.prepare_cached("SELECT id, name, posts FROM room ORDER BY name")?;
    let rooms = sql.query_map([], |row| {
        Ok((
            row.get::<_, i64>(0)?,
            row.get::<_, String>(1)?,
            row.get::<_, i64>(2)?,
        ))
    })?;
    let mut members = tx.prepare_cached(
        "SELECT seat.id, seat.name FROM member JOIN seat ON seat.id = member.seat
         WHERE member.room = ? ORDER BY seat.name",
    )?;
    let mut all = Vec::new();
    for found in rooms {
        let (room, name, posts) = found?;
        let Some(name) = RoomName::parse(&name) else {
            continue;
        };
        let mut joined = false;
        let mut names = Vec::new();
        for member in members.query_map([room], |row| Ok((row.get::<_, i64>(0)?, row.get(1)?)))? {
            let (id, member) = member?;
            joined |= seat.is_some_and(|seat| seat.get() == count(id));
            names.push(member);
        }
        all.push(RoomInfo::new(name, names, count(posts), joined));
    }
    Ok(all)
}
