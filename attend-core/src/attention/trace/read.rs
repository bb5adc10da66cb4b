//! Reading traces.

use serde::Deserialize;
use thiserror::Error;

use super::entry::{Entry, Stamped};
use super::log::{FORMAT, Head};
use crate::attention::checkpoint::Checkpoint;
use crate::attention::settings::Settings;
use crate::dynamics::Tick;

/// Everything that a loop told its engine, read from JSON lines.
///
/// The first line says the form, the version of attend, the tick at which the engine began, its
/// settings, and what it went on from. Every other line is a tick and what happened: what the
/// engine was told, each step that led to a claim or a batch, and each acknowledgement.
/// [`TraceLog`](super::TraceLog) writes it.
#[derive(Clone, PartialEq, Debug)]
pub struct Trace {
    pub(in crate::attention) version: String,
    pub(in crate::attention) start: Tick,
    pub(in crate::attention) settings: Settings,
    pub(in crate::attention) checkpoint: Option<Checkpoint>,
    /// In the order of their ticks.
    pub(in crate::attention) entries: Vec<Numbered>,
    cut_short: bool,
}

/// An entry, and the line that it stands on.
#[derive(Clone, PartialEq, Debug)]
pub(in crate::attention) struct Numbered {
    pub(in crate::attention) line: usize,
    pub(in crate::attention) at: Tick,
    pub(in crate::attention) entry: Entry,
}

/// A trace that cannot be read, or replayed.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("line {line}: {problem}")]
pub struct TraceError {
    kind: TraceErrorKind,
    line: usize,
    problem: String,
}

/// What is wrong with a trace.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum TraceErrorKind {
    /// It is something else.
    Foreign,
    /// It has a form that only a later attend knows.
    Newer,
    /// A line of it is damaged.
    Damaged,
    /// The engine decides otherwise than the one that was recorded.
    Diverged,
}

impl TraceError {
    pub(in crate::attention) fn new(kind: TraceErrorKind, line: usize, problem: String) -> Self {
        Self {
            kind,
            line,
            problem,
        }
    }

    /// What is wrong.
    pub fn kind(&self) -> TraceErrorKind {
        self.kind
    }

    /// The line, counted from 1.
    pub fn line(&self) -> usize {
        self.line
    }
}

/// What the first line of every form has.
#[derive(Deserialize)]
struct Form {
    trace: u64,
    attend: String,
}

impl Trace {
    /// Reads a trace. A last line that was not written to its end is left out.
    ///
    /// # Errors
    ///
    /// Foreign, newer, damaged: with the line.
    pub fn read(bytes: &[u8]) -> Result<Self, TraceError> {
        let mut lines = bytes.split_inclusive(|byte| *byte == b'\n').zip(1..);
        let first = lines.next().map_or(&[][..], |(first, _)| first);
        let head = head(first)?;
        let mut trace = Self {
            version: head.attend,
            start: head.start,
            settings: head.settings.into(),
            checkpoint: head.checkpoint,
            entries: Vec::new(),
            cut_short: false,
        };
        let mut last = trace.start;
        for (text, line) in lines {
            let is_whole = text.ends_with(b"\n");
            let Stamped(at, entry) = match serde_json::from_slice(text) {
                Ok(stamped) => stamped,
                Err(_) if !is_whole => {
                    trace.cut_short = true;
                    break;
                }
                Err(error) => return Err(damaged(line, &format!("no entry of a trace: {error}"))),
            };
            if at < last {
                let problem = format!("its tick {at} lies before {last}, that of the line above");
                return Err(damaged(line, &problem));
            }
            last = at;
            trace.entries.push(Numbered { line, at, entry });
        }
        Ok(trace)
    }

    /// The version of attend that recorded it.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// When the engine began.
    pub fn start(&self) -> Tick {
        self.start
    }

    /// The settings at the beginning.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// How many entries it has.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether nothing was recorded.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Whether its last line was not written to its end.
    pub fn is_cut_short(&self) -> bool {
        self.cut_short
    }
}

fn head(first: &[u8]) -> Result<Head, TraceError> {
    let foreign = |problem: String| TraceError::new(TraceErrorKind::Foreign, 1, problem);
    let form: Form = serde_json::from_slice(first).map_err(|_| {
        foreign("this is no trace: it does not begin with a trace's first line".to_owned())
    })?;
    if form.trace != FORMAT {
        let problem = format!(
            "this is a trace in form {}, written by attend {}, and this attend reads form {FORMAT}",
            form.trace, form.attend
        );
        return Err(TraceError::new(TraceErrorKind::Newer, 1, problem));
    }
    serde_json::from_slice(first)
        .map_err(|error| damaged(1, &format!("the trace's first line is damaged: {error}")))
}

fn damaged(line: usize, problem: &str) -> TraceError {
    TraceError::new(TraceErrorKind::Damaged, line, problem.to_owned())
}
