//! A world for one sensor, and looks at it in virtual time.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, SystemTime};

use super::clock::FakeClock;
use super::host::FakeHost;
use super::polled::Polled;
use super::roots::TempRoots;
use super::runner::ScriptedRunner;
use super::watch::FakeWatcher;
use crate::dynamics::Tick;
use crate::sensor::{
    BuildContext, Clock, CommandOutput, CommandSpec, ConfigError, Facilities, Host, PollContext,
    Project, Root, Runner, Sensor, SensorName, SensorSpec, WakeHandle, Watcher,
};

/// A world for one sensor: empty directories, a clock that stands still, a runner that was
/// taught nothing, a host of which nothing is known.
///
/// Ticks are seconds, as in attend: the time of day at the start, plus what passed since. A
/// step of the time of day does not move them.
///
/// ```
/// use attend_core::sensor::{CommandOutput, CommandSpec, Event, sensor_fn};
/// use attend_core::testkit::Harness;
///
/// let uptime = CommandSpec::new("uptime").arg("-p");
/// let mut sensor = sensor_fn(None, |last: &mut Option<Vec<u8>>, cx| {
///     Box::pin(async move {
///         let output = cx.run(&CommandSpec::new("uptime").arg("-p")).await?;
///         if last.replace(output.stdout.clone()).is_some_and(|before| before != output.stdout) {
///             cx.report(Event::new(1.0, String::from_utf8_lossy(&output.stdout).trim()));
///         }
///         Ok(())
///     })
/// });
///
/// let mut harness = Harness::new().answer(uptime.clone(), CommandOutput::exited(0, "up 1 hour\n"));
/// harness.poll(&mut sensor).assert_quiet();
/// harness.script().answer(uptime, CommandOutput::exited(0, "up 2 hours\n"));
/// assert_eq!(harness.poll(&mut sensor).texts(), ["up 2 hours"]);
/// ```
pub struct Harness {
    roots: TempRoots,
    clock: FakeClock,
    script: ScriptedRunner,
    runner: Arc<dyn Runner>,
    fake_watcher: FakeWatcher,
    watcher: Arc<dyn Watcher>,
    fake_host: FakeHost,
    host: Arc<dyn Host>,
    woken: Arc<AtomicUsize>,
    rearmed: bool,
}

/// The name under which a harness builds its sensor.
const NAME: &str = "under-test";

impl Harness {
    /// A world in which nothing is.
    ///
    /// # Panics
    ///
    /// Where no temporary directory can be made.
    #[track_caller]
    pub fn new() -> Self {
        let (script, host) = (ScriptedRunner::new(), FakeHost::new());
        let watcher = FakeWatcher::new();
        Self {
            roots: TempRoots::new(),
            clock: FakeClock::new(),
            runner: Arc::new(script.clone()),
            script,
            watcher: Arc::new(watcher.clone()),
            fake_watcher: watcher,
            host: Arc::new(host.clone()),
            fake_host: host,
            woken: Arc::default(),
            rearmed: false,
        }
    }

    /// The same world with a file in its work directory.
    ///
    /// # Panics
    ///
    /// Where the file cannot be written.
    #[must_use]
    #[track_caller]
    pub fn file(self, path: impl AsRef<Path>, bytes: impl AsRef<[u8]>) -> Self {
        self.roots.file(path, bytes);
        self
    }

    /// The same world with a command that ends with `output`: see [`ScriptedRunner`].
    #[must_use]
    pub fn answer(self, command: CommandSpec, output: CommandOutput) -> Self {
        self.script.answer(command, output);
        self
    }

    /// The same world with commands run by `runner`, for example a real one. What the script
    /// was taught no longer counts.
    #[must_use]
    pub fn runner(mut self, runner: Arc<dyn Runner>) -> Self {
        self.runner = runner;
        self
    }

    /// The same world with another host, for example an adapter that reads below
    /// [`Root::Host`]. What the fake host was taught no longer counts.
    #[must_use]
    pub fn host_adapter(mut self, host: Arc<dyn Host>) -> Self {
        self.host = host;
        self
    }

    /// The same world with another watcher, for example the system's. What the fake watcher was
    /// told no longer counts.
    #[must_use]
    pub fn watched_by(mut self, watcher: Arc<dyn Watcher>) -> Self {
        self.watcher = watcher;
        self
    }

    /// The same world, in which a loop of the same session ran a moment ago.
    #[must_use]
    pub fn rearmed(mut self) -> Self {
        self.rearmed = true;
        self
    }

    /// Writes a file in the work directory, between two looks. Returns its path.
    ///
    /// # Panics
    ///
    /// Where the file cannot be written.
    #[track_caller]
    pub fn write(&self, path: impl AsRef<Path>, bytes: impl AsRef<[u8]>) -> PathBuf {
        self.roots.file(path, bytes)
    }

    /// Removes a file or directory from the work directory.
    ///
    /// # Panics
    ///
    /// Where nothing is there.
    #[track_caller]
    pub fn remove(&self, path: impl AsRef<Path>) {
        self.roots.remove(path);
    }

    /// Lets time pass.
    pub fn advance(&mut self, by: Duration) -> &mut Self {
        self.clock.advance(by);
        self
    }

    /// Builds a sensor of the kind `S`.
    ///
    /// # Errors
    ///
    /// A configuration that the kind refuses.
    pub fn build<S: SensorSpec>(&self, config: S) -> Result<Box<dyn Sensor>, ConfigError> {
        config.check()?;
        config.build(&self.build_context())
    }

    /// Lets `sensor` look once, now.
    pub fn poll(&mut self, sensor: &mut dyn Sensor) -> Polled {
        let mut cx = self.poll_context();
        let result = futures::executor::block_on(sensor.poll(&mut cx));
        Polled::new(result, cx.finish())
    }

    /// What a sensor is given when it is built.
    pub fn build_context(&self) -> BuildContext {
        self.build_context_in(self.facilities())
    }

    /// The world as a driver would hand it out.
    pub fn facilities(&self) -> Facilities {
        Facilities {
            clock: Arc::new(self.clock.clone()),
            runner: Arc::clone(&self.runner),
            watcher: Arc::clone(&self.watcher),
            host: Arc::clone(&self.host),
            roots: self.roots.roots().clone(),
            project: Project::at(self.work()),
            rearmed: self.rearmed,
        }
    }

    /// The tick of a look made now.
    pub fn now(&self) -> Tick {
        let passed = self.clock.boot().saturating_sub(FakeClock::BOOT_AT_START);
        Tick::new((FakeClock::WALL_AT_START + passed).as_secs())
    }

    /// The time of day.
    pub fn wall(&self) -> SystemTime {
        self.clock.wall()
    }

    /// The work directory.
    pub fn work(&self) -> &Path {
        self.roots.roots().work()
    }

    /// The path of something below `root`, whether or not it is there.
    ///
    /// # Panics
    ///
    /// Where `path` leads out of the root.
    #[track_caller]
    pub fn path(&self, root: Root, path: impl AsRef<Path>) -> PathBuf {
        self.roots.path(root, path)
    }

    /// Its directories.
    pub fn roots(&self) -> &TempRoots {
        &self.roots
    }

    /// Its clock.
    pub fn clock(&self) -> &FakeClock {
        &self.clock
    }

    /// What answers commands, unless another [`runner`](Self::runner) was plugged in.
    pub fn script(&self) -> &ScriptedRunner {
        &self.script
    }

    /// What watches, unless another watcher was [plugged in](Self::watched_by).
    pub fn watcher(&self) -> &FakeWatcher {
        &self.fake_watcher
    }

    /// The agent program, unless another [`host_adapter`](Self::host_adapter) was plugged in.
    pub fn host(&self) -> &FakeHost {
        &self.fake_host
    }

    /// How many times something asked for a look: a watch, or a handle of
    /// [`BuildContext::wake`].
    pub fn woken(&self) -> usize {
        self.woken.load(Ordering::SeqCst)
    }

    pub(super) fn build_context_in(&self, world: Facilities) -> BuildContext {
        let woken = Arc::clone(&self.woken);
        let wake = WakeHandle::new(move || {
            woken.fetch_add(1, Ordering::SeqCst);
        });
        let name = SensorName::new(NAME).expect("a valid name");
        BuildContext::new(Arc::new(world), name, wake)
    }

    fn poll_context(&self) -> PollContext {
        PollContext::new(Arc::new(self.facilities()), self.now())
    }
}

impl Default for Harness {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Harness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Harness")
            .field("now", &self.now())
            .field("roots", &self.roots)
            .finish_non_exhaustive()
    }
}
