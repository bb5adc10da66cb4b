//! A trial: one look of one sensor that touches nothing, and what would become of it.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use tokio::runtime::Builder;
use tokio::sync::Notify;
use tokio::time::{sleep, timeout};

use super::axis::{Axis, Now};
use super::builder::{DriverBuilder, Parts};
use super::{DriverError, DriverErrorKind};
use crate::attention::{Attention, Entry, Input, Reason, SensorProfile, Step, Verdict};
use crate::dynamics::{Tick, TickDelta};
use crate::runtime::roster::SensorSetup;
use crate::runtime::sensor_thread::{Errand, Found, SensorThread, Subject};
use crate::runtime::system::SystemWatcher;
use crate::sensor::{
    BuildContext, Child, CommandOutput, CommandSpec, Facilities, Gathered, Observation,
    PollContext, Runner, SensorError, SensorName, WakeHandle,
};

/// How long something that a look started may take to say something.
const PATIENCE: Duration = Duration::from_secs(5);

/// How long what follows its first words is waited for.
const SETTLE: Duration = Duration::from_millis(200);

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
    /// What it told beside: the last lines of a script's errors, for example.
    pub details: Vec<String>,
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
    /// Lets the sensor called `name` look once, and where it starts what runs on, once more as soon
    /// as that says something within 5 s; without a memory and without leaving one, and tells what
    /// a driver would make of that; none where there is no such sensor.
    ///
    /// `own` stands in for what the loop keeps ([`Root::Own`](crate::sensor::Root::Own)).
    ///
    /// # Errors
    ///
    /// The system gave no reactor, or no thread.
    pub fn try_sensor(
        self,
        name: &SensorName,
        own: Option<PathBuf>,
    ) -> Result<Option<Trial>, DriverError> {
        let watcher = SystemWatcher::new();
        let Parts {
            world,
            settings,
            sensors,
            handled,
        } = self.parts(&watcher, own);
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
        let found = runtime.block_on(look(world, setup, now.tick));
        runtime.shutdown_background();
        let mut trial = Trial::nothing();
        match found.map_err(DriverError::new(DriverErrorKind::Thread))? {
            Some(Found::Saw(found, _)) => trial.saw(found, &mut engine, now, name),
            Some(Found::Failed(error, beside)) => {
                trial.error = Some(error.to_string());
                trial.warnings = beside.warnings.iter().map(ToString::to_string).collect();
                trial.details = beside.details;
            }
            Some(Found::Refused(error)) => trial.error = Some(format!("cannot be built: {error}")),
            Some(Found::Panicked(words)) => trial.error = Some(format!("panicked: {words}")),
            None => trial.error = Some("blocks the thread on which sensors look".to_owned()),
        }
        Ok(Some(trial))
    }
}

/// What a look finds; none where it blocks the thread.
async fn look(world: Arc<Facilities>, setup: &SensorSetup, now: Tick) -> io::Result<Option<Found>> {
    let starting = Arc::new(Starting {
        runner: world.runner.clone(),
        started: AtomicBool::new(false),
    });
    let mut world = Facilities::clone(&world);
    world.runner = starting.clone();
    let world = Arc::new(world);
    let woken = Arc::new(Notify::new());
    let wakes = woken.clone();
    let wake = WakeHandle::new(move || wakes.notify_one());
    let build = BuildContext::new(world.clone(), setup.name().clone(), wake);
    let mut thread = SensorThread::start()?;
    let mut subject = Subject::Recipe {
        build: setup.recipe(),
        cx: build,
        snapshot: None,
    };
    let found = loop {
        thread.send(Errand {
            place: 0,
            subject,
            cx: PollContext::new(world.clone(), now),
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
        let Some(returned) = returned else { break None };
        let (Found::Saw(saw, _), Some(sensor)) = (&returned.found, returned.sensor) else {
            break Some(returned.found);
        };
        let has_said = !saw.report.is_empty() || !starting.started.swap(false, Ordering::Relaxed);
        if has_said || timeout(PATIENCE, woken.notified()).await.is_err() {
            break Some(returned.found);
        }
        sleep(SETTLE).await;
        subject = Subject::Built(sensor);
    };
    thread.stop().await;
    Ok(found)
}

/// A runner that notes whether it started something that runs on.
struct Starting {
    runner: Arc<dyn Runner>,
    started: AtomicBool,
}

#[async_trait]
impl Runner for Starting {
    async fn run(&self, command: &CommandSpec, cwd: &Path) -> Result<CommandOutput, SensorError> {
        self.runner.run(command, cwd).await
    }

    fn start(
        &self,
        command: &CommandSpec,
        cwd: &Path,
        wake: &WakeHandle,
    ) -> Result<Box<dyn Child>, SensorError> {
        self.started.store(true, Ordering::Relaxed);
        self.runner.start(command, cwd, wake)
    }
}

impl Trial {
    fn nothing() -> Self {
        Self {
            error: None,
            warnings: Vec::new(),
            details: Vec::new(),
            events: Vec::new(),
            lines: Vec::new(),
            drafts: 0,
        }
    }

    fn saw(&mut self, found: Gathered, engine: &mut Attention, now: Now, name: &SensorName) {
        self.warnings = found.warnings.iter().map(ToString::to_string).collect();
        self.details = found.details;
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
