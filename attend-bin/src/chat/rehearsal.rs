//! The chat without a terminal: it draws into memory, for tests and measurements.

use std::sync::Arc;
use std::time::SystemTime;

use attend_core::mail::{Mailbox, Process, Seated};
use jiff::tz::TimeZone;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::action::{Action, Kept, Wish};
use super::clerk::Clerk;
use super::draw::draw;
use super::state::State;
use super::theme::{Colours, Theme};
use super::update::{begin, update};

/// A chat that is played through: whatever it wishes is done at once.
#[derive(Debug)]
pub struct Rehearsal {
    pub(crate) state: State,
    clerk: Clerk,
    terminal: Terminal<TestBackend>,
    /// The last frame, whole: the terminal is only sent what changed.
    drawn: Buffer,
    /// What is still to be done.
    pending: Vec<Wish>,
    /// Whether it wished to end.
    pub(crate) has_ended: bool,
}

impl Rehearsal {
    /// Whoever sits at `seated` opens a chat in a terminal of this width and height at `now`, and
    /// sees its first frame.
    pub fn open(
        mailbox: Arc<dyn Mailbox>,
        seated: Seated,
        process: Process,
        (width, height): (u16, u16),
        now: SystemTime,
    ) -> Self {
        Self::open_with(
            Kept::default(),
            (mailbox, seated, process),
            (width, height),
            now,
        )
    }

    /// The same with what was kept.
    pub(crate) fn open_with(
        kept: Kept,
        (mailbox, seated, process): (Arc<dyn Mailbox>, Seated, Process),
        (width, height): (u16, u16),
        now: SystemTime,
    ) -> Self {
        let reader = seated.reader(seated.name.clone(), process);
        let mut state = State::new(seated.name.clone(), now, TimeZone::UTC, kept);
        state.size = (width, height);
        let Ok(terminal) = Terminal::new(TestBackend::new(width, height));
        let mut rehearsal = Self {
            state,
            clerk: Clerk::new(mailbox, seated, reader),
            terminal,
            drawn: Buffer::default(),
            pending: Vec::new(),
            has_ended: false,
        };
        let wishes = begin(&mut rehearsal.state);
        rehearsal.fulfil(wishes);
        rehearsal.draw();
        rehearsal
    }

    /// The same in other colours.
    #[must_use]
    pub fn coloured(mut self, colours: Colours) -> Self {
        self.state.theme = Theme::of(colours);
        self.draw();
        self
    }

    /// Presses these keys one after the other: letters, or names such as `<enter>`, `<pgup>`.
    pub fn press(&mut self, keys: &str) {
        let mut rest = keys;
        while let Some(c) = rest.chars().next() {
            let named = rest.strip_prefix('<').and_then(|rest| rest.split_once('>'));
            let known = named.and_then(|(name, after)| Some((key(name)?, after)));
            let (key, after) = known.unwrap_or_else(|| {
                let after = rest.get(c.len_utf8()..).unwrap_or_default();
                (KeyEvent::new(KeyCode::Char(c), KeyModifiers::NONE), after)
            });
            rest = after;
            self.happen(Action::Key(key));
        }
        self.draw();
    }

    /// The doorbell rings.
    pub fn ring(&mut self) {
        self.happen(Action::Stirred);
        self.draw();
    }

    /// The wheel is turned by a step and a frame is drawn, while the mailbox is still to be asked:
    /// what the thread of the screen does.
    pub fn wheel(&mut self, is_up: bool) {
        let wishes = update(&mut self.state, Action::Wheel { is_up });
        self.pending.extend(wishes);
        self.frame();
        self.pending.extend(update(&mut self.state, Action::Drawn));
    }

    /// The mailbox is asked what is still to be asked.
    pub fn catch_up(&mut self) {
        let wishes = std::mem::take(&mut self.pending);
        self.fulfil(wishes);
    }

    /// The screen as lines of text.
    pub fn screen(&self) -> String {
        let buffer = self.buffer();
        let width = usize::from(buffer.area.width).max(1);
        let mut lines = Vec::new();
        for row in buffer.content().chunks(width) {
            let mut line = String::new();
            let mut skip = 0;
            for cell in row {
                if skip == 0 {
                    line.push_str(cell.symbol());
                    skip = super::text::width(cell.symbol()).max(1);
                }
                skip -= 1;
            }
            lines.push(line.trim_end().to_owned());
        }
        lines.join("\n")
    }

    /// What sessions do, by their seats: a word, and how much of the window is used.
    #[cfg(test)]
    pub(crate) fn occupants(&mut self, known: &[(&str, &'static str, u64)]) {
        let of = |(name, state, context): &(&str, &'static str, u64)| {
            ((*name).to_owned(), (*state, *context))
        };
        let known: std::collections::HashMap<String, _> = known.iter().map(of).collect();
        self.clerk.knows(move |seats| {
            let occupant = |info: attend_core::mail::SeatInfo| {
                let known = known.get(&info.seated.name).copied();
                let mut occupant = super::action::Occupant::of(info);
                occupant.state = known.map(|(state, _)| state);
                occupant.context = known.map(|(_, context)| context);
                occupant
            };
            seats.into_iter().map(occupant).collect()
        });
    }

    pub(crate) fn buffer(&self) -> &Buffer {
        &self.drawn
    }

    /// The terminal gets another size.
    #[cfg(test)]
    pub(crate) fn resize(&mut self, width: u16, height: u16) {
        self.terminal.backend_mut().resize(width, height);
        self.happen(Action::Resize(width, height));
        self.draw();
    }

    /// Lets something happen, and all that comes of it.
    pub(crate) fn happen(&mut self, action: Action) {
        let wishes = update(&mut self.state, action);
        self.fulfil(wishes);
    }

    /// Carries out a wish of which nobody hears.
    #[cfg(test)]
    pub(crate) fn carry_out_unheard(&self, wish: Wish) {
        self.clerk.carry_out(wish);
    }

    pub(crate) fn fulfil(&mut self, mut wishes: Vec<Wish>) {
        while !wishes.is_empty() {
            let mut more = Vec::new();
            for wish in wishes {
                self.has_ended |= matches!(wish, Wish::End);
                if let Some(done) = self.clerk.carry_out(wish) {
                    more.extend(update(&mut self.state, Action::Done(done)));
                }
            }
            wishes = more;
        }
    }

    /// Draws a frame, and what has come of it.
    pub(crate) fn draw(&mut self) {
        self.frame();
        let wishes = update(&mut self.state, Action::Drawn);
        if !wishes.is_empty() {
            self.fulfil(wishes);
            self.frame();
        }
    }

    fn frame(&mut self) {
        let state = &self.state;
        let Ok(drawn) = self.terminal.draw(|frame| draw(state, frame));
        self.drawn.clone_from(drawn.buffer);
    }
}

/// A key by its name: `enter`, `c-c`, `a-enter`.
fn key(name: &str) -> Option<KeyEvent> {
    let (name, modifiers) = match name.split_once('-') {
        Some(("c", name)) => (name, KeyModifiers::CONTROL),
        Some(("a", name)) => (name, KeyModifiers::ALT),
        _ => (name, KeyModifiers::NONE),
    };
    let code = match name {
        "enter" => KeyCode::Enter,
        "esc" => KeyCode::Esc,
        "tab" => KeyCode::Tab,
        "backtab" => KeyCode::BackTab,
        "up" => KeyCode::Up,
        "down" => KeyCode::Down,
        "left" => KeyCode::Left,
        "right" => KeyCode::Right,
        "home" => KeyCode::Home,
        "end" => KeyCode::End,
        "pgup" => KeyCode::PageUp,
        "pgdn" => KeyCode::PageDown,
        "backspace" => KeyCode::Backspace,
        name => match name
            .strip_prefix('f')
            .and_then(|number| number.parse().ok())
        {
            Some(number) => KeyCode::F(number),
            None => KeyCode::Char(name.chars().next().filter(|_| name.chars().count() == 1)?),
        },
    };
    Some(KeyEvent::new(code, modifiers))
}
