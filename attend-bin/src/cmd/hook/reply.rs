//! One answer to the host: mail first, then guidance in the room that is left.

use std::process::ExitCode;

use super::answer::Answer;
use super::event::{Carrier, Event};
use super::ways;
use crate::env::Env;
use crate::place::Own;

/// The host replaces longer answers by a stub, in bytes.
const MOST: usize = 7_900;

/// The answer to one event, written once.
#[derive(Debug)]
pub(super) struct Reply<'a> {
    event: &'a Event,
    env: &'a Env,
    own: &'a Own,
    ended: Option<ExitCode>,
}

impl<'a> Reply<'a> {
    pub(super) fn new(event: &'a Event, env: &'a Env, own: &'a Own) -> Self {
        Self {
            event,
            env,
            own,
            ended: None,
        }
    }

    /// Writes `text`, and guidance behind it.
    ///
    /// # Errors
    ///
    /// It was not written, and why.
    pub(super) fn write(&mut self, text: &str, watch: &[String]) -> Result<(), String> {
        let text = self.with_guidance(text, watch);
        let answer = Answer::of(self.event, &text, watch);
        self.ended = Some(ExitCode::SUCCESS);
        self.ended = Some(answer.write()?);
        Ok(())
    }

    /// Gives how the process has to end; what was not written until now is.
    ///
    /// # Errors
    ///
    /// It was not written, and why.
    pub(super) fn end(mut self) -> Result<ExitCode, String> {
        if self.ended.is_none() {
            self.write("", &[])?;
        }
        Ok(self.ended.unwrap_or(ExitCode::SUCCESS))
    }

    fn with_guidance(&self, text: &str, watch: &[String]) -> String {
        // Guidance alone wakes nobody.
        if self.event.carrier == Carrier::Waking && text.is_empty() {
            return String::new();
        }
        // With a text that holds something, so that the whole frame counts.
        let taken = Answer::of(self.event, &format!("{text}\n"), watch).len();
        let mut all = text.to_owned();
        let room = MOST.saturating_sub(taken);
        for body in ways::given(self.event, room, self.env, &self.own.ways) {
            if !all.is_empty() {
                all.push('\n');
            }
            all.push_str(&body);
        }
        all
    }
}
