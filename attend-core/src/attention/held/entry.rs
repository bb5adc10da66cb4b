//! One event that is held.

use crate::attention::id::{BatchId, EventId};
use crate::attention::mode::Mode;
use crate::dynamics::Tick;
use crate::sensor::{Key, Observation};

/// One event that is held.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    pub(in crate::attention) id: EventId,
    pub(in crate::attention) event: Observation,
    pub(in crate::attention) mode: Mode,
    pub(in crate::attention) first: Tick,
    pub(in crate::attention) last: Tick,
    /// Since when it ages; none while it is ready, standing or being written.
    pub(in crate::attention) ages_since: Option<Tick>,
    /// Since when it waits for room: it passed every gate, and a batch left without it.
    pub(in crate::attention) waited_since: Option<Tick>,
    /// Somebody asked for quiet from it, as of the last refresh.
    pub(in crate::attention) muted: bool,
    pub(in crate::attention) flight: Option<Flight>,
}

/// The batch that carries an event, and how.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::attention) struct Flight {
    pub(in crate::attention) batch: BatchId,
    pub(in crate::attention) landing: Landing,
    /// Its key was cleared meanwhile: if the batch fails, it goes.
    pub(in crate::attention) cleared: bool,
}

/// What an event of a written batch counts as.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::attention) enum Landing {
    /// It had a line of its own.
    Shown,
    /// It was named in a footnote.
    Named,
    /// It was only counted in a footnote.
    Counted,
}

impl Entry {
    pub(in crate::attention) fn new(
        id: EventId,
        event: Observation,
        mode: Mode,
        now: Tick,
    ) -> Self {
        Self {
            id,
            event,
            mode,
            first: now,
            last: now,
            ages_since: None,
            waited_since: None,
            muted: false,
            flight: None,
        }
    }

    /// Its id.
    pub fn id(&self) -> EventId {
        self.id
    }

    /// What was reported, the newest report in full.
    pub fn event(&self) -> &Observation {
        &self.event
    }

    /// When it, or the first event whose place it took, was reported.
    pub fn first_seen(&self) -> Tick {
        self.first
    }

    /// When it was last reported.
    pub fn last_seen(&self) -> Tick {
        self.last
    }

    /// Whether somebody asked for quiet from it.
    pub fn is_muted(&self) -> bool {
        self.muted
    }

    /// The batch that carries it, while that is being written.
    pub fn batch(&self) -> Option<BatchId> {
        self.flight.map(|flight| flight.batch)
    }

    pub(super) fn is_resting(&self) -> bool {
        self.flight.is_none()
    }

    pub(super) fn has_key(&self, key: &Key) -> bool {
        self.event.key() == Some(key)
    }
}
