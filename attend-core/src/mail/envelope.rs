//! The envelope: what is known of a message beside its words.

use std::fmt;
use std::time::SystemTime;

use serde::{Deserialize, Serialize};

use super::address::Address;

/// The position of a message in its mailbox. Order is this number, never a clock.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Seq(u64);

impl Seq {
    /// The position `position`.
    pub const fn new(position: u64) -> Self {
        Self(position)
    }

    /// The position as a number.
    pub const fn get(self) -> u64 {
        self.0
    }
}

/// Crockford's base 32: no I, L, O or U. <https://www.crockford.com/base32.html>
const DIGITS: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/// The short name of a message, by which it is shown and answered: `7F3K2A`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct MessageId(String);

impl MessageId {
    /// The shortest that a mailbox gives, in characters.
    pub const SHORTEST: usize = 6;
    /// The longest that a mailbox gives, in characters.
    pub const LONGEST: usize = 12;

    /// The id `id`, as the mailbox gave it.
    pub fn new(id: impl Into<String>) -> Self {
        Self(id.into())
    }

    /// An id of `length` characters, at most [`LONGEST`](Self::LONGEST), from the low bits of
    /// `bits`: five for each.
    ///
    /// ```
    /// use attend_core::mail::MessageId;
    ///
    /// assert_eq!(MessageId::from_bits(0b00111_01111, 2).as_str(), "7F");
    /// ```
    pub fn from_bits(bits: u64, length: usize) -> Self {
        let digit = |n: usize| char::from(DIGITS[(bits >> (5 * n) & 31) as usize]);
        let length = length.min(Self::LONGEST);
        Self((0..length).rev().map(digit).collect())
    }

    /// What somebody typed, read as an id: case does not count, `O` is 0, `I` and `L` are 1. None
    /// where it cannot be one.
    ///
    /// ```
    /// use attend_core::mail::MessageId;
    ///
    /// assert_eq!(MessageId::parse("7f3k2o").unwrap().as_str(), "7F3K20");
    /// assert_eq!(MessageId::parse("ship it"), None);
    /// ```
    pub fn parse(text: &str) -> Option<Self> {
        let digit = |c: char| match c.to_ascii_uppercase() {
            'O' => Some('0'),
            'I' | 'L' => Some('1'),
            c => u8::try_from(c)
                .is_ok_and(|byte| DIGITS.contains(&byte))
                .then_some(c),
        };
        let id: Option<String> = text.chars().map(digit).collect();
        id.filter(|id| (Self::SHORTEST..=Self::LONGEST).contains(&id.len()))
            .map(Self)
    }

    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for MessageId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Who wrote a message, as decided by the process that sent it and never by its text.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum SenderKind {
    /// A coding agent.
    Agent,
    /// A person at a terminal.
    Person,
    /// Neither: a script, a timer, a service.
    Program,
}

/// A message that waits for one reader, as its mailbox shows it without giving it away.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Letter {
    /// Its position in the mailbox.
    pub seq: Seq,
    /// Its short name.
    pub id: MessageId,
    /// The sender's seat or name.
    pub from: String,
    /// What the sender is.
    pub kind: SenderKind,
    /// The addressees as this reader sees them: `you, #deploy`.
    pub to: String,
    /// The words.
    pub body: String,
}

impl Letter {
    /// A letter from an agent.
    pub fn new(
        seq: Seq,
        id: MessageId,
        from: impl Into<String>,
        to: impl Into<String>,
        body: impl Into<String>,
    ) -> Self {
        Self {
            seq,
            id,
            from: from.into(),
            kind: SenderKind::Agent,
            to: to.into(),
            body: body.into(),
        }
    }

    /// The same letter from another kind of sender.
    #[must_use]
    pub fn sent_by(mut self, kind: SenderKind) -> Self {
        self.kind = kind;
        self
    }
}

/// A message that was written and not yet sent.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Draft {
    /// Whom it is addressed to, at most [`MAX_ADDRESSES`]; nobody means everybody, in `#open`.
    pub to: Vec<Address>,
    /// The words, at most [`MAX_BODY`] bytes.
    pub body: String,
    /// The message that it answers.
    pub re: Option<MessageId>,
    /// A name for this sending: sending again under the same name changes nothing and gives the
    /// same id.
    pub key: Option<String>,
}

/// The longest body, in bytes of UTF-8: 1 MiB.
pub const MAX_BODY: usize = 1 << 20;

/// To how many names and rooms one message is addressed at most.
pub const MAX_ADDRESSES: usize = 60;

impl Draft {
    /// Words for everybody, unless [`to`](Self::to) says otherwise.
    pub fn new(body: impl Into<String>) -> Self {
        Self {
            to: Vec::new(),
            body: body.into(),
            re: None,
            key: None,
        }
    }

    /// Addresses it to one more name or room.
    #[must_use]
    pub fn to(mut self, address: impl Into<Address>) -> Self {
        self.to.push(address.into());
        self
    }

    /// Says which message it answers.
    #[must_use]
    pub fn re(mut self, id: MessageId) -> Self {
        self.re = Some(id);
        self
    }

    /// Names this sending, so that repeating it sends nothing twice.
    #[must_use]
    pub fn key(mut self, key: impl Into<String>) -> Self {
        self.key = Some(key.into());
        self
    }
}

/// One line of a ledger: a message as it is kept, and what became of it for whoever asks.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Entry {
    /// Its position in the mailbox.
    pub seq: Seq,
    /// Its short name.
    pub id: MessageId,
    /// When it was sent, by the clock on the wall.
    pub sent_at: SystemTime,
    /// The sender's seat or name.
    pub from: String,
    /// What the sender is.
    pub kind: SenderKind,
    /// The addressees as they were named, rooms with their `#` and names with their `@`.
    pub to: Vec<String>,
    /// The message that it answers.
    pub re: Option<MessageId>,
    /// The words.
    pub body: String,
    /// How far it got with whoever asks; none where it is not for them.
    pub state: Option<State>,
}

impl Entry {
    /// An entry that is not for whoever asks.
    #[expect(
        clippy::too_many_arguments,
        reason = "it is what a message consists of"
    )]
    pub fn new(
        seq: Seq,
        id: MessageId,
        sent_at: SystemTime,
        from: impl Into<String>,
        kind: SenderKind,
        to: Vec<String>,
        re: Option<MessageId>,
        body: impl Into<String>,
    ) -> Self {
        Self {
            seq,
            id,
            sent_at,
            from: from.into(),
            kind,
            to,
            re,
            body: body.into(),
            state: None,
        }
    }

    /// The same, for somebody with whom it got as far as `state`.
    #[must_use]
    pub fn state(mut self, state: Option<State>) -> Self {
        self.state = state;
        self
    }
}

/// How far a message got with one addressee.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum State {
    /// Nothing was shown of it.
    New,
    /// It was named as a number in a digest.
    Counted,
    /// It was written out; whether it was seen is not known, or not asked.
    Printed,
    /// It was written out and never seen, as far as anything tells.
    Unseen,
    /// It was seen.
    Seen,
}

impl State {
    /// Whether it still waits to be read: new, counted or unseen.
    pub fn is_unread(self) -> bool {
        matches!(self, Self::New | Self::Counted | Self::Unseen)
    }
}
