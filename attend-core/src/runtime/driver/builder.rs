//! What a driver is made of.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use tokio::sync::mpsc::unbounded_channel;

use super::axis::{Axis, Now};
use super::memory::Memory;
use super::reread::{Plan, Reread};
use super::tape::Tape;
use super::turn::{self, OnNotice, Turn};
use super::{Driver, DriverError, DriverErrorKind, Handle};
use crate::attention::{AttentionBuilder, HandledSignals, Input, Settings, TraceLog};
use crate::mail::{Mailbox, ProjectInfo, Reader, Sightings};
use crate::runtime::cleanup::Cleanup;
use crate::runtime::delivery::{Delivery, Sweeper};
use crate::runtime::recording::Recording;
use crate::runtime::roster::{Roster, SensorSetup};
use crate::runtime::state::StatePlace;
use crate::runtime::system::{Exit, Output, SystemClock, SystemRunner, SystemWatcher};
use crate::sensor::{Clock, Facilities, Host, NoHost, Project, Root, Roots, Runner};

/// Builds a [`Driver`].
#[must_use = "a driver does nothing until it is built and run"]
pub struct DriverBuilder {
    roots: Roots,
    project: Project,
    settings: Settings,
    sensors: Vec<SensorSetup>,
    clock: Arc<dyn Clock>,
    runner: Arc<dyn Runner>,
    host: Option<Arc<dyn Host>>,
    state: Option<StatePlace>,
    state_advice: Option<String>,
    output: Option<Output>,
    banner: Option<String>,
    banner_end: String,
    rearmed: bool,
    handled: HandledSignals,
    notices: Vec<String>,
    on_notice: OnNotice,
    reread: Option<Reread>,
    end_on_signals: bool,
    beside: Option<Exit>,
    mail: Option<(Arc<dyn Mailbox>, Reader)>,
    sweeper: Option<Sweeper>,
    recording: Option<Recording>,
}

/// What a sensor is tried with.
pub(super) struct Parts {
    pub(super) world: Arc<Facilities>,
    pub(super) settings: Settings,
    pub(super) sensors: Vec<SensorSetup>,
    pub(super) handled: HandledSignals,
}

impl DriverBuilder {
    pub(super) fn new(roots: Roots, project: Project) -> Self {
        Self {
            roots,
            project,
            settings: Settings::default(),
            sensors: Vec::new(),
            clock: Arc::new(SystemClock),
            runner: Arc::new(SystemRunner),
            host: None,
            state: None,
            state_advice: None,
            output: None,
            banner: None,
            banner_end: String::new(),
            rearmed: false,
            handled: HandledSignals::new(),
            notices: Vec::new(),
            on_notice: Box::new(|_| {}),
            reread: None,
            end_on_signals: false,
            beside: None,
            mail: None,
            sweeper: None,
            recording: None,
        }
    }

    /// Other settings of the engine than the default ones.
    pub fn settings(mut self, settings: Settings) -> Self {
        self.settings = settings;
        self
    }

    /// One more sensor. A second one of the same name takes the place of the first.
    pub fn sensor(mut self, setup: SensorSetup) -> Self {
        self.sensors.retain(|known| known.name() != setup.name());
        self.sensors.push(setup);
        self
    }

    /// More sensors.
    pub fn sensors(self, setups: impl IntoIterator<Item = SensorSetup>) -> Self {
        setups.into_iter().fold(self, Self::sensor)
    }

    /// The agent program; none unless this says so. Nothing is written before it told for the
    /// first time what it is doing, or 10 s passed.
    pub fn host(mut self, host: Arc<dyn Host>) -> Self {
        self.host = Some(host);
        self
    }

    /// Other clocks than the system's. They must run as fast as it does.
    pub fn clock(mut self, clock: Arc<dyn Clock>) -> Self {
        self.clock = clock;
        self
    }

    /// Another way of running commands than as processes.
    pub fn runner(mut self, runner: Arc<dyn Runner>) -> Self {
        self.runner = runner;
        self
    }

    /// A directory of this loop's own, in which it keeps its checkpoint and its journal. Where
    /// that cannot be used, the loop runs without and says so.
    pub fn state(mut self, place: impl Into<StatePlace>) -> Self {
        self.state = Some(place.into());
        self
    }

    /// What people can do where the directory for state cannot be used: said with the reason.
    pub fn state_advice(mut self, advice: impl Into<String>) -> Self {
        self.state_advice = Some(advice.into());
        self
    }

    /// Another place for lines than standard output.
    pub fn output(mut self, output: Output) -> Self {
        self.output = Some(output);
        self
    }

    /// What is said first, once.
    pub fn banner(mut self, banner: impl Into<String>) -> Self {
        self.banner = Some(banner.into());
        self
    }

    /// What is said at the end of the banner, and holds for this moment only, such as a count:
    /// where only that changed, a loop that is armed again does not repeat the banner.
    pub fn banner_end(mut self, end: impl Into<String>) -> Self {
        self.banner_end = end.into();
        self
    }

    /// A loop of the same session ran a moment ago: its end is waited for, up to 2 s, and the
    /// banner is not repeated where it is the same as then.
    ///
    /// Sensors are told: [`BuildContext::is_rearmed`](crate::sensor::BuildContext::is_rearmed).
    pub fn rearmed(mut self) -> Self {
        self.rearmed = true;
        self
    }

    /// The signals that some loaded way handles.
    pub fn handled(mut self, handled: HandledSignals) -> Self {
        self.handled = handled;
        self
    }

    /// Something about attend itself that has to be said once.
    pub fn notice(mut self, notice: impl Into<String>) -> Self {
        self.notices.push(notice.into());
        self
    }

    /// Passes on what has to be said about attend itself, when it occurs. The next batch says
    /// it too.
    pub fn on_notice(mut self, hear: impl FnMut(&str) + Send + 'static) -> Self {
        self.on_notice = Box::new(hear);
        self
    }

    /// Calls `read` when one of `files` changed, and every 30 s: where that makes a plan, the plan
    /// holds from then on.
    ///
    /// Sensors that are configured as before go on undisturbed.
    pub fn reread(
        mut self,
        files: impl IntoIterator<Item = PathBuf>,
        read: impl FnMut() -> Option<Plan> + Send + 'static,
    ) -> Self {
        self.reread = Some(Reread::new(files.into_iter().collect(), read));
        self
    }

    /// The Markdown files below `directories`, which need not be there, count among the files that
    /// [`reread`](Self::reread) names.
    pub fn reread_below(mut self, directories: impl IntoIterator<Item = PathBuf>) -> Self {
        if let Some(reread) = &mut self.reread {
            reread.below(directories.into_iter().collect());
        }
        self
    }

    /// The mail that `reader` reads is written too, before events. The driver ends when the seat
    /// is another's.
    pub fn mail(mut self, mailbox: Arc<dyn Mailbox>, reader: Reader) -> Self {
        self.mail = Some((mailbox, reader));
        self
    }

    /// Removes mail of projects that are gone from the mailbox, now and then; `look` tells which
    /// are. It is called on a thread of its own, and may take its time.
    pub fn cleanup(
        mut self,
        cleanup: Cleanup,
        look: impl Fn(&[ProjectInfo]) -> Sightings + Send + Sync + 'static,
    ) -> Self {
        self.sweeper = Some(Sweeper::new(cleanup, Arc::new(look)));
        self
    }

    /// Writes down what the engine is told and what it answers, to be read as a
    /// [`Trace`](crate::attention::Trace). Where that cannot go on, it ends with a notice.
    pub fn record(mut self, recording: Recording) -> Self {
        self.recording = Some(recording);
        self
    }

    /// The end of the process `pid` ends the driver, too.
    pub fn beside(mut self, pid: u32) -> Self {
        self.beside = Some(Exit::of(pid));
        self
    }

    /// SIGTERM, SIGINT and SIGHUP end the driver.
    pub fn end_on_signals(mut self) -> Self {
        self.end_on_signals = true;
        self
    }

    /// What a sensor is tried with: all but what a driver keeps, says and writes.
    pub(super) fn parts(self, watcher: &SystemWatcher, own: Option<PathBuf>) -> Parts {
        let roots = self.roots.without(Root::State).without(Root::Own);
        let roots = match own {
            Some(own) => roots.with(Root::Own, own),
            None => roots,
        };
        let world = Facilities {
            clock: self.clock,
            runner: self.runner,
            watcher: Arc::new(watcher.clone()),
            host: self.host.unwrap_or_else(|| Arc::new(NoHost)),
            roots,
            project: self.project,
            rearmed: self.rearmed,
        };
        Parts {
            world: Arc::new(world),
            settings: self.settings,
            sensors: self.sensors,
            handled: self.handled,
        }
    }

    /// Builds the driver and goes on from what the state directory remembers.
    ///
    /// # Errors
    ///
    /// There is no standard output, or no descriptor for it.
    pub fn build(self) -> Result<Driver, DriverError> {
        let output = match self.output {
            Some(output) => output,
            None => Output::stdout().map_err(DriverError::new(DriverErrorKind::Output))?,
        };
        let mut notices = self.notices;
        let advice = self.state_advice.as_deref();
        let mut roots = self.roots.without(Root::Own);
        if let Some(place) = &self.state {
            roots = roots.with(Root::Own, place.path());
        }
        let (mut memory, saved) = match self.state {
            Some(place) => Memory::open(place, advice, self.rearmed, &mut notices),
            None => (Memory::none(), None),
        };
        let axis = Axis::begin(&*self.clock);
        let now = Now::of(&*self.clock, &axis);
        let running = self.recording.map(|recording| {
            let restored = saved.as_ref().map(|saved| &saved.attention);
            let log = TraceLog::begin(now.tick, &self.settings, restored);
            (log, recording)
        });
        let mut engine = AttentionBuilder::default().settings(self.settings);
        let (mut snapshots, mut said) = (std::collections::BTreeMap::new(), None);
        if let Some(saved) = saved {
            engine = engine.restore(saved.attention, now.tick);
            (snapshots, said) = (saved.snapshots, saved.banner);
        }
        let mut engine = Tape::new(engine.build(), running);
        let watcher = SystemWatcher::new();
        let has_host = self.host.is_some();
        let world = Arc::new(Facilities {
            clock: self.clock.clone(),
            runner: self.runner,
            watcher: Arc::new(watcher.clone()),
            host: self.host.unwrap_or_else(|| Arc::new(NoHost)),
            roots,
            project: self.project,
            rearmed: self.rearmed,
        });
        let mut roster = Roster::new(world, self.sensors, snapshots);
        if has_host {
            roster = roster.with_host();
        }
        engine.input(now.tick, Input::Sensors(roster.profiles()));
        engine.input(now.tick, Input::Handled(self.handled));
        if let Some(banner) = self.banner {
            if !(self.rearmed && said.as_ref() == Some(&banner)) {
                let whole = format!("{banner}{}", self.banner_end);
                engine.input(now.tick, Input::Banner(whole));
            }
            memory.banner(banner);
        }
        let delivery = self.mail.map(|(mailbox, reader)| {
            let (delivery, degraded) = Delivery::new(mailbox, reader, &watcher);
            notices.extend(degraded);
            match self.sweeper {
                Some(sweeper) => delivery.sweeping(sweeper),
                None => delivery,
            }
        });
        let mut turn = Turn::new(turn::Parts {
            clock: self.clock,
            axis,
            engine,
            roster,
            memory,
            output,
            delivery,
            on_notice: self.on_notice,
        });
        for notice in notices {
            turn.say(now.tick, notice);
        }
        let (send, commands) = unbounded_channel();
        Ok(Driver {
            turn,
            watcher,
            commands,
            handle: Handle(send),
            reread: self.reread,
            end_on_signals: self.end_on_signals,
            beside: self.beside,
        })
    }
}

impl fmt::Debug for DriverBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DriverBuilder")
            .field("sensors", &self.sensors)
            .field("state", &self.state)
            .finish_non_exhaustive()
    }
}
