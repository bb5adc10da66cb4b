//! Files of state: what one loop remembers over a restart, and why it did what it did.

mod error;
pub use error::{StateError, StateErrorKind};

mod place;
pub use place::StatePlace;

mod dir;
pub use dir::{StateDir, StateLock};

mod saved;
pub use saved::{Loaded, Saved};

mod journal;
pub use journal::{Journal, JournalEntry};

mod survey;
pub use survey::{JournalDamage, JournalSurvey};

#[cfg(test)]
mod tests;
