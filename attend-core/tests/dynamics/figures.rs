//! Worked figures: the defaults of attend's sensors, computed by hand.

use attend_core::dynamics::{
    Admission, Curve, EngagementState, Outcome, Restraint, Shape, Tick, TickDelta,
};

use crate::{curve_of, fired};

/// B = 3, P = 2.25, A = 60, M = 395.
fn defaults() -> Curve {
    curve_of(Shape::ActionPotential {
        burst_threshold: 3,
        peak_multiplier: 2.25,
        absolute_refractory: 60,
        multiplier_half_life: 395,
    })
}

/// A burst: three fires, each as early as the refractory allows.
fn burst() -> EngagementState {
    fired(&defaults(), &[0, 60, 120].map(Tick::new))
}

fn near(value: f64, expected: f64) {
    assert!((value - expected).abs() < 1e-4, "{value}, not {expected}");
}

#[test]
fn a_decay_of_a_tenth_in_60_halves_in_395() {
    let half_life = 60.0 * 0.5_f64.ln() / (1.0 - 0.1_f64).ln();
    near(half_life, 394.7288);
    near(0.5_f64.powf(60.0 / 395.0), 0.9001);
}

#[test]
fn the_multiplier_after_a_burst() {
    let state = burst();
    assert!(state.multiplier(Tick::new(179)).is_infinite());
    // 60 after the third fire: 1 + 1.25 · 0.5^(60/395).
    near(state.multiplier(Tick::new(180)), 2.1251);
    // One half-life: half of the additional demand.
    near(state.multiplier(Tick::new(120 + 395)), 1.625);
    near(state.multiplier(Tick::new(120 + 2 * 395)), 1.3125);
}

#[test]
fn two_fires_make_no_burst() {
    let state = fired(&defaults(), &[0, 60].map(Tick::new));
    assert_eq!(
        state.multiplier(Tick::new(120)).to_bits(),
        1.0_f64.to_bits()
    );
}

#[test]
fn a_fire_is_live_for_6_64_half_lives() {
    // log2(100) · 395 = 2624.3
    let curve = defaults();
    assert!(curve.is_live(TickDelta::new(2_624)));
    assert!(!curve.is_live(TickDelta::new(2_625)));
    // Then the first fire of a burst no longer counts, and it is no burst any more.
    let state = burst();
    assert!(state.multiplier(Tick::new(2_624)) > 1.015);
    assert_eq!(
        state.multiplier(Tick::new(2_625)).to_bits(),
        1.0_f64.to_bits()
    );
}

#[test]
fn when_a_sum_may_fire_after_a_burst() {
    let state = burst();
    let hold = |now, sum| match state.may_fire(Tick::new(now), sum, 2_000) {
        Admission::Hold { until, reason } => (until.map(Tick::get), reason),
        other => panic!("{sum} at {now}: {other:?}"),
    };
    let (until, reason) = hold(130, 10_000);
    assert_eq!((until, reason), (Some(180), Restraint::AbsoluteRefractory));
    // 3.25 against 2.0 needs a multiplier of 1.625, which is there after one half-life.
    let (until, reason) = hold(180, 3_250);
    assert_eq!(until, Some(515));
    assert!(matches!(reason, Restraint::RelativeRefractory { multiplier } if multiplier > 2.12));
    // The threshold itself must wait until the burst is over.
    assert_eq!(hold(180, 2_000).0, Some(2_625));
    assert_eq!(hold(180, 1_999), (None, Restraint::BelowThreshold));
    assert_eq!(
        state.may_fire(Tick::new(180), 4_251, 2_000),
        Admission::Admit
    );
}

#[test]
fn guidance_on_an_exponential_and_on_a_flat_curve() {
    let exponential = curve_of(Shape::Exponential { half_life: 50_000 });
    assert_eq!(exponential.refire_delta(0.5), Some(TickDelta::new(50_001)));
    // log2(1/0.8) · 50,000 = 16,096.4
    assert_eq!(exponential.refire_delta(0.8), Some(TickDelta::new(16_097)));
    assert_eq!(exponential.refire_delta(0.0), None);
    // What ages counts in full until 0.5^(d/1800) falls below 0.3: log2(1/0.3) · 1800 = 3,126.5.
    let aging = curve_of(Shape::Exponential { half_life: 1_800 });
    assert_eq!(aging.refire_delta(0.3), Some(TickDelta::new(3_127)));

    let flat = curve_of(Shape::Flat {
        suppression: 50_000,
    });
    assert_eq!(flat.refire_delta(0.5), Some(TickDelta::new(50_000)));
    let state = fired(&flat, &[Tick::new(10_000)]);
    let until = Some(Tick::new(60_000));
    assert_eq!(
        state.outcome(Tick::new(59_999), 0.5),
        Outcome::Suppressed { until }
    );
    let distance = TickDelta::new(50_000);
    assert_eq!(
        state.outcome(Tick::new(60_000), 0.5),
        Outcome::ReFire { distance }
    );
}
