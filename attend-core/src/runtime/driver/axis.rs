//! The tick axis: seconds of the day at the start, and of the boot clock since then.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::dynamics::{Tick, TickDelta};
use crate::sensor::Clock;

/// Where the axis began. Steps of the wall clock change nothing after that.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Axis {
    start: Tick,
    boot: Duration,
}

impl Axis {
    pub(super) fn begin(clock: &dyn Clock) -> Self {
        let wall = clock.wall().duration_since(UNIX_EPOCH).unwrap_or_default();
        Self {
            start: Tick::new(wall.as_secs()),
            boot: clock.boot(),
        }
    }

    /// The tick at `boot` on the boot clock.
    pub(super) fn tick(&self, boot: Duration) -> Tick {
        let passed = boot.saturating_sub(self.boot).as_secs();
        self.start.after(TickDelta::new(passed))
    }

    /// When `tick` begins, on the boot clock.
    pub(super) fn boot(&self, tick: Tick) -> Duration {
        let ahead = Duration::from_secs(tick.since(self.start).get());
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

    struct At(u64, Duration);

    impl Clock for At {
        fn wall(&self) -> SystemTime {
            UNIX_EPOCH + Duration::from_secs(self.0)
        }

        fn boot(&self) -> Duration {
            self.1
        }
    }

    #[test]
    fn steps_of_the_wall_clock_change_nothing() {
        let axis = Axis::begin(&At(1_000_000, Duration::from_millis(5_500)));
        let later = Duration::from_millis(8_400);
        for wall in [0, 1_000_000, 9_000_000] {
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
}
