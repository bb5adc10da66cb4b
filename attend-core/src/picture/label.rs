//! Labels: how much room words take, and who has it already.

use svg::node::element::Text;

use super::shape::round;

/// A rectangle: left, top, right and bottom.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Frame {
    pub(crate) left: f64,
    pub(crate) top: f64,
    pub(crate) right: f64,
    pub(crate) bottom: f64,
}

/// What is taken already.
#[derive(Clone, Debug, Default)]
pub(crate) struct Places(Vec<Frame>);

impl Frame {
    /// Around words of this width whose line stands at `y`.
    pub(crate) fn around(x: f64, y: f64, size: u32, width: f64) -> Self {
        let size = f64::from(size);
        Self {
            left: x,
            top: y - size * 0.8,
            right: x + width,
            bottom: y + size * 0.25,
        }
    }

    fn touches(&self, other: &Self) -> bool {
        self.left < other.right
            && other.left < self.right
            && self.top < other.bottom
            && other.top < self.bottom
    }
}

impl Places {
    /// Takes a place, where nothing of it is taken.
    pub(crate) fn take(&mut self, frame: Frame) -> bool {
        let free = !self.0.iter().any(|taken| taken.touches(&frame));
        if free {
            self.0.push(frame);
        }
        free
    }
}

pub(crate) fn text(x: f64, y: f64, class: &str, size: u32, words: &str) -> Text {
    Text::new(words)
        .set("x", round(x))
        .set("y", round(y))
        .set("class", class)
        .set("font-size", size)
}

/// How wide words are at most, in any of the usual fonts.
pub(crate) fn width(words: &str, size: u32) -> f64 {
    let em = |c: char| match c {
        ' ' | 'i' | 'j' | 'l' | '.' | ',' | ':' | ';' | '\'' | '|' | '-' | '/' => 0.37,
        'f' | 't' | 'r' | '(' | ')' | '!' => 0.42,
        'm' | 'w' | 'M' | 'W' | '@' | '%' => 1.0,
        'A'..='Z' => 0.79,
        '#' | '&' | '+' | '=' | '<' | '>' | '^' | '~' => 0.84,
        ' '..='~' => 0.65,
        '\u{a0}'..='\u{24f}' | '‹' | '›' | '…' => 0.85,
        _ => 1.2,
    };
    words.chars().map(em).sum::<f64>() * f64::from(size)
}

/// So much of some words as has room.
pub(crate) fn cut(words: &str, size: u32, room: f64) -> String {
    if width(words, size) <= room {
        return words.to_owned();
    }
    let mut kept = String::new();
    for c in words.chars() {
        kept.push(c);
        if width(&kept, size) + width("…", size) > room {
            kept.pop();
            break;
        }
    }
    format!("{}…", kept.trim_end())
}
