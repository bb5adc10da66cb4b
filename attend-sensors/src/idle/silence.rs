//! How long nobody spoke, and what was told of it.

use attend_core::dynamics::Tick;
use attend_core::sensor::{Cause, HostState, Turns};
use serde::{Deserialize, Serialize};

use super::config::Level;

/// Times that differ by no more than this are one: after a restart they may be placed anew.
const BLUR: u64 = 2;

/// One span in which nobody spoke, as it was at the last look.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(super) struct Silence {
    /// When somebody spoke last: what names the span.
    spoke: Option<Tick>,
    /// Since when the host waits; none while it works, and before it was seen to wait.
    since: Option<Tick>,
    /// How many levels were told, or passed over by a higher one.
    told: usize,
    /// Whether what was told holds still.
    holds: bool,
}

/// What a look makes of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Verdict {
    /// Nothing is new.
    Same,
    /// What was told holds no longer.
    Over,
    /// This level is reached, after so many seconds, if work is open.
    Reached(usize, u64),
}

impl Silence {
    /// The silence at `now`, and what is to be done about it.
    pub(super) fn look(
        &self,
        state: HostState,
        turns: Option<&Turns>,
        levels: &[Level],
        now: Tick,
    ) -> (Self, Verdict) {
        let mut next = self.clone();
        next.spoke = turns.and_then(spoke).or(self.spoke);
        if is_later(self.spoke, next.spoke) {
            next.told = 0;
        }
        match state {
            HostState::Idle { since } => {
                // What was held of before was about another silence.
                next.holds &= !is_later(self.since, Some(since));
                if turns.is_none() && is_later(self.since, Some(since)) {
                    next.told = 0;
                }
                next.since = Some(since);
            }
            HostState::Busy | HostState::Unprompted => {
                next.holds = false;
                if turns.is_none() {
                    next.told = 0;
                }
                next.since = None;
            }
            // Unknown is not spoken.
            _ => return (next, Verdict::Same),
        }
        let over = self.holds && !next.holds;
        let quiet = next.since.map_or(0, |since| now.since(since).get());
        let reached = levels.iter().take_while(|level| level.seconds() <= quiet);
        let reached = reached.count();
        let verdict = match reached.checked_sub(1) {
            _ if over => Verdict::Over,
            Some(level) if reached > next.told => Verdict::Reached(level, quiet),
            _ => Verdict::Same,
        };
        (next, verdict)
    }

    /// The level was told.
    pub(super) fn tell(&mut self, level: usize) {
        self.told = level + 1;
        self.holds = true;
    }

    /// Whether something that was told holds still.
    pub(super) fn holds(&self) -> bool {
        self.holds
    }

    /// What was told holds no longer.
    pub(super) fn end(&mut self) {
        self.holds = false;
    }
}

/// When somebody spoke last. What attend itself printed is nobody's words: a line about silence
/// that wakes the host must not begin another.
fn spoke(turns: &Turns) -> Option<Tick> {
    let mut turns = turns.began.iter().rev();
    turns
        .find(|turn| turn.cause != Cause::Notice)
        .map(|turn| turn.at)
}

/// Whether `now` is another time than `before`, and a later one.
fn is_later(before: Option<Tick>, now: Option<Tick>) -> bool {
    let passed = before.zip(now).map(|(before, now)| now.since(before).get());
    passed.is_some_and(|passed| passed > BLUR)
}
