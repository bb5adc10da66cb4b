//! What is changed at a mailbox beside messages, and what came of it.

use std::time::SystemTime;

use super::cleanup::{Sweep, Swept};
use super::envelope::MessageId;
use super::evidence::{Evidence, Tracking};
use super::mute::{Muted, Quiet};
use super::name::RoomName;
use super::seat::{Reader, SeatId, Seated, Sitter};

/// Something to be changed, each in one transaction.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Change {
    /// Somebody sits down. Whoever sits already stays where they are.
    Sit(Sitter),
    /// The session of this reader ended: its seat is vacant.
    Stand(Reader),
    /// This reader is the loop of its seat, of which there is one.
    Register(Reader),
    /// A seat joins a room, which is made where it is missing.
    Join {
        /// Which seat.
        seat: SeatId,
        /// Which room.
        room: RoomName,
    },
    /// A seat leaves a room. What is unread there stays to be delivered; where the room was muted,
    /// it was counted by what this gives. The mute ends.
    Leave {
        /// Which seat.
        seat: SeatId,
        /// Which room.
        room: RoomName,
    },
    /// A seat wants to hear nothing of something. Mail addressed to it by name comes all the same.
    ///
    /// While a room is muted, what is said there is not new: it wakes nobody and stands in no
    /// digest, and is unread all the same. When the mute ends, the next look gives counts, however
    /// few there are, until a digest was written. What reaches the seat by another room, or by
    /// name, is new as ever.
    Mute {
        /// Which seat.
        seat: SeatId,
        /// What, and until when; it takes the place of an earlier wish for the same.
        muted: Muted,
    },
    /// A seat wants to hear of something again.
    Unmute {
        /// Which seat.
        seat: SeatId,
        /// Of what; none for everything.
        what: Option<Quiet>,
    },
    /// What a look at the host's record found of the messages that were shown to a session.
    ///
    /// What was seen is seen, whoever sits there by now. For what is missing the seat has to be
    /// the reader's still: it is new again, and carries the mark from then on; what was shown
    /// to the session [`MOST_SHOWN`](super::MOST_SHOWN) times is unseen instead. Once
    /// [`MOST_MISSED`](super::MOST_MISSED) showings in a row were missed, nobody looks for
    /// evidence in this session any more: printed is the end.
    Evidence(Evidence),
    /// A reader that comes and goes, such as a hook, looked. For a while its seat counts as
    /// listening.
    Looked(SeatId),
    /// A seat wants to be reminded.
    Remind {
        /// Which seat.
        seat: SeatId,
        /// When, by the clock on the wall.
        due: SystemTime,
        /// Of what, as long as a message may be.
        text: String,
    },
    /// A reminder is not wanted any more.
    Cancel {
        /// Whose.
        seat: SeatId,
        /// Which.
        id: MessageId,
    },
    /// Sends the reminders of a seat that are due, each once, at most
    /// [`MOST_DUE`](super::MOST_DUE) of them.
    Due(SeatId),
    /// Notes which projects are gone, and removes some of what belongs to those that are.
    Sweep(Sweep),
}

/// What a [`Change`] did.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Changed {
    /// Somebody sits.
    Sat(Seated),
    /// A seat joined a room. `earlier` messages are there already; none are told of if it had
    /// been a member.
    Joined {
        /// The messages from before.
        earlier: u64,
        /// Whether it was no member before.
        is_new: bool,
    },
    /// A seat left a room.
    Left {
        /// Whether it was a member before.
        was_member: bool,
        /// How many unread messages stay to be delivered.
        unread: u64,
    },
    /// These were muted until now.
    Unmuted(Vec<Muted>),
    /// Whether evidence is looked for in the session from now on.
    Tracked(Tracking),
    /// A reminder of this id waits; the message that it becomes has the same.
    Reminding(MessageId),
    /// The reminder was there, and is not any more.
    Cancelled(bool),
    /// So many reminders were sent.
    Reminded(u64),
    /// This went.
    Swept(Swept),
    /// It is done.
    Done,
}
