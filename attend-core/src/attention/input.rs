//! What goes into the engine, and what comes out.

use crate::dynamics::Tick;
use crate::mail::{Claim, Waiting};
use crate::sensor::{HostState, Magnitude, Profile, Report, SensorName};

use super::batch::Batch;
use super::lane::Claiming;
use super::mode::HandledSignals;
use super::mute::Mutes;
use super::settings::Settings;

/// Something that the engine is told.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum Input {
    /// All sensors there are. One that is missing goes, with what it held; a second one of a name
    /// is ignored.
    Sensors(Vec<SensorProfile>),
    /// Other settings. Nothing that is held, or that fired, is forgotten.
    Settings(Box<Settings>),
    /// What one look of a sensor found.
    Report(SensorName, Report),
    /// What the host is doing.
    Host(HostState),
    /// What waits in the mailbox.
    MailWaiting(Waiting),
    /// The claim that was asked for was made.
    Claimed(Claim),
    /// The claim that was asked for could not be made.
    ClaimFailed,
    /// The signals that some loaded way handles.
    Handled(HandledSignals),
    /// What is held back because somebody asked for quiet: all of it.
    Mute(Mutes),
    /// Something about attend itself that is said once, with whatever leaves next.
    Notice(String),
    /// This notice holds no longer: where it was not said yet, it is not said.
    Solved(String),
    /// What attend says first, once. It leaves alone unless the host is idle.
    Banner(String),
}

/// What the caller must do next.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum Step {
    /// Claim these messages, then say [`Input::Claimed`] or [`Input::ClaimFailed`].
    Claim(Claiming),
    /// Write these lines, then `ack` or `nack`.
    Write(Batch),
    /// Nothing, until there is new input or this tick comes.
    Wait {
        /// The first tick at which something may leave by itself; none where only new input
        /// can cause that.
        until: Option<Tick>,
    },
}

/// What the engine knows of a sensor.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct SensorProfile {
    /// Its name.
    pub name: SensorName,
    /// The sum below which it is silent.
    pub threshold: Magnitude,
}

impl SensorProfile {
    /// A sensor with the default threshold.
    pub fn new(name: SensorName) -> Self {
        Self {
            name,
            threshold: Profile::default().threshold,
        }
    }

    /// The same with another threshold.
    #[must_use]
    pub fn threshold(mut self, threshold: Magnitude) -> Self {
        self.threshold = threshold;
        self
    }
}
