//! What a loop's look that found nothing saves the next one, as long as nobody has written since.

use crate::mail::around::{Around, Life, Process};
use crate::mail::claim::News;
use crate::mail::seat::Reader;

/// An answer that holds until something is written, or its session ends.
#[derive(Debug)]
pub(super) struct Lull {
    pub(super) reader: Reader,
    pub(super) occupant: Process,
    /// What SQLite calls the state of the file, as this connection sees it.
    pub(super) version: i64,
    pub(super) news: News,
}

impl Lull {
    /// Whether it answers what `reader` asks now.
    pub(super) fn holds(&self, reader: &Reader, version: i64, around: &dyn Around) -> bool {
        self.version == version
            && self.reader == *reader
            && around.life(&self.occupant) != Life::Dead
    }
}
