//! A session whose context grows, and the sensor beside it.

use std::time::Duration;

use attend_core::sensor::{
    Compaction, ContextUsage, Growth, HostAnswer, HostRequest, Sample, Sensor, WindowBasis,
};
use attend_core::testkit::{Harness, Polled};
use attend_sensors::context::ContextConfig;

/// A window of 200,000 tokens.
pub(crate) const WINDOW: u64 = 200_000;

pub(crate) struct World {
    pub(crate) harness: Harness,
    pub(crate) sensor: Box<dyn Sensor>,
    /// What the host says.
    pub(crate) usage: ContextUsage,
    config: ContextConfig,
}

impl World {
    pub(crate) fn new() -> Self {
        Self::configured(ContextConfig::default())
    }

    pub(crate) fn configured(config: ContextConfig) -> Self {
        let harness = Harness::new();
        Self {
            sensor: harness.build(config.clone()).unwrap(),
            harness,
            usage: session(),
            config,
        }
    }

    /// So many tokens, and a look two hours later.
    pub(crate) fn at(&mut self, tokens: u64) -> Polled {
        self.at_after(tokens, 7_200)
    }

    /// So many tokens after so many seconds, and a look then.
    pub(crate) fn at_after(&mut self, tokens: u64, seconds: u64) -> Polled {
        self.harness.advance(Duration::from_secs(seconds));
        self.usage.tokens = Some(tokens);
        self.usage
            .samples
            .push(Sample::new(self.harness.now(), tokens));
        self.look()
    }

    /// A compaction, from so many tokens, and a look before the next answer.
    pub(crate) fn compacted(&mut self, automatic: bool, before: u64) -> Polled {
        self.usage.tokens = None;
        self.usage.samples.clear();
        self.usage.compaction = Some(Compaction::new(automatic, Some(before)));
        let epoch = self.usage.epoch.take().unwrap_or_default();
        self.usage.epoch = Some(epoch + "'");
        self.look()
    }

    /// A look now.
    pub(crate) fn look(&mut self) -> Polled {
        let answer = HostAnswer::Context(self.usage.clone());
        self.harness.host().answer(HostRequest::Context, Ok(answer));
        self.harness.poll(self.sensor.as_mut())
    }

    /// So many turns so far, each of which added so much.
    pub(crate) fn turn(&mut self, turn: Option<u64>, growth: u64) -> &mut Self {
        self.usage.turn = turn;
        self.usage.growth = Growth::of(&[growth]);
        self
    }

    /// Puts a fresh sensor in the place of this one, which remembers what it stored.
    pub(crate) fn restart(&mut self) {
        let snapshot = self.sensor.snapshot().unwrap();
        self.sensor = self.harness.build(self.config.clone()).unwrap();
        self.sensor.restore(&snapshot).unwrap();
    }
}

/// A session in which nothing was said yet.
pub(crate) fn session() -> ContextUsage {
    let mut usage = ContextUsage::new(WINDOW, WindowBasis::Model);
    usage.model = Some("opus-9".to_owned());
    usage.epoch = Some("session".to_owned());
    usage
}

/// What an event says of its stakes: `!` before those at hand.
pub(crate) fn stakes(polled: &Polled) -> String {
    polled
        .only_event()
        .stakes()
        .map_or_else(String::new, |stakes| {
            let at_hand = if stakes.is_at_hand() { "!" } else { "" };
            format!("{at_hand}{}", stakes.text())
        })
}
