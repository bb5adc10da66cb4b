//! What the measurements share: random numbers that are the same everywhere, engines that hold something, a day.

use attend_core::attention::{Attention, Input, SensorProfile, Step};
use attend_core::dynamics::Tick;
use attend_core::sensor::{Event, HostState, Report, SensorName};

mod generated;
pub use generated::{DAY, EVENTS, day};

pub mod office;

pub mod traces;

pub mod quality;

/// How many sensors an engine has, here and in the budgets.
pub const SENSORS: usize = 16;

/// Random numbers that are the same on every machine: xorshift64*, by Marsaglia and Vigna.
#[derive(Clone, Debug)]
pub struct Dice(u64);

impl Dice {
    /// Dice that fall as `seed` says.
    pub const fn new(seed: u64) -> Self {
        // A state of zero would stay zero.
        Self(seed | 1)
    }

    /// A number below `end`, which must not be zero.
    pub const fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 32) % end
    }

    /// Whether something happens that happens once in `times`.
    pub const fn once_in(&mut self, times: u64) -> bool {
        self.below(times) == 0
    }
}

/// The name of the sensor at `place`.
///
/// # Panics
///
/// Never: every name made here is a name.
pub fn name(place: usize) -> SensorName {
    SensorName::new(&format!("sensor-{place}")).expect("letters, a hyphen and digits")
}

/// A report of these events.
///
/// # Panics
///
/// Where a report refuses one of them.
pub fn report(events: impl IntoIterator<Item = Event>) -> Report {
    let mut report = Report::new();
    for event in events {
        report.event(event).expect("a sound event");
    }
    report
}

/// An event of an ordinary length about the thing number `key`.
pub fn event(magnitude: f64, key: usize) -> Event {
    let text = format!("3 files newly dirty under attend-core/src/attention/{key:03}");
    Event::new(magnitude, text).key(format!("dirty-{key}"))
}

/// An engine with a busy host and [`SENSORS`] sensors, each of which holds `held` events that
/// add up to less than its threshold.
pub fn engine(held: usize) -> Attention {
    let mut attention = Attention::builder().build();
    let profiles = (0..SENSORS).map(|place| SensorProfile::new(name(place)));
    let start = Tick::new(0);
    attention.input(start, Input::Sensors(profiles.collect()));
    attention.input(start, Input::Host(HostState::Busy));
    for place in 0..SENSORS {
        let events = (0..held).map(|key| event(0.001, key));
        attention.input(start, Input::Report(name(place), report(events)));
    }
    attention.drain_journal();
    attention
}

/// Does what the engine says until it waits: every batch is written. Gives what was written.
///
/// # Panics
///
/// Where the engine wants to claim a message: nobody has written any.
pub fn drive(attention: &mut Attention, now: Tick) -> usize {
    let mut written = 0;
    loop {
        match attention.step(now) {
            Step::Write(batch) => {
                attention.ack(now, batch.id());
                written += 1;
            }
            Step::Wait { .. } => return written,
            other => panic!("nothing to do for {other:?}"),
        }
    }
}
