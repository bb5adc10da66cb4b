//! Laws of engagement: both gates, over any history.
#![expect(
    clippy::float_cmp,
    reason = "the same formula must give the same number"
)]

use attend_core::dynamics::{Admission, EngagementState, Outcome, Restraint, Tick, TickDelta};
use proptest::prelude::*;

use crate::{action_potential, any_curve, before, curve_of, fired, gap, plain_curve, share, ticks};

/// How many fires the state keeps, as it is stored.
fn kept(state: &EngagementState) -> usize {
    let stored = serde_json::to_value(state).expect("it can be stored");
    stored["history"].as_array().expect("a list").len()
}

proptest! {
    #[test]
    fn a_refusal_of_the_inward_gate_is_exact(
        curve in any_curve(), fires in ticks(8), wait in gap(), later in gap(),
        sum in 0..20_000_u64, threshold in 0..5_000_u64,
    ) {
        let state = fired(&curve, &fires);
        let now = fires.last().map_or(Tick::new(wait), |last| last.after(TickDelta::new(wait)));
        match state.may_fire(now, sum, threshold) {
            Admission::Admit => {
                prop_assert!(state.admits(now, sum, threshold));
                prop_assert!(state.admits(now.after(TickDelta::new(later)), sum, threshold));
            }
            Admission::Hold { until: None, reason } => {
                prop_assert_eq!(reason, Restraint::BelowThreshold);
                prop_assert!(sum < threshold);
                prop_assert!(!state.admits(Tick::new(u64::MAX), sum, threshold));
            }
            Admission::Hold { until: Some(until), reason } => {
                prop_assert!(until > now && !state.admits(now, sum, threshold));
                prop_assert!(!state.admits(before(until), sum, threshold));
                prop_assert!(state.admits(until, sum, threshold));
                prop_assert!(state.admits(until.after(TickDelta::new(later)), sum, threshold));
                match reason {
                    Restraint::AbsoluteRefractory => prop_assert!(state.is_absolute(now)),
                    Restraint::RelativeRefractory { multiplier } => {
                        prop_assert!(!state.is_absolute(now));
                        prop_assert_eq!(multiplier, state.multiplier(now));
                    }
                    other => prop_assert!(false, "{other:?} has an end"),
                }
            }
            other => prop_assert!(false, "{other:?} is no answer"),
        }
    }

    #[test]
    fn nothing_fires_within_the_absolute_refractory(
        shape in action_potential(), looks in ticks(60), sums in prop::collection::vec(0..50_000_u64, 60),
    ) {
        let curve = curve_of(shape);
        let mut state = EngagementState::new(curve.clone());
        let mut all: Vec<Tick> = Vec::new();
        for (now, sum) in looks.into_iter().zip(sums) {
            // What the last few fires say is what all of them say.
            let live = all.iter().filter(|fire| curve.is_live(now.since(**fire))).count();
            let expected = all.last().map_or(1.0, |last| curve.multiplier(now.since(*last), live));
            prop_assert_eq!(state.multiplier(now), expected);
            if state.may_fire(now, sum, 2_000) == Admission::Admit {
                prop_assert!(all.last().is_none_or(|last| !curve.is_absolute(now.since(*last))));
                prop_assert!(sum >= 2_000);
                state.record_fire(now);
                all.push(now);
            }
            prop_assert!(kept(&state) <= curve.memory().max(1));
        }
        prop_assert_eq!(state.fire_count(), all.len() as u64);
        prop_assert_eq!(state.last_fire(), all.last().copied());
    }

    #[test]
    fn another_curve_keeps_the_history(
        old in any_curve(), new in plain_curve(), fires in ticks(8), wait in gap(),
    ) {
        let mut state = fired(&old, &fires);
        state.set_curve(new.clone());
        prop_assert_eq!(state.curve(), &new);
        prop_assert_eq!(state.last_fire(), fires.last().copied());
        prop_assert_eq!(state.fire_count(), fires.len() as u64);
        prop_assert!(kept(&state) <= new.memory().max(1));
        // From here on it is as if the new curve had been there all along, as far as the old
        // one remembered.
        let remembered = fires.len().saturating_sub(old.memory());
        let fresh = fired(&new, &fires[remembered..]);
        let now = fires.last().map_or(Tick::new(wait), |last| last.after(TickDelta::new(wait)));
        prop_assert_eq!(state.multiplier(now), fresh.multiplier(now));
        prop_assert_eq!(state.salience(now), fresh.salience(now));
        prop_assert_eq!(state.outcome(now, 0.5), fresh.outcome(now, 0.5));
    }

    #[test]
    fn the_same_curve_again_changes_nothing(curve in any_curve(), fires in ticks(8)) {
        let state = fired(&curve, &fires);
        let mut again = state.clone();
        again.set_curve(curve);
        prop_assert_eq!(again, state);
    }

    #[test]
    fn the_outward_gate_agrees_with_salience(
        curve in plain_curve(), fires in ticks(8), wait in gap(), floor in share(),
    ) {
        let state = fired(&curve, &fires);
        let Some(last) = fires.last() else {
            prop_assert_eq!(state.outcome(Tick::new(wait), floor), Outcome::FirstFire);
            prop_assert_eq!(state.salience(Tick::new(wait)), 0.0);
            return Ok(());
        };
        let now = last.after(TickDelta::new(wait));
        prop_assert_eq!(state.salience(now), curve.salience(TickDelta::new(wait)));
        match state.outcome(now, floor) {
            Outcome::ReFire { distance } => {
                prop_assert_eq!(distance.get(), wait);
                prop_assert!(state.salience(now) < floor);
            }
            Outcome::Suppressed { until: Some(until) } => {
                prop_assert!(until > now && state.salience(now) >= floor);
                prop_assert!(state.salience(before(until)) >= floor);
                prop_assert!(state.salience(until) < floor);
                let distance = until.since(*last);
                prop_assert_eq!(state.outcome(until, floor), Outcome::ReFire { distance });
            }
            Outcome::Suppressed { until: None } => {
                prop_assert!(state.salience(Tick::new(u64::MAX)) >= floor);
            }
            other => prop_assert!(false, "{other:?} after a fire"),
        }
    }

    #[test]
    fn a_history_survives_being_stored(curve in any_curve(), fires in ticks(8)) {
        let state = fired(&curve, &fires);
        let text = serde_json::to_string(&state).unwrap();
        prop_assert_eq!(serde_json::from_str::<EngagementState>(&text).unwrap(), state);
    }

    #[test]
    fn a_future_is_settled_once(curve in plain_curve(), fires in ticks(8), now in 0..100_000_u64, wait in gap()) {
        let now = Tick::new(now);
        let mut state = fired(&curve, &fires);
        state.settle_future(now);
        let settled: Vec<Tick> = fires.iter().map(|fire| (*fire).min(now)).collect();
        prop_assert_eq!(&state, &fired(&curve, &settled));
        // It no longer waits for a tick that was never reached.
        let later = now.after(TickDelta::new(wait));
        if let Some(last) = fires.last() {
            prop_assert_eq!(state.salience(later), curve.salience(later.since((*last).min(now))));
        }
        let once = state.clone();
        state.settle_future(later);
        prop_assert_eq!(state, once);
    }
}
