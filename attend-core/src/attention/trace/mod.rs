//! Traces: everything that a loop told its engine, as JSON lines, to be replayed.

mod stored;

mod mail;

mod entry;
pub(super) use entry::{Entry, StoredBatch};
pub(super) use mail::{StoredClaim, StoredLetter, StoredWaiting};

mod log;
pub use log::TraceLog;

mod read;
pub(super) use read::Numbered;
pub use read::{Trace, TraceError, TraceErrorKind};

#[cfg(test)]
mod tests;
