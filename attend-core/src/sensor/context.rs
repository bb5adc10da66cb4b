//! Contexts: what a sensor is given when it is built, and when it looks.

use std::fmt;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use super::bounds::{MAX_KEY, cut};
use super::command::{Child, CommandOutput, CommandSpec, Runner};
use super::error::SensorError;
use super::event::Event;
use super::exits::Exits;
use super::host::Host;
use super::name::{Key, SensorName};
use super::report::Report;
use super::world::{Clock, Project, Roots, WakeHandle, Watch, Watcher};
use crate::dynamics::Tick;
use crate::mail::{Draft, MAX_ADDRESSES, MAX_BODY};

/// How many warnings one look keeps.
const MAX_WARNINGS: usize = 16;

/// How many lines of details one look keeps, and how many bytes of each.
const MAX_DETAILS: usize = 20;
const MAX_DETAIL: usize = 512;

/// How many drafts one look keeps.
const MAX_DRAFTS: usize = 64;

/// The world that a driver hands to its sensors. Only drivers and the testkit make one.
#[derive(Clone)]
#[non_exhaustive]
pub struct Facilities {
    /// Time.
    pub clock: Arc<dyn Clock>,
    /// Commands.
    pub runner: Arc<dyn Runner>,
    /// Watches.
    pub watcher: Arc<dyn Watcher>,
    /// The agent program.
    pub host: Arc<dyn Host>,
    /// Named directories.
    pub roots: Roots,
    /// What is being worked on.
    pub project: Project,
    /// Whether a loop of the same session ran a moment ago.
    pub rearmed: bool,
}

impl fmt::Debug for Facilities {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Facilities")
            .field("roots", &self.roots)
            .field("project", &self.project)
            .finish_non_exhaustive()
    }
}

/// What a sensor may ask for while it is being built.
#[derive(Debug)]
pub struct BuildContext {
    world: Arc<Facilities>,
    name: SensorName,
    wake: WakeHandle,
}

impl BuildContext {
    #[cfg(any(feature = "runtime", feature = "testkit"))]
    pub(crate) fn new(world: Arc<Facilities>, name: SensorName, wake: WakeHandle) -> Self {
        Self { world, name, wake }
    }

    /// The name under which this sensor is configured.
    pub fn name(&self) -> &SensorName {
        &self.name
    }

    /// The named directories.
    pub fn roots(&self) -> &Roots {
        &self.world.roots
    }

    /// What is being worked on.
    pub fn project(&self) -> &Project {
        &self.world.project
    }

    /// Whether a loop of the same session ran a moment ago: what that told stands before the
    /// model still, unless the host says otherwise.
    pub fn is_rearmed(&self) -> bool {
        self.world.rearmed
    }

    /// A handle by which other code asks for a look.
    pub fn wake(&self) -> WakeHandle {
        self.wake.clone()
    }

    /// A watch on `path`: a change below it wakes this sensor. Polling remains the safety net.
    ///
    /// # Errors
    ///
    /// Unavailable: nothing can be watched here; the text names the limit. The sensor should
    /// say so once and go on by polling.
    pub fn watch(&self, path: &Path) -> Result<Box<dyn Watch>, SensorError> {
        let mut watch = self.open_watch()?;
        watch.add(path)?;
        Ok(watch)
    }

    /// A watch on nothing yet, for a sensor that learns later what to watch.
    ///
    /// # Errors
    ///
    /// As [`watch`](Self::watch).
    pub fn open_watch(&self) -> Result<Box<dyn Watch>, SensorError> {
        self.world.watcher.open(self.wake())
    }

    /// Waits for the ends of processes that a look finds, whoever started them: each wakes this
    /// sensor.
    ///
    /// # Errors
    ///
    /// Unavailable: this system does not tell of them. The sensor looks whether they run.
    pub fn watch_exits(&self) -> Result<Box<dyn Exits>, SensorError> {
        self.world.watcher.exits(self.wake())
    }
}

/// What a sensor may use while it looks: a sink for what it found, and the door to the world.
///
/// It is made by the driver for each look. A failed look leaves no trace but its warnings.
#[derive(Debug)]
pub struct PollContext {
    world: Arc<Facilities>,
    now: Tick,
    wall: SystemTime,
    found: Gathered,
    running: Running,
}

/// The commands that a look waits for, the newest last.
#[derive(Debug, Default)]
struct Running(Mutex<Vec<(u64, CommandSpec)>>);

/// What one look left behind.
#[derive(Clone, PartialEq, Debug, Default)]
#[non_exhaustive]
pub struct Gathered {
    /// Events and clears.
    pub report: Report,
    /// Words that somebody wrote, each with the key that makes sending it again harmless.
    pub drafts: Vec<(Key, Draft)>,
    /// What went wrong beside what was learned, the first 16 of it.
    pub warnings: Vec<SensorError>,
    /// What is told to those who ask how the sensor fares, the last 20 lines of it.
    pub details: Vec<String>,
}

impl PollContext {
    #[cfg(any(feature = "runtime", feature = "testkit"))]
    pub(crate) fn new(world: Arc<Facilities>, now: Tick) -> Self {
        let wall = world.clock.wall();
        Self {
            world,
            now,
            wall,
            found: Gathered::default(),
            running: Running::default(),
        }
    }

    /// The tick of this look.
    pub fn now(&self) -> Tick {
        self.now
    }

    /// The time of day of this look. It may step; never order anything by it.
    pub fn wall(&self) -> SystemTime {
        self.wall
    }

    /// What is being worked on.
    pub fn project(&self) -> &Project {
        &self.world.project
    }

    /// The named directories.
    pub fn roots(&self) -> &Roots {
        &self.world.roots
    }

    /// The agent program.
    pub fn host(&self) -> &dyn Host {
        self.world.host.as_ref()
    }

    /// Runs a command to its end, in the work directory unless it names another.
    ///
    /// # Errors
    ///
    /// Transient: it could not be started, or its deadline passed (then it and its children
    /// were killed). Unavailable: there is no such program. A command that ends with another
    /// code than 0 is no error.
    pub async fn run(&self, command: &CommandSpec) -> Result<CommandOutput, SensorError> {
        let number = self.running.begin(command);
        let ended = self.world.runner.run(command, self.world.roots.work());
        let ended = ended.await;
        self.running.end(number);
        ended
    }

    /// Starts a command that runs on beside the looks, in the work directory unless it names
    /// another.
    ///
    /// `wake` asks for a look when it said something, and when it ended; a sensor takes it from its
    /// [`BuildContext`].
    ///
    /// # Errors
    ///
    /// Transient: it could not be started. Unavailable: there is no such program, or nothing that
    /// runs on can be started here.
    pub fn start(
        &self,
        command: &CommandSpec,
        wake: &WakeHandle,
    ) -> Result<Box<dyn Child>, SensorError> {
        let world = &self.world;
        world.runner.start(command, world.roots.work(), wake)
    }

    /// The command that the look waited for when it was cancelled, where it did.
    #[cfg(feature = "runtime")]
    pub(crate) fn waited_for(&self) -> Option<CommandSpec> {
        let running = self.running.commands();
        running.last().map(|(_, command)| command.clone())
    }

    /// Reports a fact. One that [`Event::check`] refuses becomes a warning.
    pub fn report(&mut self, event: Event) {
        if let Err(refusal) = self.found.report.event(event) {
            self.warn(SensorError::transient(format!(
                "an event was refused: {refusal}"
            )));
        }
    }

    /// Says that what was reported under `key` no longer holds.
    pub fn clear(&mut self, key: impl Into<Key>) {
        if let Err(refusal) = self.found.report.clear(key) {
            self.warn(SensorError::transient(refusal.to_string()));
        }
    }

    /// Reports what was gathered elsewhere.
    pub(super) fn absorb(&mut self, report: Report) {
        if let Err(refusal) = self.found.report.append(report) {
            self.warn(SensorError::transient(refusal.to_string()));
        }
    }

    /// Passes on words that a person or an agent wrote, as mail.
    ///
    /// `key` makes it idempotent: the same key again is the same message. A program is named as the
    /// sender: who wrote them is left to the words.
    ///
    /// Words are sent whole or not at all. More than 1 MiB of them, more than 60 addresses, a key
    /// of more than 512 bytes, and the 65th message of one look become a warning.
    pub fn post(&mut self, draft: Draft, key: impl Into<Key>) {
        let key = key.into();
        let refused = if self.found.drafts.len() == MAX_DRAFTS {
            format!("one look posted more than {MAX_DRAFTS} messages; look again")
        } else if let Some(problem) = too_much(&draft, &key) {
            format!("a message was not sent: {problem}")
        } else {
            self.found.drafts.push((key, draft));
            return;
        };
        self.warn(SensorError::transient(refused));
    }

    /// Says what went wrong beside what was learned; the look still counts.
    pub fn warn(&mut self, error: SensorError) {
        if self.found.warnings.len() < MAX_WARNINGS {
            self.found.warnings.push(error);
        }
    }

    /// A line for those who ask how this sensor fares, as `attend sensors --verbose` does; also of
    /// a look that failed.
    ///
    /// The last 20 of a look are kept, and 512 bytes of each.
    pub fn detail(&mut self, line: impl Into<String>) {
        let details = &mut self.found.details;
        if details.len() == MAX_DETAILS {
            details.remove(0);
        }
        details.push(cut(line.into(), MAX_DETAIL));
    }

    #[cfg(any(feature = "runtime", feature = "testkit"))]
    pub(crate) fn finish(self) -> Gathered {
        self.found
    }
}

impl Running {
    /// Notes that `command` runs from now on; a look that is cancelled does not say its end.
    fn begin(&self, command: &CommandSpec) -> u64 {
        let mut running = self.commands();
        let number = running.last().map_or(0, |(number, _)| number + 1);
        running.push((number, command.clone()));
        number
    }

    fn end(&self, number: u64) {
        self.commands().retain(|(known, _)| *known != number);
    }

    fn commands(&self) -> MutexGuard<'_, Vec<(u64, CommandSpec)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What of a draft is more than can be sent.
fn too_much(draft: &Draft, key: &Key) -> Option<String> {
    let (body, addresses) = (draft.body.len(), draft.to.len());
    if body > MAX_BODY {
        Some(format!("it takes {body} bytes, more than 1 MiB"))
    } else if addresses > MAX_ADDRESSES {
        Some(format!(
            "it has {addresses} addresses, more than {MAX_ADDRESSES}"
        ))
    } else if key.as_str().len() > MAX_KEY {
        Some(format!("its key takes more than {MAX_KEY} bytes"))
    } else {
        None
    }
}
