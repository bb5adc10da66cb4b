//! What every store refuses, whoever sends it.

use super::envelope::{Draft, MAX_ADDRESSES, MAX_BODY};
use super::error::MailError;

impl Draft {
    /// Refuses what cannot be sent to anybody.
    pub(super) fn check(&self) -> Result<(), MailError> {
        check_body(&self.body)?;
        if self.to.len() > MAX_ADDRESSES {
            return Err(MailError::too_many(self.to.len()));
        }
        Ok(())
    }
}

/// Whether nobody would see anything of it: white space, and what has no width (the zero-width
/// characters and marks of direction of U+200B to U+206F, the soft hyphen, the byte order mark).
fn is_blank(c: char) -> bool {
    c.is_whitespace()
        || matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

/// Refuses words that are none, and too many.
pub(super) fn check_body(body: &str) -> Result<(), MailError> {
    if body.chars().all(is_blank) {
        return Err(MailError::empty());
    } else if body.len() > MAX_BODY {
        return Err(MailError::too_long(body.len()));
    }
    Ok(())
}
