//! A thread that listens for somebody who has a loop of their own: the doorbell, the clock, and signals.

use std::fmt;
use std::io;
use std::time::Duration;

use tokio::runtime::{Builder, Runtime};
use tokio::time::{Interval, MissedTickBehavior, interval};

use super::doorbell::Doorbell;
use super::system::{EndSignal, Ends, Job, Jobs, SystemWatcher};
use crate::mail::MailWaker;

/// How often one looks who hears the doorbell, too.
const SAFETY: Duration = Duration::from_secs(5);

/// The same where nothing can be watched.
const POLLED: Duration = Duration::from_millis(500);

/// What a [`Vigil`] tells.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Stir {
    /// Something may have come.
    Rung,
    /// It is time to look all the same.
    Due,
    /// The process is asked to end.
    End(EndSignal),
    /// The process is asked to stop: [`stop`](super::system::stop) does, once the terminal is
    /// somebody else's.
    Stop,
    /// The process was stopped, and goes on. The terminal may have been somebody else's.
    GoOn,
}

/// Listens to a reader's doorbell and for signals, on a thread of its own: for a program that
/// waits for a person at a terminal meanwhile.
///
/// Where nothing can be watched it tells twice a second to look; else every five seconds, since
/// a ring may be missed.
#[must_use = "it listens from `keep` on"]
pub struct Vigil {
    runtime: Runtime,
    doorbell: Doorbell,
    watcher: SystemWatcher,
    ends: Ends,
    jobs: Jobs,
    looks: Interval,
}

impl fmt::Debug for Vigil {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Vigil").finish_non_exhaustive()
    }
}

impl Vigil {
    /// Listens to `waker`. From now on SIGTERM, SIGINT, SIGHUP and SIGQUIT no longer kill the
    /// process, and SIGTSTP no longer stops it.
    ///
    /// # Errors
    ///
    /// What the system says that cannot give it a loop, or signals.
    pub fn new(waker: Option<MailWaker>) -> io::Result<Self> {
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let entered = runtime.enter();
        let (ends, jobs) = (Ends::listen()?, Jobs::listen()?);
        let watcher = SystemWatcher::new();
        let is_polled = waker.is_none();
        let (doorbell, failed) = Doorbell::listen(waker, &watcher);
        let pause = if is_polled || failed.is_some() {
            POLLED
        } else {
            SAFETY
        };
        let mut looks = interval(pause);
        looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        drop(entered);
        Ok(Self {
            runtime,
            doorbell,
            watcher,
            ends,
            jobs,
            looks,
        })
    }

    /// Tells `told` of everything that happens, from a thread that lasts until `told` gives false:
    /// nobody listens any more.
    ///
    /// # Errors
    ///
    /// There is no thread to be had.
    pub fn keep(self, told: impl Fn(Stir) -> bool + Send + 'static) -> io::Result<()> {
        let thread = std::thread::Builder::new().name("attend-vigil".to_owned());
        thread.spawn(move || self.listen(&told)).map(drop)
    }

    fn listen(self, told: &dyn Fn(Stir) -> bool) {
        let Self {
            runtime,
            mut doorbell,
            watcher,
            mut ends,
            mut jobs,
            mut looks,
        } = self;
        runtime.block_on(async {
            let mut pump = std::pin::pin!(watcher.pump());
            loop {
                let stir = tokio::select! {
                    () = &mut pump => continue,
                    () = doorbell.rings() => Stir::Rung,
                    _ = looks.tick() => Stir::Due,
                    end = ends.next() => Stir::End(end),
                    job = jobs.next() => match job {
                        Job::Stops => Stir::Stop,
                        Job::GoesOn => Stir::GoOn,
                    },
                };
                if !told(stir) {
                    return;
                }
            }
        });
    }
}
