//! A day of fifty thousand events through the engine, as a script and as a recorded trace.

use std::time::Duration;

use attend_core::attention::{
    Action, Attention, Conditions, Input, Script, SensorProfile, Settings, Step, Trace, TraceLog,
};
use attend_core::dynamics::{Tick, TickDelta};
use benches::{day, name, report};
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

/// The day as a loop would record it that writes at once and has no mail.
fn recorded(script: &Script) -> Vec<u8> {
    let mut engine = Attention::builder().build();
    let mut now = Tick::new(0);
    let mut log = TraceLog::begin(now, engine.settings(), None);
    let profiles = (0..benches::SENSORS).map(|place| SensorProfile::new(name(place)));
    let sensors = Input::Sensors(profiles.collect());
    log.input(now, &sensors);
    engine.input(now, sensors);
    for cue in script.cues() {
        while now < cue.at {
            let step = engine.step(now);
            log.step(now, &step);
            match step {
                Step::Write(batch) => {
                    log.ack(now, batch.id());
                    engine.ack(now, batch.id());
                }
                Step::Wait { until } => {
                    let soonest = now.after(TickDelta::new(1));
                    now = until.map_or(cue.at, |until| until.max(soonest).min(cue.at));
                }
                other => panic!("nothing to do for {other:?}"),
            }
        }
        let input = match &cue.action {
            Action::Report(sensor, events) => Input::Report(sensor.clone(), report(events.clone())),
            Action::Clear(sensor, key) => {
                let mut report = report([]);
                report.clear(key.clone()).expect("a key");
                Input::Report(sensor.clone(), report)
            }
            Action::Host(host) => Input::Host(*host),
            _ => continue,
        };
        log.input(now, &input);
        engine.input(now, input);
    }
    log.take()
}

fn replay(criterion: &mut Criterion) {
    let script = day();
    let settings = Settings::default();
    let mut group = criterion.benchmark_group("day");
    group
        .sample_size(10)
        .measurement_time(Duration::from_secs(10));
    group.bench_function("replayed", |bencher| bencher.iter(|| script.run(&settings)));
    let trace = recorded(&script);
    group.bench_function("trace-read", |bencher| bencher.iter(|| Trace::read(&trace)));
    group.bench_function("trace-read-and-replayed", |bencher| {
        bencher.iter(|| Trace::read(&trace).map(|trace| trace.replay()));
    });
    let conditions = Conditions::new(Settings::default());
    group.bench_function("trace-read-and-replayed-under-settings", |bencher| {
        bencher.iter(|| Trace::read(&trace).map(|trace| trace.under(&conditions)));
    });
    group.bench_function("generated", |bencher| bencher.iter(day));
    group.bench_function("interleaved-script-read", |bencher| {
        bencher.iter(|| INTERLEAVED.parse::<Script>());
    });
    group.finish();
}

criterion_group!(benches, replay);
criterion_main!(benches);
