//! The two lanes and the line budget, as `attend status` tells of them.

use std::fmt::Write as _;
use std::time::Duration;

use attend_core::attention::Attention;
use attend_core::dynamics::Tick;
use attend_core::runtime::BudgetLeft;
use attend_core::sensor::HostState;
use serde::Serialize;

use crate::span;

/// What each lane lets through now.
#[derive(Serialize, Debug)]
pub(super) struct Lanes {
    events: Events,
    messages: Messages,
}

#[derive(Serialize, Debug)]
struct Events {
    /// What the host does: `busy`, `idle`, `unprompted`, or `unknown`.
    host: &'static str,
    /// How many events are held.
    held: usize,
    /// How many notifications the window of `window` seconds holds, and at most.
    taken: usize,
    most: u32,
    window: u64,
}

#[derive(Serialize, Debug)]
struct Messages {
    /// Seconds until mail may be written; 0 where it may now.
    ready_in: u64,
}

impl Lanes {
    /// Those of `attention` at `now`.
    pub(super) fn of(attention: &Attention, now: Tick) -> Self {
        let governor = attention.governor().shared();
        let limits = governor.limits();
        let held = attention.sensors().iter();
        let mail = attention.mail_governor().ready_at();
        Self {
            events: Events {
                host: host(attention.host()),
                held: held.map(|held| held.entries().len()).sum(),
                taken: governor.taken_at(now),
                most: limits.max_per_window.get(),
                window: limits.window.get(),
            },
            messages: Messages {
                ready_in: mail.map_or(0, |at| at.since(now).get()),
            },
        }
    }

    /// Writes a line for each; events may leave in `ready_in` seconds.
    pub(super) fn write(&self, text: &mut String, ready_in: u64) {
        let Events {
            host,
            held,
            taken,
            most,
            window,
        } = self.events;
        let host = match host {
            "unknown" => "what the host does is not known",
            "unprompted" => "the host waits for its first prompt",
            "idle" => "the host is idle",
            _ => "the host is busy",
        };
        let _ = writeln!(
            text,
            "events: {held} held; {taken} of {most} notifications within {}, the next one {}; {host}",
            span(window),
            leaves(ready_in)
        );
        let _ = writeln!(
            text,
            "messages: the next one {}",
            leaves(self.messages.ready_in)
        );
    }
}

fn host(state: HostState) -> &'static str {
    match state {
        HostState::Busy => "busy",
        HostState::Idle { .. } => "idle",
        HostState::Unprompted => "unprompted",
        _ => "unknown",
    }
}

fn leaves(seconds: u64) -> String {
    match seconds {
        0 => "may leave now".to_owned(),
        seconds => format!("may leave in {}", span(seconds)),
    }
}

/// What is left of the line budget.
#[derive(Serialize, Debug)]
pub(super) struct Budget {
    /// So many writes may follow each other at once, and at most.
    writes: u64,
    most: u64,
    /// Seconds until it is full, where nothing is written.
    full_in: u64,
}

impl Budget {
    /// What was `left` so many seconds ago, as of now.
    pub(super) fn of(left: BudgetLeft, age: u64) -> Self {
        let passed = Duration::from_secs(age);
        Self {
            writes: left.writes_after(passed),
            most: BudgetLeft::MOST,
            full_in: left.full_after(passed).as_secs(),
        }
    }

    /// Writes a line.
    pub(super) fn write(&self, text: &mut String) {
        let Self {
            writes,
            most,
            full_in,
        } = self;
        let full = match full_in {
            0 => String::new(),
            seconds => format!(", full in {}", span(*seconds)),
        };
        let _ = writeln!(text, "line budget: {writes} of {most} writes at once{full}");
    }
}
