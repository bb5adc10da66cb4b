//! The system's clocks.

use std::time::{Duration, SystemTime};

use rustix::time::{ClockId, Timespec, clock_gettime};

use crate::mail::Clock;

/// The clocks of this machine.
///
/// ```
/// use attend_core::runtime::system::SystemClock;
/// use attend_core::sensor::Clock;
///
/// let before = SystemClock.boot();
/// assert!(SystemClock.boot() >= before);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(
        clippy::disallowed_methods,
        reason = "this is the clock that the others are handed"
    )]
    fn wall(&self) -> SystemTime {
        SystemTime::now()
    }

    fn boot(&self) -> Duration {
        since_start(clock_gettime(BOOT))
    }
}

/// Lets `time` pass. For what nothing tells of, before there is a loop that could wait.
#[expect(clippy::disallowed_methods, reason = "the one place that sleeps")]
pub(crate) fn pause(time: Duration) {
    std::thread::sleep(time);
}

/// Milliseconds on a clock that never steps and, on Linux, stands still during suspend: the
/// axis of the line budget.
pub fn monotonic_millis() -> u64 {
    let now = since_start(clock_gettime(ClockId::Monotonic));
    u64::try_from(now.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(target_os = "linux")]
const BOOT: ClockId = ClockId::Boottime;
/// Counts suspend on macOS; elsewhere it may not.
#[cfg(not(target_os = "linux"))]
const BOOT: ClockId = ClockId::Monotonic;

/// What lies before zero does not occur; it would read as zero.
fn since_start(time: Timespec) -> Duration {
    let seconds = u64::try_from(time.tv_sec).unwrap_or(0);
    let nanos = u32::try_from(time.tv_nsec).unwrap_or(0);
    Duration::new(seconds, nanos)
}
