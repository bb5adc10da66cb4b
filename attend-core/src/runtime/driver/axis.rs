//! The tick axis: the time of day at the start, and the boot clock since then, in seconds.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::dynamics::Tick;
use crate::sensor::Clock;

/// Where the axis began. Steps of the wall clock change nothing after that.
///
/// It is kept to the fraction of a second: a host that began an axis of its own at another moment
/// must put the same moment on the same tick.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Axis {
    start: Duration,
    boot: Duration,
}

impl Axis {
    pub(super) fn begin(clock: &dyn Clock) -> Self {
        Self {
            start: clock.wall().duration_since(UNIX_EPOCH).unwrap_or_default(),
            boot: clock.boot(),
        }
    }

    /// The tick at `boot` on the boot clock.
    pub(super) fn tick(&self, boot: Duration) -> Tick {
        let passed = boot.saturating_sub(self.boot);
        Tick::new(self.start.saturating_add(passed).as_secs())
    }

    /// When `tick` begins, on the boot clock.
    pub(super) fn boot(&self, tick: Tick) -> Duration {
        let ahead = Duration::from_secs(tick.get()).saturating_sub(self.start);
        self.boot.saturating_add(ahead)
    }
}

/// One moment on every clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Now {
    pub(super) boot: Duration,
    pub(super) wall: SystemTime,
    pub(super) tick: Tick,
}

impl Now {
    pub(super) fn of(clock: &dyn Clock, axis: &Axis) -> Self {
        let boot = clock.boot();
        Self {
            boot,
            wall: clock.wall(),
            tick: axis.tick(boot),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Milliseconds of the day, and the boot clock.
    struct At(u64, Duration);

    impl Clock for At {
        fn wall(&self) -> SystemTime {
            UNIX_EPOCH + Duration::from_millis(self.0)
        }

        fn boot(&self) -> Duration {
            self.1
        }
    }

    #[test]
    fn steps_of_the_wall_clock_change_nothing() {
        let axis = Axis::begin(&At(1_000_000_000, Duration::from_millis(5_500)));
        let later = Duration::from_millis(8_400);
        for wall in [0, 1_000_000_000, 9_000_000_000] {
            assert_eq!(Now::of(&At(wall, later), &axis).tick, Tick::new(1_000_002));
        }
        assert_eq!(
            axis.boot(Tick::new(1_000_003)),
            Duration::from_millis(8_500)
        );
        assert_eq!(
            axis.tick(Duration::from_millis(8_500)),
            Tick::new(1_000_003)
        );
        assert_eq!(axis.boot(Tick::new(1)), Duration::from_millis(5_500));
    }

    #[test]
    fn whenever_an_axis_began_a_moment_lies_on_the_same_tick() {
        let at = |millis| {
            At(
                1_000_000_000 + millis,
                Duration::from_millis(5_500 + millis),
            )
        };
        let moments = [2_000, 2_400, 2_999, 3_000, 60_001];
        for began in [0, 1, 499, 500, 999, 1_700] {
            let axis = Axis::begin(&at(began));
            for moment in moments {
                let tick = Now::of(&at(moment), &axis).tick;
                assert_eq!(
                    tick,
                    Tick::new(1_000_000 + moment / 1_000),
                    "{began} {moment}"
                );
                assert!(axis.boot(tick) <= at(moment).1);
                assert_eq!(axis.tick(axis.boot(tick)), tick);
            }
        }
    }
}
