//! The timer of a loop that sleeps long: it wakes when its time has come, and not on the way there.

use std::time::Duration;

#[cfg(target_os = "linux")]
use {
    super::ready::ready,
    rustix::time::{
        Itimerspec, TimerfdClockId, TimerfdFlags, TimerfdTimerFlags, Timespec, timerfd_create,
        timerfd_settime,
    },
    std::io,
    std::os::fd::OwnedFd,
    tokio::io::{Interest, unix::AsyncFd},
};

/// A timer of the system's own, where it has one.
///
/// The runtime's timers reach a deadline of seconds in up to three steps, and each of them wakes
/// the thread.
#[derive(Debug, Default)]
pub(crate) struct Alarm {
    /// What the system gave at the first wait.
    #[cfg(target_os = "linux")]
    timer: Option<io::Result<AsyncFd<OwnedFd>>>,
}

impl Alarm {
    /// Waits so long, time in suspend included where the system's timer tells. Safe to cancel.
    pub(crate) async fn after(&mut self, wait: Duration) {
        #[cfg(target_os = "linux")]
        if let Ok(timer) = self.timer.get_or_insert_with(timer)
            && set(timer, wait).is_ok()
            && rung(timer).await.is_ok()
        {
            return;
        }
        tokio::time::sleep(wait).await;
    }
}

#[cfg(target_os = "linux")]
fn timer() -> io::Result<AsyncFd<OwnedFd>> {
    let flags = TimerfdFlags::NONBLOCK | TimerfdFlags::CLOEXEC;
    ready(
        timerfd_create(TimerfdClockId::Boottime, flags)?,
        Interest::READABLE,
    )
}

/// Makes it ring once, after `wait`; what it rang for before is forgotten.
#[cfg(target_os = "linux")]
fn set(timer: &AsyncFd<OwnedFd>, wait: Duration) -> io::Result<()> {
    // No time at all would switch it off.
    let wait = wait.max(Duration::from_nanos(1));
    let once = Itimerspec {
        it_interval: Timespec::default(),
        it_value: Timespec::try_from(wait).map_err(io::Error::other)?,
    };
    timerfd_settime(timer, TimerfdTimerFlags::empty(), &once)?;
    Ok(())
}

/// Waits until it rang, for what it was set to last.
#[cfg(target_os = "linux")]
async fn rung(timer: &AsyncFd<OwnedFd>) -> io::Result<()> {
    loop {
        let mut told = timer.readable().await?;
        let rings = told.try_io(|timer| Ok(rustix::io::read(timer, &mut [0; 8])?));
        // It rings once, so there is no more to be told.
        told.clear_ready();
        if let Ok(rings) = rings {
            return rings.map(drop);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn it_rings_once_for_each_wait_and_never_early() {
        let mut alarm = Alarm::default();
        for wait in [0, 1, 30, 0] {
            let wait = Duration::from_millis(wait);
            let before = tokio::time::Instant::now();
            alarm.after(wait).await;
            assert!(before.elapsed() >= wait);
        }
    }

    #[tokio::test]
    async fn a_wait_that_was_given_up_does_not_end_the_next() {
        let mut alarm = Alarm::default();
        // Given up before it rang, and after.
        for first in [Duration::from_hours(1), Duration::ZERO] {
            tokio::select! {
                biased;
                () = tokio::time::sleep(Duration::from_millis(5)) => {}
                () = async { alarm.after(first).await; std::future::pending().await } => {}
            }
            let wait = Duration::from_millis(30);
            let before = tokio::time::Instant::now();
            alarm.after(wait).await;
            assert!(before.elapsed() >= wait, "after {first:?}");
        }
    }
}
