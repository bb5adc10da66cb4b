//! Where everything stands on a screen of a size.

use ratatui::layout::Rect;

use super::state::{Part, State};
use super::text::fill;

/// The parts of the screen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Regions {
    /// The list, where there is room for it or it was asked for.
    pub(crate) list: Option<Rect>,
    pub(crate) head: Rect,
    pub(crate) stream: Rect,
    /// With a line above it.
    pub(crate) composer: Rect,
    pub(crate) status: Rect,
}

/// The smallest terminal that anything is shown on.
const SMALLEST: (u16, u16) = (16, 5);

/// Widths from which the list has its place, and how much it takes.
pub(crate) const NARROW: u16 = 60;
const WIDE: u16 = 100;

/// Columns before the words of the composer.
pub(crate) const PROMPT: u16 = 2;

/// Whether anything is shown.
pub(crate) fn has_room(state: &State) -> bool {
    state.size.0 >= SMALLEST.0 && state.size.1 >= SMALLEST.1
}

/// Whether messages are on the screen: nothing is that is too small, and the list may take all.
pub(crate) fn shows_messages(state: &State) -> bool {
    has_room(state) && regions(state).stream.width > 0
}

/// Where everything stands.
pub(crate) fn regions(state: &State) -> Regions {
    let (width, height) = state.size;
    let has_list = state.shows_list && width >= NARROW;
    let takes_all = width < NARROW && state.part == Part::List;
    let list_width = match width {
        _ if takes_all => width,
        _ if !has_list => 0,
        WIDE.. => 30,
        _ => 22,
    };
    let gap = u16::from(list_width > 0);
    let x = (list_width + gap).min(width);
    let width = width - x;
    let above = height.saturating_sub(1);
    let most = (height / 3).max(1);
    let lines = u16::try_from(written(state, width).len()).unwrap_or(u16::MAX);
    let composer = (lines.clamp(1, most) + 1).min(above.saturating_sub(1));
    let stream = above.saturating_sub(1 + composer);
    Regions {
        list: (list_width > 0).then(|| Rect::new(0, 0, list_width, above)),
        head: Rect::new(x, 0, width, height.min(1)),
        stream: Rect::new(x, height.min(1), width, stream),
        composer: Rect::new(x, height.min(1) + stream, width, composer),
        status: Rect::new(0, above, state.size.0, height.min(1)),
    }
}

/// The lines of what is being written, in `width` columns.
pub(crate) fn written(state: &State, width: u16) -> Vec<String> {
    let composer = state.asking.as_ref().unwrap_or(&state.composer);
    lines(composer.text(), width)
}

/// Words of one's own in lines. A cursor behind the last letter has room.
pub(crate) fn lines(text: &str, width: u16) -> Vec<String> {
    let columns = usize::from(width.saturating_sub(PROMPT + 1)).max(1);
    let mut lines = Vec::new();
    for line in text.split('\n') {
        fill(line, columns, &mut lines);
    }
    lines
}

/// The column and line of the cursor among those lines.
pub(crate) fn cursor(before: &str, width: u16) -> (u16, u16) {
    let lines = lines(before, width);
    let column = lines.last().map_or(0, |line| super::text::width(line));
    let line = lines.len().saturating_sub(1);
    (
        u16::try_from(column).unwrap_or(u16::MAX),
        u16::try_from(line).unwrap_or(u16::MAX),
    )
}
