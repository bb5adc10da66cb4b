//! One line of a trace: what the engine was told, or what it was asked and answered.

use serde::{Deserialize, Serialize};

use super::mail::{StoredClaim, StoredWaiting};
use super::stored::{StoredReport, StoredSensor, StoredSettings};
use crate::attention::batch::Batch;
use crate::attention::id::BatchId;
use crate::attention::input::Input;
use crate::attention::mode::HandledSignals;
use crate::attention::mute::Mutes;
use crate::dynamics::Tick;
use crate::sensor::HostState;

/// What happened.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(in crate::attention) enum Entry {
    Sensors(Vec<StoredSensor>),
    Settings(Box<StoredSettings>),
    Report(StoredReport),
    Host(HostState),
    Waiting(StoredWaiting),
    Claimed(StoredClaim),
    ClaimFailed,
    Handled(HandledSignals),
    Mute(Mutes),
    Notice(String),
    Solved(String),
    Banner(String),
    /// A step answered that mail is to be claimed.
    Claim,
    /// A step answered with this batch.
    Write(StoredBatch),
    Ack(BatchId),
    Nack(BatchId),
}

/// What tells one batch from another.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub(in crate::attention) struct StoredBatch {
    pub(in crate::attention) id: BatchId,
    lines: usize,
    units: usize,
}

/// When it happened, and what.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(in crate::attention) struct Stamped(
    pub(in crate::attention) Tick,
    pub(in crate::attention) Entry,
);

impl StoredBatch {
    pub(in crate::attention) fn of(batch: &Batch) -> Self {
        Self {
            id: batch.id(),
            lines: batch.lines().len(),
            units: batch.units(),
        }
    }
}

impl From<&Input> for Entry {
    fn from(input: &Input) -> Self {
        match input {
            Input::Sensors(sensors) => {
                Self::Sensors(sensors.iter().map(StoredSensor::from).collect())
            }
            Input::Settings(settings) => Self::Settings(Box::new((&**settings).into())),
            Input::Report(sensor, report) => Self::Report(StoredReport::of(sensor, report)),
            Input::Host(host) => Self::Host(*host),
            Input::MailWaiting(waiting) => Self::Waiting(StoredWaiting::of(waiting)),
            Input::Claimed(claim) => Self::Claimed(StoredClaim::of(claim)),
            Input::ClaimFailed => Self::ClaimFailed,
            Input::Handled(handled) => Self::Handled(handled.clone()),
            Input::Mute(mutes) => Self::Mute(mutes.clone()),
            Input::Notice(text) => Self::Notice(text.clone()),
            Input::Solved(text) => Self::Solved(text.clone()),
            Input::Banner(text) => Self::Banner(text.clone()),
        }
    }
}

impl Entry {
    /// The same as the engine is told it; none for what the engine was asked.
    pub(in crate::attention) fn input(&self) -> Option<Input> {
        Some(match self {
            Self::Sensors(sensors) => {
                Input::Sensors(sensors.iter().cloned().map(Into::into).collect())
            }
            Self::Settings(settings) => {
                Input::Settings(Box::new(StoredSettings::clone(settings).into()))
            }
            Self::Report(report) => Input::Report(report.sensor.clone(), report.clone().into()),
            Self::Host(host) => Input::Host(*host),
            Self::Waiting(waiting) => Input::MailWaiting(waiting.waiting()),
            Self::Claimed(claim) => Input::Claimed(claim.claim()),
            Self::ClaimFailed => Input::ClaimFailed,
            Self::Handled(handled) => Input::Handled(handled.clone()),
            Self::Mute(mutes) => Input::Mute(mutes.clone()),
            Self::Notice(text) => Input::Notice(text.clone()),
            Self::Solved(text) => Input::Solved(text.clone()),
            Self::Banner(text) => Input::Banner(text.clone()),
            Self::Claim | Self::Write(_) | Self::Ack(_) | Self::Nack(_) => return None,
        })
    }
}
