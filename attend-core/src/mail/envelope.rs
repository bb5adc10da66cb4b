//! The envelope: what is known of a message beside its words.

use std::fmt;

use serde::{Deserialize, Serialize};

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

/// The short name of a message, by which it is shown and answered: `7F3K2A`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct MessageId(String);

impl MessageId {
    /// The id `id`, as the mailbox gave it.
    pub fn new(id: impl Into<String>) -> Self {
        Self(id.into())
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
    /// The names and rooms it is addressed to, as written: `@Cleo`, `#deploy`.
    pub to: Vec<String>,
    /// The words.
    pub body: String,
}

impl Draft {
    /// Words for everybody, unless [`to`](Self::to) says otherwise.
    pub fn new(body: impl Into<String>) -> Self {
        Self {
            to: Vec::new(),
            body: body.into(),
        }
    }

    /// Addresses it to one more name or room.
    #[must_use]
    pub fn to(mut self, address: impl Into<String>) -> Self {
        self.to.push(address.into());
        self
    }
}
