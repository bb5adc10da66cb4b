//! Where the session of a hook stands on the axis of tokens, as far as that is known just now.

use attend_core::dynamics::Tick;
use attend_core::sensor::{ContextUsage, HostAnswer, HostRequest};
use attend_core::ways::{FLOOR, Gate, Position, Stamp, Taken};
use attend_sensors::host::claude_code::ClaudeCode;

use super::event::Event;
use crate::env::Env;
use crate::session;

/// The window of which nobody knows anything, in tokens.
const WINDOW: u64 = 200_000;

/// Where a session, or a subagent of it, stands.
#[derive(Debug)]
pub(super) struct Standing {
    epoch: Option<String>,
    /// None where nobody counted yet.
    tokens: Option<u64>,
    window: u64,
}

impl Standing {
    /// Where the session of `event` stands, of whose compactions `taken` tells.
    pub(super) fn of(event: &Event, taken: &Taken, env: &Env) -> Self {
        if let Some(id) = &event.subagent {
            return Self {
                epoch: Some(id.clone()),
                tokens: None,
                window: WINDOW,
            };
        }
        let usage = usage(&host(event, env));
        let window = usage.as_ref().map_or(WINDOW, |usage| usage.window);
        let (epoch, tokens) = usage.map_or((None, None), |usage| (usage.epoch, usage.tokens));
        if event.happening.is_compaction() && tokens.is_some() {
            // The transcript does not tell of the compaction yet: that count is from before it.
            let nth = taken.compactions();
            return Self {
                epoch: Some(format!("{} after {nth} compactions", event.session)),
                tokens: Some(0),
                window,
            };
        }
        Self {
            epoch,
            tokens,
            window,
        }
    }

    /// How many tokens fit.
    pub(super) fn window(&self) -> u64 {
        self.window
    }

    /// The gate of a way of which `stamp` is remembered.
    ///
    /// Where nobody counted, nothing was put before the model yet; or it was, and how much is not
    /// known. Then what was shown is as fresh as it was: it is shown once.
    pub(super) fn gate(&self, stamp: Option<&Stamp>) -> Gate {
        let at = |tokens| Position::new(self.epoch.clone(), tokens);
        let last = stamp.and_then(|stamp| stamp.engagement.last_fire());
        let last = last.map_or(0, Tick::get);
        let position = self.tokens.map_or_else(|| at(last), at);
        let continues = stamp.is_some_and(|stamp| position.continues(stamp));
        let position = match self.tokens {
            None if !continues => at(0),
            _ => position,
        };
        Gate::new(position, FLOOR)
    }
}

/// The epoch of the session and the share of its window that is used, as far as the end of the
/// transcript tells them.
pub(super) fn share(event: &Event, env: &Env) -> Option<(Option<String>, f64)> {
    let usage = usage(&host(event, env).at_a_glance())?;
    let share = usage.tokens? as f64 / usage.window.max(1) as f64;
    Some((usage.epoch, share))
}

/// The host, for the session of `event`, whose transcript lies where the event says.
fn host(event: &Event, env: &Env) -> ClaudeCode {
    let named = event.transcript.as_deref();
    let folder = named.and_then(|path| path.parent()?.file_name()?.to_str());
    session::host_in(folder, &event.session, env)
}

fn usage(host: &ClaudeCode) -> Option<ContextUsage> {
    match host.answer(&HostRequest::Context) {
        Ok(HostAnswer::Context(usage)) => Some(usage),
        _ => None,
    }
}
