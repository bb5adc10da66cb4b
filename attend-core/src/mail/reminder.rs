//! Reminders: words to oneself, for later.

use std::time::{Duration, SystemTime};

use super::digest::age;
use super::envelope::MessageId;

/// From when on a reminder says that it is late: the clocks of two processes may differ by less.
const LATE: Duration = Duration::from_mins(1);

/// How many reminders that are due are sent at once: whoever sends them asks again for the rest.
pub const MOST_DUE: usize = 50;

/// How many reminders of one seat wait at most.
pub(super) const MOST_REMINDERS: usize = 1_000;

/// Whose keys reminders are sent under: nobody else can have used one.
pub(super) const SPACE: &str = "reminders";

/// Words that become a message to the seat that wrote them.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Reminder {
    /// Its name, which the message will have too.
    pub id: MessageId,
    /// When it becomes one, by the clock on the wall.
    pub due: SystemTime,
    /// The words.
    pub text: String,
}

impl Reminder {
    /// The words `text`, under the name `id`, for the time `due`.
    pub fn new(id: MessageId, due: SystemTime, text: impl Into<String>) -> Self {
        Self {
            id,
            due,
            text: text.into(),
        }
    }

    /// The words of the message that it becomes at `now`: those that come late say so.
    pub(super) fn body(&self, now: SystemTime) -> String {
        let late = now.duration_since(self.due).unwrap_or_default();
        if late < LATE {
            return format!("reminder: {}", self.text);
        }
        format!("reminder, {} late: {}", age(late), self.text)
    }

    /// The key under which it is sent, once.
    pub(super) fn key(&self) -> String {
        format!("remind:{}", self.id)
    }
}
