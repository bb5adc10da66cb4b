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

/// Refuses words that are none, and too many.
pub(super) fn check_body(body: &str) -> Result<(), MailError> {
    if body.trim().is_empty() {
        return Err(MailError::empty());
    } else if body.len() > MAX_BODY {
        return Err(MailError::too_long(body.len()));
    }
    Ok(())
}
