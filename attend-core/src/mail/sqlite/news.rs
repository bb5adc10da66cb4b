//! What is new for a seat, and how it is counted without being read.
//!
//! A look costs by what it gives, never by what there is: posts between two marks are counted by
//! their numbers in the room, less those that have a row.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::time::{Duration, SystemTime};

use rusqlite::{OptionalExtension, Transaction};

use super::column::params;
use super::error::Done;
use super::evidence::is_awaited;
use super::letter::letters;
use super::quiet::{FRESH, NO_ROW, mutes, owes_counts, voice};
use super::reminders::next_due;
use super::rooms::between;
use super::row::{count, list, seq, tray, via, wall_nanos, wall_time};
use super::seen::{Member, age, fence, has_loop, live, members};
use crate::mail::around::Around;
use crate::mail::claim::{News, Waiting};
use crate::mail::digest::{Counts, Origin};
use crate::mail::envelope::Seq;
use crate::mail::mute::Voice;
use crate::mail::name::RoomName;
use crate::mail::seat::{Reader, SeatId};

/// Beyond every position.
const END: Seq = Seq::new(i64::MAX as u64);

/// Up to which mark a seat has dealt with a room.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Mark {
    Told,
    Read,
}

impl Mark {
    fn of(self, member: &Member) -> Seq {
        match self {
            Self::Told => member.told,
            Self::Read => member.read,
        }
    }
}

/// One seat, and who holds what of its mail.
pub(super) struct View<'a> {
    tx: &'a Transaction<'a>,
    seat: SeatId,
    members: Vec<Member>,
    live: HashSet<i64>,
    now: SystemTime,
}

/// Some of what is new, of one origin.
#[derive(Clone, Copy, Default)]
struct Part {
    count: u64,
    ends: Option<(Seq, Seq)>,
}

impl Part {
    fn add(&mut self, count: u64, ends: Option<(Seq, Seq)>) {
        self.count += count;
        self.ends = match (self.ends, ends) {
            (Some((a, b)), Some((c, d))) => Some((a.min(c), b.max(d))),
            (one, other) => one.or(other),
        };
    }
}

pub(super) fn look(
    tx: &Transaction<'_>,
    reader: &Reader,
    above: usize,
    around: &dyn Around,
) -> Done<News> {
    fence(tx, reader, around)?;
    let view = View::new(tx, reader.seat, around)?;
    let found = view.first(above + 1)?;
    let is_few = found.len() <= above && !view.owes_counts()?;
    let (waiting, oldest) = if is_few {
        let oldest = found.first().copied();
        (Waiting::Few(letters(tx, reader.seat, found)?), oldest)
    } else {
        let (counts, ends) = view.counts(END, around)?;
        let directed = letters(tx, reader.seat, view.first_rows(above, true)?)?;
        let upto = ends.map_or(Seq::new(0), |(_, last)| last);
        let many = Waiting::Many {
            counts,
            upto,
            directed,
        };
        (many, ends.map(|(first, _)| first))
    };
    let mut news = News::new(waiting);
    news.oldest = oldest.map(|at| waited(tx, at, around)).transpose()?;
    news.muted = mutes(tx, reader.seat, view.now)?;
    news.due = next_due(tx, reader.seat)?;
    news.is_read = has_loop(tx, reader.seat, around)?;
    news.is_awaited = is_awaited(tx, reader)?;
    Ok(news)
}

/// How long ago a message was sent.
fn waited(tx: &Transaction<'_>, at: Seq, around: &dyn Around) -> Done<Duration> {
    let mut sql = tx.prepare_cached(
        "SELECT up, name FROM message JOIN boot ON boot.id = message.boot WHERE seq = ?",
    )?;
    let (up, boot): (i64, String) =
        sql.query_row(params![at], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(age(up, &boot, around))
}

impl<'a> View<'a> {
    pub(super) fn new(tx: &'a Transaction<'a>, seat: SeatId, around: &dyn Around) -> Done<Self> {
        Ok(Self {
            tx,
            seat,
            members: members(tx, seat)?,
            live: live(tx, seat, around)?,
            now: around.wall(),
        })
    }

    /// Whether a claim still holds.
    pub(super) fn is_held(&self, claim: Option<i64>) -> bool {
        claim.is_some_and(|claim| self.live.contains(&claim))
    }

    /// The rooms that are not muted.
    fn heard(&self) -> impl Iterator<Item = &Member> {
        let members = self.members.iter();
        members.filter(|member| !member.hush.is_on(self.now))
    }

    /// The rooms that are muted.
    pub(super) fn muted(&self) -> Vec<i64> {
        let members = self.members.iter();
        let muted = members.filter(|member| member.hush.is_on(self.now));
        muted.map(|member| member.room).collect()
    }

    /// How a message that was not sent by name comes to the seat.
    fn voice(&self, at: Seq) -> Done<Voice> {
        voice(self.tx, &self.members, at, self.now)
    }

    /// Whether a message that was not sent by name came to muted rooms only.
    pub(super) fn is_muted(&self, at: Seq) -> Done<bool> {
        Ok(self.voice(at)? == Voice::Muted)
    }

    /// Whether any of what is new may only be counted, since its room was muted.
    fn owes_counts(&self) -> Done<bool> {
        let is_held = |claim| self.is_held(claim);
        owes_counts(self.tx, self.seat, (&self.members, self.now), is_held)
    }

    /// The first new ones, at most `most`.
    fn first(&self, most: usize) -> Done<BTreeSet<Seq>> {
        let mut found = self.first_rows(most, false)?;
        for member in self.heard() {
            found.extend(self.posts(member, Mark::Told, most)?);
        }
        Ok(found.into_iter().take(most).collect())
    }

    /// The first new rows that nobody holds; only those addressed by name if `directed`.
    fn first_rows(&self, most: usize, directed: bool) -> Done<BTreeSet<Seq>> {
        let mut sql = self.tx.prepare_cached(
            "SELECT seq, via, claim FROM delivery INDEXED BY delivery_new
             WHERE tray = ? AND state = 0 ORDER BY seq",
        )?;
        let mut rows = sql.query([tray(self.seat)])?;
        let mut found = BTreeSet::new();
        while found.len() < most
            && let Some(row) = rows.next()?
        {
            let at = seq(row, 0)?;
            let fits = match row.get(1)? {
                via::ROOM => !directed && !self.is_muted(at)?,
                _ => true,
            };
            if fits && !self.is_held(row.get(2)?) {
                found.insert(at);
            }
        }
        Ok(found)
    }

    /// The first posts of a room above the mark that have no row, at most `most`.
    fn posts(&self, member: &Member, mark: Mark, most: usize) -> Done<Vec<Seq>> {
        let fresh = match mark {
            Mark::Told => FRESH,
            Mark::Read => NO_ROW,
        };
        let mut sql = self.tx.prepare_cached(&format!(
            "SELECT seq FROM post WHERE room = ?1 AND seq > ?2 AND {fresh} ORDER BY seq LIMIT ?4",
        ))?;
        let most = i64::try_from(most).unwrap_or(i64::MAX);
        let asked = params![member.room, mark.of(member), tray(self.seat), most];
        let posts = sql.query_map(asked, |row| seq(row, 0))?;
        Ok(posts.collect::<Result<_, _>>()?)
    }

    /// When the oldest new one was sent.
    pub(super) fn oldest(&self) -> Done<Option<SystemTime>> {
        let first = self.first(1)?.pop_first();
        first.map(|first| self.sent_at(first)).transpose()
    }

    /// The first unread ones, whoever holds them, at most `most`.
    pub(super) fn first_unread(&self, most: usize) -> Done<Vec<Seq>> {
        let mut found = BTreeSet::new();
        for sql in [
            "SELECT seq FROM delivery INDEXED BY delivery_new WHERE tray = ? AND state = 0 ORDER BY seq LIMIT ?",
            "SELECT seq FROM delivery INDEXED BY delivery_left WHERE tray = ? AND state IN (1, 4) ORDER BY seq LIMIT ?",
        ] {
            let mut sql = self.tx.prepare_cached(sql)?;
            let most = i64::try_from(most).unwrap_or(i64::MAX);
            let rows = sql.query_map(params![tray(self.seat), most], |row| seq(row, 0))?;
            for row in rows {
                found.insert(row?);
            }
        }
        for member in &self.members {
            found.extend(self.posts(member, Mark::Read, most)?);
        }
        Ok(found.into_iter().take(most).collect())
    }

    /// How many are unread.
    pub(super) fn unread(&self) -> Done<u64> {
        let mut all = 0;
        for sql in [
            "SELECT count(*) FROM delivery INDEXED BY delivery_new WHERE tray = ? AND state = 0",
            "SELECT count(*) FROM delivery INDEXED BY delivery_left WHERE tray = ? AND state IN (1, 4)",
        ] {
            let rows: i64 = self
                .tx
                .prepare_cached(sql)?
                .query_row([tray(self.seat)], |row| row.get(0))?;
            all += count(rows);
        }
        for member in &self.members {
            all += self.fresh(member, Mark::Read, END)?;
        }
        Ok(all)
    }

    /// What is new, rooms only up to `upto`; and the first and last position of it.
    pub(super) fn counts(
        &self,
        upto: Seq,
        around: &dyn Around,
    ) -> Done<(Counts, Option<(Seq, Seq)>)> {
        let mut directed = Part::default();
        let mut rooms: BTreeMap<String, Part> = BTreeMap::new();
        let mut sql = self.tx.prepare_cached(
            "SELECT seq, via, claim FROM delivery INDEXED BY delivery_new WHERE tray = ? AND state = 0",
        )?;
        let mut rows = sql.query([tray(self.seat)])?;
        while let Some(row) = rows.next()? {
            let at = seq(row, 0)?;
            if self.is_held(row.get(2)?) {
                continue;
            }
            if row.get::<_, i64>(1)? != via::ROOM {
                directed.add(1, Some((at, at)));
            } else if at <= upto
                && !self.is_muted(at)?
                && let Some(room) = self.room_of(at)?
            {
                rooms.entry(room).or_default().add(1, Some((at, at)));
            }
        }
        for member in self.heard() {
            let fresh = self.fresh(member, Mark::Told, upto)?;
            if fresh > 0 {
                let ends = self.ends(member, upto)?;
                rooms
                    .entry(member.name.clone())
                    .or_default()
                    .add(fresh, ends);
            }
        }
        let mut all = directed;
        let mut origins = vec![(Origin::You, directed.count)];
        for (room, some) in rooms {
            all.add(some.count, some.ends);
            origins.push((Origin::Room(format!("#{room}")), some.count));
        }
        let mut counts = Counts::new(origins);
        if let Some((first, last)) = all.ends {
            let (first, last) = (self.sent_at(first)?, self.sent_at(last)?);
            let newest = around.wall().duration_since(last).unwrap_or_default();
            let span: Duration = last.duration_since(first).unwrap_or_default();
            counts = counts.aged(newest, span);
        }
        Ok((counts, all.ends))
    }

    /// How many posts of a room lie above the mark up to `upto`, without a row, and are not
    /// among those of a room before it.
    fn fresh(&self, member: &Member, mark: Mark, upto: Seq) -> Done<u64> {
        let from = mark.of(member);
        let between = between(self.tx, member.room, (from, upto))?;
        if between <= 0 {
            return Ok(0);
        }
        let mut sql = self.tx.prepare_cached(
            "SELECT count(*) FROM delivery INDEXED BY delivery_posted
             JOIN post ON post.room = ?1 AND post.seq = delivery.seq
             WHERE tray = ?2 AND posted = 1 AND delivery.seq > ?3 AND delivery.seq <= ?4",
        )?;
        let asked = params![member.room, tray(self.seat), from, upto];
        let rows: i64 = sql.query_row(asked, |row| row.get(0))?;
        let told_before = match mark {
            Mark::Told => {
                "(room.name < ?6 AND other.seq > member.told
                     AND (member.quiet IS NULL OR member.quiet BETWEEN 0 AND ?7)
                 OR other.seq > member.read AND other.seq <= member.told)"
            }
            // The time makes no difference.
            Mark::Read => "room.name < ?6 AND other.seq > member.read AND ?7 IS NOT NULL",
        };
        let mut sql = self.tx.prepare_cached(&format!(
            "SELECT count(*) FROM post INDEXED BY post_multi
             WHERE room = ?1 AND multi = 1 AND seq > ?2 AND seq <= ?3
             AND NOT EXISTS (SELECT 1 FROM delivery WHERE tray = ?4 AND delivery.seq = post.seq)
             AND EXISTS (SELECT 1 FROM member JOIN room ON room.id = member.room
                 JOIN post AS other ON other.room = member.room AND other.seq = post.seq
                 WHERE member.seat = ?5 AND {told_before})",
        ))?;
        let asked = params![
            member.room,
            from,
            upto,
            tray(self.seat),
            self.seat,
            member.name,
            wall_nanos(self.now)
        ];
        let twice: i64 = sql.query_row(asked, |row| row.get(0))?;
        Ok(count(between - rows - twice))
    }

    /// The first and last post of a room that is told of.
    fn ends(&self, member: &Member, upto: Seq) -> Done<Option<(Seq, Seq)>> {
        let Some(first) = self.posts(member, Mark::Told, 1)?.pop() else {
            return Ok(None);
        };
        let mut sql = self.tx.prepare_cached(&format!(
            "SELECT seq FROM post WHERE room = ?1 AND seq > ?2 AND seq <= ?4 AND {FRESH}
             ORDER BY seq DESC LIMIT 1",
        ))?;
        let asked = params![member.room, member.told, tray(self.seat), upto];
        let last = sql.query_row(asked, |row| seq(row, 0)).optional()?;
        Ok(last.map(|last| (first, last)))
    }

    /// Under which room a row is counted: the first of the seat's that has it, else the
    /// message's own first.
    fn room_of(&self, at: Seq) -> Done<Option<String>> {
        let mut sql = self
            .tx
            .prepare_cached("SELECT 1 FROM post WHERE room = ? AND seq = ?")?;
        for member in self.heard() {
            if sql.exists(params![member.room, at])? {
                return Ok(Some(member.name.clone()));
            }
        }
        let mut sql = self
            .tx
            .prepare_cached("SELECT addressees FROM message WHERE seq = ?")?;
        let addressees: String = sql.query_row(params![at], |row| row.get(0))?;
        let mut rooms = list(&addressees).into_iter();
        let first = rooms.find_map(|address| RoomName::parse(address.strip_prefix('#')?));
        Ok(first.map(|room| room.as_str().to_owned()))
    }

    fn sent_at(&self, at: Seq) -> Done<std::time::SystemTime> {
        let mut sql = self
            .tx
            .prepare_cached("SELECT sent_at FROM message WHERE seq = ?")?;
        Ok(sql.query_row(params![at], |row| Ok(wall_time(row.get(0)?)))?)
    }
}
