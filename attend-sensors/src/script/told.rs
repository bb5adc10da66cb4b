//! What a script said, told to whoever looks.

use std::collections::VecDeque;

use attend_core::sensor::{Exit, PollContext, SensorError};

use super::alike::Alike;
use super::line::{event, lines, quoted};

/// How many lines of one look count, and how many bytes of them.
pub(super) const MOST_LINES: usize = 200;
pub(super) const MOST_BYTES: usize = 64 << 10;

/// How many bad lines of one look are told one by one.
const MOST_BAD: usize = 5;

/// How many lines of its errors are remembered.
const MOST_ERRORS: usize = 20;

/// Reports each of `said`, and warns of what does not count. `dropped` lines more were not kept.
/// Of what is `alike` look after look only that is told.
pub(super) fn report<'a>(
    cx: &mut PollContext,
    said: impl IntoIterator<Item = &'a [u8]>,
    mut dropped: u64,
    alike: &mut Alike,
) {
    let mut bad: usize = 0;
    let mut events = Vec::new();
    for (place, line) in said.into_iter().enumerate() {
        if place >= MOST_LINES {
            dropped += 1;
            continue;
        }
        match event(line) {
            Ok(Some(event)) => events.push(event),
            Ok(None) => {}
            Err(why) => {
                bad += 1;
                if bad <= MOST_BAD {
                    cx.warn(SensorError::transient(why));
                }
            }
        }
    }
    let (events, over) = alike.fold(events);
    for key in over {
        cx.clear(key);
    }
    for event in events {
        cx.report(event);
    }
    if bad > MOST_BAD {
        cx.warn(SensorError::transient(format!(
            "more than {MOST_BAD} lines of one look do not count; the first are told"
        )));
        cx.detail(format!("{bad} lines of the last look do not count"));
    }
    if dropped > 0 {
        cx.warn(SensorError::transient(format!(
            "it wrote more than the {MOST_LINES} lines ({} KiB) that count in one look; the rest was dropped",
            MOST_BYTES >> 10
        )));
        cx.detail(format!("{dropped} lines of the last look were dropped"));
    }
}

/// The last lines of a script's errors.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Errors(VecDeque<String>);

impl Errors {
    /// Adds those of a look.
    pub(super) fn add(&mut self, stderr: &[u8]) {
        self.0.extend(lines(stderr));
        let over = self.0.len().saturating_sub(MOST_ERRORS);
        self.0.drain(..over);
    }

    /// These are all.
    pub(super) fn set(&mut self, stderr: &[u8]) {
        self.0.clear();
        self.add(stderr);
    }

    /// Tells them to whoever asks how the sensor fares.
    pub(super) fn tell(&self, cx: &mut PollContext) {
        for line in &self.0 {
            cx.detail(format!("stderr: {line}"));
        }
    }
}

/// How a script ended, with the last of `stderr`.
pub(super) fn ended(exit: Exit, stderr: &[u8]) -> String {
    let how = match exit {
        Exit::Code(code) => format!("ended with exit code {code}"),
        Exit::Signal(signal) => format!("was ended by signal {signal}"),
        _ => "ended".to_owned(),
    };
    match lines(stderr).last() {
        Some(last) => format!("{how}: {}", quoted(last)),
        None => how,
    }
}
