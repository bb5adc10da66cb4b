//! Looks that are driven by hand: each poll of their future is counted, and any may be the last.

use std::future::poll_fn;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::task::{Context, Poll, Wake, Waker};
use std::time::Duration;

use async_trait::async_trait;

use super::MAX_POLLS;
use crate::dynamics::Tick;
use crate::sensor::{
    Child, CommandOutput, CommandSpec, Facilities, Host, HostAnswer, HostRequest, PollContext,
    Runner, Sensor, SensorError, WakeHandle,
};
use crate::testkit::Polled;

/// How long a look may go without being woken before it counts as hanging.
const PATIENCE: Duration = Duration::from_secs(10);

/// The harness's world, in which every answer is waited for.
pub(super) struct World {
    facilities: Facilities,
    broken: Arc<AtomicBool>,
}

/// How a look that was driven by hand ended.
pub(super) enum Driven {
    /// By itself, after so many awaits.
    Ended { polled: Box<Polled>, awaits: usize },
    /// It was dropped at the await where it was to be dropped.
    Cancelled,
    /// Nothing woke it for a long while.
    Hanging,
    /// It was woken too often.
    Endless,
}

impl World {
    pub(super) fn new(mut facilities: Facilities) -> Self {
        let broken = Arc::new(AtomicBool::new(false));
        facilities.runner = Arc::new(Waiting {
            inner: facilities.runner,
            broken: Arc::clone(&broken),
        });
        facilities.host = Arc::new(Waiting {
            inner: facilities.host,
            broken: Arc::clone(&broken),
        });
        Self { facilities, broken }
    }

    pub(super) fn facilities(&self) -> Facilities {
        self.facilities.clone()
    }

    /// Lets every command and every question to the host fail, or no longer.
    pub(super) fn break_down(&self, broken: bool) {
        self.broken.store(broken, Ordering::SeqCst);
    }

    /// Lets `sensor` look once; where `cancel` is some `n`, the look is dropped at its `n`-th
    /// await.
    pub(super) fn look(&self, sensor: &mut dyn Sensor, now: Tick, cancel: Option<usize>) -> Driven {
        let mut cx = PollContext::new(Arc::new(self.facilities()), now);
        let alarm = Arc::new(Alarm::default());
        let waker = Waker::from(Arc::clone(&alarm));
        let mut look = sensor.poll(&mut cx);
        for awaits in 0..MAX_POLLS {
            if let Poll::Ready(result) = look.as_mut().poll(&mut Context::from_waker(&waker)) {
                drop(look);
                let polled = Box::new(Polled::new(result, cx.finish()));
                return Driven::Ended { polled, awaits };
            }
            if cancel == Some(awaits + 1) {
                return Driven::Cancelled;
            }
            // Where nobody else kept the waker, nobody will ever use it.
            let kept = Arc::strong_count(&alarm) > 2;
            if !alarm.wait(if kept { PATIENCE } else { Duration::ZERO }) {
                return Driven::Hanging;
            }
        }
        Driven::Endless
    }
}

/// A waker that remembers that it rang.
#[derive(Default)]
struct Alarm {
    rang: Mutex<bool>,
    bell: Condvar,
}

impl Alarm {
    /// Waits until it rang; false where it does not in time.
    fn wait(&self, patience: Duration) -> bool {
        let rang = self.rang.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self.bell.wait_timeout_while(rang, patience, |rang| !*rang);
        let (mut rang, _) = waited.unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut *rang)
    }
}

impl Wake for Alarm {
    fn wake(self: Arc<Self>) {
        *self.rang.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.bell.notify_one();
    }
}

/// A runner or host that is pending once before it answers, and can be broken.
struct Waiting<T: ?Sized> {
    inner: Arc<T>,
    broken: Arc<AtomicBool>,
}

impl<T: ?Sized> Waiting<T> {
    async fn wait(&self, what: &str) -> Result<(), SensorError> {
        let mut waited = false;
        poll_fn(|cx| {
            if std::mem::replace(&mut waited, true) {
                return Poll::Ready(());
            }
            cx.waker().wake_by_ref();
            Poll::Pending
        })
        .await;
        self.answers(what)
    }

    fn answers(&self, what: &str) -> Result<(), SensorError> {
        if self.broken.load(Ordering::SeqCst) {
            return Err(SensorError::transient(format!("{what} failed on purpose")));
        }
        Ok(())
    }
}

#[async_trait]
impl Runner for Waiting<dyn Runner> {
    async fn run(&self, command: &CommandSpec, cwd: &Path) -> Result<CommandOutput, SensorError> {
        self.wait(&format!("`{command}`")).await?;
        self.inner.run(command, cwd).await
    }

    fn start(
        &self,
        command: &CommandSpec,
        cwd: &Path,
        wake: &WakeHandle,
    ) -> Result<Box<dyn Child>, SensorError> {
        self.answers(&format!("`{command}`"))?;
        self.inner.start(command, cwd, wake)
    }
}

#[async_trait]
impl Host for Waiting<dyn Host> {
    async fn ask(&self, request: &HostRequest) -> Result<HostAnswer, SensorError> {
        self.wait("the host").await?;
        self.inner.ask(request).await
    }
}
