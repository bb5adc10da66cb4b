//! One of two mailboxes, and what it answers in words that both have in common.

mod cleanup;

use std::fmt::{Debug, Write as _};
use std::time::Duration;

use futures::executor::block_on;

use super::chosen::Chosen;
use super::op::{From, Op, To, What};
use crate::mail::{
    Address, Change, Changed, ClaimId, ClaimRequest, Clock as _, Draft, MailError, Mailbox,
    MailboxExt as _, MessageId, Muted, Name, Place, Process, Query, Quiet, Reader, RoomName,
    SeatId, Seated, Sender, Seq, Settled, Sitter, Submission, Waiting, Wanted,
};
use crate::testkit::around::FakeAround;

const USERS: [&str; 2] = ["sam", "Zoe\u{308}"];
const ROOMS: [&str; 3] = ["deploy", "art", "open"];
pub(super) const WORDS: [&str; 4] = ["deploy", "dep", "de", "hello world"];
pub(super) const BODIES: [&str; 4] = [
    "hello world",
    "Deploy it",
    "a | b \u{1f469}\u{200d}\u{1f680}",
    "x",
];

/// Somebody who sat down, at some time.
#[derive(Clone)]
pub(super) struct Sat {
    pub(super) seated: Seated,
    pub(super) session: String,
    pub(super) process: Process,
}

pub(super) struct Side {
    pub(super) around: FakeAround,
    pub(super) mailbox: Box<dyn Mailbox>,
    /// The pid of the process in each slot; another where the former one ended.
    pids: [u32; 8],
    pub(super) sats: Vec<Sat>,
    claims: Vec<(ClaimId, Reader, Vec<Seq>)>,
    /// Of messages, and of reminders that are messages or will be.
    pub(super) ids: Vec<MessageId>,
    chosen: Chosen,
}

pub(super) fn place(index: usize) -> Place {
    match index % 4 {
        0 => Place::new("/repos/api/.git", "/repos/api"),
        1 => Place::new("/repos/api/.git", "/repos/api-fix"),
        2 => Place::new("/repos/web", "/repos/web"),
        _ => Place::new("/old/web/.git", "/old/web"),
    }
}

pub(super) fn room(index: usize) -> RoomName {
    RoomName::parse(ROOMS[index % ROOMS.len()]).unwrap_or_else(RoomName::open)
}

/// What can be muted.
fn quiet(index: usize) -> Quiet {
    match index {
        0 => Quiet::Sensor("git".to_owned()),
        1 => Quiet::Signal("git".to_owned()),
        other => Quiet::Room(room(other)),
    }
}

pub(super) fn pick<T: Clone>(from: &[T], index: usize) -> Option<T> {
    from.get(index % from.len().max(1)).cloned()
}

/// An answer, or which kind of error it was.
pub(super) fn told<T: Debug>(done: Result<T, MailError>) -> String {
    match done {
        Ok(done) => format!("{done:?}"),
        Err(error) => format!("{:?}", error.kind()),
    }
}

impl Side {
    pub(super) fn new(make: &dyn Fn(FakeAround) -> Box<dyn Mailbox>) -> Self {
        let around = FakeAround::new();
        Self {
            mailbox: make(around.clone()),
            around,
            pids: [1, 2, 3, 4, 5, 6, 7, 8],
            sats: Vec::new(),
            claims: Vec::new(),
            ids: Vec::new(),
            chosen: Chosen::default(),
        }
    }

    /// Does `op`, and tells what came of it and how each seat stands.
    pub(super) fn apply(&mut self, op: &Op) -> String {
        let mut answer = self.act(op);
        let mut seats: Vec<SeatId> = Vec::new();
        for sat in self.sats.clone().into_iter().rev() {
            if !seats.contains(&sat.seated.seat) {
                seats.push(sat.seated.seat);
                let (seat, name) = (sat.seated.seat, &sat.seated.name);
                let reader = sat.seated.reader(sat.session, sat.process);
                let _ = write!(answer, "\n  at {name}:");
                for query in [
                    Query::Unread(seat),
                    Query::New {
                        reader: reader.clone(),
                        above: 3,
                    },
                    Query::Awaited(reader),
                    Query::Mutes(seat),
                    Query::Reminders(seat),
                ] {
                    let _ = write!(answer, " {}", self.read(&query));
                }
            }
        }
        self.chosen.canonical(&answer)
    }

    fn act(&mut self, op: &Op) -> String {
        match op {
            Op::Sit {
                session,
                slot,
                place: at,
            } => self.sit(
                Sitter::Session {
                    session: format!("s{session}"),
                    process: self.process(*slot),
                    place: place(*at),
                },
                format!("s{session}"),
                *slot,
            ),
            Op::Person { user, slot } => match Name::parse(USERS[*user]) {
                Some(name) => self.sit(Sitter::Person(name), USERS[*user].to_owned(), *slot),
                None => String::new(),
            },
            Op::Stand(sat) => self.with_reader(*sat, None, |side, reader| {
                side.change(&Change::Stand(reader))
            }),
            Op::Register { sat, slot } => self.with_reader(*sat, *slot, |side, reader| {
                side.change(&Change::Register(reader))
            }),
            Op::End(slot) => {
                self.around.end(&self.process(*slot));
                self.pids[*slot] += 8;
                String::new()
            }
            Op::Reboot => {
                self.around.reboot();
                String::new()
            }
            Op::Pass(seconds) => {
                let by = Duration::from_secs(*seconds);
                self.around.clock().advance(by);
                String::new()
            }
            Op::Step(seconds) => {
                self.around.clock().step_wall(*seconds);
                String::new()
            }
            Op::Send {
                from,
                to,
                key,
                body,
                re,
            } => self.send(from, to, *key, *body, *re),
            Op::Claim { sat, slot, what } => {
                self.with_reader(*sat, Some(*slot), |side, reader| side.claim(reader, what))
            }
            Op::Settle {
                claim,
                by,
                most,
                counted,
                tracked,
            } => {
                let Some((id, reader, granted)) = self.recent(*claim) else {
                    return String::new();
                };
                let by = by.and_then(|by| pick(&self.sats, by));
                let reader = by.map_or(reader, |sat| sat.seated.reader(sat.session, sat.process));
                let settled = Settled::printed(reader, granted.into_iter().take(*most))
                    .counted(*counted)
                    .tracked(*tracked);
                told(block_on(self.mailbox.settle(id, &settled)))
            }
            Op::Join { sat, room: to } => self.with_reader(*sat, None, |side, reader| {
                let (seat, room) = (reader.seat, room(*to));
                side.change(&Change::Join { seat, room })
            }),
            Op::Leave { sat, room: from } => self.with_reader(*sat, None, |side, reader| {
                let (seat, room) = (reader.seat, room(*from));
                side.change(&Change::Leave { seat, room })
            }),
            Op::Mute { sat, what, seconds } => self.with_reader(*sat, None, |side, reader| {
                let until =
                    seconds.map(|seconds| side.around.wall() + Duration::from_secs(seconds));
                let (seat, muted) = (reader.seat, Muted::new(quiet(*what), until));
                side.change(&Change::Mute { seat, muted })
            }),
            Op::Unmute { sat, what } => self.with_reader(*sat, None, |side, reader| {
                let (seat, what) = (reader.seat, what.map(quiet));
                side.change(&Change::Unmute { seat, what })
            }),
            Op::Seen(_)
            | Op::Missed { .. }
            | Op::Lost { .. }
            | Op::Remind { .. }
            | Op::Cancel { .. }
            | Op::Due(_)
            | Op::Looked(_)
            | Op::Sweep { .. } => self.later(op),
            _ => self.ask(op),
        }
    }

    fn process(&self, slot: usize) -> Process {
        self.around.process(self.pids[slot % self.pids.len()])
    }

    fn sit(&mut self, sitter: Sitter, session: String, slot: usize) -> String {
        let process = self.process(slot);
        let done = block_on(self.mailbox.change(&Change::Sit(sitter)));
        if let Ok(Changed::Sat(seated)) = &done {
            self.sats.push(Sat {
                seated: seated.clone(),
                session,
                process,
            });
            let old = self.sats.len().saturating_sub(8);
            self.sats.drain(..old);
        }
        told(done)
    }

    pub(super) fn with_reader(
        &mut self,
        sat: usize,
        slot: Option<usize>,
        act: impl FnOnce(&mut Self, Reader) -> String,
    ) -> String {
        let Some(sat) = pick(&self.sats, sat) else {
            return String::new();
        };
        let process = slot.map_or(sat.process, |slot| self.process(slot));
        let reader = sat.seated.reader(sat.session, process);
        act(self, reader)
    }

    fn recent(&self, back: usize) -> Option<(ClaimId, Reader, Vec<Seq>)> {
        let last = self.claims.len().checked_sub(1)?;
        self.claims.get(last.saturating_sub(back)).cloned()
    }

    pub(super) fn change(&self, change: &Change) -> String {
        told(block_on(self.mailbox.change(change)))
    }

    pub(super) fn read(&self, query: &Query) -> String {
        told(block_on(self.mailbox.read(query)))
    }

    pub(super) fn look(&self, reader: &Reader, above: usize) -> Result<Waiting, MailError> {
        block_on(self.mailbox.look(reader, above))
    }

    fn send(
        &mut self,
        from: &From,
        to: &[To],
        key: Option<u64>,
        body: u64,
        re: Option<usize>,
    ) -> String {
        let sender = match from {
            From::Sat(sat) => match pick(&self.sats, *sat) {
                Some(sat) => Sender::Seat {
                    seat: sat.seated.seat,
                    session: Some(sat.session),
                },
                None => Sender::Program,
            },
            From::Session(session, at) => Sender::Session {
                session: format!("s{session}"),
                place: place(*at),
            },
            From::Program => Sender::Program,
        };
        let body = BODIES[usize::try_from(body).unwrap_or(0) % BODIES.len()];
        let mut draft = to
            .iter()
            .filter_map(|to| self.address(to))
            .fold(Draft::new(body), Draft::to);
        draft.key = key.map(|key| key.to_string());
        draft.re = re.and_then(|re| pick(&self.ids, re));
        let done = block_on(self.mailbox.send(&Submission::new(sender, draft)));
        if let Ok(receipt) = &done
            && !self.ids.contains(&receipt.id)
        {
            self.ids.push(receipt.id.clone());
        }
        told(done)
    }

    fn address(&self, to: &To) -> Option<Address> {
        let name = |name: &str| Name::parse(name).map(Address::Name);
        match to {
            To::Seat(sat) => name(&pick(&self.sats, *sat)?.seated.name),
            To::Persona(sat) => name(&pick(&self.sats, *sat)?.seated.persona?),
            To::Folder(at) => name(&place(*at).folder()),
            To::User(user) => name(USERS[user % USERS.len()]),
            To::Place(at) => Some(place(*at).into()),
            To::Room(index) => Some(room(*index).into()),
        }
    }

    fn claim(&mut self, reader: Reader, what: &What) -> String {
        let what = match what {
            What::New(but) => match self.look(&reader, 1_000) {
                Ok(Waiting::Few(letters)) => {
                    let seqs = letters.iter().map(|letter| letter.seq);
                    Wanted::Print(seqs.skip(*but).collect())
                }
                other => return told(other),
            },
            What::Digest { above } => match self.look(&reader, *above) {
                Ok(Waiting::Many { upto, directed, .. }) => Wanted::Digest {
                    print: directed.iter().map(|letter| letter.seq).collect(),
                    upto,
                },
                other => return told(other),
            },
            What::Unread(most) => Wanted::Unread { most: *most },
            What::Show(id) => match pick(&self.ids, *id) {
                Some(id) => Wanted::Show(id),
                None => return String::new(),
            },
        };
        let request = ClaimRequest::new(reader.clone(), what);
        let done = block_on(self.mailbox.claim(&request));
        if let Ok(claim) = &done {
            let granted = claim.granted.iter().map(|granted| granted.seq);
            self.claims.push((claim.id, reader, granted.collect()));
        }
        told(done)
    }
}
