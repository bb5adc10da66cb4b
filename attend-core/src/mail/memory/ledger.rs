//! Reading without taking: pages, threads, states, seats and rooms.

use std::collections::{BTreeMap, BTreeSet};

use super::book::{Book, Message, Owner, Stage, Tray, Via};
use crate::mail::around::Around;
use crate::mail::envelope::{Entry, MessageId, SenderKind, Seq, State};
use crate::mail::error::MailError;
use crate::mail::name::{RoomName, fold};
use crate::mail::request::{Answer, Before, Ledger, Page, Query, RoomInfo, SeatInfo, Whole};
use crate::mail::seat::SeatId;
use crate::mail::words::Words;

/// How many messages of a thread are given.
pub(super) const MOST_OF_THREAD: usize = 50;

impl Book {
    pub(super) fn read(&self, query: &Query, around: &dyn Around) -> Result<Answer, MailError> {
        Ok(match query {
            Query::New { reader, above } => Answer::New(self.look(reader, *above, around)?),
            Query::Awaited(reader) => Answer::Awaited(self.awaited(reader, around)?),
            Query::Reminders(seat) => {
                self.seat(*seat)?;
                Answer::Reminders(self.reminders_of(*seat))
            }
            Query::Unread(seat) => {
                self.seat(*seat)?;
                Answer::Unread(self.unread(*seat).len() as u64)
            }
            Query::Ledger(ledger) => Answer::Ledger(self.page(ledger)?),
            Query::Message { id, seat } => Answer::Message(self.whole(id, *seat).map(Box::new)),
            Query::Entries { seat, seqs } => {
                let seqs: BTreeSet<Seq> = seqs.iter().copied().collect();
                Answer::Entries(self.entries(Some(*seat), seqs))
            }
            Query::Letters { seat, seqs } => {
                let seqs: BTreeSet<Seq> = seqs.iter().copied().collect();
                let letters = seqs.into_iter().filter_map(|seq| self.letter(*seat, seq));
                Answer::Letters(letters.collect())
            }
            Query::Projects => Answer::Projects(self.known_projects(around)),
            Query::Mutes(seat) => Answer::Mutes(self.mutes(*seat, around.wall())?),
            Query::LastShown(seat) => {
                let last = self.seat(*seat)?.last.iter().copied().collect();
                Answer::Entries(self.entries(Some(*seat), last))
            }
            Query::SeatOf { session } => {
                let seat = self.sessions.get(session);
                let is_theirs = |seat: &&SeatId| matches!(&self.seats[*seat].owner, Owner::Project { session: of, .. } if of == session);
                Answer::Seat(seat.filter(is_theirs).map(|seat| self.seated(*seat, None)))
            }
            Query::SeatOfPerson(name) => {
                let seat = self.person(name);
                Answer::Seat(seat.map(|seat| self.seated(seat, None)))
            }
            Query::Seats => Answer::Seats(self.seats(around)),
            Query::Rooms(seat) => Answer::Rooms(self.rooms(*seat)),
            Query::Project(place) => {
                let mut projects = self.projects.values();
                let found = projects.find(|project| project.path == place.project);
                Answer::Project(found.map(|project| project.persona.clone()))
            }
        })
    }

    fn entries(&self, seat: Option<SeatId>, seqs: BTreeSet<Seq>) -> Vec<Entry> {
        let known = seqs
            .into_iter()
            .filter_map(|seq| Some((seq, self.messages.get(&seq)?)));
        known
            .map(|(seq, message)| {
                let state = seat.and_then(|seat| self.state(seat, seq));
                entry(seq, message).state(state)
            })
            .collect()
    }

    fn page(&self, ledger: &Ledger) -> Result<Page, MailError> {
        let seat = ledger.seat;
        self.seat(seat)?;
        let end = match &ledger.before {
            Some(Before::Id(id)) => {
                let found = self.by_id(id);
                Some(found.ok_or_else(|| MailError::no_message(id))?.0)
            }
            _ => None,
        };
        if let Some(room) = &ledger.room
            && !self.rooms.contains_key(room)
        {
            return Err(MailError::unknown(&[(
                room.to_string(),
                self.near_rooms(room),
            )]));
        }
        let words = ledger.words.as_deref().map(Words::of).unwrap_or_default();
        let is_wanted = |seq: Seq, message: &Message| {
            let in_time = match &ledger.before {
                Some(Before::Time(time)) => message.sent_at < *time,
                _ => end.is_none_or(|end| seq < end),
            };
            let in_place = match &ledger.room {
                Some(room) => message.rooms.contains(room),
                None => self.concerns(seat, seq, message),
            };
            let from = ledger
                .from
                .as_deref()
                .is_none_or(|from| self.is_from(message, from));
            in_time && in_place && from && words.are_in(&message.body)
        };
        let newest_first = self.messages.iter().rev();
        let mut wanted = newest_first.filter(|(seq, message)| is_wanted(**seq, message));
        let skip = ledger.skip.saturating_mul(ledger.limit);
        let page: BTreeSet<Seq> = wanted
            .by_ref()
            .skip(skip)
            .take(ledger.limit)
            .map(|(seq, _)| *seq)
            .collect();
        let next = match (wanted.next(), page.first()) {
            (Some(_), Some(first)) => Some(self.messages[first].id.clone()),
            _ => None,
        };
        Ok(Page::new(self.entries(Some(seat), page), next))
    }

    /// Whether a message is to a seat, in its rooms, or its own.
    fn concerns(&self, seat: SeatId, seq: Seq, message: &Message) -> bool {
        let in_room = |room: &RoomName| self.members.contains_key(&(seat, room.clone()));
        self.row(seat, seq).is_some()
            || message.seat == Some(seat)
            || message.rooms.iter().any(in_room)
    }

    fn is_from(&self, message: &Message, from: &str) -> bool {
        let from = fold(from.strip_prefix('@').unwrap_or(from));
        let persona = message.seat.and_then(|seat| match self.seats[&seat].owner {
            Owner::Project { project, .. } => Some(&self.projects[&project].persona),
            Owner::Person => None,
        });
        fold(&message.from) == from || persona.is_some_and(|persona| fold(persona) == from)
    }

    fn whole(&self, id: &MessageId, seat: Option<SeatId>) -> Option<Whole> {
        let (seq, message) = self.by_id(id)?;
        let state = seat.and_then(|seat| self.state(seat, seq));
        let mut whole = Whole::new(entry(seq, message).state(state));
        let root = message.re.as_ref().unwrap_or(id);
        let thread = self.messages.iter().filter(|(_, other)| {
            other.id == *root || other.re.as_ref() == Some(root) || other.re.as_ref() == Some(id)
        });
        let thread = thread.map(|(seq, _)| *seq).filter(|other| *other != seq);
        whole.thread = self.entries(seat, thread.take(MOST_OF_THREAD).collect());
        let mut seen: BTreeMap<SeatId, State> = BTreeMap::new();
        for ((tray, of), row) in &self.deliveries {
            if *of != seq {
                continue;
            }
            let Some(state) = row.state.state() else {
                continue;
            };
            match tray {
                Tray::Seat(seat) if row.via == Via::Room => _ = seen.insert(*seat, state),
                Tray::Seat(seat) => {
                    whole.states.insert(self.seats[seat].name.clone(), state);
                }
                Tray::Project(project) => {
                    let name = self.projects[project].persona.clone();
                    whole.states.insert(name, state);
                }
            }
        }
        for room in &message.rooms {
            let members = self.members.iter().filter(|((seat, of), member)| {
                of == room && Some(*seat) != message.seat && seq > member.since
            });
            let members: Vec<SeatId> = members.map(|((seat, _), _)| *seat).collect();
            let saw = |seat: &&SeatId| {
                let row = self.row(**seat, seq);
                row.is_some_and(|row| {
                    matches!(row.state, Stage::Seen | Stage::Printed { tracked: false })
                })
            };
            let counts = (
                members.iter().filter(saw).count() as u64,
                members.len() as u64,
            );
            whole.rooms.insert(room.clone(), counts);
        }
        Some(whole)
    }

    fn seats(&self, around: &dyn Around) -> Vec<SeatInfo> {
        let mut seats: Vec<SeatInfo> = self
            .seats
            .iter()
            .map(|(id, seat)| {
                let (kind, session) = match &seat.owner {
                    Owner::Person => (SenderKind::Person, None),
                    Owner::Project { session, .. } => {
                        let session = Some(session.clone()).filter(|id| !id.is_empty());
                        (SenderKind::Agent, session)
                    }
                };
                let presence = self.presence(*id, around);
                let mut info = SeatInfo::new(self.seated(*id, None), kind, presence);
                info.session = session;
                info.rooms = self
                    .rooms_of(*id)
                    .into_iter()
                    .map(|(room, _)| room)
                    .collect();
                let oldest = self.news(*id, around).all().pop_first();
                info.oldest = oldest.map(|oldest| self.messages[&oldest].sent_at);
                info
            })
            .collect();
        seats.sort_by(|a, b| a.seated.name.cmp(&b.seated.name));
        seats
    }

    fn rooms(&self, seat: Option<SeatId>) -> Vec<RoomInfo> {
        let info = |(room, posts): (&RoomName, &BTreeSet<Seq>)| {
            let members = self.members.keys().filter(|(_, of)| of == room);
            let members: Vec<SeatId> = members.map(|(seat, _)| *seat).collect();
            let joined = seat.is_some_and(|seat| members.contains(&seat));
            let mut names: Vec<String> = members
                .iter()
                .map(|seat| self.seats[seat].name.clone())
                .collect();
            names.sort();
            RoomInfo::new(room.clone(), names, posts.len() as u64, joined)
        };
        self.rooms.iter().map(info).collect()
    }
}

fn entry(seq: Seq, message: &Message) -> Entry {
    Entry::new(
        seq,
        message.id.clone(),
        message.sent_at,
        message.from.clone(),
        message.kind,
        message.to.clone(),
        message.re.clone(),
        message.body.clone(),
    )
}
