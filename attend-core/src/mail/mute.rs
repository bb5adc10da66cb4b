//! Mutes: what a seat wants to hear nothing of for a while, and how a quiet room speaks again.

use std::time::SystemTime;

use super::envelope::Seq;
use super::name::RoomName;

/// What can be muted. Mail addressed to a reader by name cannot.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum Quiet {
    /// Everything that a sensor reports, by its name.
    Sensor(String),
    /// What is said in a room, unless it reaches the reader in another way too.
    Room(RoomName),
    /// Every event that carries a signal, by its name.
    Signal(String),
}

/// One wish for quiet, of a seat.
///
/// It belongs to the seat, whoever sits there: it outlasts every process, and a session that
/// takes the seat later finds it too. A room is muted only while the seat is in it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct Muted {
    /// From what.
    pub what: Quiet,
    /// Until when, on the clock that people set; none until it is taken back.
    pub until: Option<SystemTime>,
}

impl Muted {
    /// Quiet from `what` until `until`, or until it is taken back.
    pub fn new(what: Quiet, until: Option<SystemTime>) -> Self {
        Self { what, until }
    }
}

/// Whether a wish for quiet until `until` holds at `now`.
pub(super) fn holds(until: Option<SystemTime>, now: SystemTime) -> bool {
    until.is_none_or(|until| now < until)
}

/// What a mute makes of one seat's membership in a room.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(super) enum Hush {
    /// Nothing.
    #[default]
    No,
    /// The room is muted until then, or until it is taken back. Once that has passed, nothing was
    /// said in it since: the next message turns this into [`Over`](Self::Over).
    Until(Option<SystemTime>),
    /// It was muted, up to this position.
    Over(Seq),
}

/// How a message in a room reaches a seat.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Voice {
    /// Not now: the room is muted.
    Muted,
    /// Only counted: the room was muted when it was said.
    Counted,
    /// As ever.
    Plain,
}

impl Hush {
    /// Whether the room is muted.
    pub(super) fn is_on(self, now: SystemTime) -> bool {
        matches!(self, Self::Until(until) if holds(until, now))
    }

    /// How what was said at `seq` reaches the seat through this room.
    pub(super) fn voice(self, seq: Seq, now: SystemTime) -> Voice {
        match self.bound() {
            _ if self.is_on(now) => Voice::Muted,
            Some(bound) if seq <= bound => Voice::Counted,
            _ => Voice::Plain,
        }
    }

    /// Up to where a mute that has ended is still told of; none where there was none.
    pub(super) fn bound(self) -> Option<Seq> {
        match self {
            Self::No => None,
            Self::Until(_) => Some(Seq::new(u64::MAX)),
            Self::Over(bound) => Some(bound),
        }
    }

    /// The same where a mute ends at once. The last message there is lies at `head`.
    pub(super) fn end(self, head: Seq) -> Self {
        match self {
            Self::Until(_) => Self::Over(head),
            other => other,
        }
    }

    /// The same before something is said after `head`.
    pub(super) fn before_post(self, head: Seq, now: SystemTime) -> Self {
        if self.is_on(now) {
            self
        } else {
            self.end(head)
        }
    }

    /// The same once everything up to `told` was told of.
    pub(super) fn told(self, told: Seq, head: Seq, now: SystemTime) -> Self {
        match self.before_post(head, now) {
            Self::Over(bound) if bound <= told => Self::No,
            other => other,
        }
    }
}
