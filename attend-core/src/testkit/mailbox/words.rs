//! What checks of a mailbox speak of: places, drafts, and whoever sits.

use std::fmt::Debug;

use crate::mail::{
    Claim, Counts, Draft, Letter, MailError, MailErrorKind, Name, Place, Process, Quiet, Reader,
    Receipt, Recipient, RoomName, SeatId, Seated, Sender, Seq, Settled, addressed,
};

/// Somebody who sits.
#[derive(Clone, Debug)]
pub(super) struct Sat {
    pub(super) seated: Seated,
    pub(super) session: String,
    pub(super) process: Process,
}

impl Sat {
    pub(super) fn seat(&self) -> SeatId {
        self.seated.seat
    }

    pub(super) fn name(&self) -> &str {
        &self.seated.name
    }

    pub(super) fn persona(&self) -> &str {
        self.seated.persona.as_deref().unwrap_or_default()
    }

    /// The process that sits here, as a reader.
    pub(super) fn reader(&self) -> Reader {
        self.read_by(self.process.clone())
    }

    pub(super) fn read_by(&self, process: Process) -> Reader {
        self.seated.reader(self.session.clone(), process)
    }

    pub(super) fn sender(&self) -> Sender {
        Sender::Seat {
            seat: self.seat(),
            session: Some(self.session.clone()),
        }
    }
}

/// The first of two projects.
pub(super) fn api() -> Place {
    Place::new("/repos/api/.git", "/repos/api")
}

/// Another work tree of the first.
pub(super) fn api_fix() -> Place {
    Place::new("/repos/api/.git", "/repos/api-fix")
}

/// The second of two projects.
pub(super) fn web() -> Place {
    Place::new("/repos/web/.git", "/repos/web")
}

pub(super) fn room(name: &str) -> RoomName {
    RoomName::parse(name).unwrap_or_else(|| panic!("no name of a room: {name}"))
}

/// What is said in a room, as something to be muted.
pub(super) fn quiet(name: &str) -> Quiet {
    Quiet::Room(room(name))
}

/// Counts by room, without the time.
pub(super) fn by_room(counts: &Counts) -> Vec<(String, u64)> {
    let line = counts.line(0);
    let parts = line.split_once(": ").map_or("", |(_, parts)| parts);
    let parts = parts.split_once(" (newest").map_or("", |(parts, _)| parts);
    let told = |part: &str| -> Option<(String, u64)> {
        let (count, room) = part.split_once(" on ")?;
        Some((room.to_owned(), count.parse().ok()?))
    };
    parts.split(", ").filter_map(told).collect()
}

pub(super) fn name(text: &str) -> Name {
    Name::parse(text).unwrap_or_else(|| panic!("no name: {text}"))
}

/// A draft from words that begin with an address.
pub(super) fn draft(text: &str) -> Draft {
    let (to, body) = addressed(text);
    to.into_iter().fold(Draft::new(body), Draft::to)
}

/// The kind of an error that has to occur.
#[track_caller]
pub(super) fn refused<T: Debug>(done: Result<T, MailError>) -> MailErrorKind {
    match done {
        Ok(done) => panic!("it has to be refused, and gave {done:?}"),
        Err(error) => error.kind(),
    }
}

/// The positions of letters.
pub(super) fn seqs(letters: &[Letter]) -> Vec<Seq> {
    letters.iter().map(|letter| letter.seq).collect()
}

/// What was granted: each with its mark.
pub(super) fn marks(claim: &Claim) -> Vec<(Seq, bool)> {
    let granted = claim.granted.iter();
    granted
        .map(|granted| (granted.seq, granted.again))
        .collect()
}

/// All that was granted was printed, and what was counted was counted.
pub(super) fn all_of(reader: &Reader, claim: &Claim) -> Settled {
    let printed = claim.granted.iter().map(|granted| granted.seq);
    Settled::printed(reader.clone(), printed).counted(claim.counts.is_some())
}

/// The names of the seats and rooms that a receipt tells of.
pub(super) fn reached(receipt: &Receipt) -> Vec<String> {
    let told = |recipient: &Recipient| match recipient {
        Recipient::Tray { address, seat, .. } => seat.clone().unwrap_or_else(|| address.clone()),
        Recipient::Room { room, .. } => room.to_string(),
    };
    receipt.recipients.iter().map(told).collect()
}
