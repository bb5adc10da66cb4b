//! What is new for a seat, and how it is counted.

use std::collections::BTreeSet;
use std::time::{Duration, SystemTime};

use super::book::{Book, Stage, Tray};
use crate::mail::around::Around;
use crate::mail::claim::{News, Waiting};
use crate::mail::digest::{Counts, Origin};
use crate::mail::envelope::{Letter, Seq, State};
use crate::mail::error::MailError;
use crate::mail::mute::Voice;
use crate::mail::name::RoomName;
use crate::mail::seat::{Reader, SeatId};

/// What is new for one seat.
pub(super) struct Fresh {
    /// Addressed by name, in order.
    pub(super) directed: BTreeSet<Seq>,
    /// By the first of the seat's rooms, rooms by name.
    pub(super) rooms: Vec<(RoomName, BTreeSet<Seq>)>,
}

impl Fresh {
    pub(super) fn all(&self) -> BTreeSet<Seq> {
        let rooms = self.rooms.iter().flat_map(|(_, posts)| posts);
        self.directed.iter().chain(rooms).copied().collect()
    }
}

impl Book {
    pub(super) fn look(
        &self,
        reader: &Reader,
        above: usize,
        around: &dyn Around,
    ) -> Result<News, MailError> {
        self.fence(reader, around)?;
        let news = self.news(reader.seat, around);
        let all = news.all();
        let letters = |seqs: &BTreeSet<Seq>, most: usize| -> Vec<Letter> {
            let seqs = seqs.iter().take(most);
            seqs.filter_map(|seq| self.letter(reader.seat, *seq))
                .collect()
        };
        let is_few = all.len() <= above && !self.owes_counts(reader.seat, &news, around.wall());
        let waiting = if is_few {
            Waiting::Few(letters(&all, above))
        } else {
            Waiting::Many {
                counts: self.counts(&news, around),
                upto: all.last().copied().unwrap_or(Seq::new(0)),
                directed: letters(&news.directed, above),
            }
        };
        let mut found = News::new(waiting);
        found.oldest = all
            .first()
            .map(|seq| self.messages[seq].sent.age_at_least(around));
        found.muted = self.mutes(reader.seat, around.wall())?;
        let next = self.reminders_of(reader.seat).into_iter().next();
        found.due = next.map(|reminder| reminder.due);
        found.is_read = self.has_loop(reader.seat, around);
        found.is_awaited = !self.awaited(reader, around)?.messages.is_empty();
        Ok(found)
    }

    /// Whether any of what is new may only be counted.
    fn owes_counts(&self, seat: SeatId, news: &Fresh, now: SystemTime) -> bool {
        let mut posts = news.rooms.iter().flat_map(|(_, posts)| posts);
        posts.any(|seq| self.voice(seat, *seq, now) == Voice::Counted)
    }

    /// What is new: rows that nobody holds, and posts above the mark without a row. What is said
    /// in a muted room is not.
    pub(super) fn news(&self, seat: SeatId, around: &dyn Around) -> Fresh {
        let mut directed = BTreeSet::new();
        let mut posted = BTreeSet::new();
        let now = around.wall();
        let is_muted = |seq: Seq| self.voice(seat, seq, now) == Voice::Muted;
        for (seq, row) in self.rows(Tray::Seat(seat)) {
            if row.state == Stage::New && !self.is_live(row.claim, around) {
                if row.is_directed() {
                    directed.insert(seq);
                } else if !is_muted(seq) {
                    posted.insert(seq);
                }
            }
        }
        let mut rooms = Vec::new();
        let mut told = BTreeSet::new();
        let is_new = |seq: Seq| self.state(seat, seq) == Some(State::New);
        for (room, member) in self.rooms_of(seat) {
            if member.hush.is_on(now) {
                continue;
            }
            let posts: BTreeSet<Seq> = self
                .posts(&room, Seq::new(0))
                .filter(|seq| {
                    let is_above = *seq > member.told && self.row(seat, *seq).is_none();
                    is_above && is_new(*seq) || posted.contains(seq)
                })
                .filter(|seq| told.insert(*seq))
                .collect();
            rooms.push((room, posts));
        }
        // Left behind in rooms that the seat has left: under the message's own first room.
        for seq in posted.difference(&told) {
            if let Some(room) = self.messages[seq].rooms.first() {
                match rooms.iter_mut().find(|(known, _)| known == room) {
                    Some((_, posts)) => _ = posts.insert(*seq),
                    None => rooms.push((room.clone(), BTreeSet::from([*seq]))),
                }
            }
        }
        rooms.sort();
        rooms.retain(|(_, posts)| !posts.is_empty());
        Fresh { directed, rooms }
    }

    pub(super) fn counts(&self, news: &Fresh, around: &dyn Around) -> Counts {
        let mut origins = vec![(Origin::You, news.directed.len() as u64)];
        for (room, posts) in &news.rooms {
            origins.push((Origin::Room(room.to_string()), posts.len() as u64));
        }
        let all = news.all();
        let at = |seq: Option<&Seq>| seq.map(|seq| self.messages[seq].sent_at);
        let since = |then, now: Option<std::time::SystemTime>| -> Duration {
            let (Some(then), Some(now)) = (then, now) else {
                return Duration::ZERO;
            };
            now.duration_since(then).unwrap_or_default()
        };
        let (oldest, newest) = (at(all.first()), at(all.last()));
        Counts::new(origins).aged(since(newest, Some(around.wall())), since(oldest, newest))
    }

    /// A message as a seat sees it.
    pub(super) fn letter(&self, seat: SeatId, seq: Seq) -> Option<Letter> {
        let message = self.messages.get(&seq)?;
        let named = self.row(seat, seq).map(|row| &row.named);
        let is_named = |index: usize| named.is_some_and(|named| named.contains(&index));
        let mut to: Vec<&str> = Vec::new();
        for (index, address) in message.to.iter().enumerate() {
            let address = if is_named(index) { "you" } else { address };
            if !to.contains(&address) {
                to.push(address);
            }
        }
        to.sort_by_key(|address| *address != "you");
        let letter = Letter::new(
            seq,
            message.id.clone(),
            message.from.clone(),
            to.join(", "),
            message.body.clone(),
        );
        Some(letter.sent_by(message.kind))
    }

    /// What is unread: new, counted or unseen.
    pub(super) fn unread(&self, seat: SeatId) -> BTreeSet<Seq> {
        let rows = self.rows(Tray::Seat(seat)).map(|(seq, _)| seq);
        let rooms = self.rooms_of(seat);
        let posts = rooms
            .iter()
            .flat_map(|(room, member)| self.posts(room, member.read));
        rows.chain(posts)
            .filter(|seq| self.state(seat, *seq).is_some_and(State::is_unread))
            .collect()
    }
}
