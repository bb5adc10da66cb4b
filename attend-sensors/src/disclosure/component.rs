//! The components: what is taught, piece by piece, each from one file.

/// A piece of what attend lets an agent do, taught as a whole.
///
/// ```
/// use attend_sensors::disclosure::Component;
///
/// assert_eq!(Component::Rooms.headline(), "reheat: attend affordances — rooms");
/// assert!(Component::Rooms.lines().any(|line| line.contains("attend focus on")));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum Component {
    /// Sending, answering, reading.
    Messaging,
    /// Rooms.
    Rooms,
    /// Reminders.
    Reminders,
    /// What lines are, how to hold them back, and to whom `attend run` belongs.
    Signals,
}

impl Component {
    /// All of them, in the order in which they are taught.
    pub const ALL: [Self; 4] = [Self::Messaging, Self::Rooms, Self::Reminders, Self::Signals];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Messaging => "messaging",
            Self::Rooms => "rooms",
            Self::Reminders => "reminders",
            Self::Signals => "signals",
        }
    }

    /// Its first line, by which a teaching is known again.
    pub fn headline(self) -> &'static str {
        self.text().lines().next().unwrap_or_default()
    }

    /// What it teaches, line by line, each short enough to be one of attend's own.
    pub fn lines(self) -> impl Iterator<Item = &'static str> {
        self.text().lines().skip(1)
    }

    /// Its file.
    const fn text(self) -> &'static str {
        match self {
            Self::Messaging => include_str!("components/messaging.md"),
            Self::Rooms => include_str!("components/rooms.md"),
            Self::Reminders => include_str!("components/reminders.md"),
            Self::Signals => include_str!("components/signals.md"),
        }
    }
}
