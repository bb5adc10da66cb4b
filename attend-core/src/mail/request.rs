//! What is asked of a mailbox beside claims, and what it answers.

use std::collections::BTreeMap;
use std::time::SystemTime;

use super::address::Place;
use super::claim::News;
use super::cleanup::Projects;
use super::envelope::{Draft, Entry, Letter, MessageId, SenderKind, Seq, State};
use super::evidence::Awaiting;
use super::mute::Muted;
use super::name::RoomName;
use super::reminder::Reminder;
use super::seat::{Presence, Reader, SeatId, Seated, Sender};

/// A draft on its way to the mailbox, with who sends it.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Submission {
    /// Who sends.
    pub sender: Sender,
    /// What, and to whom.
    pub draft: Draft,
}

impl Submission {
    /// `sender` sends `draft`.
    pub fn new(sender: Sender, draft: Draft) -> Self {
        Self { sender, draft }
    }
}

/// What `send` did. By the time that it is there the message is durable.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Receipt {
    /// The message's id.
    pub id: MessageId,
    /// Its position.
    pub seq: Seq,
    /// Whom it reached, in the order of the address.
    pub recipients: Vec<Recipient>,
    /// It had been sent under the same key before; this time nothing was written.
    pub repeated: bool,
}

impl Receipt {
    /// The message `id` at `seq`, for `recipients`.
    pub fn new(id: MessageId, seq: Seq, recipients: Vec<Recipient>) -> Self {
        Self {
            id,
            seq,
            recipients,
            repeated: false,
        }
    }

    /// The same message was sent before.
    #[must_use]
    pub fn repeated(mut self) -> Self {
        self.repeated = true;
        self
    }
}

/// One addressee of a message that was sent.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Recipient {
    /// A seat, or a project where nobody sits.
    Tray {
        /// The address, as the mailbox understood it: `@Cleo`.
        address: String,
        /// The seat's name; none where the message waits for a project.
        seat: Option<String>,
        /// How soon it may be noticed.
        presence: Presence,
    },
    /// A room.
    Room {
        /// Which.
        room: RoomName,
        /// How many belong to it, without the sender.
        members: u64,
    },
}

/// A question to a mailbox. It changes nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Query {
    /// What is new for a reader: all of it if at most `above`, else counts. With it comes what
    /// else a loop has to know of its seat.
    New {
        /// Who asks.
        reader: Reader,
        /// A digest starts above so many.
        above: usize,
    },
    /// How much is unread at a seat: new, counted or unseen.
    Unread(SeatId),
    /// A page of what was said to a seat and in its rooms, and of what it said itself.
    Ledger(Ledger),
    /// One message, with its thread and what became of it.
    Message {
        /// Which.
        id: MessageId,
        /// For whom the states of entries are told.
        seat: Option<SeatId>,
    },
    /// The messages at these positions, oldest first.
    Entries {
        /// For whom the states are told.
        seat: SeatId,
        /// Which; what is not there is left out.
        seqs: Vec<Seq>,
    },
    /// The messages at these positions as a seat sees them, oldest first.
    Letters {
        /// Whose names in the address are `you`.
        seat: SeatId,
        /// Which; what is not there is left out.
        seqs: Vec<Seq>,
    },
    /// What was shown by the last write to a seat, oldest first.
    LastShown(SeatId),
    /// The seat of a session, where it has one.
    SeatOf {
        /// The session's id.
        session: String,
    },
    /// The seat of a person, where there is one.
    SeatOfPerson(super::Name),
    /// All seats.
    Seats,
    /// All rooms; `joined` tells of the seat that is named.
    Rooms(Option<SeatId>),
    /// What names a project has.
    Project(Place),
    /// All projects, with what tells whether they are still there.
    Projects,
    /// What is muted at a seat now.
    Mutes(SeatId),
    /// What was shown to a reader's session and not seen yet, as far as is known.
    Awaited(Reader),
    /// The reminders of a seat that are yet to come.
    Reminders(SeatId),
}

/// Which page of the ledger.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Ledger {
    /// Whose.
    pub seat: SeatId,
    /// Only what came before this; none for the newest.
    pub before: Option<Before>,
    /// At most so many.
    pub limit: usize,
    /// So many pages further back.
    pub skip: usize,
    /// Only what was said in this room, whether the seat is in it or not.
    pub room: Option<RoomName>,
    /// Only what came from this seat, person or persona.
    pub from: Option<String>,
    /// Only what has all these words or beginnings of words.
    pub words: Option<String>,
}

impl Ledger {
    /// The newest page of `seat`, with at most `limit` messages.
    pub fn new(seat: SeatId, limit: usize) -> Self {
        Self {
            seat,
            before: None,
            limit,
            skip: 0,
            room: None,
            from: None,
            words: None,
        }
    }
}

/// Where a page of the ledger ends.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Before {
    /// Before this message.
    Id(MessageId),
    /// Before this time.
    Time(SystemTime),
}

/// The answer to a [`Query`], in the variant of the same name.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Answer {
    /// What is new.
    New(News),
    /// How much is unread.
    Unread(u64),
    /// A page.
    Ledger(Page),
    /// One message; none where there is none of that id.
    Message(Option<Box<Whole>>),
    /// Messages, oldest first.
    Entries(Vec<Entry>),
    /// The same, as a seat sees them.
    Letters(Vec<Letter>),
    /// A seat.
    Seat(Option<Seated>),
    /// All seats, by name.
    Seats(Vec<SeatInfo>),
    /// All rooms, by name.
    Rooms(Vec<RoomInfo>),
    /// The persona of a project; none where it has none yet.
    Project(Option<String>),
    /// All projects.
    Projects(Projects),
    /// What is muted, in order.
    Mutes(Vec<Muted>),
    /// What is awaited.
    Awaited(Awaiting),
    /// Reminders, the next one first.
    Reminders(Vec<Reminder>),
}

/// A page of the ledger, oldest first.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Page {
    /// The messages.
    pub entries: Vec<Entry>,
    /// Where the page before this one ends; none where there is none.
    ///
    /// A page that is not full may have one, too: a mailbox looks only so far back at once for what
    /// fits.
    pub next: Option<MessageId>,
}

impl Page {
    /// These messages, and where the page before them ends.
    pub fn new(entries: Vec<Entry>, next: Option<MessageId>) -> Self {
        Self { entries, next }
    }
}

/// A message, its thread, and what became of it.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Whole {
    /// The message.
    pub entry: Entry,
    /// What it answers and what answers it, oldest first, at most 50.
    pub thread: Vec<Entry>,
    /// How far it got with each addressee by name; the name of a project where nobody took it.
    pub states: BTreeMap<String, State>,
    /// For each room: how many of its members saw it, and how many members were asked.
    pub rooms: BTreeMap<RoomName, (u64, u64)>,
}

impl Whole {
    /// A message without a thread or addressees.
    pub fn new(entry: Entry) -> Self {
        Self {
            entry,
            thread: Vec::new(),
            states: BTreeMap::new(),
            rooms: BTreeMap::new(),
        }
    }
}

/// A seat, as others see it.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct SeatInfo {
    /// The seat.
    pub seated: Seated,
    /// What sits there.
    pub kind: SenderKind,
    /// The session that sits there or sat there last; none for a person.
    pub session: Option<String>,
    /// Whether anybody is there.
    pub presence: Presence,
    /// The rooms that it belongs to, by name.
    pub rooms: Vec<RoomName>,
    /// When the oldest message that is new for it was sent; none where nothing is new.
    pub oldest: Option<SystemTime>,
}

impl SeatInfo {
    /// The seat `seated`, where something of the kind `kind` sits.
    pub fn new(seated: Seated, kind: SenderKind, presence: Presence) -> Self {
        Self {
            seated,
            kind,
            session: None,
            presence,
            rooms: Vec::new(),
            oldest: None,
        }
    }
}

/// A room, as others see it.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct RoomInfo {
    /// Its name.
    pub name: RoomName,
    /// The names of the seats in it, sorted.
    pub members: Vec<String>,
    /// How many messages it holds.
    pub posts: u64,
    /// Whether the seat that was named belongs to it.
    pub joined: bool,
}

impl RoomInfo {
    /// The room `name`, which holds `posts` messages.
    pub fn new(name: RoomName, members: Vec<String>, posts: u64, joined: bool) -> Self {
        Self {
            name,
            members,
            posts,
            joined,
        }
    }
}
