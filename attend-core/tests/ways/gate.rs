//! The gate on the axis of tokens: edges of every curve, epochs, floors.

use attend_core::dynamics::{Curve, Outcome, Shape, Tick, TickDelta};
use attend_core::ways::{Cadence, FLOOR, FLOOR_CRITICAL, Gate, Position, Stamp};
use proptest::prelude::*;

use crate::curve;

fn at(tokens: u64) -> Gate {
    Gate::new(Position::new(Some("e1".into()), tokens), FLOOR)
}

fn suppressed(until: u64) -> Outcome {
    Outcome::Suppressed {
        until: Some(Tick::new(until)),
    }
}

fn again(distance: u64) -> Outcome {
    Outcome::ReFire {
        distance: TickDelta::new(distance),
    }
}

fn fired(tokens: u64, curve: &Curve) -> Stamp {
    at(tokens).fire(None, curve)
}

#[test]
fn an_exponential_fires_again_just_past_its_half_life() {
    let curve = curve(Shape::Exponential { half_life: 50_000 });
    let stamp = fired(1_000, &curve);
    assert_eq!(at(1_000).outcome(None, &curve), Outcome::FirstFire);
    assert_eq!(at(51_000).outcome(Some(&stamp), &curve), suppressed(51_001));
    assert_eq!(at(51_001).outcome(Some(&stamp), &curve), again(50_001));
}

#[test]
fn a_flat_one_fires_again_at_its_end() {
    let curve = curve(Shape::Flat { suppression: 30 });
    let stamp = fired(100, &curve);
    assert_eq!(at(129).outcome(Some(&stamp), &curve), suppressed(130));
    assert_eq!(at(130).outcome(Some(&stamp), &curve), again(30));
}

#[test]
fn a_staircase_fires_at_each_step_and_again_from_its_anchor() {
    let curve = curve(Shape::ProgressiveStaircase {
        steps: vec![(0, 1.0), (100, 0.9), (300, 0.8)],
    });
    let mut stamp = fired(1_000, &curve);
    for (due, distance, next) in [(1_100, 100, 1_300), (1_300, 300, 1_400)] {
        assert_eq!(at(due - 1).outcome(Some(&stamp), &curve), suppressed(due));
        assert_eq!(at(due).outcome(Some(&stamp), &curve), again(distance));
        stamp = at(due).fire(Some(&stamp), &curve);
        assert_eq!(
            at(due).outcome(Some(&stamp), &curve),
            suppressed(next),
            "after {due}"
        );
    }
    // The fire at the last step began a new staircase.
    assert_eq!(at(1_400).outcome(Some(&stamp), &curve), again(100));
    stamp = at(1_400).fire(Some(&stamp), &curve);
    assert_eq!(at(1_400).outcome(Some(&stamp), &curve), suppressed(1_600));
    assert_eq!(stamp.fires, 4);
}

#[test]
fn critical_raises_the_floor() {
    let curve = curve(Shape::Exponential { half_life: 10_000 });
    let stamp = fired(0, &curve);
    let critical = |tokens| Gate::new(Position::new(Some("e1".into()), tokens), FLOOR_CRITICAL);
    // 0.5^(d/H) < 0.8 from d = H·log2(1.25) = 3,219.28 on.
    assert_eq!(
        critical(3_219).outcome(Some(&stamp), &curve),
        suppressed(3_220)
    );
    assert_eq!(critical(3_220).outcome(Some(&stamp), &curve), again(3_220));
    assert_eq!(at(3_220).outcome(Some(&stamp), &curve), suppressed(10_001));
}

#[test]
fn another_epoch_and_a_count_that_fell_begin_anew() {
    let curve = curve(Shape::Exponential { half_life: 50_000 });
    let stamp = fired(80_000, &curve);
    let other = Gate::new(Position::new(Some("e2".into()), 80_100), FLOOR);
    assert_eq!(other.outcome(Some(&stamp), &curve), Outcome::FirstFire);
    assert_eq!(at(79_999).outcome(Some(&stamp), &curve), Outcome::FirstFire);
    assert!(at(79_999).salience(Some(&stamp), &curve).abs() < f64::EPSILON);
    let after = other.fire(Some(&stamp), &curve);
    assert_eq!((after.fires, after.epoch.as_deref()), (2, Some("e2")));
    assert_eq!(after.engagement.fire_count(), 1);
}

#[test]
fn an_epoch_that_is_not_known_goes_on_while_the_count_rises() {
    let curve = curve(Shape::Exponential { half_life: 50_000 });
    let stamp = fired(80_000, &curve);
    let unknown = Gate::new(Position::new(None, 90_000), FLOOR);
    assert_eq!(unknown.outcome(Some(&stamp), &curve), suppressed(130_001));
    let later = Gate::new(Position::new(None, 140_000), FLOOR);
    assert_eq!(
        later.fire(Some(&stamp), &curve).epoch.as_deref(),
        Some("e1")
    );
}

#[test]
fn a_share_becomes_a_half_life_when_it_is_asked_for() {
    let half_life = |cadence: &Cadence, window| match *cadence.curve_in(window, 0.25).shape() {
        Shape::Exponential { half_life } => half_life,
        _ => panic!("no exponential"),
    };
    assert_eq!(half_life(&Cadence::Refire(0.15), 200_000), 30_000);
    assert_eq!(half_life(&Cadence::Refire(0.15), 1_000_000), 150_000);
    assert_eq!(half_life(&Cadence::Default, 200_000), 50_000);
    assert_eq!(half_life(&Cadence::Refire(0.000_001), 1), 1);
}

#[test]
fn a_new_curve_holds_at_once() {
    let stamp = fired(0, &curve(Shape::Flat { suppression: 1_000 }));
    let short = curve(Shape::Flat { suppression: 10 });
    assert_eq!(at(10).outcome(Some(&stamp), &short), again(10));
}

fn curves() -> impl Strategy<Value = Curve> {
    prop_oneof![
        (1..200_000_u64).prop_map(|half_life| curve(Shape::Exponential { half_life })),
        (1..200_000_u64).prop_map(|suppression| curve(Shape::Flat { suppression })),
        prop::collection::btree_set(1..200_000_u64, 0..5).prop_map(|at| {
            let steps = at.into_iter().enumerate();
            let steps = steps.map(|(n, at)| (at, 0.9 / (n + 1) as f64));
            curve(Shape::ProgressiveStaircase {
                steps: [(0, 1.0)].into_iter().chain(steps).collect(),
            })
        }),
    ]
}

proptest! {
    #[test]
    fn it_is_shown_exactly_when_it_was_announced(
        curve in curves(),
        floor in prop_oneof![Just(FLOOR), Just(FLOOR_CRITICAL)],
        tokens in prop::collection::vec(0..900_000_u64, 1..8),
    ) {
        let gate = |tokens| Gate::new(Position::new(None, tokens), floor);
        let mut stamp: Option<Stamp> = None;
        let mut tokens = tokens;
        tokens.sort_unstable();
        for at in tokens {
            match gate(at).outcome(stamp.as_ref(), &curve) {
                Outcome::Suppressed { until: Some(until) } => {
                    prop_assert!(until > Tick::new(at));
                    let before = gate(until.get() - 1).outcome(stamp.as_ref(), &curve);
                    let still = matches!(before, Outcome::Suppressed { .. });
                    prop_assert!(still);
                    let then = gate(until.get()).outcome(stamp.as_ref(), &curve);
                    let shown = matches!(then, Outcome::ReFire { .. });
                    prop_assert!(shown);
                }
                Outcome::Suppressed { until: None } => prop_assert!(curve.refire_delta(floor).is_none()),
                _ => stamp = Some(gate(at).fire(stamp.as_ref(), &curve)),
            }
        }
    }
}
