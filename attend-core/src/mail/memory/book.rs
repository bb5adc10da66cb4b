//! What the store in memory holds, and the questions that everything else asks of it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use crate::mail::around::{Around, Life, Process};
use crate::mail::claim::{CLAIM_LEASE, ClaimId};
use crate::mail::envelope::{MessageId, SenderKind, Seq, State};
use crate::mail::error::MailError;
use crate::mail::mute::{Hush, Quiet};
use crate::mail::name::RoomName;
use crate::mail::seat::{Epoch, ProjectId, Reader, SeatId};

/// Everything that the mailbox knows.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Book {
    pub(super) projects: BTreeMap<ProjectId, Project>,
    pub(super) seats: BTreeMap<SeatId, Seat>,
    /// The seat that each session sat on last.
    pub(super) sessions: BTreeMap<String, SeatId>,
    pub(super) messages: BTreeMap<Seq, Message>,
    pub(super) rooms: BTreeMap<RoomName, BTreeSet<Seq>>,
    pub(super) members: BTreeMap<(SeatId, RoomName), Member>,
    /// What else than rooms is muted, and until when.
    pub(super) mutes: BTreeMap<(SeatId, Quiet), Option<SystemTime>>,
    pub(super) deliveries: BTreeMap<(Tray, Seq), Delivery>,
    pub(super) tracks: BTreeMap<String, Track>,
    /// When a reader that comes and goes looked last, by seat.
    pub(super) looks: BTreeMap<SeatId, SystemTime>,
    pub(super) reminders: BTreeMap<MessageId, (SeatId, SystemTime, String)>,
    pub(super) claims: BTreeMap<ClaimId, Claimed>,
    pub(super) last_claim: u64,
    /// The last position of a message that was removed.
    pub(super) removed: Seq,
    /// When somebody swept last.
    pub(super) swept: Option<Moment>,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Project {
    pub(super) path: PathBuf,
    pub(super) folder: String,
    pub(super) persona: String,
    pub(super) host_root: Option<PathBuf>,
    /// When it was first seen gone.
    pub(super) gone: Option<Moment>,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Seat {
    pub(super) name: String,
    pub(super) owner: Owner,
    pub(super) epoch: Epoch,
    /// What was shown by the last write.
    pub(super) last: Vec<Seq>,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Owner {
    Person,
    Project {
        project: ProjectId,
        root: PathBuf,
        session: String,
        occupant: Option<Process>,
        /// The loop that reads here.
        run: Option<Process>,
    },
}

/// What is known of the evidence in one session.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(super) struct Track {
    /// How many showings in a row were missed.
    pub(super) missed: u32,
    /// Nobody looks any more.
    pub(super) is_off: bool,
    /// Up to where the host's record was read.
    pub(super) read: Option<u64>,
}

/// A moment on the clock that never steps, which starts anew with the machine.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Moment {
    boot: String,
    at: Duration,
}

impl Moment {
    pub(super) fn now(around: &dyn Around) -> Self {
        Self {
            boot: around.boot_id(),
            at: around.boot(),
        }
    }

    /// How long ago it was; none where the machine has started anew.
    pub(super) fn age(&self, around: &dyn Around) -> Option<Duration> {
        (self.boot == around.boot_id()).then(|| around.boot().saturating_sub(self.at))
    }

    /// The same; where the machine has started anew, it was before that.
    pub(super) fn age_at_least(&self, around: &dyn Around) -> Duration {
        self.age(around).unwrap_or_else(|| around.boot())
    }
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Message {
    pub(super) id: MessageId,
    pub(super) sent_at: SystemTime,
    pub(super) sent: Moment,
    pub(super) from: String,
    pub(super) kind: SenderKind,
    pub(super) seat: Option<SeatId>,
    pub(super) session: Option<String>,
    pub(super) to: Vec<String>,
    pub(super) rooms: Vec<RoomName>,
    pub(super) re: Option<MessageId>,
    pub(super) key: Option<Key>,
    pub(super) body: String,
}

/// A key, and what was asked under it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Key {
    /// Whose keys they are.
    pub(super) space: String,
    pub(super) name: String,
    pub(super) asked: Vec<String>,
}

/// How far a seat got in a room.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Member {
    /// It joined after this.
    pub(super) since: Seq,
    /// At or below, everything has a row, is own, or came before joining.
    pub(super) read: Seq,
    /// At or below, everything has a row or was counted.
    pub(super) told: Seq,
    /// Whether the room is, or was, muted.
    pub(super) hush: Hush,
}

/// Where a delivery lies.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Tray {
    Seat(SeatId),
    Project(ProjectId),
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Delivery {
    pub(super) state: Stage,
    pub(super) via: Via,
    /// It may have been shown.
    pub(super) attempted: bool,
    pub(super) claim: Option<ClaimId>,
    /// The session that it was shown to last.
    pub(super) session: Option<String>,
    /// To how many sessions it was shown.
    pub(super) sessions: u32,
    /// How often it was shown to that session.
    pub(super) shown: u32,
    /// When it was shown last.
    pub(super) shown_at: Option<Moment>,
    /// Which of the message's addresses led here.
    pub(super) named: BTreeSet<usize>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Stage {
    New,
    Counted,
    Printed {
        tracked: bool,
    },
    Unseen,
    Seen,
    /// The reader's own words.
    Own,
}

/// How a message came to a tray.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Via {
    /// By the name of the seat.
    Seat,
    /// By the project, or one of its work trees.
    Project(Option<PathBuf>),
    /// By rooms.
    Room,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Claimed {
    pub(super) reader: Reader,
    pub(super) boot: String,
    pub(super) at: Duration,
    pub(super) upto: Option<Seq>,
    /// The rooms that were muted, so that nothing in them was counted.
    pub(super) muted: BTreeSet<RoomName>,
}

impl Stage {
    pub(super) fn state(self) -> Option<State> {
        match self {
            Self::New => Some(State::New),
            Self::Counted => Some(State::Counted),
            Self::Printed { .. } => Some(State::Printed),
            Self::Unseen => Some(State::Unseen),
            Self::Seen => Some(State::Seen),
            Self::Own => None,
        }
    }
}

impl Delivery {
    pub(super) fn new(via: Via, stage: Stage) -> Self {
        Self {
            state: stage,
            via,
            attempted: false,
            claim: None,
            session: None,
            sessions: 0,
            shown: 0,
            shown_at: None,
            named: BTreeSet::new(),
        }
    }

    pub(super) fn is_directed(&self) -> bool {
        self.via != Via::Room
    }

    /// Becomes one with another delivery of the same message, which nobody has seen. What is
    /// directed is new, unless it was shown here.
    pub(super) fn join(&mut self, other: Self) {
        self.attempted |= other.attempted;
        self.named.extend(other.named);
        if matches!(self.state, Stage::Counted | Stage::Own) {
            self.state = other.state;
        }
        self.via = self.via.wider(&other.via);
    }
}

impl Via {
    /// What is left of two ways to one tray: the one that binds the message less to a work tree.
    /// Of two work trees whichever comes first takes it, or one of a third, lest it be lost.
    pub(super) fn wider(&self, other: &Self) -> Self {
        match (self, other) {
            (Self::Seat, _) | (_, Self::Seat) => Self::Seat,
            (Self::Room, via) | (via, Self::Room) => via.clone(),
            (one, other) if one == other => one.clone(),
            _ => Self::Project(None),
        }
    }
}

impl Seat {
    /// Whether a live session sits here, as far as can be seen. A person's seat always counts.
    pub(super) fn is_occupied(&self, around: &dyn Around) -> bool {
        match &self.owner {
            Owner::Person => true,
            Owner::Project { occupant, .. } => occupant
                .as_ref()
                .is_some_and(|process| around.life(process) != Life::Dead),
        }
    }
}

impl Default for Book {
    /// Nothing but the room of everybody.
    fn default() -> Self {
        Self {
            projects: BTreeMap::new(),
            seats: BTreeMap::new(),
            sessions: BTreeMap::new(),
            messages: BTreeMap::new(),
            rooms: BTreeMap::from([(RoomName::open(), BTreeSet::new())]),
            members: BTreeMap::new(),
            mutes: BTreeMap::new(),
            deliveries: BTreeMap::new(),
            tracks: BTreeMap::new(),
            looks: BTreeMap::new(),
            reminders: BTreeMap::new(),
            claims: BTreeMap::new(),
            last_claim: 0,
            removed: Seq::new(0),
            swept: None,
        }
    }
}

impl Book {
    pub(super) fn head(&self) -> Seq {
        let last = self.messages.last_key_value();
        last.map_or(self.removed, |(seq, _)| self.removed.max(*seq))
    }

    pub(super) fn seat(&self, seat: SeatId) -> Result<&Seat, MailError> {
        self.seats.get(&seat).ok_or_else(MailError::no_seat)
    }

    pub(super) fn seat_mut(&mut self, seat: SeatId) -> Result<&mut Seat, MailError> {
        self.seats.get_mut(&seat).ok_or_else(MailError::no_seat)
    }

    pub(super) fn by_id(&self, id: &MessageId) -> Option<(Seq, &Message)> {
        let found = self.messages.iter().find(|(_, message)| message.id == *id);
        found.map(|(seq, message)| (*seq, message))
    }

    pub(super) fn row(&self, seat: SeatId, seq: Seq) -> Option<&Delivery> {
        self.deliveries.get(&(Tray::Seat(seat), seq))
    }

    /// The rows of one tray, in order.
    pub(super) fn rows(&self, tray: Tray) -> impl Iterator<Item = (Seq, &Delivery)> {
        let range = (tray, Seq::new(0))..=(tray, Seq::new(u64::MAX));
        self.deliveries
            .range(range)
            .map(|((_, seq), row)| (*seq, row))
    }

    pub(super) fn rows_mut(&mut self, tray: Tray) -> impl Iterator<Item = (Seq, &mut Delivery)> {
        let range = (tray, Seq::new(0))..=(tray, Seq::new(u64::MAX));
        self.deliveries
            .range_mut(range)
            .map(|((_, seq), row)| (*seq, row))
    }

    /// The rooms of a seat, by name.
    pub(super) fn rooms_of(&self, seat: SeatId) -> Vec<(RoomName, Member)> {
        let members = self.members.iter().filter(|((of, _), _)| *of == seat);
        members
            .map(|((_, room), member)| (room.clone(), *member))
            .collect()
    }

    /// The posts of a room after `after`, in order.
    pub(super) fn posts(&self, room: &RoomName, after: Seq) -> impl Iterator<Item = Seq> {
        let posts = self.rooms.get(room).into_iter().flatten();
        posts.copied().filter(move |seq| *seq > after)
    }

    /// Refuses a reader whose seat has moved on, or whose session has ended.
    pub(super) fn fence(&self, reader: &Reader, around: &dyn Around) -> Result<(), MailError> {
        let seat = self.seat(reader.seat)?;
        if seat.epoch != reader.epoch || !seat.is_occupied(around) {
            return Err(MailError::displaced());
        }
        Ok(())
    }

    /// Whether `claim` still holds what it claimed.
    pub(super) fn is_live(&self, claim: Option<ClaimId>, around: &dyn Around) -> bool {
        let Some(claimed) = claim.and_then(|id| self.claims.get(&id)) else {
            return false;
        };
        let age = around.boot().checked_sub(claimed.at);
        claimed.boot == around.boot_id()
            && age.is_some_and(|age| age < CLAIM_LEASE)
            && around.life(&claimed.reader.process) != Life::Dead
    }

    /// How far a message got with a seat; none where it is not for it.
    pub(super) fn state(&self, seat: SeatId, seq: Seq) -> Option<State> {
        if let Some(row) = self.row(seat, seq) {
            return row.state.state();
        }
        let rooms = self.messages.get(&seq).map(|message| &message.rooms)?;
        let members = rooms
            .iter()
            .filter_map(|room| self.members.get(&(seat, room.clone())));
        members
            .filter_map(|member| {
                if seq > member.told {
                    Some(State::New)
                } else if seq > member.read {
                    Some(State::Counted)
                } else {
                    None
                }
            })
            // What one room has counted was told of, also where another is muted.
            .max()
    }
}
