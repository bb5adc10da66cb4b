//! The pulse: which look the sensor thread is busy with at this moment.

use std::sync::atomic::{AtomicU64, Ordering};

/// Bits that name the sensor; the rest count how often any was polled.
const PLACE_BITS: u32 = 16;

/// Written by the sensor thread around each poll of a look, read by the watchdog.
#[derive(Debug, Default)]
pub(super) struct Pulse(AtomicU64);

/// One poll that is being executed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Beat(u64);

/// Ends the beat, also while a panic unwinds.
pub(super) struct Beating<'a>(&'a Pulse);

impl Pulse {
    /// Says that the look of the sensor at `place` is being polled.
    pub(super) fn enter(&self, place: usize) -> Beating<'_> {
        let count = (self.0.load(Ordering::Relaxed) >> PLACE_BITS) + 1;
        let place = (place as u64 + 1) & PLACES;
        self.0.store(count << PLACE_BITS | place, Ordering::Release);
        Beating(self)
    }

    /// What is being polled right now.
    pub(super) fn beat(&self) -> Option<Beat> {
        let beat = self.0.load(Ordering::Acquire);
        (beat & PLACES != 0).then_some(Beat(beat))
    }
}

impl Beat {
    /// The place of the sensor.
    pub(super) fn place(self) -> usize {
        usize::try_from((self.0 & PLACES) - 1).unwrap_or(usize::MAX)
    }
}

impl Drop for Beating<'_> {
    fn drop(&mut self) {
        let beat = self.0.0.load(Ordering::Relaxed);
        self.0.0.store(beat & !PLACES, Ordering::Release);
    }
}

const PLACES: u64 = (1 << PLACE_BITS) - 1;
