//! The sensor through the engine: what an agent reads.

use std::time::Duration;

use attend_core::attention::{
    Attention, AttentionBuilder, Batch, Claim, ClaimId, Claiming, Granted, Input, SensorProfile,
    Step, Waiting,
};
use attend_core::dynamics::Tick;
use attend_core::mail::{Letter, MessageId, Seq};
use attend_core::sensor::{HostState, SensorName, SensorSpec};
use attend_core::testkit::Polled;
use attend_sensors::disclosure::{Component, DisclosureConfig};

use super::world::World;

/// A session, the sensor, and an engine that hears it.
pub(crate) struct Desk {
    pub(crate) world: World,
    engine: Attention,
    name: SensorName,
}

impl Desk {
    pub(crate) fn new() -> Self {
        let mut desk = Self {
            world: World::of(200_000),
            engine: Attention::builder().build(),
            name: SensorName::new("disclosure").unwrap(),
        };
        desk.begin();
        desk
    }

    fn begin(&mut self) {
        let now = self.world.harness.now();
        let profile = SensorProfile::new(self.name.clone());
        let profile = profile.threshold(DisclosureConfig::profile().threshold);
        self.engine.input(now, Input::Sensors(vec![profile]));
        self.engine.input(now, Input::Host(HostState::Busy));
    }

    fn hear(&mut self, polled: &Polled) {
        let report = polled.report().clone();
        let input = Input::Report(self.name.clone(), report);
        self.engine.input(self.world.harness.now(), input);
    }

    /// So many tokens, and a look. The lines of the seconds that follow.
    pub(crate) fn at(&mut self, tokens: u64, seconds: u64) -> Vec<String> {
        let polled = self.world.look_at(tokens);
        self.hear(&polled);
        let batches = self.batches(seconds);
        batches.iter().flat_map(lines).collect()
    }

    /// What leaves within so many seconds, which pass.
    fn batches(&mut self, seconds: u64) -> Vec<Batch> {
        let start = self.world.harness.now().get();
        let (mut now, mut batches) = (start, Vec::new());
        while now <= start + seconds {
            let tick = Tick::new(now);
            match self.engine.step(tick) {
                Step::Claim(Claiming::Print(print)) => {
                    let granted = print.iter().map(|seq| Granted::new(*seq, false));
                    let claim = Claim::new(ClaimId::new(1), granted);
                    self.engine.input(tick, Input::Claimed(claim));
                }
                Step::Write(batch) => {
                    self.engine.ack(tick, batch.id());
                    batches.push(batch);
                }
                Step::Wait { until: Some(until) } => now = until.get().max(now + 1),
                _ => break,
            }
        }
        self.world.harness.advance(Duration::from_secs(seconds));
        batches
    }

    /// A loop of a new process, which goes on from what this one stored.
    fn another_process(&mut self) {
        let (checkpoint, now) = (self.engine.checkpoint(), self.world.harness.now());
        self.engine = AttentionBuilder::default().restore(checkpoint, now).build();
        self.begin();
        self.world.another_process();
    }
}

fn lines(batch: &Batch) -> Vec<String> {
    batch.lines().iter().map(ToString::to_string).collect()
}

/// How often each component is taught in `lines`.
fn taught(lines: &[String]) -> [usize; 4] {
    Component::ALL.map(|component| {
        let headline = component.headline();
        let is_it = |line: &&String| line.ends_with(headline);
        lines.iter().filter(is_it).count()
    })
}

#[test]
fn everything_is_taught_at_first_and_at_each_quarter_and_in_one_batch() {
    let mut desk = Desk::new();
    let first = desk.world.look_at(20_000);
    desk.hear(&first);
    let batches = desk.batches(300);
    assert_eq!(batches.len(), 1);
    assert_eq!(taught(&lines(&batches[0])), [1; 4]);
    assert_eq!(desk.at(69_000, 600), [""; 0]);
    assert_eq!(taught(&desk.at(70_000, 600)), [1; 4]);
    assert_eq!(desk.at(75_000, 600), [""; 0]);
}

#[test]
fn a_new_process_teaches_again_whatever_the_engine_remembers() {
    let mut desk = Desk::new();
    assert_eq!(taught(&desk.at(20_000, 300)), [1; 4]);
    desk.another_process();
    assert_eq!(taught(&desk.at(20_000, 300)), [1; 4]);
    // What was held when the process ended is not taught twice.
    desk.engine
        .input(desk.world.harness.now(), Input::Host(HostState::Unprompted));
    assert_eq!(desk.at(90_000, 300), [""; 0]);
    desk.another_process();
    assert_eq!(taught(&desk.at(90_000, 300)), [1; 4]);
}

#[test]
fn a_teaching_that_is_due_leaves_with_a_message() {
    let mut desk = Desk::new();
    desk.at(20_000, 300);
    // Nobody spoke yet in this session: by itself it would wait.
    let unprompted = Input::Host(HostState::Unprompted);
    desk.engine.input(desk.world.harness.now(), unprompted);
    assert_eq!(desk.at(80_000, 30), [""; 0]);
    let now = desk.world.harness.now();
    let letter = Letter::new(
        Seq::new(1),
        MessageId::new("7F3K2A"),
        "Tam-alpha",
        "you",
        "are you there?",
    );
    let waiting = Waiting::Few(vec![letter]);
    desk.engine.input(now, Input::MailWaiting(waiting));
    let batches = desk.batches(0);
    assert_eq!(batches.len(), 1);
    let lines = lines(&batches[0]);
    assert!(lines[0].starts_with("[attend sensor=messages priority=high] 7F3K2A "));
    assert_eq!(taught(&lines), [1; 4], "{lines:#?}");
}
