//! Looks of the sensor `process` that find nothing new, beside 300 processes of this machine.

#![expect(
    clippy::disallowed_methods,
    reason = "what is measured stands in the table of processes"
)]
#![expect(
    clippy::unwrap_used,
    reason = "a measurement that cannot be taken ends"
)]

use std::fs;
use std::os::unix::fs::symlink;
use std::process::{Child, Command, Stdio};

use attend_core::sensor::{Root, Sensor};
use attend_core::testkit::Harness;
use attend_sensors::process::ProcessConfig;
use criterion::{BatchSize, Criterion, criterion_group, criterion_main};

/// How many processes stand beside those of the machine.
const BESIDE: usize = 300;

/// Processes that sleep until this goes.
struct Sleepers(Vec<Child>);

impl Sleepers {
    fn start() -> Self {
        let start = |_| Command::new("sleep").arg("100000").spawn();
        Self((0..BESIDE).map(start).map(Result::unwrap).collect())
    }
}

impl Drop for Sleepers {
    fn drop(&mut self) {
        for sleeper in &mut self.0 {
            let _ = sleeper.kill();
            let _ = sleeper.wait();
        }
    }
}

/// A process that comes and is gone.
fn passes() {
    let passing = Command::new("true").stdin(Stdio::null()).status();
    assert!(passing.unwrap().success());
}

/// The sensor, which saw the processes of this machine.
fn sensor() -> (Harness, Box<dyn Sensor>) {
    let mut harness = Harness::new();
    let proc = harness.roots().roots().get(Root::Proc).unwrap();
    fs::remove_dir(proc).unwrap();
    symlink("/proc", proc).unwrap();
    let mut sensor = harness.build(ProcessConfig::default()).unwrap();
    // Those that are new are looked at once more.
    for _ in 0..3 {
        harness.poll(sensor.as_mut()).assert_quiet();
    }
    (harness, sensor)
}

fn looks(criterion: &mut Criterion) {
    let _beside = Sleepers::start();
    let mut group = criterion.benchmark_group("process");
    let (mut harness, mut sensor) = sensor();
    group.bench_function("no-pid-was-given", |bencher| {
        bencher.iter(|| harness.poll(sensor.as_mut()));
    });
    group.bench_function("one-came-and-went", |bencher| {
        let look = |()| harness.poll(sensor.as_mut());
        bencher.iter_batched(passes, look, BatchSize::PerIteration);
    });
    group.bench_function("100-came-and-went", |bencher| {
        let pass = || (0..100).for_each(|_| passes());
        let look = |()| harness.poll(sensor.as_mut());
        bencher.iter_batched(pass, look, BatchSize::PerIteration);
    });
    group.finish();
}

criterion_group!(benches, looks);
criterion_main!(benches);
