//! Recording: a day of an office as the trace of a loop that writes at once.

use attend_core::attention::{
    Attention, Claim, ClaimId, Claiming, Granted, Input, Step, TraceLog, Waiting,
};
use attend_core::dynamics::{Tick, TickDelta};
use attend_core::mail::Letter;
use attend_core::sensor::HostState;

use super::desk::Office;
use super::label::Label;

/// A day as it was recorded, and what is known of it beside that.
#[derive(Clone, Debug)]
pub struct Recording {
    /// The trace, as a loop writes it.
    pub trace: Vec<u8>,
    /// What a user needs.
    pub labels: Vec<Label>,
    /// From when on the host was in which state.
    pub hosts: Vec<(Tick, HostState)>,
    /// When it began and ended.
    pub span: (Tick, Tick),
}

/// Lets the day of `office` happen until the second `end` of it: the trace that a loop would have
/// recorded there, and the labels.
///
/// # Panics
///
/// Where a sensor fails.
pub fn record(mut office: Office, end: u64) -> Recording {
    office.run(end);
    let end = office.tick();
    let start = office.inputs.first().map_or(end, |(at, _)| *at);
    let mut lines = Loop {
        engine: Attention::builder().build(),
        log: TraceLog::begin(start, Attention::builder().build().settings(), None),
        now: start,
        waiting: Vec::new(),
        claims: 0,
    };
    let host = |(at, input): &(Tick, Input)| match input {
        Input::Host(host) => Some((*at, *host)),
        _ => None,
    };
    let hosts = office.inputs.iter().filter_map(host).collect();
    let mut letters = office.letters.into_iter().peekable();
    for (at, input) in office.inputs {
        while let Some((came, letter)) = letters.next_if(|(came, _)| *came <= at) {
            lines.until(came);
            lines.waiting.push(letter);
            lines.look();
        }
        lines.until(at);
        lines.tell(input);
    }
    lines.until(end);
    // A host that goes on as it was marks the end of what was seen.
    lines.tell(Input::Host(office.state));
    Recording {
        trace: lines.log.take(),
        labels: office.labels,
        hosts,
        span: (start, end),
    }
}

/// The loop.
struct Loop {
    engine: Attention,
    log: TraceLog,
    now: Tick,
    waiting: Vec<Letter>,
    claims: u64,
}

impl Loop {
    fn tell(&mut self, input: Input) {
        self.log.input(self.now, &input);
        self.engine.input(self.now, input);
    }

    fn look(&mut self) {
        self.tell(Input::MailWaiting(Waiting::Few(self.waiting.clone())));
    }

    /// Does what the engine says until `end`.
    fn until(&mut self, end: Tick) {
        while self.now < end {
            let step = self.engine.step(self.now);
            self.log.step(self.now, &step);
            match step {
                Step::Wait { until } => {
                    let soonest = self.now.after(TickDelta::new(1));
                    self.now = until.map_or(end, |until| until.max(soonest).min(end));
                }
                Step::Write(batch) => {
                    self.log.ack(self.now, batch.id());
                    self.engine.ack(self.now, batch.id());
                    if let Some(mail) = batch.mail() {
                        self.waiting
                            .retain(|letter| !mail.printed.contains(&letter.seq));
                        self.look();
                    }
                }
                Step::Claim(Claiming::Print(print)) => {
                    self.claims += 1;
                    let granted = print.into_iter().map(|seq| Granted::new(seq, false));
                    let claim = Claim::new(ClaimId::new(self.claims), granted);
                    self.tell(Input::Claimed(claim));
                }
                other => panic!("nobody writes so much that this is needed: {other:?}"),
            }
        }
    }
}
