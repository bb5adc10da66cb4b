//! A day of fifty thousand events through the engine, and scripts that are read from text.

use std::time::Duration;

use attend_core::attention::{Script, Settings};
use benches::day;
use criterion::{Criterion, criterion_group, criterion_main};

/// Two sensors that speak at each of many ticks: 40,000 cues, the second half of which belong
/// between those of the first.
const INTERLEAVED: &str = "
    sensor git
    sensor process
    0..20000 report git 0.5 \"one more commit\" key=commits
    0..20000 report process 0.5 \"one more process\" key=processes
    20000 end
";

fn replay(criterion: &mut Criterion) {
    let script = day();
    let settings = Settings::default();
    let mut group = criterion.benchmark_group("day");
    group
        .sample_size(10)
        .measurement_time(Duration::from_secs(10));
    group.bench_function("replayed", |bencher| bencher.iter(|| script.run(&settings)));
    group.bench_function("generated", |bencher| bencher.iter(day));
    group.bench_function("interleaved-script-read", |bencher| {
        bencher.iter(|| INTERLEAVED.parse::<Script>());
    });
    group.finish();
}

criterion_group!(benches, replay);
criterion_main!(benches);
