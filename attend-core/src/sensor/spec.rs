//! A sensor, and the kind of sensor it is.

use std::time::Duration;

use async_trait::async_trait;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::context::{BuildContext, PollContext};
use super::error::{ConfigError, SensorError};
use super::magnitude::Magnitude;
use super::name::Signal;
use super::value::{Schema, Snapshot};
use super::world::Roots;

/// Something that looks at one part of the world and reports what changed.
///
/// ```
/// use async_trait::async_trait;
/// use attend_core::sensor::{Event, PollContext, Sensor, SensorError};
///
/// /// Tells when the project gains or loses its lock file.
/// #[derive(Default)]
/// struct LockFile { known: Option<bool> }
///
/// #[async_trait]
/// impl Sensor for LockFile {
///     async fn poll(&mut self, cx: &mut PollContext) -> Result<(), SensorError> {
///         let there = cx.roots().work().join("Cargo.lock").exists();
///         if self.known.replace(there).is_some_and(|before| before != there) {
///             cx.report(Event::new(2.0, if there { "Cargo.lock appeared" } else { "Cargo.lock is gone" }));
///         }
///         Ok(())
///     }
/// }
/// ```
#[async_trait]
pub trait Sensor: Send {
    /// Looks once and reports what changed since the last look.
    ///
    /// The first look is a baseline: it reports conditions that stand, and no changes. A look
    /// may be cancelled at any await, so `self` changes only after the last one.
    ///
    /// It must not block for what may come, sleep, print, or start processes but by the context. A
    /// panic ends this sensor only.
    ///
    /// # Errors
    ///
    /// A look that learned nothing; then nothing it reported counts. What was only partly
    /// learned is [`PollContext::warn`] beside a normal return.
    async fn poll(&mut self, cx: &mut PollContext) -> Result<(), SensorError>;

    /// What it wants to remember over a restart.
    ///
    /// It is asked often: it must not look at the world, block, print or panic, and keeps no secrets.
    fn snapshot(&self) -> Option<Snapshot> {
        None
    }

    /// Remembers what an earlier run knew, before the first look.
    ///
    /// It must not look at the world, block, print, or panic over what it is given.
    ///
    /// # Errors
    ///
    /// A snapshot that it cannot read; then it starts afresh.
    fn restore(&mut self, from: &Snapshot) -> Result<(), SensorError> {
        let _ = from;
        Ok(())
    }
}

/// How long a look may take unless something else is said.
pub(crate) const DEADLINE: Duration = Duration::from_secs(30);

/// A kind of sensor: implemented by its configuration.
pub trait SensorSpec: Serialize + DeserializeOwned + Default + Send + 'static {
    /// The name of the kind, which is also the default name of a sensor of it.
    const KIND: &'static str;

    /// What it looks at, in one phrase.
    const ABOUT: &'static str;

    /// Refuses values that its type allows and that make no sense: before a sensor is built,
    /// and when somebody checks a configuration.
    ///
    /// It judges values alone: it must not look at the world, block, print or panic.
    ///
    /// # Errors
    ///
    /// The first such value, [with its key](ConfigError::at).
    fn check(&self) -> Result<(), ConfigError> {
        Ok(())
    }

    /// Refuses values that a project's own file may not say: whoever wrote that is not the user.
    /// It is asked of what that file says by itself, over the defaults, beside
    /// [`check`](Self::check), and like it must not look at the world, block, print or panic.
    ///
    /// # Errors
    ///
    /// The first such value, [with its key](ConfigError::at).
    fn check_project(&self) -> Result<(), ConfigError> {
        Ok(())
    }

    /// Why a sensor of this configuration would have nothing to look at, in one phrase; none
    /// where it has something. Such a sensor is listed and does not run.
    ///
    /// It judges values alone: it must not look at the world, block, print or panic. What the
    /// world lacks is for [`examine`](Self::examine), or for a look.
    fn idle(&self) -> Option<&'static str> {
        None
    }

    /// Says what in the world keeps it from working now, such as a file that is not there: told to
    /// whoever checks a configuration. A sensor that runs finds it out itself, so that it counts
    /// for nothing there.
    ///
    /// It looks at a few files. It must not run or change anything, block, print or panic.
    ///
    /// # Errors
    ///
    /// The first such thing, [with its key](ConfigError::at).
    fn examine(&self, roots: &Roots) -> Result<(), ConfigError> {
        let _ = roots;
        Ok(())
    }

    /// Builds a sensor.
    ///
    /// It may open watches and start threads that end with the sensor. It must not look yet, block, print
    /// or panic.
    ///
    /// # Errors
    ///
    /// A configuration that makes no sensor.
    fn build(self, cx: &BuildContext) -> Result<Box<dyn Sensor>, ConfigError>;

    /// Its cadence and threshold where the configuration says nothing.
    ///
    /// It must not look at the world, and gives the same each time.
    fn profile() -> Profile {
        Profile::default()
    }

    /// How long one look may take: more than its commands together, so that the one that hangs
    /// is ended first and named. It must not look at the world, and gives the same each time.
    fn deadline() -> Duration {
        DEADLINE
    }

    /// What it may report.
    ///
    /// It must not look at the world, and gives the same each time; nor must it leave out a signal
    /// that an event may carry, or that it runs what its configuration names.
    fn declares() -> Declares {
        Declares::default()
    }

    /// The JSON Schema of its configuration: any value fits, unless it says more.
    ///
    /// It must not look at the world, and gives the same each time; nor must it refuse what the
    /// type can read.
    fn schema() -> Schema {
        Schema::any()
    }
}

/// How often a sensor is looked at, and from which sum on it is heard.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Profile {
    /// The longest time between two looks.
    pub interval: Duration,
    /// The shortest time between two looks.
    pub min_interval: Duration,
    /// The sum of magnitudes below which nothing is shown.
    pub threshold: Magnitude,
    /// Quiet looks after which the cadence relaxes.
    pub decay_threshold: u32,
}

impl Profile {
    /// The profile written `interval/minimum/threshold/quiet`, in seconds and thousandths of a
    /// magnitude.
    ///
    /// # Panics
    ///
    /// At compile time, where the threshold is above 100,000 thousandths.
    pub const fn new(
        interval: u64,
        min_interval: u64,
        threshold_thousandths: u32,
        decay_threshold: u32,
    ) -> Self {
        let Some(threshold) = Magnitude::from_thousandths(threshold_thousandths) else {
            panic!("a threshold is a magnitude from 0 to 100");
        };
        let (interval, min_interval) = (
            Duration::from_secs(interval),
            Duration::from_secs(min_interval),
        );
        Self {
            interval,
            min_interval,
            threshold,
            decay_threshold,
        }
    }
}

impl Default for Profile {
    /// 60 s, 5 s, 2.0, 4 looks.
    fn default() -> Self {
        Self::new(60, 5, 2_000, 4)
    }
}

/// Which of the two lanes a sensor feeds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Lane {
    /// Events: gated, aged, may be dropped.
    Event,
    /// Mail: words that somebody wrote, never lost.
    Message,
}

/// What a kind of sensor may report.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Declares {
    /// The lanes it feeds.
    pub lanes: Vec<Lane>,
    /// The signals its events may carry, each with the phrase that says what its guidance is
    /// for: `for reflection guidance`.
    pub signals: Vec<(Signal, String)>,
    /// Whether its configuration names commands that it runs. Then a project's own
    /// configuration cannot set it up, unless a person allowed that: whoever wrote it is not the
    /// user.
    pub runs_commands: bool,
    /// Keys by which a sensor is of this kind where it does not say its kind.
    pub implied_by: Vec<String>,
    /// Whether there is one of it, under the name of the kind, though nobody configured it.
    pub by_itself: bool,
    /// Whether it has nothing to look at without a host.
    pub needs_host: bool,
}

impl Declares {
    /// One more signal, with its purpose phrase.
    #[must_use]
    pub fn signal(mut self, signal: impl Into<Signal>, purpose: impl Into<String>) -> Self {
        self.signals.push((signal.into(), purpose.into()));
        self
    }

    /// Its configuration names commands that it runs.
    #[must_use]
    pub fn runs_commands(mut self) -> Self {
        self.runs_commands = true;
        self
    }
}

impl Declares {
    /// There is none unless somebody configured it; one that says any of `keys`, and no kind, is of
    /// this kind.
    #[must_use]
    pub fn only_with(mut self, keys: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.by_itself = false;
        self.implied_by = keys.into_iter().map(Into::into).collect();
        self
    }

    /// It has nothing to look at without a host.
    #[must_use]
    pub fn needing_host(mut self) -> Self {
        self.needs_host = true;
        self
    }
}

impl Default for Declares {
    /// Events without signals.
    fn default() -> Self {
        Self {
            lanes: vec![Lane::Event],
            signals: Vec::new(),
            runs_commands: false,
            implied_by: Vec::new(),
            by_itself: true,
            needs_host: false,
        }
    }
}
