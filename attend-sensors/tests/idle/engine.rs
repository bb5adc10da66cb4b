//! The sensor through the engine: what an agent reads while nobody speaks.

use attend_core::attention::{Attention, HandledSignals, Input, SensorProfile, Step};
use attend_core::sensor::{Cause, HostState, SensorName, SensorSpec};
use attend_sensors::idle::IdleConfig;

use super::world::World;

/// A session, the sensor, and an engine that hears it.
struct Desk {
    world: World,
    engine: Attention,
    name: SensorName,
}

impl Desk {
    fn new(world: World) -> Self {
        let mut engine = Attention::builder().build();
        let name = SensorName::new("idle").unwrap();
        let now = world.harness.now();
        let profile = SensorProfile::new(name.clone());
        let profile = profile.threshold(IdleConfig::profile().threshold);
        engine.input(now, Input::Sensors(vec![profile]));
        let signals = IdleConfig::declares().signals;
        engine.input(now, Input::Handled(HandledSignals::from_iter(signals)));
        Self {
            world,
            engine,
            name,
        }
    }

    /// So many minutes, with a look at each, and the lines that leave.
    fn minutes(&mut self, minutes: u64) -> Vec<(u64, String)> {
        let mut lines = Vec::new();
        for minute in 1..=minutes {
            let polled = self.world.after(1);
            let now = self.world.harness.now();
            self.engine.input(now, Input::Host(self.world.state));
            let report = polled.report().clone();
            self.engine
                .input(now, Input::Report(self.name.clone(), report));
            let then = now.after(attend_core::dynamics::TickDelta::new(2));
            for at in [now, then] {
                if let Step::Write(batch) = self.engine.step(at) {
                    let batch_lines = batch.lines().iter();
                    lines.extend(batch_lines.map(|line| (minute, line.to_string())));
                    self.engine.ack(at, batch.id());
                }
            }
        }
        lines
    }
}

#[test]
fn an_idle_agent_is_woken_once_after_fifty_minutes() {
    let mut desk = Desk::new(World::new());
    let line = "[attend sensor=idle priority=high] nobody spoke for 50 minutes; 1 file edited";
    assert_eq!(desk.minutes(50), [(50, line.to_owned())]);
    // It answers, and waits again: that is not somebody who spoke.
    desk.world.begin(Cause::Notice);
    assert_eq!(desk.minutes(1), []);
    desk.world.waits();
    assert_eq!(desk.minutes(24 * 60), []);
    desk.world.begin(Cause::Words);
    desk.world.edit("src/b.rs");
    assert_eq!(desk.minutes(3), []);
    desk.world.waits();
    let line = "[attend sensor=idle priority=high] nobody spoke for 50 minutes; 1 file edited";
    assert_eq!(desk.minutes(60), [(50, line.to_owned())]);
}

#[test]
fn nobody_is_woken_where_no_work_is_open() {
    let mut desk = Desk::new(World::done());
    assert_eq!(desk.minutes(300), []);
}

#[test]
fn overdue_reflection_names_its_guidance_and_wakes_nobody() {
    let mut desk = Desk::new(World::done());
    desk.world.usage.tokens = Some(72_000);
    assert_eq!(desk.minutes(9), []);
    desk.world.begin(Cause::Words);
    let line = "[attend sensor=idle priority=medium] no reflection for 26% of the context window. \
        Use `ways show attend/reflection-overdue` for reflection guidance. (9m ago)";
    assert_eq!(desk.minutes(1), [(1, line.to_owned())]);
    assert_eq!(desk.minutes(120), []);
    assert_eq!(desk.world.state, HostState::Busy);
}
