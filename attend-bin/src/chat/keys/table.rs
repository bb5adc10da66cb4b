//! The table of keys: how each is called, what it does, and what a terminal sends for it.

use ratatui::crossterm::event::{KeyCode, KeyModifiers};

use super::{Chord, Command, Key, When};

const NONE: KeyModifiers = KeyModifiers::NONE;
const CTRL: KeyModifiers = KeyModifiers::CONTROL;
const ALT: KeyModifiers = KeyModifiers::ALT;

const fn letter(c: char) -> Chord {
    (KeyCode::Char(c), NONE)
}

const fn ctrl(c: char) -> Chord {
    (KeyCode::Char(c), CTRL)
}

const fn alt(c: char) -> Chord {
    (KeyCode::Char(c), ALT)
}

const fn bare(code: KeyCode) -> Chord {
    (code, NONE)
}

const fn key(
    when: When,
    called: &'static str,
    does: &'static str,
    command: Command,
    chords: &'static [Chord],
) -> Key {
    Key {
        when,
        called,
        does,
        command,
        chords,
    }
}

/// Every key there is.
pub(super) const KEYS: &[Key] = &{
    use Command as C;
    use KeyCode as K;
    use When::{Everywhere, Listing, Reading, Writing};
    [
        key(
            Everywhere,
            "F1",
            "show these keys",
            C::Help,
            &[bare(K::F(1))],
        ),
        key(
            Everywhere,
            "Esc",
            "go back: close what is open, end a search or an answer, leave the composer",
            C::Back,
            &[bare(K::Esc)],
        ),
        key(
            Everywhere,
            "Shift-Tab",
            "go on to the messages, the list, the composer",
            C::NextPart,
            &[
                bare(K::BackTab),
                (K::BackTab, KeyModifiers::SHIFT),
                bare(K::F(6)),
            ],
        ),
        key(
            Everywhere,
            "Alt-Down, Ctrl-N",
            "the next place in the list",
            C::NextPlace,
            &[(K::Down, ALT), ctrl('n')],
        ),
        key(
            Everywhere,
            "Alt-Up, Ctrl-P",
            "the place before it",
            C::PreviousPlace,
            &[(K::Up, ALT), ctrl('p')],
        ),
        key(
            Everywhere,
            "Alt-U",
            "the next place with something unread",
            C::NextUnread,
            &[alt('u')],
        ),
        key(
            Everywhere,
            "PgUp",
            "a screen up",
            C::ScreenUp,
            &[bare(K::PageUp)],
        ),
        key(
            Everywhere,
            "PgDn",
            "a screen down",
            C::ScreenDown,
            &[bare(K::PageDown)],
        ),
        key(
            Everywhere,
            "Ctrl-Home",
            "the oldest that is loaded",
            C::Oldest,
            &[(K::Home, CTRL)],
        ),
        key(
            Everywhere,
            "Ctrl-End",
            "the newest",
            C::Newest,
            &[(K::End, CTRL)],
        ),
        key(
            Everywhere,
            "F3, Ctrl-F",
            "search in this place",
            C::Search,
            &[bare(K::F(3)), ctrl('f')],
        ),
        key(
            Everywhere,
            "F2",
            "show or hide the list",
            C::List,
            &[bare(K::F(2))],
        ),
        key(
            Everywhere,
            "F4",
            "join or leave this room",
            C::Member,
            &[bare(K::F(4))],
        ),
        key(
            Everywhere,
            "Ctrl-L",
            "draw the screen anew",
            C::Redraw,
            &[ctrl('l')],
        ),
        key(
            Everywhere,
            "Ctrl-Z",
            "stop, until the shell's `fg`",
            C::Stop,
            &[ctrl('z')],
        ),
        key(
            Everywhere,
            "Ctrl-C, Ctrl-Q",
            "end; what you were writing is kept",
            C::Quit,
            &[ctrl('c'), ctrl('q')],
        ),
        key(Writing, "Enter", "send", C::Enter, &[bare(K::Enter)]),
        key(
            Writing,
            "Alt-Enter, Ctrl-J",
            "a new line",
            C::NewLine,
            &[(K::Enter, ALT), (K::Enter, KeyModifiers::SHIFT), ctrl('j')],
        ),
        key(
            Writing,
            "Tab",
            "complete a name after @ or #",
            C::Complete,
            &[bare(K::Tab)],
        ),
        key(
            Writing,
            "Up, Down",
            "move; from the first or last line, what you sent before; choose a name",
            C::Up,
            &[bare(K::Up)],
        ),
        key(Writing, "", "", C::Down, &[bare(K::Down)]),
        key(
            Writing,
            "Left, Right",
            "move",
            C::Left,
            &[bare(K::Left), ctrl('b')],
        ),
        key(Writing, "", "", C::Right, &[bare(K::Right)]),
        key(
            Writing,
            "Ctrl-Left, Ctrl-Right",
            "move by words",
            C::WordLeft,
            &[(K::Left, CTRL), alt('b')],
        ),
        key(Writing, "", "", C::WordRight, &[(K::Right, CTRL), alt('f')]),
        key(
            Writing,
            "Home, End, Ctrl-A, Ctrl-E",
            "the start and the end of the line",
            C::LineStart,
            &[bare(K::Home), ctrl('a')],
        ),
        key(Writing, "", "", C::LineEnd, &[bare(K::End), ctrl('e')]),
        key(
            Writing,
            "Backspace, Del",
            "delete a letter",
            C::Erase,
            &[
                bare(K::Backspace),
                (K::Backspace, KeyModifiers::SHIFT),
                ctrl('h'),
            ],
        ),
        key(Writing, "", "", C::Delete, &[bare(K::Delete), ctrl('d')]),
        key(
            Writing,
            "Ctrl-W, Ctrl-U, Ctrl-K",
            "delete the word before, to the start, to the end of the line",
            C::EraseWord,
            &[ctrl('w'), (K::Backspace, ALT)],
        ),
        key(Writing, "", "", C::EraseStart, &[ctrl('u')]),
        key(Writing, "", "", C::DeleteEnd, &[ctrl('k')]),
        key(
            Reading,
            "Up, Down, k, j",
            "choose a message",
            C::Up,
            &[bare(K::Up), letter('k')],
        ),
        key(Reading, "", "", C::Down, &[bare(K::Down), letter('j')]),
        key(
            Reading,
            "Enter",
            "the whole message, its thread, and who saw it",
            C::Enter,
            &[bare(K::Enter)],
        ),
        key(Reading, "r", "answer it", C::Reply, &[letter('r')]),
        key(
            Reading,
            "g, G",
            "the oldest that is loaded, the newest",
            C::Oldest,
            &[letter('g'), bare(K::Home)],
        ),
        key(
            Reading,
            "",
            "",
            C::Newest,
            &[
                (K::Char('G'), NONE),
                (K::Char('G'), KeyModifiers::SHIFT),
                bare(K::End),
            ],
        ),
        key(
            Reading,
            "Space, b",
            "a screen down, up",
            C::ScreenDown,
            &[letter(' ')],
        ),
        key(Reading, "", "", C::ScreenUp, &[letter('b')]),
        key(
            Reading,
            "/",
            "search in this place",
            C::Search,
            &[letter('/')],
        ),
        key(
            Reading,
            "i",
            "back to the composer",
            C::Compose,
            &[letter('i')],
        ),
        key(Reading, "?", "show these keys", C::Help, &[letter('?')]),
        key(
            Listing,
            "Up, Down, k, j",
            "choose a place",
            C::Up,
            &[bare(K::Up), letter('k')],
        ),
        key(Listing, "", "", C::Down, &[bare(K::Down), letter('j')]),
        key(
            Listing,
            "Enter",
            "go there",
            C::Enter,
            &[bare(K::Enter), bare(K::Right)],
        ),
        key(
            Listing,
            "i",
            "back to the composer",
            C::Compose,
            &[letter('i')],
        ),
        key(Listing, "?", "show these keys", C::Help, &[letter('?')]),
    ]
};
