//! The tape: an engine, and what it is told and answers written down where somebody asked for it.

use std::ops::Deref;

use crate::attention::{Attention, BatchId, Input, Record, Step, TraceLog};
use crate::dynamics::Tick;
use crate::runtime::recording::Recording;

/// Bytes of a trace that wait at most to be written, but for those of one turn.
const MOST_WAITING: usize = 64 << 10;

/// Whatever changes the engine goes through here; what it knows is read of it directly.
#[derive(Debug)]
pub(super) struct Tape {
    engine: Attention,
    running: Option<(TraceLog, Recording)>,
}

impl Tape {
    pub(super) fn new(engine: Attention, running: Option<(TraceLog, Recording)>) -> Self {
        Self { engine, running }
    }

    pub(super) fn input(&mut self, now: Tick, input: Input) {
        if let Some((log, _)) = &mut self.running {
            log.input(now, &input);
        }
        self.engine.input(now, input);
    }

    pub(super) fn step(&mut self, now: Tick) -> Step {
        let step = self.engine.step(now);
        if let Some((log, _)) = &mut self.running {
            log.step(now, &step);
        }
        step
    }

    pub(super) fn ack(&mut self, now: Tick, batch: BatchId) {
        if let Some((log, _)) = &mut self.running {
            log.ack(now, batch);
        }
        self.engine.ack(now, batch);
    }

    pub(super) fn nack(&mut self, now: Tick, batch: BatchId) {
        if let Some((log, _)) = &mut self.running {
            log.nack(now, batch);
        }
        self.engine.nack(now, batch);
    }

    pub(super) fn note_rest(&mut self, now: Tick) {
        self.engine.note_rest(now);
    }

    pub(super) fn drain_journal(&mut self) -> Vec<Record> {
        self.engine.drain_journal()
    }

    /// Whether so much waits that it should be written.
    pub(super) fn is_full(&self) -> bool {
        let log = self.running.as_ref().map(|(log, _)| log);
        log.is_some_and(|log| log.waiting() >= MOST_WAITING)
    }

    /// Writes what waits. Gives why the recording ended, where it did: once.
    pub(super) fn flush(&mut self) -> Option<String> {
        let (log, recording) = self.running.as_mut()?;
        if log.waiting() == 0 {
            return None;
        }
        let ended = recording.write(&log.take()).err()?;
        self.running = None;
        Some(ended)
    }
}

impl Deref for Tape {
    type Target = Attention;

    fn deref(&self) -> &Attention {
        &self.engine
    }
}
