//! The curve engine: what one question costs.

use std::hint::black_box;

use attend_core::dynamics::{Curve, EngagementState, Shape, Tick};
use criterion::{Criterion, criterion_group, criterion_main};

/// A sum and a threshold between which only the multiplier of a burst stands.
const SUM: u64 = 3_000;
const THRESHOLD: u64 = 2_000;

fn burst() -> EngagementState {
    let curve = Curve::new(Shape::ActionPotential {
        burst_threshold: 3,
        peak_multiplier: 2.25,
        absolute_refractory: 60,
        multiplier_half_life: 395,
    });
    let mut engagement = EngagementState::new(curve.expect("the default curve"));
    for fire in [0, 100, 200] {
        engagement.record_fire(Tick::new(fire));
    }
    engagement
}

fn queries(criterion: &mut Criterion) {
    let engagement = burst();
    let mut group = criterion.benchmark_group("engagement");
    for (name, tick) in [("absolute", 210), ("burst", 400), ("recovered", 40_000)] {
        let tick = Tick::new(tick);
        group.bench_function(format!("admits/{name}"), |bencher| {
            bencher.iter(|| black_box(&engagement).admits(black_box(tick), SUM, THRESHOLD));
        });
        group.bench_function(format!("may_fire/{name}"), |bencher| {
            bencher.iter(|| black_box(&engagement).may_fire(black_box(tick), SUM, THRESHOLD));
        });
    }
    group.finish();
}

fn distances(criterion: &mut Criterion) {
    let exponential = Curve::new(Shape::Exponential { half_life: 30_000 }).expect("a curve");
    criterion.bench_function("curve/refire_delta", |bencher| {
        bencher.iter(|| black_box(&exponential).refire_delta(black_box(0.5)));
    });
}

criterion_group!(benches, queries, distances);
criterion_main!(benches);
