//! Laws of staircases: each declared step is an occasion to fire, and the last begins anew.

use attend_core::dynamics::{Outcome, Shape, Tick, TickDelta};
use proptest::prelude::*;

use crate::{any_curve, before, curve_of, fired, share, staircase, ticks};

fn distances(shape: &Shape) -> Vec<u64> {
    match shape {
        Shape::ProgressiveStaircase { steps } => steps.iter().map(|(at, _)| *at).collect(),
        other => panic!("{other:?} is no staircase"),
    }
}

proptest! {
    #[test]
    fn it_fires_again_exactly_at_each_step(shape in staircase(), first in 0..10_000_u64, floor in share()) {
        let distances = distances(&shape);
        let mut anchor = Tick::new(first);
        let mut state = fired(&curve_of(shape), &[anchor]);
        if distances.len() == 1 {
            prop_assert_eq!(state.outcome(Tick::new(u64::MAX), floor), Outcome::Suppressed { until: None });
            return Ok(());
        }
        for _round in 0..3 {
            for distance in distances.iter().skip(1).map(|at| TickDelta::new(*at)) {
                let due = anchor.after(distance);
                prop_assert_eq!(state.outcome(before(due), floor), Outcome::Suppressed { until: Some(due) });
                prop_assert_eq!(state.outcome(due, floor), Outcome::ReFire { distance });
                state.record_fire(due);
            }
            // After the last step distances are counted from that fire.
            anchor = state.last_fire().unwrap();
        }
    }

    #[test]
    fn a_jump_over_steps_is_one_fire(shape in staircase(), over in 1..5_usize) {
        let distances = distances(&shape);
        prop_assume!(over + 1 < distances.len());
        let mut state = fired(&curve_of(shape), &[Tick::new(0)]);
        state.record_fire(Tick::new(distances[over]));
        let until = Some(Tick::new(distances[over + 1]));
        prop_assert_eq!(state.outcome(Tick::new(distances[over]), 0.5), Outcome::Suppressed { until });
    }

    #[test]
    fn an_early_fire_reaches_no_step(shape in staircase(), share_of_step in 0.0..1.0_f64) {
        let distances = distances(&shape);
        prop_assume!(distances.len() > 2);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share of a step is a distance")]
        let early = (distances[1] as f64 * share_of_step) as u64;
        let state = fired(&curve_of(shape), &[Tick::new(0), Tick::new(early)]);
        let until = Some(Tick::new(distances[1]));
        prop_assert_eq!(state.outcome(Tick::new(early), 0.5), Outcome::Suppressed { until });
    }

    #[test]
    fn a_changed_staircase_always_has_a_next_step(
        old in any_curve(), new in staircase(), fires in ticks(8), floor in share(),
    ) {
        prop_assume!(!fires.is_empty() && distances(&new).len() > 1);
        let mut state = fired(&old, &fires);
        state.set_curve(curve_of(new));
        let last = *fires.last().unwrap();
        match state.outcome(last, floor) {
            Outcome::Suppressed { until: Some(until) } => {
                prop_assert!(until > last);
                let again = state.outcome(until, floor);
                prop_assert!(matches!(again, Outcome::ReFire { .. }), "{:?}", again);
            }
            other => prop_assert!(false, "{other:?} right after a fire"),
        }
    }
}
