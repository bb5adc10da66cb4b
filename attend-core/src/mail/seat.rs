//! Seats: named places that live sessions and people read their mail from.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::address::Place;
use super::around::Process;
use super::name::Name;
use super::number::number;

number! {
    /// One seat of a mailbox.
    SeatId
}

number! {
    /// One project of a mailbox.
    ProjectId
}

number! {
    /// One stretch in which the same process occupied a seat.
    ///
    /// What was claimed in an earlier one is void, so that an orphan settles nothing. A person's
    /// seat has only one.
    Epoch
}

/// Who sits down.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Sitter {
    /// A live session of an agent.
    Session {
        /// The session's id.
        session: String,
        /// The process that holds it.
        process: Process,
        /// Where it works.
        place: Place,
    },
    /// A person, by user name, whatever the terminal.
    Person(Name),
}

/// A seat, as whoever sits on it knows it.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Seated {
    /// Which seat.
    pub seat: SeatId,
    /// Its name: `Cleo-alpha`, or the person's.
    pub name: String,
    /// The persona of its project; none for a person.
    pub persona: Option<String>,
    /// Its project; none for a person.
    pub project: Option<ProjectId>,
    /// The top of the work tree; none for a person.
    pub root: Option<PathBuf>,
    /// The current epoch.
    pub epoch: Epoch,
    /// What the session that came found, where it was not here before.
    pub arrival: Option<Arrival>,
}

impl Seated {
    /// The seat `seat`, called `name`, in its epoch `epoch`.
    pub fn new(seat: SeatId, name: impl Into<String>, epoch: Epoch) -> Self {
        Self {
            seat,
            name: name.into(),
            persona: None,
            project: None,
            root: None,
            epoch,
            arrival: None,
        }
    }

    /// A reader of this seat: the process `process`, for the session `session`.
    pub fn reader(&self, session: impl Into<String>, process: Process) -> Reader {
        Reader::new(self.seat, self.epoch, session, process)
    }
}

/// What a session found when it took a seat that was another's, or nobody's.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Arrival {
    /// The messages that `#open` holds, none of which is shown by itself.
    pub open: u64,
    /// The messages that waited here for whoever comes.
    pub waiting: u64,
}

/// One reader of one seat: a loop, a hook, or a command.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct Reader {
    /// Whose mail it reads.
    pub seat: SeatId,
    /// The epoch in which it found the seat.
    pub epoch: Epoch,
    /// The session that it shows mail to; a person's user name on a person's seat.
    pub session: String,
    /// The reading process, with which its claims die.
    pub process: Process,
}

impl Reader {
    /// The process `process`, which reads the mail of `seat` to `session`.
    pub fn new(seat: SeatId, epoch: Epoch, session: impl Into<String>, process: Process) -> Self {
        Self {
            seat,
            epoch,
            session: session.into(),
            process,
        }
    }
}

/// Who sends, as decided by the sending process and never by any text.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Sender {
    /// Whoever sits there: an agent or a person.
    Seat {
        /// The seat.
        seat: SeatId,
        /// The session, where there is one.
        session: Option<String>,
    },
    /// A session without a seat of its own, such as a job without a terminal. It speaks by the
    /// name of its project.
    Session {
        /// The session's id.
        session: String,
        /// Where it works.
        place: Place,
    },
    /// Neither an agent nor a person.
    Program,
}

/// How soon an addressee may notice a message.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Presence {
    /// Somebody reads there now.
    Listening,
    /// A session lives there, and nothing of it reads mail.
    NoReader,
    /// Nobody is there; the message waits for whoever comes.
    Waiting,
}
