//! A script that runs on: started at the first look, and again after growing pauses when it ends.

use std::fmt;

use async_trait::async_trait;
use attend_core::dynamics::{Tick, TickDelta};
use attend_core::sensor::{Child, PollContext, Sensor, SensorError};

use super::Script;
use super::alike::Alike;
use super::told::{self, Errors};

/// The first pause before a script is started again, and the longest, in seconds.
const FIRST_PAUSE: u64 = 5;
const LONGEST_PAUSE: u64 = 600;

/// A script that ran this long works: should it end, the first pause comes again, in seconds.
const WORKS: u64 = 60;

/// A script that runs on.
pub(super) struct Stream {
    script: Script,
    state: State,
    /// How often in a row it ended soon.
    ends: u32,
    errors: Errors,
    alike: Alike,
}

enum State {
    /// It is to be started.
    New,
    /// It runs since then.
    Runs(Box<dyn Child>, Tick),
    /// It ended so, and is started again then.
    Rests(String, Tick),
}

impl Stream {
    pub(super) fn new(script: Script) -> Self {
        Self {
            script,
            state: State::New,
            ends: 0,
            errors: Errors::default(),
            alike: Alike::default(),
        }
    }

    /// Tells what it said. The error says that it ended, once nothing it said is left to count.
    fn hear(&mut self, cx: &mut PollContext) -> Result<(), SensorError> {
        let State::Runs(child, since) = &mut self.state else {
            return Ok(());
        };
        let said = child.take();
        self.errors.set(&said.stderr);
        self.errors.tell(cx);
        let is_empty = said.lines.is_empty() && said.dropped_lines == 0;
        let lines = said.lines.iter().map(Vec::as_slice);
        told::report(cx, lines, said.dropped_lines, &mut self.alike);
        let Some(exit) = said.ended else {
            return Ok(());
        };
        let ran = cx.now().since(*since).get();
        self.ends = if ran < WORKS { self.ends } else { 0 };
        let longer = 1_u64.checked_shl(self.ends).unwrap_or(u64::MAX);
        let pause = FIRST_PAUSE.saturating_mul(longer).min(LONGEST_PAUSE);
        self.ends = self.ends.saturating_add(1);
        let text = format!(
            "the script {}; it runs on by the protocol `stream`, so it is started again, after growing \
             pauses",
            told::ended(exit, &said.stderr)
        );
        self.state = State::Rests(text.clone(), cx.now().after(TickDelta::new(pause)));
        if is_empty {
            return Err(SensorError::transient(text));
        }
        // What it said counts only in a look that does; the next one says that it ended.
        self.script.wake.wake();
        Ok(())
    }
}

#[async_trait]
impl Sensor for Stream {
    async fn poll(&mut self, cx: &mut PollContext) -> Result<(), SensorError> {
        if let Err(error) = self.script.permit(cx.roots()) {
            self.state = State::New;
            return Err(error);
        }
        match &self.state {
            State::Runs(..) => return self.hear(cx),
            State::Rests(why, until) if cx.now() < *until => {
                self.errors.tell(cx);
                return Err(SensorError::transient(why.clone()));
            }
            State::New | State::Rests(..) => {}
        }
        let command = self.script.command(cx).await?;
        let child = cx.start(&command, &self.script.wake)?;
        self.state = State::Runs(child, cx.now());
        self.hear(cx)
    }
}

impl fmt::Debug for Stream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stream")
            .field("script", &self.script)
            .field("ends", &self.ends)
            .finish_non_exhaustive()
    }
}
