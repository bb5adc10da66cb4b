//! Places times of day on the tick axis: the time of day at the start, and the boot clock since.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, UNIX_EPOCH};

use attend_core::dynamics::Tick;
use attend_core::sensor::Clock;

use super::stamp::Millis;

/// The axis, as a driver has it whenever that began, unless the clock was stepped between the two:
/// a moment must lie on the same tick for both, or what happened within one second seems to have
/// happened in another order.
#[derive(Clone)]
pub(super) struct Times {
    clock: Arc<dyn Clock>,
    /// The time of day at the start, and the boot clock then.
    start: (Duration, Duration),
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
        let start = (wall, clock.boot());
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
            axis: millis(self.start.0.saturating_add(passed)),
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

/// Times of day that keep the tick on which they were placed first, whatever becomes of the clock.
#[derive(Debug, Default)]
pub(super) struct Steady(BTreeMap<Millis, Tick>);

impl Steady {
    /// The ticks of `times`, in their order; all others are forgotten.
    pub(super) fn ticks(&mut self, now: Moment, times: &[Millis]) -> Vec<Tick> {
        let before = std::mem::take(&mut self.0);
        let ticks = times.iter().map(|at| {
            let tick = before.get(at).copied().unwrap_or_else(|| now.tick(*at));
            self.0.insert(*at, tick);
            tick
        });
        ticks.collect()
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
    fn whenever_it_began_a_moment_lies_on_the_same_tick() {
        let clock = FakeClock::new();
        let start = FakeClock::WALL_AT_START.as_secs();
        let mut began = Vec::new();
        for step in [0, 1, 498, 1, 499, 701] {
            clock.advance(Duration::from_millis(step));
            began.push(Times::begin(Arc::new(clock.clone())));
        }
        clock.advance(Duration::from_millis(3_333));
        for at in [2_000, 2_400, 2_999, 3_000, 4_001] {
            let ticks = began
                .iter()
                .map(|times| times.now().tick(start * 1_000 + at));
            let expected = Tick::new(start + at / 1_000);
            assert!(ticks.into_iter().all(|tick| tick == expected), "{at}");
        }
    }

    #[test]
    fn what_was_placed_once_stays_there_while_the_clock_is_stepped() {
        let clock = FakeClock::new();
        let start = FakeClock::WALL_AT_START.as_secs();
        let times = Times::begin(Arc::new(clock.clone()));
        let mut steady = Steady::default();
        clock.advance(Duration::from_secs(100));
        let at = [start + 40, start + 90].map(|seconds| seconds * 1_000);
        let placed = [40, 90].map(|seconds| Tick::new(start + seconds));
        for step in [0, 3_600, -10_000, 86_400] {
            clock.step_wall(step);
            assert_eq!(steady.ticks(times.now(), &at), placed, "{step}");
        }
        assert_eq!(steady.ticks(times.now(), &at[1..]), placed[1..]);
        assert_ne!(steady.ticks(times.now(), &at)[0], placed[0], "forgotten");
    }

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
