//! Bounds on what a sensor says, so that no text of its own making fills memory or disk.

/// Bytes of UTF-8 that the text of an event without a block may take.
pub(crate) const MAX_TEXT: usize = 8 << 10;

/// Bytes that the phrase of stakes may take.
pub(crate) const MAX_STAKES: usize = 1 << 10;

/// Bytes that a key may take.
pub(crate) const MAX_KEY: usize = 512;

/// Bytes that the name of a signal may take.
pub(crate) const MAX_SIGNAL: usize = 128;

/// How many keys one event may hold back.
pub(crate) const MAX_INHIBITS: usize = 64;

/// Bytes that the text of an error may take.
const MAX_ERROR: usize = 2 << 10;

/// Ends a text of which the rest was cut off.
const MARK: &str = "…";

/// `text`, cut where it takes more than `most` bytes; then it ends in `…`, which counts.
pub(crate) fn cut(mut text: String, most: usize) -> String {
    if text.len() > most {
        text.truncate(text.floor_char_boundary(most.saturating_sub(MARK.len())));
        text.push_str(MARK);
        text.shrink_to_fit();
    }
    text
}

/// The text of an error, cut.
pub(crate) fn error_text(text: impl Into<String>) -> String {
    cut(text.into(), MAX_ERROR)
}
