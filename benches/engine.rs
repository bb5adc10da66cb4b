//! The engine with sixteen sensors: what one event, one quiet step, a large report and a checkpoint cost.

use std::hint::black_box;
use std::time::Duration;

use attend_core::attention::{Attention, Input, Waiting};
use attend_core::dynamics::Tick;
use attend_core::sensor::{Event, MAX_HELD, Report};
use benches::{SENSORS, drive, engine, event, name, report};
use criterion::{BatchSize, Criterion, criterion_group, criterion_main};

/// How many events each sensor holds where an engine is neither empty nor full.
const SOME: usize = 4;

/// How many events make a flood.
const FLOOD: usize = 100_000;

/// A look that found one event.
fn input(place: Option<usize>, event: Event) -> Input {
    Input::Report(name(place.unwrap_or_default()), report([event]))
}

/// One event, told to an engine as a sensor's look tells it.
fn one_event(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("event");
    for held in [SOME, MAX_HELD] {
        let mut attention = engine(held);
        // Always the same tick: later on, what is held would have aged away.
        let now = Tick::new(1);
        let mut places = (0..SENSORS).cycle();
        group.bench_function(format!("coalesced/{held}-held"), |bencher| {
            let setup = || input(places.next(), event(0.001, held - 1));
            let routine = |input| {
                attention.input(now, input);
                drive(&mut attention, now)
            };
            bencher.iter_batched(setup, routine, BatchSize::SmallInput);
        });
    }
    let mut attention = engine(0);
    let mut now = 1_000;
    let mut places = (0..SENSORS).cycle();
    group.bench_function("written", |bencher| {
        let setup = || input(places.next(), event(3.0, 0));
        let routine = |input| {
            now += 100;
            attention.input(Tick::new(now), input);
            let at_once = drive(&mut attention, Tick::new(now));
            let gathered = drive(&mut attention, Tick::new(now + 1));
            assert_eq!((at_once, gathered), (0, 1));
        };
        bencher.iter_batched(setup, routine, BatchSize::SmallInput);
    });
    group.finish();
}

/// Steps that find nothing to do.
fn quiet(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("quiet-step");
    let mut attention = engine(SOME);
    let now = Tick::new(1);
    group.bench_function("nothing-new", |bencher| {
        bencher.iter(|| attention.step(black_box(now)));
    });
    // No mail is no news, but the engine must ask every gate again to know that.
    group.bench_function("all-gates-asked", |bencher| {
        bencher.iter(|| {
            attention.input(now, Input::MailWaiting(Waiting::Few(Vec::new())));
            attention.step(black_box(now))
        });
    });
    let mut refractory = engine(SOME);
    for fire in 0..3 {
        for place in 0..SENSORS {
            let events = report([event(3.0, 300)]);
            refractory.input(Tick::new(200 * fire), Input::Report(name(place), events));
        }
        drive(&mut refractory, Tick::new(200 * fire + 1));
        drive(&mut refractory, Tick::new(200 * fire + 21));
        drive(&mut refractory, Tick::new(200 * fire + 41));
    }
    for place in 0..SENSORS {
        let events = report([event(3.0, 300)]);
        refractory.input(Tick::new(450), Input::Report(name(place), events));
    }
    let now = Tick::new(450);
    group.bench_function("all-gates-asked/refractory", |bencher| {
        bencher.iter(|| {
            refractory.input(now, Input::MailWaiting(Waiting::Few(Vec::new())));
            refractory.step(black_box(now))
        });
    });
    group.finish();
}

/// Reports as large as they get.
fn large_reports(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("report-of-256");
    let keyed = || report((0..MAX_HELD).map(|key| event(0.001, key)));
    let keyless = || report((0..MAX_HELD).map(|_| Event::new(0.001, "a line of a log")));
    let mut measure = |name: &str, engine: &Attention, make: &dyn Fn() -> Report| {
        group.bench_function(name, |bencher| {
            let setup = || (engine.clone(), make());
            let routine = |(mut attention, report): (Attention, Report)| {
                attention.input(Tick::new(1), Input::Report(benches::name(0), report));
                drive(&mut attention, Tick::new(1));
                attention
            };
            bencher.iter_batched(setup, routine, BatchSize::SmallInput);
        });
    };
    measure("into-nothing", &engine(0), &keyed);
    measure("same-keys-held", &engine(MAX_HELD), &keyed);
    measure("none-of-its-keys-held", &engine(MAX_HELD), &keyless);
    group.finish();
}

/// One event that takes along a footnote for all that fifteen full sensors hold.
fn footnote(criterion: &mut Criterion) {
    let mut full = engine(0);
    for place in 1..SENSORS {
        let events = (0..MAX_HELD).map(|key| event(0.02, key));
        full.input(Tick::new(1), Input::Report(name(place), report(events)));
    }
    full.input(
        Tick::new(1),
        Input::Report(name(0), report([event(3.0, 0)])),
    );
    criterion.bench_function("footnote-of-15x256", |bencher| {
        let routine = |mut attention: Attention| {
            assert_eq!(drive(&mut attention, Tick::new(2)), 1);
            attention
        };
        bencher.iter_batched(|| full.clone(), routine, BatchSize::SmallInput);
    });
}

/// More than one look may say: the price is paid on the sensor's thread, by its report.
fn floods(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("flood-of-100000");
    group
        .sample_size(10)
        .measurement_time(Duration::from_secs(5));
    let same = |_: usize| Event::new(2.5, "flood");
    let rising = |at: usize| Event::new(at as f64 / 10_000.0, "flood");
    let keyed = |at: usize| Event::new(2.5, "flood").key(format!("key-{}", at % 10_000));
    let mut measure = |name: &str, event: &dyn Fn(usize) -> Event| {
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                let mut attention = engine(SOME);
                let report = report((0..FLOOD).map(event));
                attention.input(Tick::new(1), Input::Report(benches::name(0), report));
                drive(&mut attention, Tick::new(2))
            });
        });
    };
    measure("same", &same);
    measure("rising", &rising);
    measure("keyed", &keyed);
    group.finish();
}

/// What is remembered of a full engine, and as it goes into a file.
fn checkpoint(criterion: &mut Criterion) {
    let full = engine(MAX_HELD);
    let mut group = criterion.benchmark_group("checkpoint-of-16x256");
    group.bench_function("taken", |bencher| bencher.iter(|| full.checkpoint()));
    group.bench_function("taken-and-serialised", |bencher| {
        bencher.iter(|| serde_json::to_vec(&full.checkpoint()));
    });
    let mut writing = full.clone();
    writing.input(
        Tick::new(1),
        Input::Report(name(0), report([event(3.0, 300)])),
    );
    let _ = writing.step(Tick::new(1));
    let step = writing.step(Tick::new(2));
    assert!(
        matches!(step, attend_core::attention::Step::Write(_)),
        "{step:?}"
    );
    group.bench_function("taken-while-writing", |bencher| {
        bencher.iter(|| writing.checkpoint());
    });
    group.finish();
}

criterion_group!(
    benches,
    one_event,
    quiet,
    large_reports,
    footnote,
    floods,
    checkpoint
);
criterion_main!(benches);
