//! The sensor through the engine: what an agent reads while its context grows.

use attend_core::attention::{Attention, HandledSignals, Input, SensorProfile, Step};
use attend_core::dynamics::Tick;
use attend_core::sensor::{HostState, SensorName, SensorSpec};
use attend_core::testkit::Polled;
use attend_sensors::context::ContextConfig;

use super::world::World;

/// A session, the sensor, and an engine that hears it.
struct Desk {
    world: World,
    engine: Attention,
    name: SensorName,
}

impl Desk {
    fn new() -> Self {
        let (world, mut engine) = (World::new(), Attention::builder().build());
        let name = SensorName::new("context").unwrap();
        let now = world.harness.now();
        let profile = SensorProfile::new(name.clone());
        let profile = profile.threshold(ContextConfig::profile().threshold);
        engine.input(now, Input::Sensors(vec![profile]));
        let signals = ContextConfig::declares().signals;
        engine.input(now, Input::Handled(HandledSignals::from_iter(signals)));
        engine.input(now, Input::Host(HostState::Busy));
        Self {
            world,
            engine,
            name,
        }
    }

    fn hear(&mut self, polled: &Polled) {
        let report = polled.report().clone();
        self.engine.input(
            self.world.harness.now(),
            Input::Report(self.name.clone(), report),
        );
    }

    /// So many tokens in one turn, half an hour later. The lines of the first five minutes.
    fn turn(&mut self, turn: u64, tokens: u64, growth: u64) -> Vec<String> {
        let polled = self.world.turn(Some(turn), growth).at_after(tokens, 1_800);
        self.hear(&polled);
        self.read(300)
    }

    /// The lines that leave within so many seconds, as they are written.
    fn read(&mut self, seconds: u64) -> Vec<String> {
        let start = self.world.harness.now().get();
        let mut lines = Vec::new();
        let mut now = start;
        while now <= start + seconds {
            match self.engine.step(Tick::new(now)) {
                Step::Write(batch) => {
                    lines.extend(batch.lines().iter().map(ToString::to_string));
                    self.engine.ack(Tick::new(now), batch.id());
                }
                Step::Wait { until: Some(until) } => now = until.get().max(now + 1),
                _ => break,
            }
        }
        lines
    }
}

#[test]
fn one_line_for_each_tier_and_the_seeds_line_at_86_percent() {
    let mut desk = Desk::new();
    assert_eq!(desk.turn(1, 60_000, 6_000), [""; 0]);
    // A footnote: it waits ten minutes for company, then goes alone.
    assert_eq!(desk.turn(10, 80_000, 6_000), [""; 0]);
    assert_eq!(
        desk.read(600),
        [
            "[attend sensor=context priority=low] context at 40%. Use `ways show \
            attend/context-pressure` for reflection guidance. (10m ago)"
        ]
    );
    assert_eq!(desk.turn(20, 101_000, 6_000), [""; 0]);
    // It is still held when the next tier is reached: one line for both.
    assert_eq!(
        desk.turn(30, 131_000, 6_000),
        [
            "[attend sensor=context priority=medium] context at 65%. Use `ways show \
            attend/context-pressure` for reflection guidance."
        ]
    );
    assert_eq!(
        desk.turn(31, 150_000, 6_000),
        [""; 0],
        "no more than what was told"
    );
    assert_eq!(desk.read(1_200), [""; 0]);
    assert_eq!(
        desk.turn(55, 172_000, 6_000),
        [
            "[attend sensor=context priority=medium] context at 86% — projected critical at turn 58 \
            (3 turns remaining). Use `ways show attend/context-pressure` for reflection guidance."
        ]
    );
    assert_eq!(desk.turn(56, 178_000, 6_000), [""; 0]);
    // Still below 92 %, but within a turn: a rise of mode.
    assert_eq!(
        desk.turn(57, 183_999, 6_001),
        [
            "[attend sensor=context priority=high] compaction in about 1 turn: context at 91%. Use \
            `ways show attend/context-pressure --mode critical` for reflection guidance."
        ]
    );
}

#[test]
fn critical_at_92_percent_and_everything_again_after_a_compaction() {
    let mut desk = Desk::new();
    let critical = "[attend sensor=context priority=high] compaction in about 2 turns: context at \
        92%. Use `ways show attend/context-pressure --mode critical` for reflection guidance.";
    assert_eq!(desk.turn(55, 184_000, 3_000), [critical]);
    assert_eq!(desk.turn(57, 188_000, 3_000), [""; 0]);

    let polled = desk.world.compacted(true, 190_000);
    desk.hear(&polled);
    assert_eq!(desk.turn(58, 30_000, 3_000), [""; 0]);
    assert_eq!(
        desk.turn(80, 131_000, 3_000),
        [
            "[attend sensor=context priority=medium] context at 65%. Use `ways show \
            attend/context-pressure` for reflection guidance."
        ]
    );
    assert_eq!(desk.turn(90, 184_000, 3_000), [critical]);
}

#[test]
fn a_footnote_rides_with_what_leaves() {
    let mut desk = Desk::new();
    desk.turn(1, 80_000, 6_000);
    let at = desk.world.harness.now();
    let other = SensorName::new("other").unwrap();
    let profile = SensorProfile::new(desk.name.clone());
    let profile = profile.threshold(ContextConfig::profile().threshold);
    let both = vec![profile, SensorProfile::new(other.clone())];
    desk.engine.input(at, Input::Sensors(both));
    let mut report = attend_core::sensor::Report::new();
    report
        .event(attend_core::sensor::Event::new(3.0, "something"))
        .unwrap();
    desk.engine.input(at, Input::Report(other, report));
    assert_eq!(
        desk.read(60),
        [
            "[attend sensor=other priority=medium] something",
            "[attend] also: context at 40%",
        ]
    );
}
