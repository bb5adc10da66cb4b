//! One operation, many times, in a function of its own: for counting its instructions where times are too noisy.

use std::hint::black_box;
use std::process::ExitCode;

use attend_core::attention::{Attention, Input, Settings, Waiting};
use attend_core::dynamics::{EngagementState, Tick};
use attend_core::sensor::MAX_HELD;
use benches::{SENSORS, day, drive, engine, event, name, report};

/// How often an operation is done. All counts are of so many together.
const TIMES: u64 = 1_000;

fn main() -> ExitCode {
    let which = std::env::args().nth(1).unwrap_or_default();
    match which.as_str() {
        "admits" => engagement(),
        "quiet-step" => quiet(),
        "coalesced" => events(&mut engine(4), 3, 0.001, 0),
        "coalesced-full" => events(&mut engine(MAX_HELD), MAX_HELD - 1, 0.001, 0),
        "written" => events(&mut engine(0), 0, 3.0, 100),
        "day" => {
            let (day, settings) = (day(), Settings::default());
            measured(|| {
                black_box(day.run(&settings));
            });
        }
        _ => return ExitCode::FAILURE,
    }
    ExitCode::SUCCESS
}

/// What is counted: `--toggle-collect='*measured*'` of callgrind.
#[inline(never)]
fn measured(mut operation: impl FnMut()) {
    operation();
}

fn engagement() {
    let mut engagement = EngagementState::new(Settings::default().engagement);
    for fire in [0, 100, 200] {
        engagement.record_fire(Tick::new(fire));
    }
    measured(|| {
        for tick in 300..300 + TIMES {
            black_box(black_box(&engagement).admits(Tick::new(tick), 3_000, 2_000));
        }
    });
}

fn quiet() {
    let mut attention = engine(4);
    measured(|| {
        for tick in 1..=TIMES {
            let no_mail = Input::MailWaiting(Waiting::Few(Vec::new()));
            attention.input(Tick::new(tick), no_mail);
            black_box(attention.step(Tick::new(tick)));
        }
    });
}

/// Events of one kind, told to one sensor after the other, `apart` ticks between two of them.
fn events(attention: &mut Attention, key: usize, magnitude: f64, apart: u64) {
    let looks = (0..TIMES).zip((0..SENSORS).cycle());
    let looks: Vec<(u64, Input)> = looks
        .map(|(at, place)| {
            let found = report([event(magnitude, key)]);
            (1 + at * apart, Input::Report(name(place), found))
        })
        .collect();
    let mut looks = Some(looks);
    measured(|| {
        for (at, input) in looks.take().into_iter().flatten() {
            attention.input(Tick::new(at), input);
            drive(attention, Tick::new(at));
            if apart > 0 {
                drive(attention, Tick::new(at + 1));
            }
        }
    });
}
