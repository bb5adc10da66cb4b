//! The gates: whether a sensor may interrupt now, and if not, why and until when.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::dynamics::{Governor, Tick, TickDelta};
use crate::sensor::HostState;

use super::held::{Held, Reach, Terms};
use super::line::Priority;
use super::mute::Mutes;
use super::settings::Settings;

/// What the gates know beside the sensor itself: see [`Attention::gates`].
///
/// [`Attention::gates`]: super::Attention::gates
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct GateState<'a> {
    /// What the host is doing.
    pub host: HostState,
    /// The rate limit over event notifications.
    pub governor: &'a EventGovernor,
    /// What is held back because somebody asked for quiet.
    pub mutes: &'a Mutes,
    /// The engine's settings.
    pub settings: &'a Settings,
}

impl<'a> GateState<'a> {
    /// What the outlook of a sensor is computed from.
    pub(super) fn terms(&self) -> Terms<'a> {
        Terms {
            settings: self.settings,
            mutes: self.mutes,
            is_busy: !self.host.is_idle(),
        }
    }
}

/// The answer of all gates together.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub enum Verdict {
    /// It may interrupt now.
    Admit,
    /// It may not.
    Hold {
        /// The first tick at which it may, if nothing changes but the time and nothing else is
        /// shown before; none where only new input can help.
        until: Option<Tick>,
        /// The gate that holds it, and why.
        reason: Reason,
    },
}

/// Which gate holds a sensor back, and why.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", tag = "gate")]
#[non_exhaustive]
pub enum Reason {
    /// It holds nothing.
    Empty,
    /// All that it holds waits for a condition of its own to end.
    Inhibited,
    /// Somebody asked for quiet from all that it holds.
    Mute,
    /// What it holds adds up to less than its threshold.
    Threshold,
    /// It is a footnote: it rides with the next batch, or leaves alone once it waited long.
    Priority,
    /// It was shown lately.
    Refractory {
        /// How many times its threshold the sum must reach now; none within the absolute
        /// refractory, where no sum helps.
        multiplier: Option<f64>,
    },
    /// The host is idle, and this is not worth a turn.
    Host,
    /// A tick is left to other looks of the same moment.
    Gather,
    /// The last notification is too recent.
    Cooldown,
    /// Enough was shown in this window.
    Window,
    /// It is being written.
    Flight,
}

/// Decides over one sensor at `now`, as an [`Attention`] holds it; under other circumstances than
/// the present ones, too, where `state` says so.
///
/// The order of the gates:
///
/// | gate | holds | until |
/// |---|---|---|
/// | coalesce | nothing: a later event takes the place of an earlier one with its key | |
/// | age | nothing: what stayed below the threshold for too long is dropped | |
/// | mute | sensors and signals from which somebody asked for quiet | the mute ends |
/// | threshold | sums below the sensor's threshold; events that a condition inhibits | new input |
/// | priority | footnotes: neither an event of 3 nor a sum of 6 | 600 busy ticks, then alone |
/// | refractory | sums below threshold times the current multiplier | the multiplier fell |
/// | gather | what became ready this very tick | the next tick |
/// | host | on an idle host all but high, critical and mail; later all but critical and mail | new input |
/// | governor | a fourth in 120 ticks, or less than 20 after the last | both have passed |
///
/// What passes up to the refractory may ride in a batch that leaves anyway; what passes all of
/// it may wake. A critical event is never a footnote, passes the refractory, the host and the
/// cooldown, and has one slot of its own, beside those that all share; mutes, conditions that
/// inhibit it, the threshold, gather and the window hold it like any other. A footnote that leaves
/// alone passes host and governor like anything else.
///
/// ```
/// use attend_core::attention::{Attention, Input, Reason, SensorProfile, Verdict, verdict};
/// use attend_core::dynamics::Tick;
/// use attend_core::sensor::{Event, HostState, Report, SensorName};
///
/// let (name, now) = (SensorName::new("git")?, Tick::new(10));
/// let mut attention = Attention::builder().build();
/// attention.input(now, Input::Sensors(vec![SensorProfile::new(name.clone())]));
/// let mut report = Report::new();
/// report.event(Event::new(3.0, "branch changed: main → feat/x"))?;
/// attention.input(now, Input::Report(name, report));
///
/// // It may leave with the next tick; were the host idle, it might not.
/// let mut gates = attention.gates();
/// assert_eq!(verdict(&attention.sensors()[0], &gates, Tick::new(11)), Verdict::Admit);
/// gates.host = HostState::Idle { since: now };
/// let hold = Verdict::Hold { until: None, reason: Reason::Host };
/// assert_eq!(verdict(&attention.sensors()[0], &gates, Tick::new(11)), hold);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// [`Attention`]: super::Attention
pub fn verdict(held: &Held, state: &GateState<'_>, now: Tick) -> Verdict {
    let mut answer = while_mutes_last(held, state, now);
    if !held.outlook.muted {
        return answer;
    }
    // What holds when the next mute ends is computed as it will be then.
    let (mut later, mut at) = (held.clone(), now);
    while let (Verdict::Hold { until, reason }, Some(end)) = (answer, state.mutes.next_end(at)) {
        if until.is_some_and(|until| until < end) {
            break;
        }
        let aged = later.aged(end);
        later.drop_aged(&aged);
        later.refresh(end, state.terms());
        let until = match while_mutes_last(&later, state, end) {
            Verdict::Admit => Some(end),
            Verdict::Hold { until, .. } => until,
        };
        answer = Verdict::Hold { until, reason };
        at = end;
        if until == Some(end) {
            break;
        }
    }
    answer
}

/// The verdict, were the mutes of `now` to last.
fn while_mutes_last(held: &Held, state: &GateState<'_>, now: Tick) -> Verdict {
    if held.is_in_flight() {
        return Verdict::Hold {
            until: None,
            reason: Reason::Flight,
        };
    }
    let (ripe_at, own) = own_gates(held, state, now);
    let Some(ripe_at) = ripe_at else {
        return Verdict::Hold {
            until: None,
            reason: own,
        };
    };
    let critical = held.outlook.critical;
    let governed = state.governor.ready_at(critical).unwrap_or(ripe_at);
    let at = ripe_at.max(governed).max(now);
    let closes = host_closes(state, held.outlook.priority, critical);
    let until = Some(at).filter(|at| closes.is_none_or(|closes| *at < closes));
    let reason = if now < ripe_at && own != Reason::Gather {
        own
    } else if until.is_none() {
        Reason::Host
    } else if at > now.max(ripe_at) {
        state.governor.reason(now)
    } else if at > now {
        own
    } else {
        return Verdict::Admit;
    };
    Verdict::Hold { until, reason }
}

/// From when on a sensor's own gates let it wake, and what holds it until then.
fn own_gates(held: &Held, state: &GateState<'_>, now: Tick) -> (Option<Tick>, Reason) {
    let gathered = |at: Tick| at.after(TickDelta::new(1));
    let (at, reason) = match held.reach() {
        Reach::Silent => (None, silent(held)),
        Reach::Footnote => (
            held.footnote.due(state.settings.footnote_alone),
            Reason::Priority,
        ),
        Reach::Wake if held.is_ready(now) => (held.outlook.ready_at.map(gathered), Reason::Gather),
        Reach::Wake => {
            let multiplier = Some(held.engagement().multiplier(now)).filter(|m| m.is_finite());
            (
                held.outlook.ready_at.map(gathered),
                Reason::Refractory { multiplier },
            )
        }
    };
    // What waits for room passed all of them before.
    match held.outlook.waited_since.map(gathered) {
        Some(waited) if at.is_none_or(|at| waited < at) => (Some(waited), Reason::Gather),
        _ => (at, reason),
    }
}

/// Why a sensor that does not reach its threshold is silent.
fn silent(held: &Held) -> Reason {
    if held.entries().is_empty() {
        Reason::Empty
    } else if held.counted().next().is_some() {
        Reason::Threshold
    } else if held.outlook.muted {
        Reason::Mute
    } else {
        Reason::Inhibited
    }
}

/// From when on the host gate is shut for something of this priority; none where it is open.
fn host_closes(state: &GateState<'_>, priority: Priority, critical: bool) -> Option<Tick> {
    match state.host {
        HostState::Unprompted if !critical => Some(Tick::new(0)),
        HostState::Idle { since } if !critical => {
            let grace = if priority == Priority::High {
                state.settings.idle_deep
            } else {
                TickDelta::ZERO
            };
            Some(since.after(grace))
        }
        _ => None,
    }
}

/// The rate limit over notifications that events cause, with one slot that only critical events
/// have.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct EventGovernor {
    normal: Governor,
    critical: Governor,
}

impl EventGovernor {
    /// A governor that admitted nothing yet.
    pub fn new(settings: &Settings) -> Self {
        Self {
            normal: Governor::new(settings.governor),
            critical: Governor::new(settings.critical),
        }
    }

    /// The governor that all events share.
    pub fn shared(&self) -> &Governor {
        &self.normal
    }

    /// The first tick at which another notification is admitted; none where that is so now.
    ///
    /// A critical one does not wait for the cooldown, and takes its own slot where it is free.
    pub fn ready_at(&self, critical: bool) -> Option<Tick> {
        if critical {
            self.critical
                .ready_at()
                .and_then(|own| self.normal.slot_at().map(|slot| slot.min(own)))
        } else {
            self.normal.ready_at()
        }
    }

    /// Records a notification at `now`. A critical one takes its own slot where that is free.
    pub fn record(&mut self, now: Tick, critical: bool) {
        if critical && self.critical.admits(now) {
            self.critical.record(now);
            self.normal.cool(now);
        } else {
            self.normal.record(now);
        }
    }

    pub(super) fn set_limits(&mut self, settings: &Settings) {
        self.normal.set_limits(settings.governor);
        self.critical.set_limits(settings.critical);
    }

    pub(super) fn settle_future(&mut self, now: Tick) {
        self.normal.settle_future(now);
        self.critical.settle_future(now);
    }

    fn reason(&self, now: Tick) -> Reason {
        if self.normal.slot_at().is_some_and(|slot| slot > now) {
            Reason::Window
        } else {
            Reason::Cooldown
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("holds nothing"),
            Self::Inhibited => f.write_str("waits for a condition of its own to end"),
            Self::Mute => f.write_str("somebody asked for quiet from it"),
            Self::Threshold => f.write_str("adds up to less than the threshold"),
            Self::Priority => f.write_str(
                "a footnote; it rides with the next batch, or leaves alone after ten busy minutes",
            ),
            Self::Refractory {
                multiplier: Some(times),
            } => {
                write!(
                    f,
                    "shown lately; the sum must reach {times:.2} times the threshold"
                )
            }
            Self::Refractory { multiplier: None } => {
                f.write_str("shown just now; nothing leaves yet")
            }
            Self::Host => f.write_str("the host is idle, and this is not worth a turn"),
            Self::Gather => f.write_str("ready; looks of the same moment share a notification"),
            Self::Cooldown => f.write_str("the last notification is too recent"),
            Self::Window => f.write_str("enough was shown in this window"),
            Self::Flight => f.write_str("is being written"),
        }
    }
}
