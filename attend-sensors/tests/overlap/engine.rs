//! The sensor through the engine: what an agent reads while another edits the same files.

use attend_core::attention::{Attention, HandledSignals, Input, SensorProfile, Step};
use attend_core::dynamics::TickDelta;
use attend_core::sensor::{HostState, SensorName, SensorSpec};
use attend_sensors::overlap::OverlapConfig;

use super::world::World;

struct Desk {
    world: World,
    engine: Attention,
    name: SensorName,
}

impl Desk {
    fn new() -> Self {
        let (world, mut engine) = (World::new(), Attention::builder().build());
        let name = SensorName::new("overlap").unwrap();
        let now = world.harness.now();
        let profile = SensorProfile::new(name.clone());
        let profile = profile.threshold(OverlapConfig::profile().threshold);
        engine.input(now, Input::Sensors(vec![profile]));
        let signals = OverlapConfig::declares().signals;
        engine.input(now, Input::Handled(HandledSignals::from_iter(signals)));
        engine.input(now, Input::Host(HostState::Busy));
        Self {
            world,
            engine,
            name,
        }
    }

    /// A look, and the lines that leave within so many seconds.
    fn read(&mut self, seconds: u64) -> Vec<String> {
        let report = self.world.look().report().clone();
        let mut now = self.world.harness.now();
        let end = now.after(TickDelta::new(seconds));
        self.engine
            .input(now, Input::Report(self.name.clone(), report));
        let mut lines = Vec::new();
        while now <= end {
            match self.engine.step(now) {
                Step::Write(batch) => {
                    lines.extend(batch.lines().iter().map(ToString::to_string));
                    self.engine.ack(now, batch.id());
                }
                Step::Wait { until: Some(until) } => now = until.max(now.after(TickDelta::new(1))),
                _ => break,
            }
        }
        lines
    }
}

#[test]
fn one_line_names_who_and_what_and_where_guidance_is() {
    let mut desk = Desk::new();
    desk.world.edit("src/a.rs");
    desk.world.theirs_edit("src/a.rs");
    let line = format!(
        "[attend sensor=overlap priority=medium] {}. Use `ways show attend/peer-conflict` for how to settle it.",
        desk.world.both("src/a.rs")
    );
    assert_eq!(desk.read(3_600), [line]);
    desk.world.theirs_edit("src/a.rs");
    assert_eq!(desk.read(3_600), [""; 0]);
}

#[test]
fn two_that_go_through_the_same_fifty_files_are_told_of_it_a_few_times_only() {
    let mut desk = Desk::new();
    let mut lines = 0;
    for file in 0..50 {
        desk.world.edit(&file.to_string());
        desk.world.theirs_edit(&file.to_string());
        lines += desk.read(4).len();
    }
    assert!((1..=5).contains(&lines), "{lines}");
}
