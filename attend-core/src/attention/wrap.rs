//! Where a long text may be cut: between words, between graphemes, or at worst between characters.

use unicode_segmentation::UnicodeSegmentation;

use super::text::units;

/// Cuts `text` to what fits in `room` UTF-16 units, which must be at least 2, and gives the rest.
///
/// Blanks at the cut are in neither. A word that would fit in `room` by itself is not cut.
pub(super) fn cut(text: &str, room: usize) -> (&str, &str) {
    // The end of the last grapheme that fits, and the start of the last blank that may follow.
    let (mut end, mut used, mut blank) = (0, 0, None);
    let mut fits = true;
    for (at, grapheme) in text.grapheme_indices(true) {
        if at > 0 && may_end_line(grapheme) {
            blank = Some(at);
        }
        used += units(grapheme);
        fits = used <= room;
        if !fits {
            break;
        }
        end = at + grapheme.len();
    }
    if fits {
        return (trim(text), "");
    }
    let at = match blank {
        Some(blank) if blank == end || next_word_fits(after(text, blank), room) => blank,
        _ if end == 0 => within_grapheme(text, room),
        _ => within_word(text, end),
    };
    let (piece, rest) = text.split_at(at);
    (trim(piece), trim(rest))
}

/// What is left of `text` in `room` units, where `line` units would be a line of its own.
///
/// A grapheme that fits a line is left out rather than cut.
pub(super) fn shorten(text: &str, room: usize, line: usize) -> &str {
    let first = text.graphemes(true).next().map_or(0, units);
    if (room + 1..=line).contains(&first) {
        return "";
    }
    cut(text, room).0
}

/// Text without the blanks around it.
///
/// A blank that carries a combining mark is none.
pub(super) fn trim(text: &str) -> &str {
    let mut graphemes = text.graphemes(true);
    let mut kept = graphemes.as_str();
    while graphemes.next().is_some_and(is_blank) {
        kept = graphemes.as_str();
    }
    let mut graphemes = kept.graphemes(true);
    while graphemes.next_back().is_some_and(is_blank) {
        kept = graphemes.as_str();
    }
    kept
}

fn after(text: &str, at: usize) -> &str {
    text.split_at(at).1
}

fn is_blank(grapheme: &str) -> bool {
    grapheme.chars().all(char::is_whitespace)
}

/// Whether `grapheme` is a blank that does not hold its neighbours together.
fn may_end_line(grapheme: &str) -> bool {
    is_blank(grapheme) && !matches!(grapheme, "\u{a0}" | "\u{2007}" | "\u{202f}")
}

/// Whether the first word of `text` takes at most `room` units.
fn next_word_fits(text: &str, room: usize) -> bool {
    let mut used = 0;
    for grapheme in text
        .graphemes(true)
        .skip_while(|grapheme| is_blank(grapheme))
    {
        if may_end_line(grapheme) {
            break;
        }
        used += units(grapheme);
        if used > room {
            return false;
        }
    }
    true
}

/// The last place in the second half of the first `end` bytes where UAX 29 ends a word and a
/// grapheme, else `end`.
fn within_word(text: &str, end: usize) -> usize {
    let graphemes: Vec<usize> = text
        .grapheme_indices(true)
        .map(|(at, _)| at)
        .take_while(|at| *at <= end)
        .collect();
    text.split_word_bound_indices()
        .map(|(at, _)| at)
        .take_while(|at| *at <= end)
        .filter(|at| 2 * at > end && graphemes.binary_search(at).is_ok())
        .last()
        .unwrap_or(end)
}

/// The end of the last character that fits, in a grapheme that does not.
fn within_grapheme(text: &str, room: usize) -> usize {
    let mut used = 0;
    let fits = |c: &char| {
        used += c.len_utf16();
        used <= room
    };
    text.chars().take_while(fits).map(char::len_utf8).sum()
}
