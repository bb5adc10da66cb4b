//! Rooms: joining, and leaving without losing what is unread.

use super::book::{Book, Delivery, Member, Stage, Tray, Via};
use crate::mail::around::Around;
use crate::mail::change::Changed;
use crate::mail::envelope::{Seq, State};
use crate::mail::error::{MailError, MailErrorKind};
use crate::mail::mute::Hush;
use crate::mail::name::RoomName;
use crate::mail::seat::SeatId;

impl Book {
    /// Makes a seat a member from now on.
    pub(super) fn enter(&mut self, seat: SeatId, room: &RoomName) {
        let now = self.head();
        self.rooms.entry(room.clone()).or_default();
        let member = Member {
            since: now,
            read: now,
            told: now,
            hush: Hush::No,
        };
        self.members.insert((seat, room.clone()), member);
    }

    pub(super) fn join(&mut self, seat: SeatId, room: &RoomName) -> Result<Changed, MailError> {
        self.seat(seat)?;
        let is_new = !self.members.contains_key(&(seat, room.clone()));
        if is_new {
            self.enter(seat, room);
        }
        let earlier = if is_new {
            self.posts(room, Seq::new(0)).count() as u64
        } else {
            0
        };
        Ok(Changed::Joined { earlier, is_new })
    }

    pub(super) fn leave(
        &mut self,
        seat: SeatId,
        room: &RoomName,
        around: &dyn Around,
    ) -> Result<Changed, MailError> {
        self.seat(seat)?;
        if room.is_open() {
            let text = "nobody leaves #open; attend mute #open keeps it quiet for a while";
            return Err(MailError::new(MailErrorKind::Invalid, text));
        }
        let Some(member) = self.members.get(&(seat, room.clone())).copied() else {
            return Ok(Changed::Left {
                was_member: false,
                unread: 0,
            });
        };
        let posts: Vec<Seq> = self.posts(room, member.read).collect();
        for seq in posts {
            let stage = match self.state(seat, seq) {
                Some(State::Counted) => Stage::Counted,
                _ => Stage::New,
            };
            let row = Delivery::new(Via::Room, stage);
            self.deliveries
                .entry((Tray::Seat(seat), seq))
                .or_insert(row);
        }
        self.count_quiet(seat, room, member, around.wall());
        // By now whatever is unread here has a row.
        let is_unread = |seq: &Seq| {
            let state = self.row(seat, *seq).and_then(|row| row.state.state());
            state.is_some_and(State::is_unread)
        };
        let unread = self.posts(room, Seq::new(0)).filter(is_unread).count() as u64;
        self.members.remove(&(seat, room.clone()));
        Ok(Changed::Left {
            was_member: true,
            unread,
        })
    }
}
