//! Places times of day on the tick axis: seconds of the day at the start, and of the boot clock since.

use std::sync::Arc;
use std::time::{Duration, UNIX_EPOCH};

use attend_core::dynamics::Tick;
use attend_core::sensor::Clock;

use super::stamp::Millis;

/// The axis, as a driver that began at the same moment has it.
#[derive(Clone)]
pub(super) struct Times {
    clock: Arc<dyn Clock>,
    /// The tick at the start, and the boot clock then.
    start: (u64, Duration),
}

/// One moment on the axis and on the clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Moment {
    /// Milliseconds on the tick axis.
    axis: u64,
    /// Milliseconds since 1970.
    wall: Millis,
}

impl Times {
    pub(super) fn begin(clock: Arc<dyn Clock>) -> Self {
        let wall = clock.wall().duration_since(UNIX_EPOCH).unwrap_or_default();
        let start = (wall.as_secs(), clock.boot());
        Self { clock, start }
    }

    pub(super) fn now(&self) -> Moment {
        let wall = self
            .clock
            .wall()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default();
        let passed = self.clock.boot().saturating_sub(self.start.1);
        Moment {
            axis: self
                .start
                .0
                .saturating_mul(1_000)
                .saturating_add(millis(passed)),
            wall: millis(wall),
        }
    }
}

impl Moment {
    /// The tick of the time of day `at`, which lies as far back on the axis as it does by the
    /// clock now. What lies ahead is now.
    pub(super) fn tick(self, at: Millis) -> Tick {
        let age = self.wall.saturating_sub(at);
        Tick::new(self.axis.saturating_sub(age) / 1_000)
    }

    /// Milliseconds since 1970.
    pub(super) fn wall(self) -> Millis {
        self.wall
    }
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

impl std::fmt::Debug for Times {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Times")
            .field("start", &self.start)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use attend_core::testkit::FakeClock;

    use super::*;

    #[test]
    fn a_time_of_day_lies_as_far_back_as_by_the_clock_now() {
        let clock = FakeClock::new();
        let start = FakeClock::WALL_AT_START.as_secs();
        let times = Times::begin(Arc::new(clock.clone()));
        clock.advance(Duration::from_secs(100));
        let wall = (start + 40) * 1_000;
        assert_eq!(times.now().tick(wall), Tick::new(start + 40));
        assert_eq!(times.now().tick(wall + 3_600_000), Tick::new(start + 100));
        // Somebody sets the clock an hour ahead, and the host goes on by that clock.
        clock.step_wall(3_600);
        assert_eq!(
            times.now().tick((start + 3_690) * 1_000),
            Tick::new(start + 90)
        );
        clock.step_wall(-10_000_000);
        assert_eq!(
            times.now().tick(0).get(),
            start + 100 - times.now().wall() / 1_000
        );
    }
}
