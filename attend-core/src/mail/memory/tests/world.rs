//! The whole: a book, two seats, the readers at work, and the truth.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use super::scope::{Budget, Scope};
use super::setting::{Setting, process};
use super::truth::{Chair, Truth};
use crate::mail::address::Place;
use crate::mail::around::Clock as _;
use crate::mail::change::{Change, Changed};
use crate::mail::claim::{ClaimId, Granted, Wanted};
use crate::mail::envelope::{Seq, State};
use crate::mail::evidence::MOST_SHOWN;
use crate::mail::memory::book::{Book, Delivery, Member, Seat, Track, Tray};
use crate::mail::mute::{Hush, Muted, Quiet};
use crate::mail::name::RoomName;
use crate::mail::seat::{Reader, SeatId, Sitter};

/// The pid of the reader in the first slot.
const READERS: u32 = 1_000;

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct World {
    pub(super) book: Book,
    pub(super) setting: Setting,
    pub(super) chairs: Vec<Sitting>,
    pub(super) readers: Vec<Phase>,
    /// What is missed by whoever looks for evidence, at each chair.
    pub(super) hands: BTreeMap<Chair, Hand>,
    pub(super) truth: Truth,
    pub(super) left: Budget,
    /// How many sessions there were.
    pub(super) sessions: u32,
    /// How many processes held one.
    pub(super) processes: u32,
}

/// Who sits on a chair, or sat there last.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Sitting {
    pub(super) seat: SeatId,
    pub(super) session: String,
    pub(super) pid: u32,
}

/// How far a reader got.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Phase {
    Idle,
    Looked(Reader, Look),
    Claimed {
        reader: Reader,
        id: ClaimId,
        granted: Vec<Granted>,
        /// What it counts; none where it is no digest.
        counted: Option<BTreeSet<Seq>>,
    },
    Written {
        reader: Reader,
        id: ClaimId,
        granted: Vec<Granted>,
        wrote: usize,
        line: bool,
    },
}

/// What a look found.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Look {
    New(Vec<Seq>),
    Digest(Vec<Seq>, Seq),
}

/// What whoever looks for evidence has in hand: each message, and how often it was shown.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Hand {
    pub(super) reader: Reader,
    pub(super) messages: Vec<(Seq, u32)>,
}

impl Look {
    pub(super) fn wanted(&self) -> Wanted {
        match self {
            Self::New(seqs) => Wanted::Print(seqs.clone()),
            Self::Digest(print, upto) => Wanted::Digest {
                print: print.clone(),
                upto: *upto,
            },
        }
    }
}

impl Phase {
    fn claim(&mut self) -> Option<&mut ClaimId> {
        match self {
            Self::Claimed { id, .. } | Self::Written { id, .. } => Some(id),
            _ => None,
        }
    }
}

/// Everything in the book about one seat.
pub(super) type About = (Seat, Vec<(Seq, Delivery)>, Vec<(RoomName, Member)>, usize);

pub(super) fn room() -> RoomName {
    RoomName::parse("room").unwrap()
}

pub(super) fn place() -> Place {
    Place::new("/repos/api/.git", "/repos/api")
}

impl World {
    /// Two sessions of one project, both in the room.
    pub(super) fn new(scope: &Scope) -> Self {
        let mut world = Self {
            book: Book::default(),
            setting: Setting::default(),
            chairs: Vec::new(),
            readers: vec![Phase::Idle; scope.readers.len()],
            hands: BTreeMap::new(),
            truth: Truth {
                follows: scope.budget.misses > 0,
                ..Truth::default()
            },
            left: scope.budget,
            sessions: 0,
            processes: 0,
        };
        for chair in 0..2 {
            world.sit(None);
            world.join(chair);
        }
        if scope.missed > 0 {
            let track = Track {
                missed: scope.missed,
                ..Track::default()
            };
            let session = world.chairs[0].session.clone();
            world.book.tracks.insert(session, track);
        }
        world
    }

    pub(super) fn is_there(&self, chair: Chair) -> bool {
        !self.setting.dead.contains(&self.chairs[chair].pid)
    }

    pub(super) fn there(&self) -> Vec<Chair> {
        let chairs = 0..self.chairs.len();
        chairs.filter(|chair| self.is_there(*chair)).collect()
    }

    pub(super) fn chair_of(&self, seat: SeatId) -> Chair {
        let found = self.chairs.iter().position(|chair| chair.seat == seat);
        found.expect("a seat that somebody took")
    }

    pub(super) fn reader(&self, chair: Chair, pid: u32) -> Reader {
        let sitting = &self.chairs[chair];
        let epoch = self.book.seats[&sitting.seat].epoch;
        let session = sitting.session.clone();
        Reader::new(sitting.seat, epoch, session, process(pid))
    }

    pub(super) fn slot(&self, scope: &Scope, slot: usize) -> Reader {
        let pid = READERS + u32::try_from(slot).unwrap();
        self.reader(scope.readers[slot].0, pid)
    }

    pub(super) fn pid_of_slot(slot: usize) -> u32 {
        READERS + u32::try_from(slot).unwrap()
    }

    /// Whether what `reader` writes is read by the session that sits there.
    pub(super) fn is_current(&self, reader: &Reader) -> bool {
        let chair = self.chair_of(reader.seat);
        self.book.seats[&reader.seat].epoch == reader.epoch && self.is_there(chair)
    }

    /// A new session sits down where the book leads it, or the last one of `chair` again.
    pub(super) fn sit(&mut self, again: Option<Chair>) {
        let vacant: Vec<Chair> = (0..self.chairs.len())
            .filter(|chair| !self.is_there(*chair))
            .collect();
        let session = again.map(|chair| self.chairs[chair].session.clone());
        let is_new = session.is_none();
        let session = session.unwrap_or_else(|| self.next_session());
        self.processes += 1;
        let pid = self.processes;
        let seat = self.seat_down(&session, pid);
        let sitting = Sitting {
            seat,
            session: session.clone(),
            pid,
        };
        let known = self.chairs.iter().position(|chair| chair.seat == seat);
        let chair = known.unwrap_or(self.chairs.len());
        if known.is_some() {
            self.chairs[chair] = sitting;
        } else {
            self.chairs.push(sitting);
        }
        if is_new {
            self.truth.hand_over(chair);
        }
        self.truth.sit(chair, &session, &vacant);
    }

    pub(super) fn clear(&mut self, chair: Chair) {
        let vacant: Vec<Chair> = (0..self.chairs.len())
            .filter(|chair| !self.is_there(*chair))
            .collect();
        let session = self.next_session();
        let seat = self.seat_down(&session, self.chairs[chair].pid);
        assert_eq!(seat, self.chairs[chair].seat);
        self.chairs[chair].session.clone_from(&session);
        self.truth.sit(chair, &session, &vacant);
    }

    fn next_session(&mut self) -> String {
        self.sessions += 1;
        format!("s{}", self.sessions)
    }

    fn seat_down(&mut self, session: &str, pid: u32) -> SeatId {
        let sitter = Sitter::Session {
            session: session.to_owned(),
            process: process(pid),
            place: place(),
        };
        match self.book.change(&Change::Sit(sitter), &self.setting) {
            Ok(Changed::Sat(seated)) => seated.seat,
            other => panic!("sitting down gave {other:?}"),
        }
    }

    pub(super) fn join(&mut self, chair: Chair) {
        let seat = self.chairs[chair].seat;
        self.book.join(seat, &room()).unwrap();
        self.truth.members.insert(chair);
    }

    /// What was held back by a mute is told of by the number that leaving gives.
    pub(super) fn leave(&mut self, chair: Chair) {
        let seat = self.chairs[chair].seat;
        let is_counted = |book: &Book, seq| book.state(seat, seq) == Some(State::Counted);
        let owed = self.truth.owed.iter().filter(|(of, _)| *of == chair);
        let before = owed.filter(|(_, seq)| !is_counted(&self.book, *seq));
        let before: Vec<(Chair, Seq)> = before.copied().collect();
        let was_muted = self.book.members[&(seat, room())].hush != Hush::No;
        self.book.leave(seat, &room(), &self.setting).unwrap();
        let told = before.into_iter().filter(|_| was_muted);
        let told = told.filter(|(_, seq)| is_counted(&self.book, *seq));
        self.truth.counted.extend(told);
        self.truth.members.remove(&chair);
    }

    pub(super) fn is_muted(&self, chair: Chair) -> bool {
        let now = self.setting.wall();
        !self
            .book
            .muted_rooms(self.chairs[chair].seat, now)
            .is_empty()
    }

    pub(super) fn mute(&mut self, chair: Chair) {
        let seat = self.chairs[chair].seat;
        let muted = Muted::new(Quiet::Room(room()), None);
        self.book.mute(seat, &muted, &self.setting).unwrap();
    }

    pub(super) fn unmute(&mut self, chair: Chair) {
        let seat = self.chairs[chair].seat;
        self.book.unmute(seat, None, &self.setting).unwrap();
    }

    /// 30 s pass: every claim is old.
    pub(super) fn lapse(&mut self) {
        for claim in self.book.claims.values_mut() {
            claim.at = Duration::ZERO;
        }
    }

    pub(super) fn about(&self, chair: Chair) -> About {
        let seat = self.chairs[chair].seat;
        let rows = self.book.rows(Tray::Seat(seat));
        let claims = self.book.claims.values();
        (
            self.book.seats[&seat].clone(),
            rows.map(|(seq, row)| (seq, row.clone())).collect(),
            self.book.rooms_of(seat),
            claims.filter(|claim| claim.reader.seat == seat).count(),
        )
    }

    /// Forgets what can make no difference any more, so that states that behave alike are one:
    /// claims that hold nothing and nobody settles, the numbers of claims, how often something
    /// was shown where nobody asks, sessions and processes that do not come back.
    pub(super) fn normalise(&mut self) {
        self.normalise_claims();
        for seat in self.book.seats.values_mut() {
            seat.last.clear();
        }
        let chairs = &self.chairs;
        let sits = |session: &String| chairs.iter().any(|chair| chair.session == *session);
        self.book.sessions.retain(|session, _| sits(session));
        self.book.tracks.retain(|session, _| sits(session));
        self.truth.untracked.retain(sits);
        if self.left.misses == 0 {
            self.hands.clear();
        }
        self.setting
            .dead
            .retain(|pid| chairs.iter().any(|chair| chair.pid == *pid));
    }

    pub(super) fn normalise_claims(&mut self) {
        let mut held: BTreeSet<ClaimId> = BTreeSet::new();
        for phase in &mut self.readers {
            held.extend(phase.claim().copied());
        }
        let mut kept = held.clone();
        for row in self.book.deliveries.values() {
            let is_live = self.book.is_live(row.claim, &self.setting);
            kept.extend(row.claim.filter(|_| is_live));
        }
        self.book.claims.retain(|id, _| kept.contains(id));
        let numbers: BTreeMap<ClaimId, ClaimId> = (1..)
            .zip(&kept)
            .map(|(number, id)| (*id, ClaimId::new(number)))
            .collect();
        for row in self.book.deliveries.values_mut() {
            row.claim = row.claim.and_then(|id| numbers.get(&id).copied());
            // More than the most is as good as the most; where nobody looks it is not asked for.
            row.shown = if self.truth.follows {
                row.shown.min(MOST_SHOWN)
            } else {
                0
            };
            row.sessions = row.sessions.min(2);
        }
        let claims = std::mem::take(&mut self.book.claims);
        self.book.claims = claims
            .into_iter()
            .map(|(id, claim)| (numbers[&id], claim))
            .collect();
        for id in self.readers.iter_mut().filter_map(Phase::claim) {
            *id = numbers[id];
        }
        self.book.last_claim = kept.len() as u64;
    }
}
