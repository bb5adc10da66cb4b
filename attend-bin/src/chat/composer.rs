//! The composer: words that are being written, over several lines, and those written before.

use unicode_segmentation::UnicodeSegmentation;

/// How many messages are remembered.
const MOST_REMEMBERED: usize = 100;

/// A longer one is not remembered, in bytes.
const MOST_BYTES: usize = 16 << 10;

/// What is being written.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Composer {
    text: String,
    /// Where the next letter goes, in bytes.
    cursor: usize,
    /// What was sent before, oldest first.
    history: Vec<String>,
    /// Which of them is shown, and what was being written before it.
    recalled: Option<(usize, String)>,
}

/// One step of the cursor, or of deleting.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Step {
    Left,
    Right,
    WordLeft,
    WordRight,
    LineStart,
    LineEnd,
}

impl Composer {
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// What stands before the cursor.
    pub(crate) fn before(&self) -> &str {
        self.text.get(..self.cursor).unwrap_or_default()
    }

    /// What stands behind it.
    pub(crate) fn after(&self) -> &str {
        self.text.get(self.cursor..).unwrap_or_default()
    }

    pub(crate) fn history(&self) -> &[String] {
        &self.history
    }

    /// Begins with what was kept.
    pub(crate) fn restore(&mut self, text: String, history: Vec<String>) {
        self.set(text);
        self.history = history;
        self.forget_old();
    }

    /// Puts `text` in the place of all there is.
    pub(crate) fn set(&mut self, text: String) {
        self.cursor = text.len();
        self.text = text;
    }

    /// Writes at the cursor. What a terminal would obey is left out, and a tab is blanks.
    pub(crate) fn insert(&mut self, text: &str) {
        let text = text.replace("\r\n", "\n").replace('\r', "\n");
        let text = text.replace('\t', "    ");
        let text: String = text
            .chars()
            .filter(|c| *c == '\n' || !c.is_control())
            .collect();
        self.text.insert_str(self.cursor, &text);
        self.cursor += text.len();
        self.recalled = None;
    }

    /// Takes what was written, which is remembered.
    pub(crate) fn take(&mut self) -> String {
        self.cursor = 0;
        self.recalled = None;
        let text = std::mem::take(&mut self.text);
        if self.history.last() != Some(&text) && text.len() <= MOST_BYTES {
            self.history.push(text.clone());
            self.forget_old();
        }
        text
    }

    fn forget_old(&mut self) {
        let many = self.history.len().saturating_sub(MOST_REMEMBERED);
        self.history.drain(..many);
    }

    /// Moves the cursor.
    pub(crate) fn go(&mut self, step: Step) {
        self.cursor = self.target(step);
    }

    /// Deletes from the cursor to where a step leads.
    pub(crate) fn delete(&mut self, step: Step) {
        let target = self.target(step);
        let range = target.min(self.cursor)..target.max(self.cursor);
        self.cursor = range.start;
        self.text.replace_range(range, "");
        self.recalled = None;
    }

    fn target(&self, step: Step) -> usize {
        let (before, after) = (self.before(), self.after());
        let line = || before.rfind('\n').map_or(0, |at| at + 1);
        match step {
            Step::Left => self.cursor - before.graphemes(true).next_back().map_or(0, str::len),
            Step::Right => self.cursor + after.graphemes(true).next().map_or(0, str::len),
            Step::WordLeft => {
                let mut words = before.split_word_bound_indices().rev();
                words
                    .find(|(_, word)| !word.trim().is_empty())
                    .map_or(0, |(at, _)| at)
            }
            Step::WordRight => {
                let mut words = after.split_word_bound_indices();
                let word = words.find(|(_, word)| !word.trim().is_empty());
                word.map_or(self.text.len(), |(at, word)| self.cursor + at + word.len())
            }
            Step::LineStart => line(),
            Step::LineEnd => self.cursor + after.find('\n').unwrap_or(after.len()),
        }
    }

    /// Goes a line up or down; from the first or the last one to what was sent before or after.
    pub(crate) fn climb(&mut self, is_up: bool) {
        let column = self.before().rsplit('\n').next().unwrap_or_default();
        let column = column.graphemes(true).count();
        let start = self.target(Step::LineStart);
        let end = self.target(Step::LineEnd);
        let line = if is_up {
            start.checked_sub(1).map(|end| {
                let above = self.text.get(..end).unwrap_or_default();
                (above.rfind('\n').map_or(0, |at| at + 1), end)
            })
        } else {
            self.text
                .get(end..)
                .filter(|rest| !rest.is_empty())
                .map(|rest| {
                    let below = rest.get(1..).unwrap_or_default();
                    let length = below.find('\n').unwrap_or(below.len());
                    (end + 1, end + 1 + length)
                })
        };
        let Some((from, to)) = line else {
            self.recall(is_up);
            return;
        };
        let line = self.text.get(from..to).unwrap_or_default();
        let reached: usize = line.graphemes(true).take(column).map(str::len).sum();
        self.cursor = from + reached;
    }

    fn recall(&mut self, is_up: bool) {
        let at = match (&self.recalled, is_up) {
            (None, true) => self.history.len().checked_sub(1),
            (Some((at, _)), true) => at.checked_sub(1),
            (None, false) => return,
            (Some((at, _)), false) => Some(at + 1),
        };
        let Some(at) = at else { return };
        let own = match self.recalled.take() {
            Some((_, own)) => own,
            None => self.text.clone(),
        };
        match self.history.get(at).cloned() {
            Some(text) => {
                self.set(text);
                self.recalled = Some((at, own));
            }
            None => self.set(own),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(text: &str) -> Composer {
        let mut composer = Composer::default();
        composer.insert(text);
        composer
    }

    #[test]
    fn the_cursor_goes_by_what_people_see_as_letters() {
        let mut composer = written("né 👩‍👧x");
        composer.go(Step::Left);
        composer.go(Step::Left);
        assert_eq!(composer.after(), "👩‍👧x");
        composer.delete(Step::Right);
        composer.delete(Step::Left);
        assert_eq!(composer.text(), "néx");
        composer.delete(Step::LineStart);
        assert_eq!(composer.text(), "x");
        for _ in 0..3 {
            composer.delete(Step::Left);
            composer.delete(Step::Right);
        }
        assert!(composer.is_empty());
    }

    #[test]
    fn words_and_lines_are_steps_too() {
        let mut composer = written("one two\nthree four");
        composer.go(Step::WordLeft);
        assert_eq!(composer.after(), "four");
        composer.delete(Step::WordLeft);
        assert_eq!(composer.text(), "one two\nfour");
        composer.go(Step::LineStart);
        composer.climb(true);
        composer.go(Step::WordRight);
        assert_eq!(composer.before(), "one");
        composer.climb(false);
        assert_eq!(composer.before(), "one two\nfou");
        composer.go(Step::LineEnd);
        assert_eq!(composer.after(), "");
    }

    #[test]
    fn what_was_sent_comes_back_and_the_draft_is_kept() {
        let mut composer = written("first");
        assert_eq!(composer.take(), "first");
        composer.insert("second");
        composer.take();
        composer.insert("draft");
        composer.climb(true);
        assert_eq!(composer.text(), "second");
        composer.climb(true);
        composer.climb(true);
        assert_eq!(composer.text(), "first");
        composer.climb(false);
        composer.climb(false);
        assert_eq!(composer.text(), "draft");
        composer.climb(false);
        assert_eq!(composer.text(), "draft");
    }

    #[test]
    fn what_is_pasted_is_words_only() {
        assert_eq!(written("a\r\nb\tc\u{1b}[31m").text(), "a\nb    c[31m");
    }
}
