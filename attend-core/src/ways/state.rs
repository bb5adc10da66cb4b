//! State: what is remembered of each way in a session, and what is logged.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::gate::{Gate, Position, Stamp};
use super::id::WayId;
use super::way::Way;
use crate::dynamics::{Curve, Outcome, Tick};
use crate::sensor::Signal;

/// What a session remembers of its ways, as long as somebody holds it: nobody else writes it
/// meanwhile.
pub trait Ledger {
    /// Why something could not be read or written.
    type Error: fmt::Display;

    /// What was kept of `way` last; none where that was nothing. It must not change anything.
    ///
    /// # Errors
    ///
    /// It could not be read.
    fn kept(&self, way: &WayId) -> Result<Option<Vec<u8>>, Self::Error>;

    /// Keeps `bytes` of `way`, whole or not at all. It must not touch what is kept of other ways.
    ///
    /// # Errors
    ///
    /// They could not be written.
    fn keep(&mut self, way: &WayId, bytes: &[u8]) -> Result<(), Self::Error>;

    /// Adds a line, which has no end yet, to the log. It must not let the log grow without bound,
    /// or mix the line with one of somebody else.
    ///
    /// # Errors
    ///
    /// It could not be written.
    fn log(&mut self, line: &str) -> Result<(), Self::Error>;
}

/// What becomes of a way that somebody asked for, among the `N`th of those given.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum Fired {
    /// This one is shown whole; it is remembered.
    Whole(usize),
    /// All of them are too fresh: what the gate says of each.
    Suppressed(Vec<Outcome>),
}

/// One showing, as it is logged. Nothing of what the session is about is in it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Fire {
    /// `way_fired`, or `way_redisclosed` where it had been shown in this epoch before.
    pub event: String,
    /// When, in seconds since 1970.
    pub at: u64,
    /// The id of the way.
    pub way: String,
    /// The epoch, where it is known.
    pub epoch: Option<String>,
    /// Tokens put before the model.
    pub tokens: Tick,
    /// Tokens since it was shown before (on a staircase: since its first step).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub distance: Option<u64>,
    /// How often it was shown in this session, this time included.
    pub fires: u64,
    /// The signals whose guidance it is.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub signals: Vec<Signal>,
}

/// What is remembered of `way`. What cannot be understood counts as nothing: it is shown again.
///
/// # Errors
///
/// It could not be read.
pub fn stamp<L: Ledger>(ledger: &L, way: &WayId) -> Result<Option<Stamp>, L::Error> {
    let bytes = ledger.kept(way)?;
    Ok(bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok()))
}

/// Shows the first of `ways` that the gate admits, and remembers that as of `at`, in seconds
/// since 1970.
///
/// # Errors
///
/// What a session remembers could not be read or written; then nothing is shown.
pub fn try_fire<L: Ledger>(
    ledger: &mut L,
    gate: &Gate,
    ways: &[(&Way, Curve)],
    at: u64,
) -> Result<Fired, L::Error> {
    let mut outcomes = Vec::new();
    for (n, (way, curve)) in ways.iter().enumerate() {
        let before = stamp(ledger, &way.id)?;
        let outcome = gate.outcome(before.as_ref(), curve);
        let distance = match outcome {
            Outcome::FirstFire => None,
            Outcome::ReFire { distance } => Some(distance.get()),
            suppressed => {
                outcomes.push(suppressed);
                continue;
            }
        };
        let after = gate.fire(before.as_ref(), curve);
        let event = if distance.is_some() {
            "way_redisclosed"
        } else {
            "way_fired"
        };
        let fire = Fire {
            event: event.to_owned(),
            at,
            way: way.id.to_string(),
            epoch: after.epoch.clone(),
            tokens: gate.position().tokens,
            distance,
            fires: after.fires,
            signals: way.trigger.signals().to_vec(),
        };
        ledger.keep(&way.id, &json(&after))?;
        ledger.log(&String::from_utf8_lossy(&json(&fire)))?;
        return Ok(Fired::Whole(n));
    }
    Ok(Fired::Suppressed(outcomes))
}

/// The showings of `way` in the epoch of `position`, of a log; what cannot be understood is
/// passed over.
pub fn fires(log: &str, way: &WayId, position: &Position) -> Vec<Tick> {
    let all = log
        .lines()
        .filter_map(|line| serde_json::from_str::<Fire>(line).ok());
    let mut ticks: Vec<Tick> = Vec::new();
    for fire in all.filter(|fire| fire.way == way.as_str()) {
        let other =
            matches!((&fire.epoch, &position.epoch), (Some(its), Some(mine)) if its != mine);
        if other {
            continue;
        }
        if ticks.last().is_some_and(|last| fire.tokens < *last) {
            ticks.clear();
        }
        ticks.push(fire.tokens);
    }
    if ticks.last().is_some_and(|last| position.tokens < *last) {
        ticks.clear();
    }
    ticks
}

/// Plain data is always JSON.
fn json(what: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(what).unwrap_or_default()
}
