//! A wait that counts only while the host is not idle.

use serde::{Deserialize, Serialize};

use crate::dynamics::{Tick, TickDelta};

/// Ticks that passed while something waited and the host was busy or unknown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(in crate::attention) struct BusyWait {
    /// Ticks of finished spans.
    #[serde(default)]
    counted: u64,
    /// When the running span began; none while the host is idle or nothing waits.
    #[serde(default)]
    since: Option<Tick>,
}

impl BusyWait {
    /// Goes on waiting at `now`; the clock runs only while the host `is_busy`.
    pub(in crate::attention) fn run(&mut self, now: Tick, is_busy: bool) {
        match (self.since, is_busy) {
            (None, true) => self.since = Some(now),
            (Some(since), false) => {
                self.counted += now.since(since).get();
                self.since = None;
            }
            _ => {}
        }
    }

    /// Nothing waits any more.
    pub(in crate::attention) fn reset(&mut self) {
        *self = Self::default();
    }

    /// When `span` ticks will have counted, if the clock keeps running; none while it stands.
    pub(in crate::attention) fn due(&self, span: TickDelta) -> Option<Tick> {
        let rest = TickDelta::new(span.get().saturating_sub(self.counted));
        self.since.map(|since| since.after(rest))
    }

    /// Sets a tick that lies after `now` to `now`.
    pub(in crate::attention) fn settle_future(&mut self, now: Tick) {
        self.since = self.since.map(|since| since.min(now));
    }
}
