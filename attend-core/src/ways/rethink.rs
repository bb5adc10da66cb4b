//! Rethink: where every way of a session stands on the axis of tokens.

use super::gate::{Gate, Stamp};
use super::id::WayId;
use super::way::Way;
use crate::dynamics::{Curve, EngagementState, Outcome, Tick};

/// Where one way stands.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Standing {
    /// The way.
    pub way: WayId,
    /// How it fades, in tokens.
    pub curve: Curve,
    /// How often it was shown in this session, over all epochs.
    pub count: u64,
    /// When it was shown in this epoch, as far as that is known, oldest first.
    pub fires: Vec<Tick>,
    /// What is left of its last showing: 0 to 1.
    pub salience: f64,
    /// What the gate says of it now.
    pub outcome: Outcome,
    /// From when on it is shown whole again: now, where it already is; none where never.
    pub eligible: Option<Tick>,
}

/// Where `way` stands at `gate`, on `curve`: `stamp` is what is remembered of it, `fires` what
/// the log tells of this epoch.
pub fn rethink(
    gate: &Gate,
    way: &Way,
    curve: Curve,
    stamp: Option<&Stamp>,
    mut fires: Vec<Tick>,
) -> Standing {
    let outcome = gate.outcome(stamp, &curve);
    let current = stamp.filter(|stamp| gate.position().continues(stamp));
    match current.and_then(|stamp| stamp.engagement.last_fire()) {
        // The log may lack what was written last.
        Some(last) if fires.last() != Some(&last) => fires.push(last),
        Some(_) => {}
        None => fires.clear(),
    }
    Standing {
        way: way.id.clone(),
        count: stamp.map_or(0, |stamp| stamp.fires),
        salience: gate.salience(stamp, &curve),
        eligible: match outcome {
            Outcome::Suppressed { until } => until,
            _ => Some(gate.position().tokens),
        },
        curve,
        fires,
        outcome,
    }
}

impl Standing {
    /// What was, or will be, left of it at `at`, if it is not shown any more.
    pub fn salience_at(&self, at: Tick) -> f64 {
        let mut engagement = EngagementState::new(self.curve.clone());
        for fire in self.fires.iter().take_while(|fire| **fire <= at) {
            engagement.record_fire(*fire);
        }
        engagement.salience(at)
    }
}
