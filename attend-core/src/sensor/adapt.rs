//! Sensors out of closures, and out of events that come from elsewhere.

use std::fmt;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;

use super::context::PollContext;
use super::error::SensorError;
use super::event::Event;
use super::name::Key;
use super::refusal::Refusal;
use super::report::Report;
use super::spec::Sensor;
use super::world::WakeHandle;

/// The future of one look.
pub type PollFuture<'a> = Pin<Box<dyn Future<Output = Result<(), SensorError>> + Send + 'a>>;

/// A sensor out of state and an async function over it.
///
/// The state is an argument because state captured by an `async move` block is silently copied
/// at each call.
///
/// ```
/// use attend_core::sensor::{CommandSpec, Event, sensor_fn};
///
/// let sensor = sensor_fn(None, |last: &mut Option<Vec<u8>>, cx| {
///     Box::pin(async move {
///         let output = cx.run(&CommandSpec::new("uptime").arg("-p")).await?;
///         if last.replace(output.stdout.clone()).is_some_and(|before| before != output.stdout) {
///             cx.report(Event::new(1.0, String::from_utf8_lossy(&output.stdout).trim()));
///         }
///         Ok(())
///     })
/// });
/// # let _: Box<dyn attend_core::sensor::Sensor> = Box::new(sensor);
/// ```
pub fn sensor_fn<S, F>(state: S, look: F) -> impl Sensor
where
    S: Send,
    F: for<'a> FnMut(&'a mut S, &'a mut PollContext) -> PollFuture<'a> + Send,
{
    FnSensor { state, look }
}

struct FnSensor<S, F> {
    state: S,
    look: F,
}

#[async_trait]
impl<S, F> Sensor for FnSensor<S, F>
where
    S: Send,
    F: for<'a> FnMut(&'a mut S, &'a mut PollContext) -> PollFuture<'a> + Send,
{
    async fn poll(&mut self, cx: &mut PollContext) -> Result<(), SensorError> {
        (self.look)(&mut self.state, cx).await
    }
}

/// A sensor out of a closure that never waits.
///
/// ```
/// use attend_core::sensor::{Event, sensor_sync};
///
/// let mut looks = 0;
/// let sensor = sensor_sync(move |cx| {
///     looks += 1;
///     if looks % 100 == 0 {
///         cx.report(Event::new(1.0, format!("{looks} looks")).key("looks"));
///     }
///     Ok(())
/// });
/// # let _: Box<dyn attend_core::sensor::Sensor> = Box::new(sensor);
/// ```
pub fn sensor_sync<F>(look: F) -> impl Sensor
where
    F: FnMut(&mut PollContext) -> Result<(), SensorError> + Send,
{
    SyncSensor(look)
}

struct SyncSensor<F>(F);

#[async_trait]
impl<F> Sensor for SyncSensor<F>
where
    F: FnMut(&mut PollContext) -> Result<(), SensorError> + Send,
{
    async fn poll(&mut self, cx: &mut PollContext) -> Result<(), SensorError> {
        (self.0)(cx)
    }
}

/// A handle for events that come from elsewhere, and the sensor that reports them.
///
/// The handle may be cloned and used from any thread. What it is given is coalesced and
/// bounded as in one look: see [`Report`].
///
/// ```
/// use attend_core::sensor::{Event, injector};
///
/// let (handle, sensor) = injector();
/// handle.report(Event::new(3.0, "deploy finished"))?;
/// # let _: Box<dyn attend_core::sensor::Sensor> = Box::new(sensor);
/// # Ok::<(), attend_core::sensor::Refusal>(())
/// ```
pub fn injector() -> (Injector, impl Sensor) {
    let handle = Injector::default();
    (handle.clone(), Drain(handle))
}

/// The handle of [`injector`].
#[derive(Clone, Default)]
pub struct Injector(Arc<Mutex<Pending>>);

#[derive(Default)]
struct Pending {
    report: Report,
    wake: Option<WakeHandle>,
}

impl Injector {
    /// Hands over a fact.
    ///
    /// # Errors
    ///
    /// An event that [`Event::check`] refuses.
    pub fn report(&self, event: Event) -> Result<(), Refusal> {
        self.with(|report| report.event(event))
    }

    /// Says that what was reported under `key` no longer holds.
    ///
    /// # Errors
    ///
    /// More than 1,024 clears since the last look.
    pub fn clear(&self, key: impl Into<Key>) -> Result<(), Refusal> {
        self.with(|report| report.clear(key))
    }

    /// Wakes its sensor by `wake` at each event and clear from now on; at once where some wait.
    pub fn wakes(&self, wake: WakeHandle) {
        let mut pending = self.pending();
        let waits = (!pending.report.is_empty()).then(|| wake.clone());
        pending.wake = Some(wake);
        drop(pending);
        if let Some(wake) = waits {
            wake.wake();
        }
    }

    fn with(&self, change: impl FnOnce(&mut Report) -> Result<(), Refusal>) -> Result<(), Refusal> {
        let mut pending = self.pending();
        change(&mut pending.report)?;
        let wake = pending.wake.clone();
        drop(pending);
        if let Some(wake) = wake {
            wake.wake();
        }
        Ok(())
    }

    fn pending(&self) -> MutexGuard<'_, Pending> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Injector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Injector")
    }
}

struct Drain(Injector);

#[async_trait]
impl Sensor for Drain {
    async fn poll(&mut self, cx: &mut PollContext) -> Result<(), SensorError> {
        let report = std::mem::take(&mut self.0.pending().report);
        cx.absorb(report);
        Ok(())
    }
}
