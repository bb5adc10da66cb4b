//! Outlines: how much room a letter takes on a page, without a word of it.

use serde::{Deserialize, Serialize};

use super::line::{Head, LINE_LIMIT, Line, MAX_PARTS, first_line, split};
use crate::mail::Letter;

/// UTF-16 units of the lines of one letter: all of them, and the one that it is cut to; each also
/// where the letter may have been shown before.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Outline {
    whole: Vec<usize>,
    whole_again: Vec<usize>,
    cut: usize,
    cut_again: usize,
}

impl Outline {
    /// Measures `letter`.
    pub(super) fn of(letter: &Letter) -> Self {
        let sizes = |again| whole(letter, again, None).iter().map(Line::units).collect();
        Self {
            whole: sizes(false),
            whole_again: sizes(true),
            cut: cut(letter, false, None).units(),
            cut_again: cut(letter, true, None).units(),
        }
    }
}

/// All lines of `letter`; where it is known by its outline alone, lines of that size.
pub(super) fn whole(letter: &Letter, again: bool, outline: Option<&Outline>) -> Vec<Line> {
    let Some(outline) = outline else {
        return split(&head(letter, again), &letter.body, &more(letter));
    };
    let sizes = if again {
        &outline.whole_again
    } else {
        &outline.whole
    };
    let lines = sizes.iter().take(MAX_PARTS);
    lines.map(|units| Line::blank(*units)).collect()
}

/// The one line that `letter` is cut to, likewise.
pub(super) fn cut(letter: &Letter, again: bool, outline: Option<&Outline>) -> Line {
    match outline {
        None => first_line(&head(letter, again), &letter.body, &more(letter)),
        Some(outline) if again => Line::blank(outline.cut_again.min(LINE_LIMIT)),
        Some(outline) => Line::blank(outline.cut.min(LINE_LIMIT)),
    }
}

fn head(letter: &Letter, again: bool) -> Head {
    let head = Head::letter(letter);
    if again { head.again() } else { head }
}

/// The command that shows the whole message.
fn more(letter: &Letter) -> String {
    format!("attend show {}", letter.id)
}
