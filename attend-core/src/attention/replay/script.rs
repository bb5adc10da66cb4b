//! Scripts: what happens when, as data.

use thiserror::Error;

use crate::attention::mute::MuteTarget;
use crate::dynamics::{Tick, TickDelta};
use crate::mail::Letter;
use crate::sensor::{Event, HostState, Key, Magnitude, SensorName, Signal};

/// Timed inputs for the engine, read from text.
///
/// One line is one cue: a tick, what happens, and its arguments; texts with spaces stand in
/// double quotes. `0..600/2` in place of a tick repeats the cue every 2 ticks before 600. Lines
/// that start with `#`, and empty ones, say nothing.
///
/// | cue | happens |
/// |---|---|
/// | `sensor NAME [THRESHOLD]` | there is such a sensor, from the start; the only cue without a tick |
/// | `T report SENSOR MAGNITUDE TEXT [key=K] [standing] [signal=S] [stakes=TEXT] [at-hand=TEXT] [inhibits=K,K] [block=TEXT]… [times=N]` | a look finds an event (or N of them) |
/// | `T clear SENSOR KEY` | a look finds that it no longer holds |
/// | `T host busy\|unknown\|idle\|unprompted` | what the host is doing |
/// | `T handle SIGNAL PURPOSE` | a way that handles the signal is loaded |
/// | `T letter ID FROM TO TEXT [person\|program] [again]` | a message arrives; TO is `you` or a room |
/// | `T mute sensor=NAME\|signal=NAME [TICKS]`, `T unmute` | somebody asks for quiet, and takes all of it back |
/// | `T notice TEXT`, `T banner TEXT` | attend has something to say of itself |
/// | `T lose` | the claim that is made next fails |
/// | `T fail` | the batch that is written next is not |
/// | `T restart` | the process ends and goes on from its checkpoint |
/// | `T end` | nothing happens after T |
///
/// ```
/// use attend_core::attention::{Script, Settings};
///
/// let script: Script = "
///     sensor git
///     10 report git 3.0 \"branch changed: main → feat/x\" key=branch
///     60 end
/// ".parse()?;
/// let replay = script.run(&Settings::default());
/// assert_eq!(replay.to_string(), "11 > [attend sensor=git priority=medium] branch changed: main → feat/x\n");
/// # Ok::<(), attend_core::attention::ScriptError>(())
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Script {
    pub(super) sensors: Vec<(SensorName, Option<Magnitude>)>,
    /// In the order of their ticks.
    pub(super) cues: Vec<Cue>,
}

/// Something that happens at a tick.
#[derive(Clone, PartialEq, Debug)]
pub struct Cue {
    /// When.
    pub at: Tick,
    /// What.
    pub action: Action,
}

/// What happens at a [`Cue`].
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum Action {
    /// One look of a sensor finds these events.
    Report(SensorName, Vec<Event>),
    /// One look of a sensor finds that something no longer holds.
    Clear(SensorName, Key),
    /// The host changes what it is doing.
    Host(HostState),
    /// A way is loaded that handles a signal, with the phrase for what it is for.
    Handle(Signal, String),
    /// A message arrives, which may have been shown before.
    Letter(Letter, bool),
    /// Somebody asks for quiet, for so many ticks or until it is taken back.
    Mute(MuteTarget, Option<TickDelta>),
    /// All quiet is taken back.
    Unmute,
    /// Attend has something to say of itself, with whatever leaves next.
    Notice(String),
    /// Attend says this first.
    Banner(String),
    /// The next claim fails.
    Lose,
    /// The next batch is not written.
    Fail,
    /// The process ends and goes on from its checkpoint.
    Restart,
    /// Nothing happens any more.
    End,
}

/// A script that cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("line {line}: {problem}")]
pub struct ScriptError {
    pub(super) kind: ScriptErrorKind,
    pub(super) line: usize,
    pub(super) problem: String,
}

/// What is wrong with a line of a script.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum ScriptErrorKind {
    /// It cannot be split into words: a quoted text does not end, or holds no escape.
    Words,
    /// It begins with no tick, or with too many.
    Tick,
    /// Nothing happens at its tick, or nothing that there is.
    Action,
    /// What happens is told otherwise than it can be.
    Argument,
}

impl ScriptError {
    /// What is wrong.
    pub fn kind(&self) -> ScriptErrorKind {
        self.kind
    }

    /// The line of the script, counted from 1.
    pub fn line(&self) -> usize {
        self.line
    }
}

impl Script {
    /// A script without cues.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a sensor, with a threshold where it is not the default one.
    #[must_use]
    pub fn sensor(mut self, name: SensorName, threshold: Option<Magnitude>) -> Self {
        self.sensors.push((name, threshold));
        self
    }

    /// Adds a cue. Cues of one tick keep their order.
    #[must_use]
    pub fn cue(mut self, at: Tick, action: Action) -> Self {
        let place = self.cues.partition_point(|other| other.at <= at);
        self.cues.insert(place, Cue { at, action });
        self
    }

    /// The cues, in the order of their ticks.
    pub fn cues(&self) -> &[Cue] {
        &self.cues
    }
}
