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
    let lines = written(state, width, most.into());
    let lines = u16::try_from(lines).unwrap_or(most);
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

/// What of one's own words is on the screen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Window {
    pub(crate) lines: Vec<String>,
    /// Whether the first of them begins the text.
    pub(crate) is_first: bool,
    /// The column and line of the cursor among them.
    pub(crate) cursor: (u16, u16),
}

/// As many lines of `text` as go into `rows` rows of `width` columns, so that the cursor, which
/// stands at the byte `cursor`, is among them. A cursor behind the last letter has room.
///
/// Of a long text only what is near the cursor is looked at.
pub(crate) fn window(text: &str, cursor: usize, width: u16, rows: u16) -> Window {
    let columns = columns(width);
    let rows = usize::from(rows).max(1);
    let (before, after) = text.split_at(cursor);
    // From the cursor's line up, until the screen is full.
    let mut above: Vec<Vec<String>> = Vec::new();
    let mut found = 0;
    let mut is_first = true;
    let mut rest = Some(before);
    while let Some(before) = rest {
        if found >= rows {
            is_first = false;
            break;
        }
        let (earlier, line) = match before.rsplit_once('\n') {
            Some((earlier, line)) => (Some(earlier), line),
            None => (None, before),
        };
        let (lines, is_all) = last_lines(line, columns, rows - found);
        found += lines.len();
        above.push(lines);
        is_first = is_all;
        rest = earlier.filter(|_| is_all);
    }
    let mut lines: Vec<String> = above.into_iter().rev().flatten().collect();
    // Where the cursor is, the line goes on.
    let begun = lines.pop().unwrap_or_default();
    let cursor = (super::text::width(&begun), lines.len());
    let mut below = after.split('\n');
    let goes_on = begun + below.next().unwrap_or_default();
    fill(&goes_on, columns, rows, &mut lines);
    for line in below {
        if lines.len() >= rows {
            break;
        }
        fill(line, columns, rows, &mut lines);
    }
    Window {
        lines,
        is_first,
        cursor: (
            u16::try_from(cursor.0).unwrap_or(u16::MAX),
            u16::try_from(cursor.1).unwrap_or(u16::MAX),
        ),
    }
}

/// The last lines into which `line` breaks, at most `most`, and whether they are all of it.
fn last_lines(line: &str, columns: usize, most: usize) -> (Vec<String>, bool) {
    let (mut from, mut lines) = (0, Vec::new());
    if line.is_ascii() {
        // Each letter takes a column: nothing needs to be looked at to tell where it breaks.
        let all = line.len().div_ceil(columns).max(1);
        from = all.saturating_sub(most) * columns;
    }
    fill(
        line.get(from..).unwrap_or_default(),
        columns,
        usize::MAX,
        &mut lines,
    );
    let more = lines.len().saturating_sub(most);
    lines.drain(..more);
    (lines, from == 0 && more == 0)
}

/// How many lines what is being written takes in `width` columns; none needs to know of more than
/// `most`.
fn written(state: &State, width: u16, most: usize) -> usize {
    let mut lines = Vec::new();
    for line in state.writes().text().split('\n') {
        fill(line, columns(width), most, &mut lines);
        if lines.len() >= most {
            break;
        }
    }
    lines.len()
}

fn columns(width: u16) -> usize {
    usize::from(width.saturating_sub(PROMPT + 1)).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every line, and where the cursor stands, told without any short way.
    fn told(text: &str, cursor: usize, width: u16) -> (Vec<String>, (usize, usize)) {
        let lines = |text: &str| {
            let mut lines = Vec::new();
            for line in text.split('\n') {
                fill(line, columns(width), usize::MAX, &mut lines);
            }
            lines
        };
        let before = lines(text.split_at(cursor).0);
        let column = before
            .last()
            .map_or(0, |line| crate::chat::text::width(line));
        (lines(text), (column, before.len() - 1))
    }

    #[test]
    fn a_window_shows_what_is_around_the_cursor_and_nothing_else() {
        let texts = [
            String::new(),
            "one two\nthree\n\nfour".to_owned(),
            "x".repeat(100),
            format!("{}\n{}\nend", "y".repeat(33), "日本語".repeat(9)),
            format!("{}\n{}", "é👩‍👧 ".repeat(20), "z".repeat(41)),
            "\n\n\n\n\n".to_owned(),
        ];
        for text in &texts {
            let ends = [text.len()].into_iter();
            let letters = unicode_segmentation::UnicodeSegmentation::grapheme_indices;
            let cursors = letters(text.as_str(), true).map(|(at, _)| at).chain(ends);
            for cursor in cursors {
                for (width, rows) in [(3, 1), (8, 1), (8, 3), (13, 4), (40, 2), (40, 200)] {
                    let (all, (column, line)) = told(text, cursor, width);
                    let first = (line + 1).saturating_sub(usize::from(rows));
                    let shown = all.iter().skip(first).take(rows.into());
                    let shown: Vec<String> = shown.cloned().collect();
                    let window = window(text, cursor, width, rows);
                    let at = (usize::from(window.cursor.0), usize::from(window.cursor.1));
                    let case = format!("{text:?} at {cursor}, {width} by {rows}");
                    assert_eq!(window.lines, shown, "{case}");
                    assert_eq!(at, (column, line - first), "{case}");
                    assert_eq!(window.is_first, first == 0, "{case}");
                }
            }
        }
    }
}
