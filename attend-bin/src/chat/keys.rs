//! The keys: one table, of which the help on the screen and `docs/chat.md` are made.

mod table;

use std::fmt::Write as _;

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use self::table::KEYS;

/// Where a key has its meaning.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum When {
    /// Wherever one is.
    Everywhere,
    /// While something is written.
    Writing,
    /// Among the messages.
    Reading,
    /// In the list of rooms and agents.
    Listing,
}

/// What a key does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Command {
    Help,
    Quit,
    NextPlace,
    PreviousPlace,
    NextUnread,
    NextPart,
    Search,
    List,
    Member,
    ScreenUp,
    ScreenDown,
    Oldest,
    Newest,
    Redraw,
    Stop,
    Back,
    Enter,
    Complete,
    NewLine,
    Up,
    Down,
    Left,
    Right,
    WordLeft,
    WordRight,
    LineStart,
    LineEnd,
    Erase,
    Delete,
    EraseWord,
    EraseStart,
    DeleteEnd,
    Reply,
    Compose,
}

/// A key, or several that do the same, as people call them and as a terminal sends them.
#[derive(Debug)]
pub(crate) struct Key {
    pub(crate) when: When,
    pub(crate) called: &'static str,
    pub(crate) does: &'static str,
    command: Command,
    chords: &'static [Chord],
}

type Chord = (KeyCode, KeyModifiers);

/// What a key means at `when`, where it is no letter of a text.
pub(crate) fn meaning(key: KeyEvent, when: When) -> Option<Command> {
    let pressed = (key.code, key.modifiers);
    let mut keys = KEYS.iter();
    let found = keys.find(|known| {
        (known.when == when || known.when == When::Everywhere) && known.chords.contains(&pressed)
    });
    found.map(|key| key.command)
}

/// The parts of the table with their headings, each key with what it does.
pub(crate) fn told() -> impl Iterator<Item = (&'static str, Vec<(&'static str, &'static str)>)> {
    let parts = [
        (When::Everywhere, "Everywhere"),
        (When::Writing, "In the composer"),
        (When::Reading, "Among the messages"),
        (When::Listing, "In the list"),
    ];
    parts.into_iter().map(|(when, heading)| {
        let keys = KEYS
            .iter()
            .filter(|key| key.when == when && !key.called.is_empty());
        (heading, keys.map(|key| (key.called, key.does)).collect())
    })
}

/// The table as Markdown.
pub(crate) fn markdown() -> String {
    let mut text = String::new();
    for (heading, keys) in told() {
        let _ = writeln!(text, "\n### {heading}\n\n| key | does |\n|---|---|");
        for (called, does) in keys {
            let _ = writeln!(text, "| {called} | {does} |");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_key_has_two_meanings_in_one_place() {
        for (at, one) in KEYS.iter().enumerate() {
            for other in KEYS.iter().skip(at + 1) {
                let meet = one.when == other.when
                    || one.when == When::Everywhere
                    || other.when == When::Everywhere;
                for chord in one.chords.iter().filter(|_| meet) {
                    assert!(
                        !other.chords.contains(chord),
                        "{chord:?} in {one:?} and {other:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn letters_of_a_text_are_no_commands_while_one_writes() {
        for c in "abgGijkr/? ".chars() {
            let key = KeyEvent::new(KeyCode::Char(c), KeyModifiers::NONE);
            assert_eq!(meaning(key, When::Writing), None, "{c}");
        }
    }
}
