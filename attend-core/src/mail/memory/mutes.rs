//! Mutes, and what a room that was muted still owes.

use std::collections::BTreeSet;
use std::time::SystemTime;

use super::book::{Book, Member, Stage, Tray};
use crate::mail::around::Around;
use crate::mail::change::Changed;
use crate::mail::closest::closest;
use crate::mail::envelope::Seq;
use crate::mail::error::MailError;
use crate::mail::mute::{Hush, Muted, Quiet, Voice, holds};
use crate::mail::name::RoomName;
use crate::mail::seat::SeatId;

impl Book {
    pub(super) fn mute(
        &mut self,
        seat: SeatId,
        muted: &Muted,
        around: &dyn Around,
    ) -> Result<Changed, MailError> {
        self.seat(seat)?;
        self.forget_mutes(seat, around.wall());
        if let Quiet::Room(room) = &muted.what {
            let Some(member) = self.members.get_mut(&(seat, room.clone())) else {
                let rooms = self.rooms_of(seat);
                let near = closest(room.as_str(), rooms.iter().map(|(room, _)| room.as_str()));
                let near: Vec<String> = near.iter().map(|room| format!("#{room}")).collect();
                return Err(MailError::not_in(room, &near));
            };
            member.hush = Hush::Until(muted.until);
        } else {
            self.mutes.insert((seat, muted.what.clone()), muted.until);
        }
        Ok(Changed::Done)
    }

    pub(super) fn unmute(
        &mut self,
        seat: SeatId,
        what: Option<&Quiet>,
        around: &dyn Around,
    ) -> Result<Changed, MailError> {
        let now = around.wall();
        let mut ended = self.mutes(seat, now)?;
        self.forget_mutes(seat, now);
        ended.retain(|muted| what.is_none_or(|what| muted.what == *what));
        let head = self.head();
        for muted in &ended {
            if let Quiet::Room(room) = &muted.what {
                if let Some(member) = self.members.get_mut(&(seat, room.clone())) {
                    member.hush = member.hush.end(head);
                }
            } else {
                self.mutes.remove(&(seat, muted.what.clone()));
            }
        }
        Ok(Changed::Unmuted(ended))
    }

    /// What is muted at a seat, in order.
    pub(super) fn mutes(&self, seat: SeatId, now: SystemTime) -> Result<Vec<Muted>, MailError> {
        self.seat(seat)?;
        let mutes = self.mutes.iter().filter(|((of, _), _)| *of == seat);
        let others = mutes.map(|((_, what), until)| Muted::new(what.clone(), *until));
        let rooms = self
            .rooms_of(seat)
            .into_iter()
            .filter_map(|(room, member)| match member.hush {
                Hush::Until(until) => Some(Muted::new(Quiet::Room(room), until)),
                _ => None,
            });
        let mut mutes: Vec<Muted> = others.chain(rooms).collect();
        mutes.retain(|muted| holds(muted.until, now));
        mutes.sort_by(|a, b| a.what.cmp(&b.what));
        Ok(mutes)
    }

    fn forget_mutes(&mut self, seat: SeatId, now: SystemTime) {
        self.mutes
            .retain(|(of, _), until| *of != seat || holds(*until, now));
    }

    /// The rooms of a seat that are muted.
    pub(super) fn muted_rooms(&self, seat: SeatId, now: SystemTime) -> BTreeSet<RoomName> {
        let rooms = self.rooms_of(seat).into_iter();
        let muted = rooms.filter(|(_, member)| member.hush.is_on(now));
        muted.map(|(room, _)| room).collect()
    }

    /// How a message reaches a seat through its rooms: by the loudest of them.
    pub(super) fn voice(&self, seat: SeatId, seq: Seq, now: SystemTime) -> Voice {
        if self
            .row(seat, seq)
            .is_some_and(super::book::Delivery::is_directed)
        {
            return Voice::Plain;
        }
        let through = self.through(seat, seq);
        let voices = through.map(|(_, member)| member.hush.voice(seq, now));
        voices.max().unwrap_or(Voice::Plain)
    }

    /// The rooms of a seat that a message was posted to since the seat joined.
    fn through(&self, seat: SeatId, seq: Seq) -> impl Iterator<Item = (&RoomName, Member)> {
        let rooms = self.messages.get(&seq).map(|message| &message.rooms);
        let members = rooms.into_iter().flatten().filter_map(move |room| {
            let member = self.members.get(&(seat, room.clone()))?;
            Some((room, *member))
        });
        members.filter(move |(_, member)| seq > member.since)
    }

    /// Mutes of a room that have passed are over before something else is said there.
    pub(super) fn end_quiet(&mut self, room: &RoomName, head: Seq, now: SystemTime) {
        for ((_, of), member) in &mut self.members {
            if of == room {
                member.hush = member.hush.before_post(head, now);
            }
        }
    }

    /// Counts what waits in a room that is left and was muted, unless another room has it too.
    /// Everything that is unread there has a row.
    pub(super) fn count_quiet(
        &mut self,
        seat: SeatId,
        room: &RoomName,
        member: Member,
        now: SystemTime,
    ) {
        let is_quiet = |seq: &Seq| {
            let is_alone = self.through(seat, *seq).all(|(other, _)| other == room);
            is_alone && member.hush.voice(*seq, now) != Voice::Plain
        };
        let posts = self.posts(room, member.since);
        let quiet: Vec<Seq> = posts.filter(is_quiet).collect();
        for seq in quiet {
            if let Some(row) = self.deliveries.get_mut(&(Tray::Seat(seat), seq))
                && row.state == Stage::New
                && !row.is_directed()
            {
                row.state = Stage::Counted;
            }
        }
    }
}
