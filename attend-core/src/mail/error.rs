//! What can go wrong with mail, in words for people.

use std::fmt::Write as _;

use thiserror::Error;

use super::envelope::{MAX_ADDRESSES, MAX_BODY, MessageId};
use super::name::RoomName;
use super::reminder::MOST_REMINDERS;

/// Why a mailbox did not do what was asked. Nothing of the request was carried out.
#[derive(Clone, PartialEq, Eq, Error, Debug)]
#[error("{text}")]
pub struct MailError {
    kind: MailErrorKind,
    text: String,
}

/// Which kind of thing went wrong.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum MailErrorKind {
    /// A name that nobody has.
    UnknownName,
    /// A room that is not there, or that the seat is not in.
    UnknownRoom,
    /// An id that no message has.
    UnknownMessage,
    /// A seat that is not there.
    UnknownSeat,
    /// A name that several have.
    Ambiguous,
    /// What was asked cannot be done, whatever the mailbox holds.
    Invalid,
    /// A key that was used for something else.
    KeyReused,
    /// The reader's seat is another's by now, or its session has ended.
    Displaced,
    /// Another loop reads this seat.
    Taken,
    /// Somebody else held the store for too long.
    Busy,
    /// The store may not be read or written.
    Denied,
    /// There is no room left.
    Full,
    /// The store is damaged, or no store at all.
    Damaged,
    /// A newer attend made the store.
    Newer,
    /// Anything else.
    Failed,
}

impl MailError {
    /// An error of the kind `kind`, with a sentence fragment for people.
    pub fn new(kind: MailErrorKind, text: impl Into<String>) -> Self {
        Self {
            kind,
            text: text.into(),
        }
    }

    /// Which kind of error it is.
    pub fn kind(&self) -> MailErrorKind {
        self.kind
    }

    /// There is nobody, or no room, of that name: each, rooms with their `#`, with the closest
    /// there are.
    pub fn unknown(names: &[(String, Vec<String>)]) -> Self {
        let is_room = |name: &str| name.starts_with('#');
        let mut text = String::new();
        for (name, closest) in names {
            let gap = if text.is_empty() { "" } else { "; " };
            let what = if is_room(name) {
                "there is no room"
            } else {
                "nobody is called"
            };
            let _ = write!(text, "{gap}{what} {name}");
            text.push_str(&suggestion(closest));
        }
        let kind = if names.iter().all(|(name, _)| is_room(name)) {
            MailErrorKind::UnknownRoom
        } else {
            MailErrorKind::UnknownName
        };
        Self::new(kind, text)
    }

    /// The seat is not in this room; `closest` are those it is in.
    pub fn not_in(room: &RoomName, closest: &[String]) -> Self {
        let text = format!("you are not in {room}{}", suggestion(closest));
        Self::new(MailErrorKind::UnknownRoom, text)
    }

    /// Several are called like that.
    pub fn ambiguous(name: &str, candidates: &[String]) -> Self {
        let candidates = candidates.join(", ");
        let text = format!("{name} is more than one: {candidates}; name one of these");
        Self::new(MailErrorKind::Ambiguous, text)
    }

    /// There is no message with this id.
    pub fn no_message(id: &MessageId) -> Self {
        Self::new(
            MailErrorKind::UnknownMessage,
            format!("there is no message {id}"),
        )
    }

    /// There is no such seat.
    pub fn no_seat() -> Self {
        Self::new(MailErrorKind::UnknownSeat, "there is no such seat")
    }

    /// The body is too long.
    pub fn too_long(bytes: usize) -> Self {
        let text = format!("the message has {bytes} bytes; the most is {MAX_BODY} (1 MiB)");
        Self::new(MailErrorKind::Invalid, text)
    }

    /// It is addressed to too many.
    pub fn too_many(addresses: usize) -> Self {
        let text = format!("the message has {addresses} addressees; the most is {MAX_ADDRESSES}");
        Self::new(MailErrorKind::Invalid, text)
    }

    /// Too many reminders of one seat wait.
    pub fn too_many_reminders() -> Self {
        let text = format!(
            "{MOST_REMINDERS} reminders wait already; `attend reminders cancel ID` takes one back"
        );
        Self::new(MailErrorKind::Invalid, text)
    }

    /// Nothing was said.
    pub fn empty() -> Self {
        Self::new(MailErrorKind::Invalid, "the message is empty")
    }

    /// The key was used for another message.
    pub fn key_reused(key: &str, id: &MessageId) -> Self {
        let text =
            format!("the key {key:?} was used for {id}, which says something else or to others");
        Self::new(MailErrorKind::KeyReused, text)
    }

    /// The reader lost its seat.
    pub fn displaced() -> Self {
        let text = "this seat is held by another session now, or its session has ended";
        Self::new(MailErrorKind::Displaced, text)
    }

    /// Another loop reads this seat.
    pub fn taken(pid: u32) -> Self {
        let text = format!("process {pid} reads this seat already");
        Self::new(MailErrorKind::Taken, text)
    }
}

/// What may have been meant, after what is not there.
fn suggestion(closest: &[String]) -> String {
    match closest {
        [] => String::new(),
        [one] => format!(", did you mean {one}?"),
        several => format!(", did you mean one of {}?", several.join(", ")),
    }
}
