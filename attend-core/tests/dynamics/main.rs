//! The laws of the curve engine: what holds for every curve, history and tick.

use attend_core::dynamics::{Curve, EngagementState, Shape, Tick, TickDelta, first_tick};
use proptest::prelude::*;

mod curve;
mod engagement;
mod figures;
mod governor;
mod staircase;

/// A share in thousandths, as people write it; text gives back exactly the same number.
fn share() -> impl Strategy<Value = f64> {
    (0..=1_000_u32).prop_map(|thousandths| f64::from(thousandths) / 1_000.0)
}

fn exponential() -> impl Strategy<Value = Shape> {
    prop_oneof![1..=10_u64, 1..=100_000_u64, Just(u64::MAX)]
        .prop_map(|half_life| Shape::Exponential { half_life })
}

fn flat() -> impl Strategy<Value = Shape> {
    prop_oneof![1..=100_000_u64, Just(u64::MAX)].prop_map(|suppression| Shape::Flat { suppression })
}

fn staircase() -> impl Strategy<Value = Shape> {
    prop::collection::vec((1..=5_000_u64, share()), 1..6).prop_map(|steps| {
        let mut saliences: Vec<f64> = steps.iter().map(|(_, salience)| *salience).collect();
        saliences.sort_by(|a, b| b.total_cmp(a));
        let gaps = steps.iter().map(|(gap, _)| *gap);
        let distances = std::iter::once(0).chain(gaps).scan(0, |distance, gap| {
            *distance += gap;
            Some(*distance)
        });
        Shape::ProgressiveStaircase {
            steps: distances.zip(saliences).collect(),
        }
    })
}

fn action_potential() -> impl Strategy<Value = Shape> {
    (1..=5_u32, 1_000..=9_000_u32, 0..=300_u64, 1..=5_000_u64).prop_map(
        |(burst_threshold, peak, absolute_refractory, multiplier_half_life)| {
            Shape::ActionPotential {
                burst_threshold,
                peak_multiplier: f64::from(peak) / 1_000.0,
                absolute_refractory,
                multiplier_half_life,
            }
        },
    )
}

fn any_curve() -> impl Strategy<Value = Curve> {
    prop_oneof![exponential(), flat(), staircase(), action_potential()].prop_map(curve_of)
}

/// Every curve but staircases, whose distance is counted from another fire than the last.
fn plain_curve() -> impl Strategy<Value = Curve> {
    prop_oneof![exponential(), flat(), action_potential()].prop_map(curve_of)
}

fn curve_of(shape: Shape) -> Curve {
    Curve::new(shape).expect("the shape is made to be valid")
}

/// A step forward on the axis: nothing, a little, or thousands at once.
fn gap() -> impl Strategy<Value = u64> {
    prop_oneof![0..=3_u64, 0..=400_u64, 1_000..=60_000_u64]
}

/// Ticks in order, with bursts and jumps.
fn ticks(most: usize) -> impl Strategy<Value = Vec<Tick>> {
    prop::collection::vec(gap(), 0..=most).prop_map(|gaps| {
        let ticks = gaps.into_iter().scan(1_000, |at, gap| {
            *at += gap;
            Some(Tick::new(*at))
        });
        ticks.collect()
    })
}

/// A subject over `curve` that fired at each of `fires`.
fn fired(curve: &Curve, fires: &[Tick]) -> EngagementState {
    let mut state = EngagementState::new(curve.clone());
    for tick in fires {
        state.record_fire(*tick);
    }
    state
}

fn before(tick: Tick) -> Tick {
    Tick::new(tick.get() - 1)
}

proptest! {
    #[test]
    fn the_first_tick_is_found_wherever_it_is(from: u64, at: u64) {
        let found = first_tick(Tick::new(from), |tick| tick.get() >= at);
        prop_assert_eq!(found, Some(Tick::new(from.max(at))));
    }

    #[test]
    fn a_search_asks_only_from_where_it_begins(from: u64) {
        let found = first_tick(Tick::new(from), |tick| {
            assert!(tick.get() >= from);
            false
        });
        prop_assert_eq!(found, None);
    }

    #[test]
    fn distances_saturate(a: u64, b: u64) {
        let (early, late) = (Tick::new(a.min(b)), Tick::new(a.max(b)));
        prop_assert_eq!(early.since(late), TickDelta::ZERO);
        prop_assert_eq!(early.after(late.since(early)), late);
        prop_assert_eq!(late.after(TickDelta::new(u64::MAX)), Tick::new(u64::MAX));
    }
}
