//! A text in which hundreds of patterns and keywords are looked for: prepared once for all.

use std::cell::OnceCell;

use super::needed::fold;

/// A text to be searched, such as a prompt or a command.
///
/// ```
/// use attend_core::ways::{Haystack, Pattern};
///
/// let text = Haystack::new("git push origin");
/// assert!(Pattern::new(r"^git\s+push")?.occurs_in(&text));
/// # Ok::<(), attend_core::ways::PatternError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Haystack<'a> {
    text: &'a str,
    folded: OnceCell<String>,
    words: OnceCell<Vec<String>>,
}

impl<'a> Haystack<'a> {
    /// Prepares `text`; what of it is asked for is made when it first is.
    pub fn new(text: &'a str) -> Self {
        Self {
            text,
            folded: OnceCell::new(),
            words: OnceCell::new(),
        }
    }

    /// The text itself.
    pub fn text(&self) -> &'a str {
        self.text
    }

    /// The text without difference of case, as what patterns need is.
    pub(super) fn folded(&self) -> &str {
        self.folded.get_or_init(|| fold(self.text))
    }

    /// Whether the words of `keyword` stand there, whatever their case, as whole words.
    pub(super) fn has_words(&self, keyword: &str) -> bool {
        let held = self.words.get_or_init(|| words(self.text).collect());
        let wanted: Vec<String> = words(keyword).collect();
        !wanted.is_empty() && held.windows(wanted.len()).any(|some| some == wanted)
    }
}

impl PartialEq for Haystack<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

fn words(text: &str) -> impl Iterator<Item = String> {
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
    words.filter(|word| !word.is_empty()).map(str::to_lowercase)
}
