//! Pages of the ledger: which messages, newest first, without counting or sorting what is not
//! shown.

use std::collections::BTreeSet;
use std::time::SystemTime;

use rusqlite::Transaction;

use super::column::params;
use super::error::Done;
use super::names::{near_rooms, room};
use super::row::{count, number, seq, tray, wall_nanos};
use super::seen::{by_id, head, members};
use crate::mail::envelope::Seq;
use crate::mail::error::MailError;
use crate::mail::name::fold;
use crate::mail::request::{Before, Ledger};
use crate::mail::seat::SeatId;
use crate::mail::words::Words;

/// How many candidates are taken from each source at once.
const CHUNK: usize = 64;

/// How far one page looks.
pub(super) struct Bounds {
    /// How many messages it looks at before it says where to go on.
    pub(super) most: usize,
    /// Among so many of the newest a word is looked for in the messages themselves.
    pub(super) newest: usize,
    /// So many messages are then tried that the index names for the first three letters: these
    /// it finds one by one, whatever there is. For a longer beginning it first gathers all that
    /// have it, which is left for words too rare to fill the page until here.
    pub(super) tried: usize,
    /// How many messages the index may name before a search says where to go on.
    pub(super) named: usize,
}

const BOUNDS: Bounds = Bounds {
    most: 50_000,
    newest: 500,
    tried: 1_000,
    named: 10_000,
};

/// Where candidates come from, each newest first.
enum Source {
    /// What was sent to a tray.
    Tray(i64),
    /// What was said in a room.
    Room(i64),
    /// What a seat said.
    Seat(i64),
    /// What was said under a name without a seat.
    Name(String),
}

/// What a message on the page has to be.
struct Wanted {
    /// In this room; else to the seat, in its rooms, or its own.
    room: Option<i64>,
    seat: SeatId,
    rooms: Vec<i64>,
    /// From one of these seats, or from this name without a seat.
    from: Option<(Vec<i64>, String)>,
    words: Words,
}

/// The messages of a page, oldest first, and before which message there may be more.
pub(super) fn page(tx: &Transaction<'_>, ledger: &Ledger) -> Done<(Vec<Seq>, Option<Seq>)> {
    page_within(tx, ledger, &BOUNDS)
}

/// The same within other bounds.
pub(super) fn page_within(
    tx: &Transaction<'_>,
    ledger: &Ledger,
    bounds: &Bounds,
) -> Done<(Vec<Seq>, Option<Seq>)> {
    let before = match &ledger.before {
        None => Seq::new(head(tx)?.get() + 1),
        Some(Before::Id(id)) => by_id(tx, id)?.ok_or_else(|| MailError::no_message(id))?,
        Some(Before::Time(time)) => first_since(tx, *time)?,
    };
    let wanted = wanted(tx, ledger)?;
    let skip = ledger.skip.saturating_mul(ledger.limit);
    let need = skip.saturating_add(ledger.limit).saturating_add(1);
    let mut found = Vec::new();
    let most = if wanted.words.is_empty() {
        bounds.most
    } else {
        bounds.newest
    };
    let mut left = walk(tx, &wanted, (before, need, most), &mut found)?;
    if let (Some(before), false) = (left, wanted.words.is_empty()) {
        left = search(tx, &wanted, bounds, (before, need), &mut found)?;
    }
    let is_full = found.len() >= need;
    let mut page: Vec<Seq> = found.into_iter().skip(skip).take(ledger.limit).collect();
    page.reverse();
    let next = if is_full { page.first().copied() } else { left };
    Ok((page, next))
}

/// Goes on with what the index of words names; gives where it stopped, if not at the end.
fn search(
    tx: &Transaction<'_>,
    wanted: &Wanted,
    bounds: &Bounds,
    (before, need): (Seq, usize),
    found: &mut Vec<Seq>,
) -> Done<Option<Seq>> {
    let by_letters = (wanted.words.begun(), bounds.tried);
    let by_words = (wanted.words.phrase(), bounds.named);
    let mut left = Some(before);
    for step in [by_letters, by_words] {
        if let Some(before) = left {
            left = ask_index(tx, wanted, step, (before, need), found)?;
        }
    }
    Ok(left)
}

/// Walks back through everything that may be wanted; gives where it stopped, if not at the end.
fn walk(
    tx: &Transaction<'_>,
    wanted: &Wanted,
    (mut before, need, most): (Seq, usize, usize),
    found: &mut Vec<Seq>,
) -> Done<Option<Seq>> {
    let sources = wanted.sources();
    let mut looked = 0;
    while found.len() < need && looked < most {
        let mut chunk = BTreeSet::new();
        let mut floor = Seq::new(0);
        for source in &sources {
            let some = source.before(tx, before)?;
            // Below the last of a full chunk this source is not known yet.
            if some.len() == CHUNK {
                floor = floor.max(some.last().copied().unwrap_or(floor));
            }
            chunk.extend(some);
        }
        let chunk: Vec<Seq> = chunk.into_iter().rev().filter(|at| *at >= floor).collect();
        let Some(last) = chunk.last() else {
            return Ok(None);
        };
        before = *last;
        looked += chunk.len();
        for at in chunk {
            if found.len() < need && wanted.has(tx, at)? {
                found.push(at);
            }
        }
    }
    Ok((found.len() < need).then_some(before))
}

/// Goes on with what the index of words names, at most so many; gives where it stopped, if not at
/// the end.
fn ask_index(
    tx: &Transaction<'_>,
    wanted: &Wanted,
    (phrase, most): (String, usize),
    (mut before, need): (Seq, usize),
    found: &mut Vec<Seq>,
) -> Done<Option<Seq>> {
    let mut sql = tx.prepare_cached(
        "SELECT rowid FROM words WHERE words MATCH ? AND rowid < ? ORDER BY rowid DESC",
    )?;
    let mut rows = sql.query(params![phrase, before])?;
    for _ in 0..most {
        let Some(row) = rows.next()? else {
            return Ok(None);
        };
        before = seq(row, 0)?;
        if wanted.has(tx, before)? {
            found.push(before);
        }
        if found.len() >= need {
            return Ok(None);
        }
    }
    Ok(Some(before))
}

fn wanted(tx: &Transaction<'_>, ledger: &Ledger) -> Done<Wanted> {
    let room = match &ledger.room {
        None => None,
        Some(name) => match room(tx, name)? {
            None => {
                let near = near_rooms(tx, name)?;
                return Err(MailError::unknown(&[(name.to_string(), near)]).into());
            }
            some => some,
        },
    };
    let from = match &ledger.from {
        None => None,
        Some(from) => {
            let from = fold(from.strip_prefix('@').unwrap_or(from));
            let mut sql = tx.prepare_cached(
                "SELECT seat.id FROM seat LEFT JOIN project ON project.id = seat.project
                 WHERE seat.folded = ?1 OR project.folded = ?1",
            )?;
            let seats = sql.query_map([&from], |row| row.get(0))?;
            Some((seats.collect::<Result<_, _>>()?, from))
        }
    };
    Ok(Wanted {
        room,
        seat: ledger.seat,
        rooms: members(tx, ledger.seat)?
            .iter()
            .map(|member| member.room)
            .collect(),
        from,
        words: ledger.words.as_deref().map(Words::of).unwrap_or_default(),
    })
}

impl Source {
    /// The newest before a position, newest first, at most [`CHUNK`].
    fn before(&self, tx: &Transaction<'_>, before: Seq) -> Done<Vec<Seq>> {
        let most = i64::try_from(CHUNK).unwrap_or(i64::MAX);
        let (sql, key): (&str, rusqlite::types::Value) = match self {
            Self::Tray(tray) => (
                "SELECT seq FROM delivery WHERE tray = ? AND seq < ? ORDER BY seq DESC LIMIT ?",
                (*tray).into(),
            ),
            Self::Room(room) => (
                "SELECT seq FROM post WHERE room = ? AND seq < ? ORDER BY seq DESC LIMIT ?",
                (*room).into(),
            ),
            Self::Seat(seat) => (
                "SELECT seq FROM message INDEXED BY message_seat
                 WHERE seat = ? AND seq < ? ORDER BY seq DESC LIMIT ?",
                (*seat).into(),
            ),
            Self::Name(name) => (
                "SELECT seq FROM message INDEXED BY message_sender
                 WHERE seat IS NULL AND lower(sender) = ? AND seq < ? ORDER BY seq DESC LIMIT ?",
                name.clone().into(),
            ),
        };
        let mut sql = tx.prepare_cached(sql)?;
        let found = sql.query_map(params![key, before, most], |row| seq(row, 0))?;
        Ok(found.collect::<Result<_, _>>()?)
    }
}

impl Wanted {
    /// The fewest sources in which all that is wanted can be found.
    fn sources(&self) -> Vec<Source> {
        if let Some((seats, name)) = &self.from {
            let mut sources: Vec<Source> = seats.iter().map(|seat| Source::Seat(*seat)).collect();
            sources.push(Source::Name(name.clone()));
            return sources;
        }
        if let Some(room) = self.room {
            return vec![Source::Room(room)];
        }
        let mut sources: Vec<Source> = self.rooms.iter().map(|room| Source::Room(*room)).collect();
        sources.push(Source::Tray(tray(self.seat)));
        sources.push(Source::Seat(number(self.seat.get())));
        sources
    }

    fn has(&self, tx: &Transaction<'_>, at: Seq) -> Done<bool> {
        let mut sql = tx.prepare_cached("SELECT seat, sender FROM message WHERE seq = ?")?;
        let (seat, sender) = sql.query_row(params![at], |row| {
            Ok((row.get::<_, Option<i64>>(0)?, row.get::<_, String>(1)?))
        })?;
        if let Some((seats, name)) = &self.from {
            let is_from = match seat {
                Some(seat) => seats.contains(&seat),
                None => fold(&sender) == *name,
            };
            if !is_from {
                return Ok(false);
            }
        }
        if !self.words.is_empty() {
            let mut sql = tx.prepare_cached("SELECT body FROM message WHERE seq = ?")?;
            let fits = sql.query_row(params![at], |row| {
                let body = row.get_ref(0)?.as_str()?;
                Ok(self.words.are_in(body))
            })?;
            if !fits {
                return Ok(false);
            }
        }
        let mut posted = tx.prepare_cached("SELECT 1 FROM post WHERE room = ? AND seq = ?")?;
        if let Some(room) = self.room {
            return Ok(posted.exists(params![room, at])?);
        }
        if seat == Some(number(self.seat.get())) {
            return Ok(true);
        }
        for room in &self.rooms {
            if posted.exists(params![room, at])? {
                return Ok(true);
            }
        }
        let mut sql = tx.prepare_cached("SELECT 1 FROM delivery WHERE tray = ? AND seq = ?")?;
        Ok(sql.exists(params![tray(self.seat), at])?)
    }
}

/// The first message that was sent at or after a time, found by halving: where the clock on the
/// wall went back, one of several.
fn first_since(tx: &Transaction<'_>, time: SystemTime) -> Done<Seq> {
    let mut sql =
        tx.prepare_cached("SELECT seq, sent_at FROM message WHERE seq >= ? ORDER BY seq LIMIT 1")?;
    let time = wall_nanos(time);
    let (mut low, mut high) = (1, head(tx)?.get() + 1);
    while low < high {
        let middle = low + (high - low) / 2;
        let found = sql.query_row([number(middle)], |row| {
            Ok((count(row.get(0)?), row.get::<_, i64>(1)?))
        });
        match found {
            Ok((at, sent_at)) if sent_at < time => low = at + 1,
            Ok(_) | Err(rusqlite::Error::QueryReturnedNoRows) => high = middle,
            Err(error) => return Err(error.into()),
        }
    }
    Ok(Seq::new(low))
}
