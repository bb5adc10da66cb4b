//! Laws of curves: their bounds, their direction, where they fall below a floor, how they are
//! stored, and what is refused.

use attend_core::dynamics::{Curve, CurveErrorKind, Shape, TickDelta};
use proptest::prelude::*;

use crate::{any_curve, gap, share};

fn distance() -> impl Strategy<Value = TickDelta> {
    prop_oneof![gap(), any::<u64>()].prop_map(TickDelta::new)
}

proptest! {
    #[test]
    fn salience_lies_between_0_and_1_and_never_rises(
        curve in any_curve(), a in distance(), b in distance(),
    ) {
        let (near, far) = (curve.salience(a.min(b)), curve.salience(a.max(b)));
        prop_assert!((0.0..=1.0).contains(&near) && (0.0..=1.0).contains(&far));
        prop_assert!(near >= far, "{near} rises to {far}");
    }

    #[test]
    fn the_multiplier_is_at_least_1_and_never_rises(
        curve in any_curve(), a in distance(), b in distance(), live in 0..8_usize,
    ) {
        let near = curve.multiplier(a.min(b), live);
        let far = curve.multiplier(a.max(b), live);
        prop_assert!(far >= 1.0 && near >= far, "{near} rises to {far}");
        prop_assert_eq!(near.is_infinite(), curve.is_absolute(a.min(b)));
    }

    #[test]
    fn more_live_fires_never_lower_the_multiplier(
        curve in any_curve(), at in distance(), live in 0..8_usize,
    ) {
        prop_assert!(curve.multiplier(at, live + 1) >= curve.multiplier(at, live));
    }

    #[test]
    fn what_is_no_longer_live_stays_so(curve in any_curve(), a in distance(), b in distance()) {
        prop_assert!(curve.is_live(a.min(b)) || !curve.is_live(a.max(b)));
    }

    #[test]
    fn refire_delta_is_the_first_distance_strictly_below_the_floor(
        curve in any_curve(), floor in prop_oneof![share(), Just(1.5), Just(1e-300)], far in distance(),
    ) {
        match curve.refire_delta(floor) {
            Some(delta) => {
                prop_assert!(curve.salience(delta) < floor);
                if delta > TickDelta::ZERO {
                    prop_assert!(curve.salience(TickDelta::new(delta.get() - 1)) >= floor);
                }
            }
            None => prop_assert!(curve.salience(far) >= floor),
        }
    }

    #[test]
    fn a_curve_survives_being_stored(curve in any_curve()) {
        let text = serde_json::to_string(&curve).unwrap();
        prop_assert_eq!(serde_json::from_str::<Curve>(&text).unwrap(), curve);
    }

    #[test]
    fn what_is_accepted_never_panics(
        steps in prop::collection::vec((any::<u64>(), any::<f64>()), 0..4),
        peak: f64, burst: u32, refractory: u64, half_life: u64, at in distance(), floor: f64,
    ) {
        let shapes = [
            Shape::ProgressiveStaircase { steps },
            Shape::Exponential { half_life },
            Shape::ActionPotential {
                burst_threshold: burst,
                peak_multiplier: peak,
                absolute_refractory: refractory,
                multiplier_half_life: half_life,
            },
        ];
        for curve in shapes.into_iter().filter_map(|shape| Curve::new(shape).ok()) {
            prop_assert!((0.0..=1.0).contains(&curve.salience(at)));
            prop_assert!(curve.multiplier(at, curve.memory()) >= 1.0);
            let _ = curve.refire_delta(floor);
        }
    }
}

#[test]
fn each_invalid_parameter_is_refused_by_its_name() {
    let action = |burst_threshold, peak_multiplier, multiplier_half_life| Shape::ActionPotential {
        burst_threshold,
        peak_multiplier,
        absolute_refractory: 60,
        multiplier_half_life,
    };
    let stairs = |steps: &[(u64, f64)]| Shape::ProgressiveStaircase {
        steps: steps.to_vec(),
    };
    let refused = [
        (Shape::Exponential { half_life: 0 }, "half_life"),
        (Shape::Flat { suppression: 0 }, "suppression"),
        (action(0, 2.25, 395), "burst_threshold"),
        (action(3, 0.99, 395), "peak_multiplier"),
        (action(3, f64::NAN, 395), "peak_multiplier"),
        (action(3, f64::INFINITY, 395), "peak_multiplier"),
        (action(3, f64::NEG_INFINITY, 395), "peak_multiplier"),
        (action(3, 2.25, 0), "multiplier_half_life"),
        (stairs(&[]), "steps"),
        (stairs(&[(1, 1.0)]), "steps"),
        (stairs(&[(0, 1.0), (5, 0.5), (5, 0.4)]), "steps"),
        (stairs(&[(0, 1.0), (9, 0.5), (5, 0.4)]), "steps"),
        (stairs(&[(0, 0.5), (5, 0.6)]), "steps"),
        (stairs(&[(0, 1.1)]), "steps"),
        (stairs(&[(0, 1.0), (5, -0.1)]), "steps"),
        (stairs(&[(0, f64::NAN)]), "steps"),
    ];
    for (shape, field) in refused {
        let error = Curve::new(shape.clone()).expect_err(&format!("{shape:?} is invalid"));
        assert_eq!(error.field(), field, "{shape:?}");
        let is_steps = error.kind() == CurveErrorKind::Steps;
        assert_eq!(is_steps, field == "steps", "{shape:?}");
        assert!(error.to_string().contains(field), "{error}");
    }
}

#[test]
fn a_stored_curve_is_checked_like_any_other() {
    let refused = [
        (r#"{"type":"Exponential","half_life":0}"#, "half_life"),
        (r#"{"type":"Exponential"}"#, "half_life"),
        (r#"{"type":"Exponential","half_life":5,"floor":1}"#, "floor"),
        (r#"{"type":"Flat","suppression":0}"#, "suppression"),
        (
            r#"{"type":"ProgressiveStaircase","steps":[[3,1.0]]}"#,
            "steps",
        ),
        (r#"{"type":"Sawtooth"}"#, "Sawtooth"),
    ];
    for (text, field) in refused {
        let error = serde_json::from_str::<Curve>(text)
            .expect_err(text)
            .to_string();
        assert!(error.contains(field), "{text}: {error}");
    }
}
