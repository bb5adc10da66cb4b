//! What happens to the chat, what it wishes to be done, and what comes of that.

use std::time::SystemTime;

use attend_core::mail::{
    Address, Counts, Draft, Entry, MailErrorKind, MessageId, Receipt, RoomInfo, RoomName, SeatInfo,
    Seq, State as Reached, Whole,
};
use ratatui::crossterm::event::KeyEvent;
use serde::{Deserialize, Serialize};

use super::place::View;
use super::state::Answered;
use super::stream::Sheet;

/// Something that happens.
#[derive(Debug)]
pub(crate) enum Action {
    /// A key was pressed.
    Key(KeyEvent),
    /// A text was pasted.
    Paste(String),
    /// The wheel was turned by a step.
    Wheel { is_up: bool },
    /// The mouse was pressed in this column and row.
    Click(u16, u16),
    /// The terminal has this width and height.
    Resize(u16, u16),
    /// Something may have come.
    Stirred,
    /// It is this time by now.
    Time(SystemTime),
    /// What there is was shown.
    Drawn,
    /// A wish was carried out.
    Done(Done),
}

/// Something to be done at the mailbox.
#[derive(Debug)]
pub(crate) enum Wish {
    /// A page of the ledger.
    Page(Asked),
    /// Rooms, seats, and what is new.
    Look,
    /// To send this, under a key of its own.
    Send(Draft),
    /// To settle these as printed: they were displayed.
    Mark(Vec<Shown>),
    /// How far these got.
    Fates(Vec<MessageId>),
    /// One message with everything that is known of it.
    Whole(MessageId),
    /// To be in this room from now on, or not any more.
    Member { room: RoomName, joins: bool },
    /// To keep this for the next time.
    Keep(Kept),
    /// To draw the whole screen.
    Redraw,
    /// To let somebody else have the terminal, until the shell lets this go on.
    Stop,
    /// To end.
    End,
}

/// Which page is asked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Asked {
    pub(crate) view: View,
    pub(crate) part: Part,
    /// Before which message; none for the newest.
    pub(crate) before: Option<MessageId>,
}

/// Which part of a stretch a page is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Part {
    Newest,
    Older,
    Newer,
}

/// A message that was displayed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Shown {
    pub(crate) seq: Seq,
    pub(crate) id: MessageId,
    pub(crate) state: Reached,
}

/// What came of a wish. What went wrong is told in words.
#[derive(Debug)]
pub(crate) enum Done {
    Page(Asked, Result<Sheet, (MailErrorKind, String)>),
    Look(Result<Overview, String>),
    Sent(Result<Receipt, (MailErrorKind, String)>),
    Marked(Vec<Seq>, Result<(), String>),
    /// None of what cannot be told now.
    Fates(Vec<(MessageId, Option<Fate>)>),
    Whole(Result<Box<Whole>, String>),
    Member(Result<String, String>),
    Kept(Result<(), String>),
}

/// Who is there, and what is new.
#[derive(Debug, Default)]
pub(crate) struct Overview {
    pub(crate) rooms: Vec<RoomInfo>,
    pub(crate) seats: Vec<Occupant>,
    /// What is new, by where it was said.
    pub(crate) counts: Counts,
    /// Who wrote what is new to oneself, the oldest few: a name for each message.
    pub(crate) writers: Vec<String>,
}

/// A seat, and what is known of who sits there.
#[derive(Clone, Debug)]
pub(crate) struct Occupant {
    pub(crate) info: SeatInfo,
    /// What the session does, in a word.
    pub(crate) state: Option<&'static str>,
    /// How much of its window is used, in percent.
    pub(crate) context: Option<u64>,
}

/// How far a message of one's own got.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Fate {
    /// With each addressee, by name.
    pub(crate) states: Vec<(String, Reached)>,
    /// In each room: by how many of how many it was seen.
    pub(crate) rooms: Vec<(RoomName, u64, u64)>,
}

impl Fate {
    pub(crate) fn of(whole: &Whole) -> Self {
        let states = whole.states.iter();
        let rooms = whole.rooms.iter();
        Self {
            states: states.map(|(name, state)| (name.clone(), *state)).collect(),
            rooms: rooms
                .map(|(room, (seen, members))| (room.clone(), *seen, *members))
                .collect(),
        }
    }

    /// Whether nothing more can come of it.
    pub(crate) fn is_final(&self) -> bool {
        let is_seen = self.states.iter().all(|(_, state)| *state == Reached::Seen);
        is_seen && self.rooms.iter().all(|(_, seen, members)| seen >= members)
    }
}

/// What is kept from one time to the next.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Kept {
    /// The title of the place.
    pub(crate) place: Option<String>,
    /// What was being written.
    pub(crate) draft: String,
    /// What that answers.
    pub(crate) answer: Option<KeptAnswer>,
    /// Under which key that is sent, where sending was begun.
    pub(crate) key: Option<String>,
    /// What was sent before.
    pub(crate) history: Vec<String>,
}

/// The message that is answered, as it is kept.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct KeptAnswer {
    /// The message that began the thread.
    re: MessageId,
    /// Whom the answer goes to: names and rooms.
    to: Vec<String>,
    /// Who wrote it, and what.
    from: String,
    text: String,
}

impl KeptAnswer {
    pub(crate) fn of(answer: &Answered) -> Self {
        Self {
            re: answer.re.clone(),
            to: answer.to.iter().map(ToString::to_string).collect(),
            from: answer.from.clone(),
            text: answer.text.clone(),
        }
    }

    /// What is answered; none where nobody is left whom the answer could go to.
    pub(crate) fn answered(&self) -> Option<Answered> {
        let to = self.to.iter().filter_map(|to| Address::parse(to));
        let to: Vec<Address> = to.collect();
        (!to.is_empty()).then(|| Answered {
            re: self.re.clone(),
            to,
            from: self.from.clone(),
            text: self.text.clone(),
        })
    }
}

/// The most that is held of a message's words, in bytes: a screen shows less.
const MOST_HELD: usize = 16 << 10;

/// Lets go of words that no screen shows.
pub(crate) fn shorten(entry: &mut Entry) {
    if entry.body.len() > MOST_HELD {
        let end = entry.body.floor_char_boundary(MOST_HELD);
        entry.body.truncate(end);
        entry.body.push_str("\n…");
        entry.body.shrink_to_fit();
    }
}
