//! Labelled days: what happens in an office, what a user needs to be told of it, and what nobody needs to be interrupted for.
//!
//! Each is a script that plays the same wherever it is run: the built-in sensors look at it in
//! virtual time, and [`Day::record`] gives the trace that `attend run --record` would have
//! written. Labels stand beside what happens, and are about the world: no label asks what a
//! sensor or the engine makes of it.

use crate::office::{Office, Recording, at, record};

mod quiet_solo;

mod refactoring;

mod eight_agents;

mod night;

mod build_heavy;

mod flapping_peer;

mod runaway_script;

mod context_crisis;

/// One day.
#[derive(Clone, Copy, Debug)]
pub struct Day {
    /// Its name.
    pub name: &'static str,
    /// When it begins and ends; an end before the beginning is one of the next day.
    span: (&'static str, &'static str),
    /// Says what happens.
    script: fn(&mut Office),
}

/// Where the numbers of the days begin.
const SEED: u64 = 0x00da_1e57;

/// All days.
pub const DAYS: [Day; 8] = [
    Day::new("quiet-solo", ("09:00", "17:00"), quiet_solo::script),
    Day::new("refactoring", ("09:00", "13:00"), refactoring::script),
    Day::new("eight-agents", ("09:00", "15:00"), eight_agents::script),
    Day::new("night", ("21:00", "31:00"), night::script),
    Day::new("build-heavy", ("09:00", "15:00"), build_heavy::script),
    Day::new("flapping-peer", ("09:00", "13:00"), flapping_peer::script),
    Day::new("runaway-script", ("09:00", "13:00"), runaway_script::script),
    Day::new("context-crisis", ("09:00", "15:00"), context_crisis::script),
];

impl Day {
    const fn new(
        name: &'static str,
        span: (&'static str, &'static str),
        script: fn(&mut Office),
    ) -> Self {
        Self { name, span, script }
    }

    /// Lets it happen: the trace of a loop that was there, and its labels.
    ///
    /// # Panics
    ///
    /// Where a sensor fails.
    pub fn record(&self) -> Recording {
        let (begin, end) = self.span;
        let mut office = Office::new(at(begin), SEED);
        (self.script)(&mut office);
        record(office, at(end))
    }
}

/// Times between `from` and `to`, `least` to `most` seconds apart.
fn now_and_then(office: &mut Office, from: &str, to: &str, least: u64, most: u64) -> Vec<u64> {
    let (mut now, end) = (at(from), at(to));
    let mut times = Vec::new();
    while now < end {
        times.push(now);
        now += least + office.dice.below(most - least + 1);
    }
    times
}

/// The agent works from `from` to `to`: turns of some minutes with pauses, files that it edits,
/// and a commit now and then.
fn works(office: &mut Office, from: &str, to: &str, tokens: u64) {
    for (number, start) in now_and_then(office, from, to, 420, 900)
        .into_iter()
        .enumerate()
    {
        let seconds = 200 + office.dice.below(200);
        let file = office.dice.below(40);
        office.then(start, move |office| {
            office.turn(seconds, tokens);
            office.later(seconds / 3, move |office| {
                office.edit(&format!("src/{file:02}.rs"));
            });
            if number % 4 == 3 {
                office.later(seconds - 20, move |office| office.commit("a step"));
            }
        });
    }
}

/// The agent goes on without a pause.
fn is_busy(office: &mut Office, from: &str, to: &str, tokens_a_minute: u64) {
    let (from, to) = (at(from), at(to));
    let minutes = (to - from) / 60;
    office.then(from, move |office| {
        office.turn(to - from, minutes * tokens_a_minute);
    });
}

/// What nobody ever needs to be interrupted for.
fn usual_noise(office: &mut Office) {
    for text in [
        "starts working",
        "waits for an answer",
        " started",
        "tree clean again",
    ] {
        office.noise(text);
    }
}
