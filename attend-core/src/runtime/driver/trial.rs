//! A trial: one look of one sensor that touches nothing, and what would become of it.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use tokio::runtime::Builder;
use tokio::time::sleep;

use super::axis::{Axis, Now};
use super::builder::{DriverBuilder, Parts};
use super::{DriverError, DriverErrorKind};
use crate::attention::{Attention, Entry, Input, Reason, SensorProfile, Step, Verdict};
use crate::dynamics::TickDelta;
use crate::runtime::roster::SensorSetup;
use crate::runtime::sensor_thread::{Errand, Found, SensorThread, Subject};
use crate::runtime::system::SystemWatcher;
use crate::sensor::{
    BuildContext, Facilities, Gathered, Observation, PollContext, SensorName, WakeHandle,
};

/// How often the watchdog looks.
const WATCH: Duration = Duration::from_secs(1);

/// What one look found, and what would become of it in a loop that holds nothing else, beside a
/// busy host.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Trial {
    /// Why it learned nothing, where that is so.
    pub error: Option<String>,
    /// What went wrong beside what it learned.
    pub warnings: Vec<String>,
    /// What it reported, as far as that is not replaced or withdrawn by what it reported later.
    pub events: Vec<Tried>,
    /// The lines that would be written.
    pub lines: Vec<String>,
    /// How many messages it would send.
    pub drafts: usize,
}

/// One event of a [`Trial`].
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Tried {
    /// The event.
    pub event: Observation,
    /// What would hold it; none where it would be shown.
    pub held: Option<Reason>,
}

impl DriverBuilder {
    /// Lets the sensor called `name` look once, without a memory and without leaving one, and
    /// tells what a driver would make of that; none where there is no such sensor.
    ///
    /// # Errors
    ///
    /// The system gave no reactor, or no thread.
    pub fn try_sensor(self, name: &SensorName) -> Result<Option<Trial>, DriverError> {
        let watcher = SystemWatcher::new();
        let Parts {
            world,
            settings,
            sensors,
            handled,
        } = self.parts(&watcher);
        let Some(setup) = sensors.iter().find(|setup| setup.name() == name) else {
            return Ok(None);
        };
        let clock = world.clock.clone();
        let now = Now::of(&*clock, &Axis::begin(&*clock));
        let mut engine = Attention::builder().settings(settings).build();
        let profile = SensorProfile::new(name.clone()).threshold(setup.threshold());
        engine.input(now.tick, Input::Sensors(vec![profile]));
        engine.input(now.tick, Input::Handled(handled));

        let runtime = Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(DriverError::new(DriverErrorKind::Start))?;
        let cx = PollContext::new(world.clone(), now.tick);
        let found = runtime.block_on(look(world, setup, cx));
        runtime.shutdown_background();
        let mut trial = Trial::nothing();
        match found.map_err(DriverError::new(DriverErrorKind::Thread))? {
            Some(Found::Saw(found, _)) => trial.saw(found, &mut engine, now, name),
            Some(Found::Failed(error, warnings)) => {
                trial.error = Some(error.to_string());
                trial.warnings = warnings.iter().map(ToString::to_string).collect();
            }
            Some(Found::Refused(error)) => trial.error = Some(format!("cannot be built: {error}")),
            Some(Found::Panicked(words)) => trial.error = Some(format!("panicked: {words}")),
            None => trial.error = Some("blocks the thread on which sensors look".to_owned()),
        }
        Ok(Some(trial))
    }
}

/// What a look finds; none where it blocks the thread.
async fn look(
    world: Arc<Facilities>,
    setup: &SensorSetup,
    cx: PollContext,
) -> io::Result<Option<Found>> {
    let build = BuildContext::new(world, setup.name().clone(), WakeHandle::new(|| {}));
    let mut thread = SensorThread::start()?;
    thread.send(Errand {
        place: 0,
        subject: Subject::Recipe {
            build: setup.recipe(),
            cx: build,
            snapshot: None,
        },
        cx,
        deadline: setup.time(),
    });
    let returned = loop {
        tokio::select! {
            returned = thread.next() => break returned,
            () = sleep(WATCH) => if thread.check().is_some() {
                return Ok(None);
            },
        }
    };
    let found = returned.map(|returned| returned.found);
    thread.stop().await;
    Ok(found)
}

impl Trial {
    fn nothing() -> Self {
        Self {
            error: None,
            warnings: Vec::new(),
            events: Vec::new(),
            lines: Vec::new(),
            drafts: 0,
        }
    }

    fn saw(&mut self, found: Gathered, engine: &mut Attention, now: Now, name: &SensorName) {
        self.warnings = found.warnings.iter().map(ToString::to_string).collect();
        self.drafts = found.drafts.len();
        engine.input(now.tick, Input::Report(name.clone(), found.report));
        // A batch leaves one tick after a sensor became ready.
        let soon = now.tick.after(TickDelta::new(1));
        let reason = match engine.verdict(name, soon) {
            Some(Verdict::Hold { reason, .. }) => reason,
            _ => Reason::Gather,
        };
        if let Step::Write(batch) = engine.step(soon) {
            self.lines = batch.lines().iter().map(ToString::to_string).collect();
        }
        for held in engine.sensors() {
            let fate = |entry: &Entry| match entry.batch() {
                Some(_) => None,
                None if held.is_inhibited(entry) => Some(Reason::Inhibited),
                None => Some(reason),
            };
            self.events.extend(held.entries().iter().map(|entry| Tried {
                event: entry.event().clone(),
                held: fate(entry),
            }));
        }
    }
}
