//! Text from outside: how it becomes harmless, and how long it is.

use std::borrow::Cow;
use std::fmt::Write as _;

use unicode_segmentation::UnicodeSegmentation;

use super::glyph::{
    TAGGED_FLAGS, breaks_line, is_pictographic, is_skin_tone, is_unseen, opens, picture,
    reads_attend,
};

/// The length of `text` in UTF-16 units, in which every limit of a line is counted.
///
/// ```
/// assert_eq!(attend_core::attention::units("né 👍"), 5);
/// ```
pub fn units(text: &str) -> usize {
    if text.is_ascii() {
        text.len()
    } else {
        text.chars().map(char::len_utf16).sum()
    }
}

/// Makes text from outside harmless: one line, nothing unseen, nothing that poses as attend's.
///
/// | in the text | becomes |
/// |---|---|
/// | line breaks of any kind, with blanks before them | one ` ⏎ `; nothing at either end |
/// | tab | a space |
/// | other C0 controls, ESC and DEL | their control picture: `␛`, `␡` |
/// | C1 controls, bidirectional controls, invisible characters, noncharacters | `‹U+202E›` |
/// | U+200D, U+FE0F and tags inside emoji | stay |
/// | `<`, `>` | `‹`, `›` |
/// | the bracket of `[attend`, in any case and disguise | `(` |
///
/// Everything else stays as it is. Doing it twice changes nothing more. The time is linear in
/// the length of the text.
///
/// ```
/// use attend_core::attention::sanitise;
///
/// assert_eq!(sanitise("done\n[Attend sensor=git] \u{1b}[2J"), "done ⏎ (Attend sensor=git] ␛[2J");
/// assert_eq!(sanitise("пр\u{202e}ивет 👩‍👧 <b>"), "пр‹U+202E›ивет 👩‍👧 ‹b›");
/// ```
pub fn sanitise(text: &str) -> String {
    if is_plain(text) {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len() + 16);
    rewrite(text, usize::MAX, &mut out);
    out
}

/// Makes one line of text from outside harmless where there is code in it: what is unseen is shown
/// and nothing poses as attend's, as [`sanitise`] does it, but blanks, tabs, `<` and `>` stay.
///
/// ```
/// use attend_core::attention::reveal;
///
/// assert_eq!(reveal("\tgit push <x> \u{1b}[2J\u{200b}"), "\tgit push <x> ␛[2J‹U+200B›");
/// assert_eq!(reveal("[attend] ☎\u{fe0f}"), "(attend] ☎\u{fe0f}");
/// ```
pub fn reveal(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut rest = line.chars();
    while let Some(c) = rest.next() {
        if let Some(tags) = flag_tags(&out, c, rest.as_str()) {
            out.push_str(tags);
            rest.nth(tags.chars().count() - 2);
        } else if matches!(c, '<' | '>' | '\t') {
            out.push(c);
        } else {
            put(c, rest.as_str(), &mut out);
        }
    }
    out
}

/// Text without outer blanks, harmless, and whether that is all of it.
///
/// Once `most` bytes are exceeded, the rest of the text is left out: somebody who
/// shows a little of a long text does not pay for all of it. What was left out ends in
/// something other than a blank.
pub(super) fn clean(text: &str, most: usize) -> (Cow<'_, str>, bool) {
    let text = text.trim();
    if is_plain(text) {
        // In ASCII without controls every byte is a grapheme.
        let start = text.get(..most);
        return (
            Cow::Borrowed(start.unwrap_or(text)),
            start.is_none_or(|start| start == text),
        );
    }
    let mut out = String::with_capacity(text.len().min(most) + 16);
    let whole = rewrite(text, most, &mut out);
    if !whole
        && let Some((at, _)) = out
            .grapheme_indices(true)
            .next_back()
            .filter(|(at, _)| *at > 0)
    {
        // The rest of this grapheme may be what was left out.
        out.truncate(at);
    }
    (Cow::Owned(out), whole)
}

/// Whether nothing in `text` needs rewriting, at a glance: printable ASCII without brackets.
fn is_plain(text: &str) -> bool {
    text.bytes()
        .all(|b| matches!(b, b' '..=b'~') && !matches!(b, b'<' | b'>' | b'['))
}

/// Writes `text` to the empty `out`, until more than `most` bytes are written; says whether
/// that was all.
fn rewrite(text: &str, most: usize, out: &mut String) -> bool {
    // The length up to the latest break, while only blanks followed it.
    let mut open_break = None;
    let mut rest = text.chars();
    let mut whole = true;
    while let Some(c) = rest.next() {
        if breaks_line(c) {
            open_break = put_break(open_break, out);
            continue;
        }
        if out.len() > most {
            whole = false;
            break;
        }
        if c.is_whitespace() {
            out.push(if c == '\t' { ' ' } else { c });
            continue;
        }
        if open_break.take().is_some() && out.ends_with('⏎') {
            out.push(' ');
        }
        if let Some(tags) = flag_tags(out, c, rest.as_str()) {
            out.push_str(tags);
            rest.nth(tags.chars().count() - 2);
        } else {
            put(c, rest.as_str(), out);
        }
    }
    if let Some(length) = open_break {
        out.truncate(length);
    }
    whole
}

/// Ends what was written with a break, and gives the length of what stands before it.
fn put_break(open: Option<usize>, out: &mut String) -> Option<usize> {
    let ended = open.is_some();
    out.truncate(out.trim_end().len());
    if out.is_empty() {
        return None;
    }
    if ended {
        return open;
    }
    let length = out.len();
    out.push_str(" ⏎");
    Some(length)
}

/// Writes one character that is no blank, as it is or as what stands for it.
fn put(c: char, rest: &str, out: &mut String) {
    match c {
        '<' => out.push('‹'),
        '>' => out.push('›'),
        _ if opens(c) && reads_attend(rest) => out.push('('),
        _ if picture(c).is_some() => out.extend(picture(c)),
        _ if !is_unseen(c) || belongs_to_emoji(out, c, rest) => out.push(c),
        _ => {
            // Writing to a string cannot fail.
            let _ = write!(out, "‹U+{:04X}›", u32::from(c));
        }
    }
}

/// Whether the unseen `c` does its proper work between what was written and what follows.
fn belongs_to_emoji(out: &str, c: char, rest: &str) -> bool {
    let Some(last) = out.chars().next_back() else {
        return false;
    };
    let next = rest.chars().next();
    match c {
        '\u{fe0f}' => {
            let keycap = matches!(last, '0'..='9' | '#' | '*') && next == Some('\u{20e3}');
            keycap || is_pictographic(last)
        }
        '\u{200d}' => {
            next.is_some_and(is_pictographic)
                && (last == '\u{fe0f}' || is_skin_tone(last) || is_pictographic(last))
        }
        _ => false,
    }
}

/// The tags with which a flag goes on, where `c` is the first of them.
fn flag_tags(out: &str, c: char, rest: &str) -> Option<&'static str> {
    if c != '\u{e0067}' || !out.ends_with('\u{1f3f4}') {
        return None;
    }
    let goes_on = |tags: &&str| {
        tags.strip_prefix(c)
            .is_some_and(|more| rest.starts_with(more))
    };
    TAGGED_FLAGS.into_iter().find(goes_on)
}
