//! A clock that stands still until it is told to move.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use crate::sensor::Clock;

/// A [`Clock`] whose time of day and time since boot move on command, together or apart.
///
/// It starts at 2027-01-15 08:00:00 UTC, an hour after boot. Clones are handles to one clock.
///
/// ```
/// use std::time::{Duration, SystemTime};
/// use attend_core::sensor::Clock;
/// use attend_core::testkit::FakeClock;
///
/// let clock = FakeClock::new();
/// clock.advance(Duration::from_secs(90));
/// clock.step_wall(-3_600);
/// assert_eq!(clock.boot(), FakeClock::BOOT_AT_START + Duration::from_secs(90));
/// assert_eq!(clock.wall(), SystemTime::UNIX_EPOCH + FakeClock::WALL_AT_START - Duration::from_secs(3_510));
/// ```
#[derive(Clone, Debug)]
pub struct FakeClock(Arc<Mutex<Times>>);

#[derive(Debug)]
struct Times {
    wall: SystemTime,
    boot: Duration,
}

impl FakeClock {
    /// The time of day of a new clock, since the epoch: 1,800,000,000 seconds.
    pub const WALL_AT_START: Duration = Duration::from_hours(500_000);

    /// The time since boot of a new clock: one hour.
    pub const BOOT_AT_START: Duration = Duration::from_hours(1);

    /// A clock at its documented start.
    pub fn new() -> Self {
        Self(Arc::new(Mutex::new(Times {
            wall: SystemTime::UNIX_EPOCH + Self::WALL_AT_START,
            boot: Self::BOOT_AT_START,
        })))
    }

    /// Lets time pass on both clocks. A suspend looks like one long advance: both count it.
    pub fn advance(&self, by: Duration) {
        let mut times = self.times();
        times.wall += by;
        times.boot += by;
    }

    /// Steps the time of day by so many seconds, as a person or NTP does; no time passes.
    pub fn step_wall(&self, seconds: i64) {
        let by = Duration::from_secs(seconds.unsigned_abs());
        let mut times = self.times();
        if seconds < 0 {
            times.wall -= by;
        } else {
            times.wall += by;
        }
    }

    /// Sets the time of day; no time passes.
    pub fn set_wall(&self, wall: SystemTime) {
        self.times().wall = wall;
    }

    /// Sets the time since boot, also back, as a machine that is restored from an image may.
    pub fn set_boot(&self, boot: Duration) {
        self.times().boot = boot;
    }

    fn times(&self) -> MutexGuard<'_, Times> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Default for FakeClock {
    fn default() -> Self {
        Self::new()
    }
}

impl Clock for FakeClock {
    fn wall(&self) -> SystemTime {
        self.times().wall
    }

    fn boot(&self) -> Duration {
        self.times().boot
    }
}
