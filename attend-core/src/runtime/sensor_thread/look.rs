//! One look on the sensor thread: whatever a sensor does, something comes back.

use std::any::Any;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use futures::FutureExt;
use tokio::time::timeout;

use super::pulse::Pulse;
use crate::sensor::{
    BuildContext, ConfigError, Gathered, PollContext, Sensor, SensorError, Snapshot,
};

/// Builds a sensor, as often as it has to be built again.
pub(crate) type Build =
    Arc<dyn Fn(&BuildContext) -> Result<Box<dyn Sensor>, ConfigError> + Send + Sync>;

/// A look that is to be taken.
pub(crate) struct Errand {
    /// The sensor's place in the roster.
    pub(crate) place: usize,
    /// The sensor.
    pub(crate) subject: Subject,
    /// What the look is given.
    pub(crate) cx: PollContext,
    /// How long it may take.
    pub(crate) deadline: Duration,
}

/// A sensor, or how to make one.
pub(crate) enum Subject {
    /// It is there.
    Built(Box<dyn Sensor>),
    /// It is built first, and remembers the snapshot.
    Recipe {
        build: Build,
        cx: BuildContext,
        snapshot: Option<Snapshot>,
    },
}

/// What came back from a look.
pub(crate) struct Returned {
    /// The sensor's place in the roster.
    pub(crate) place: usize,
    /// The sensor; none where it could not be built or panicked.
    pub(crate) sensor: Option<Box<dyn Sensor>>,
    /// What the look found.
    pub(crate) found: Found,
}

/// What a look found.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Found {
    /// What it reported, and what the sensor wants to remember.
    Saw(Gathered, Option<Snapshot>),
    /// It failed: nothing but its warnings and details counts.
    Failed(SensorError, Gathered),
    /// The sensor could not be built.
    Refused(ConfigError),
    /// It panicked with these words.
    Panicked(String),
}

impl Errand {
    /// The look could not be taken: the sensor comes back as it is.
    pub(crate) fn undone(self, error: SensorError) -> Returned {
        let sensor = match self.subject {
            Subject::Built(sensor) => Some(sensor),
            Subject::Recipe { .. } => None,
        };
        Returned {
            place: self.place,
            sensor,
            found: Found::Failed(error, Gathered::default()),
        }
    }
}

/// Takes the look. Every piece of the sensor's code runs between two beats of the pulse.
pub(super) async fn take(errand: Errand, pulse: &Pulse) -> Returned {
    let Errand {
        place,
        subject,
        mut cx,
        deadline,
    } = errand;
    let mut sensor = None;
    let body = async {
        let sensor = match build(subject, &mut cx) {
            Ok(built) => sensor.insert(built),
            Err(error) => return Err(Found::Refused(error)),
        };
        let polled = timeout(deadline, sensor.poll(&mut cx)).await;
        match polled.unwrap_or_else(|_| Err(overdue(deadline, &cx))) {
            Ok(()) => Ok(sensor.snapshot()),
            Err(error) => Err(Found::Failed(error, Gathered::default())),
        }
    };
    let looked = AssertUnwindSafe(beating(pulse, place, body))
        .catch_unwind()
        .await;
    let found = match looked {
        Ok(Ok(snapshot)) => Found::Saw(cx.finish(), snapshot),
        Ok(Err(Found::Failed(error, _))) => Found::Failed(error, cx.finish()),
        Ok(Err(found)) => found,
        Err(panic) => {
            let _beat = pulse.enter(place);
            let broken = sensor.take();
            // Its remains may panic once more.
            let _ = catch_unwind(AssertUnwindSafe(|| drop(broken)));
            Found::Panicked(words(panic.as_ref()))
        }
    };
    Returned {
        place,
        sensor,
        found,
    }
}

fn build(subject: Subject, look: &mut PollContext) -> Result<Box<dyn Sensor>, ConfigError> {
    let (build, cx, snapshot) = match subject {
        Subject::Built(sensor) => return Ok(sensor),
        Subject::Recipe {
            build,
            cx,
            snapshot,
        } => (build, cx, snapshot),
    };
    let mut sensor = build(&cx)?;
    if let Some(snapshot) = snapshot
        && let Err(error) = sensor.restore(&snapshot)
    {
        look.warn(SensorError::transient(format!("starts afresh: {error}")));
    }
    Ok(sensor)
}

fn overdue(deadline: Duration, cx: &PollContext) -> SensorError {
    let text = format!("a look was ended: it took longer than {deadline:?}");
    SensorError::transient(match cx.waited_for() {
        Some(command) => format!("{text}; it waited for `{command}`"),
        None => text,
    })
}

/// `future`, with a beat of the pulse around each poll.
async fn beating<T>(pulse: &Pulse, place: usize, future: impl Future<Output = T>) -> T {
    let mut future = pin!(future);
    std::future::poll_fn(|cx| {
        let _beat = pulse.enter(place);
        future.as_mut().poll(cx)
    })
    .await
}

/// What a panic said.
fn words(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
    // Bounded as every error is.
    let text = text.map(|text| SensorError::transient(text).to_string());
    text.unwrap_or_else(|| "it said nothing".to_owned())
}

impl fmt::Debug for Errand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Errand")
            .field("place", &self.place)
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for Returned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Returned")
            .field("place", &self.place)
            .field("found", &self.found)
            .finish_non_exhaustive()
    }
}
