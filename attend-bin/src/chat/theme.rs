//! The looks: styles for a dark and a light terminal, and for one without colours.

use std::hash::{DefaultHasher, Hash, Hasher};

use ratatui::style::{Color, Modifier, Style};

/// What the terminal looks like.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Colours {
    /// Light letters on a dark ground.
    Dark,
    /// Dark letters on a light ground.
    Light,
    /// No colours at all.
    None,
}

/// A style for each kind of thing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Theme {
    pub(crate) plain: Style,
    /// What matters less.
    pub(crate) faint: Style,
    pub(crate) strong: Style,
    /// Headings, and what has the keys.
    pub(crate) accent: Style,
    /// What is unread.
    pub(crate) fresh: Style,
    /// What is chosen.
    pub(crate) chosen: Style,
    pub(crate) alarm: Style,
    /// One's own name.
    pub(crate) own: Style,
    /// The names of others.
    names: Option<[Color; 5]>,
}

impl Theme {
    pub(crate) fn of(colours: Colours) -> Self {
        let plain = Style::new();
        let bold = plain.add_modifier(Modifier::BOLD);
        let (accent, fresh, names, chosen) = match colours {
            Colours::None => {
                return Self {
                    plain,
                    faint: plain.add_modifier(Modifier::DIM),
                    strong: bold,
                    accent: bold,
                    fresh: bold,
                    chosen: plain.add_modifier(Modifier::REVERSED),
                    alarm: plain.add_modifier(Modifier::BOLD | Modifier::UNDERLINED),
                    own: bold,
                    names: None,
                };
            }
            Colours::Dark => (
                Color::LightCyan,
                Color::LightYellow,
                [
                    Color::LightBlue,
                    Color::LightMagenta,
                    Color::LightCyan,
                    Color::Yellow,
                    Color::LightRed,
                ],
                Color::Indexed(237),
            ),
            Colours::Light => (
                Color::Blue,
                Color::Red,
                [
                    Color::Blue,
                    Color::Magenta,
                    Color::Cyan,
                    Color::Red,
                    Color::Indexed(94),
                ],
                Color::Indexed(254),
            ),
        };
        let (own, faint) = match colours {
            Colours::Light => (Color::Indexed(22), Color::Indexed(242)),
            _ => (Color::LightGreen, Color::Indexed(246)),
        };
        Self {
            plain,
            faint: plain.fg(faint),
            strong: bold,
            accent: bold.fg(accent),
            fresh: bold.fg(fresh),
            chosen: plain.bg(chosen),
            alarm: bold.fg(Color::Red),
            own: bold.fg(own),
            names: Some(names),
        }
    }

    /// The style of somebody's name, the same wherever it stands.
    pub(crate) fn name(&self, name: &str) -> Style {
        let Some(names) = self.names else {
            return self.strong;
        };
        let mut hasher = DefaultHasher::new();
        name.hash(&mut hasher);
        let at = usize::try_from(hasher.finish() % names.len() as u64).unwrap_or_default();
        self.strong.fg(names[at])
    }
}
