//! A trace in the making: lines that somebody writes where they please.

use serde::{Deserialize, Serialize};

use super::entry::{Entry, Stamped, StoredBatch};
use super::stored::StoredSettings;
use crate::attention::checkpoint::Checkpoint;
use crate::attention::id::BatchId;
use crate::attention::input::{Input, Step};
use crate::attention::settings::Settings;
use crate::dynamics::Tick;

/// The form that is written.
pub(super) const FORMAT: u64 = 1;

/// The first line of a trace.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct Head {
    /// The form of all that follows.
    pub(super) trace: u64,
    /// The version that wrote it.
    pub(super) attend: String,
    pub(super) start: Tick,
    pub(super) settings: StoredSettings,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) checkpoint: Option<Checkpoint>,
}

/// Writes down what an engine is told and what it answers, so that a [`Trace`](super::Trace) can be
/// read of it.
///
/// It does no I/O: whoever has the engine takes the lines.
///
/// Of messages it keeps ids, sizes and kinds, and no words.
///
/// ```
/// use attend_core::attention::{Attention, Input, Settings, Trace, TraceLog};
/// use attend_core::dynamics::Tick;
///
/// let mut engine = Attention::builder().build();
/// let now = Tick::new(10);
/// let mut log = TraceLog::begin(now, &Settings::default(), None);
/// let banner = Input::Banner("hello".to_owned());
/// log.input(now, &banner);
/// engine.input(now, banner);
/// let step = engine.step(now);
/// log.step(now, &step);
/// let trace = Trace::read(&log.take())?;
/// assert_eq!(trace.replay()?.to_string(), "[attend] hello\n");
/// # Ok::<(), attend_core::attention::TraceError>(())
/// ```
#[derive(Clone, Debug)]
pub struct TraceLog {
    lines: Vec<u8>,
}

impl TraceLog {
    /// Begins with the settings of an engine, and with what it goes on from at `start`.
    pub fn begin(start: Tick, settings: &Settings, restored: Option<&Checkpoint>) -> Self {
        let mut log = Self { lines: Vec::new() };
        log.line(&Head {
            trace: FORMAT,
            attend: env!("CARGO_PKG_VERSION").to_owned(),
            start,
            settings: settings.into(),
            checkpoint: restored.cloned(),
        });
        log
    }

    /// The engine is told something.
    pub fn input(&mut self, now: Tick, input: &Input) {
        self.line(&Stamped(now, input.into()));
    }

    /// The engine answered a step. One that is to wait changes nothing and is left out.
    pub fn step(&mut self, now: Tick, step: &Step) {
        let entry = match step {
            Step::Claim(_) => Entry::Claim,
            Step::Write(batch) => Entry::Write(StoredBatch::of(batch)),
            Step::Wait { .. } => return,
        };
        self.line(&Stamped(now, entry));
    }

    /// The engine is told that `batch` was written.
    pub fn ack(&mut self, now: Tick, batch: BatchId) {
        self.line(&Stamped(now, Entry::Ack(batch)));
    }

    /// The engine is told that `batch` was not written.
    pub fn nack(&mut self, now: Tick, batch: BatchId) {
        self.line(&Stamped(now, Entry::Nack(batch)));
    }

    /// Bytes that wait to be taken.
    pub fn waiting(&self) -> usize {
        self.lines.len()
    }

    /// Gives away the lines since the last time.
    pub fn take(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.lines)
    }

    fn line(&mut self, line: &impl Serialize) {
        let start = self.lines.len();
        match serde_json::to_writer(&mut self.lines, line) {
            Ok(()) => self.lines.push(b'\n'),
            // All of it can be written as JSON; half a line would be worse than none.
            Err(_) => self.lines.truncate(start),
        }
    }
}
