//! Whether something that bears a time of change may be other than it was at the last look.

use std::time::Duration;

use attend_core::sensor::Clock;

/// The coarsest step of the clocks by which file systems note a change. Two changes within one
/// step bear the same time.
const STEP: Duration = Duration::from_secs(2);

/// What was seen of a thing beside its content, such as length and time.
#[derive(Clone, Debug)]
pub(super) struct Seen<T> {
    mark: Option<T>,
    /// When it was seen first, on the boot clock.
    since: Duration,
    /// Whether the content was read once more, too late for another change of the same mark.
    settled: bool,
}

impl<T: PartialEq> Seen<T> {
    /// Nothing yet.
    pub(super) fn nothing() -> Self {
        Self {
            mark: None,
            since: Duration::ZERO,
            settled: false,
        }
    }

    /// Whether a thing that bears `mark` now has to be read. Ask between the two.
    ///
    /// One that looks as before may have changed all the same, while its mark is so young that
    /// another change would bear the same.
    pub(super) fn must_read(&mut self, mark: T, clock: &dyn Clock) -> bool {
        let now = clock.boot();
        if self.mark.as_ref() != Some(&mark) {
            *self = Self {
                mark: Some(mark),
                since: now,
                settled: false,
            };
            return true;
        }
        let settled = self.settled;
        self.settled |= now.saturating_sub(self.since) >= STEP;
        !settled
    }
}

#[cfg(test)]
mod tests {
    use attend_core::testkit::FakeClock;

    use super::*;

    #[test]
    fn what_looks_as_before_is_read_until_no_other_change_can_bear_the_same_mark() {
        let clock = FakeClock::new();
        let mut seen = Seen::nothing();
        let mut after = |millis, mark| {
            clock.advance(Duration::from_millis(millis));
            seen.must_read(mark, &clock)
        };
        // However often it is looked at within one step.
        for _ in 0..5 {
            assert!(after(300, 1));
        }
        assert!(after(2_000, 1), "once more, past the step");
        assert!(!after(0, 1));
        assert!(!after(100_000, 1));
        assert!(after(0, 2));
        assert!(after(3_600_000, 2), "however late the second look is");
        assert!(!after(0, 2));
    }
}
