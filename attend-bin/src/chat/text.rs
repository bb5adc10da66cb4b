//! Words from outside as lines of a screen: harmless, and as wide as there is room.

use std::borrow::Cow;

use attend_core::attention::sanitise;
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

/// What of one letter is sent to a terminal, in characters: few hold more marks over each other,
/// and none can be read.
const MOST_OF_LETTER: usize = 32;

/// How many columns `text` takes.
pub(crate) fn width(text: &str) -> usize {
    UnicodeWidthStr::width(text)
}

/// The lines of `body`, each harmless and at most `columns` wide, at most `most` of them; and
/// whether that is all.
pub(crate) fn wrapped(body: &str, columns: usize, most: usize) -> (Vec<String>, bool) {
    let mut lines = Vec::new();
    let body = body.trim_end_matches(['\n', '\r', ' ']);
    for line in body.split('\n') {
        if lines.len() >= most {
            return (lines, false);
        }
        let line = line.strip_suffix('\r').unwrap_or(line);
        wrap(&sanitise(line), columns.max(1), &mut lines);
    }
    let is_all = lines.len() <= most;
    lines.truncate(most);
    (lines, is_all)
}

/// A letter as it is sent to a terminal; of one without end as much as that bears.
fn letter(grapheme: &str) -> Cow<'_, str> {
    match grapheme.char_indices().nth(MOST_OF_LETTER) {
        None => Cow::Borrowed(grapheme),
        Some((end, _)) => Cow::Owned(grapheme.get(..end).unwrap_or_default().to_owned() + "…"),
    }
}

/// Breaks one harmless line where words end, or anywhere in a word that is too wide.
pub(crate) fn wrap(line: &str, columns: usize, lines: &mut Vec<String>) {
    let mut current = String::new();
    let mut taken = 0;
    // Where the last word began, behind some other.
    let mut word = None;
    for grapheme in line.graphemes(true).map(letter) {
        let wide = width(&grapheme);
        if taken + wide > columns && !current.is_empty() {
            if grapheme == " " {
                lines.push(std::mem::take(&mut current));
                (taken, word) = (0, None);
                continue;
            }
            let rest = match word.take() {
                Some(at) => current.split_off(at),
                None => String::new(),
            };
            lines.push(current.trim_end().to_owned());
            taken = width(&rest);
            current = rest;
        }
        current.push_str(&grapheme);
        taken += wide;
        if grapheme == " " && !current.trim_start().is_empty() {
            word = Some(current.len());
        }
    }
    lines.push(current);
}

/// Breaks one line wherever it is full: what stands before a letter is broken the same, whatever
/// follows it. What comes when there are `most` lines is left out.
pub(crate) fn fill(line: &str, columns: usize, most: usize, lines: &mut Vec<String>) {
    let mut current = String::new();
    let mut taken = 0;
    for grapheme in line.graphemes(true).map(letter) {
        let wide = width(&grapheme);
        if taken + wide > columns && !current.is_empty() {
            lines.push(std::mem::take(&mut current));
            taken = 0;
            if lines.len() >= most {
                return;
            }
        }
        current.push_str(&grapheme);
        taken += wide;
    }
    lines.push(current);
}

/// `text` in one harmless line of at most `columns`, with `…` where that is not all.
pub(crate) fn cut(text: &str, columns: usize) -> String {
    let text = sanitise(text);
    let text: String = text.graphemes(true).map(letter).collect();
    if width(&text) <= columns {
        return text;
    }
    let mut kept = String::new();
    let mut taken = 1;
    for grapheme in text.graphemes(true) {
        taken += width(grapheme);
        if taken > columns {
            break;
        }
        kept.push_str(grapheme);
    }
    if columns > 0 {
        kept.push('…');
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_where_words_do_and_are_never_too_wide() {
        let lines = |text: &str, columns| wrapped(text, columns, 100).0;
        assert_eq!(lines("ship it now", 7), ["ship it", "now"]);
        assert_eq!(lines("ship it now", 8), ["ship it", "now"]);
        assert_eq!(lines("  indented code", 10), ["  indented", "code"]);
        assert_eq!(lines("abcdefghij", 4), ["abcd", "efgh", "ij"]);
        assert_eq!(lines("a\n\nb\r\n", 4), ["a", "", "b"]);
        assert_eq!(lines("日本語テキスト", 6), ["日本語", "テキス", "ト"]);
        for text in ["wide 日本語 and 👩‍👧 small", "x y z   w  ", "tab\there"] {
            for columns in 2..20 {
                for line in lines(text, columns) {
                    assert!(width(&line) <= columns, "{line:?} at {columns}");
                }
            }
        }
    }

    #[test]
    fn words_from_outside_obey_nothing() {
        let hostile = "\u{1b}[2J\u{1b}]0;x\u{7}hi\n\u{9b}31m\u{202e}x";
        for line in wrapped(hostile, 20, 10).0 {
            assert!(!line.chars().any(char::is_control), "{line:?}");
        }
        assert_eq!(cut("a\u{1b}b", 9), "a␛b");
    }

    #[test]
    fn a_letter_without_end_is_cut_and_says_so() {
        for one in ["e\u{301}", "\u{600}", "क\u{94d}", "\u{1100}", "👩\u{200d}"] {
            let body = one.repeat(100_000) + "x";
            let mut filled = Vec::new();
            fill(&body, 20, 9, &mut filled);
            let (shown, _) = wrapped(&body, 20, 9);
            for line in shown.into_iter().chain(filled).chain([cut(&body, 20)]) {
                let longest = line.graphemes(true).map(|one| one.chars().count()).max();
                // What says so may count as part of the letter.
                assert!(longest <= Some(MOST_OF_LETTER + 1), "{line:?}");
            }
        }
        let marks = "\u{301}".repeat(40);
        assert_eq!(
            wrapped(&format!("e{marks}x"), 20, 9).0,
            [format!("e{}…x", "\u{301}".repeat(31))]
        );
    }

    #[test]
    fn what_is_too_long_is_cut_and_says_so() {
        assert_eq!(
            wrapped("a\nb\nc", 9, 2),
            (vec!["a".into(), "b".into()], false)
        );
        assert_eq!(wrapped("a\nb", 9, 2), (vec!["a".into(), "b".into()], true));
        assert_eq!(cut("deployment", 6), "deplo…");
        assert_eq!(cut("deploy", 6), "deploy");
        assert_eq!(cut("deploy", 0), "");
    }
}
