//! A session whose context grows, and the sensor beside it.

use std::time::Duration;

use attend_core::sensor::{
    ContextUsage, HostAnswer, HostRequest, Sensor, SensorName, Taught, WindowBasis,
};
use attend_core::testkit::{Harness, Polled};
use attend_sensors::disclosure::{Component, DisclosureConfig};

pub(crate) struct World {
    pub(crate) harness: Harness,
    pub(crate) sensor: Box<dyn Sensor>,
    /// What the host says.
    pub(crate) usage: ContextUsage,
}

impl World {
    /// Of a window of so many tokens.
    pub(crate) fn of(window: u64) -> Self {
        Self::within(Harness::new(), window)
    }

    /// The same for a loop that is armed again, whose host knows that each component stands so
    /// far in, or does not.
    pub(crate) fn rearmed(window: u64, positions: [Option<u64>; 4]) -> Self {
        let world = Self::within(Harness::new().rearmed(), window);
        stands(&world.harness, positions);
        world
    }

    fn within(harness: Harness, window: u64) -> Self {
        Self {
            sensor: harness.build(DisclosureConfig::default()).unwrap(),
            harness,
            usage: session(window),
        }
    }

    /// So many tokens, and a look a minute later: the keys of what is taught.
    pub(crate) fn at(&mut self, tokens: impl Into<Option<u64>>) -> Vec<String> {
        keys(&self.look_at(tokens))
    }

    /// The same look.
    pub(crate) fn look_at(&mut self, tokens: impl Into<Option<u64>>) -> Polled {
        self.harness.advance(Duration::from_mins(1));
        self.usage.tokens = tokens.into();
        self.look()
    }

    /// A look now.
    pub(crate) fn look(&mut self) -> Polled {
        says(&self.harness, &self.usage);
        self.harness.poll(self.sensor.as_mut())
    }

    /// A new process beside the same session.
    pub(crate) fn another_process(&mut self) {
        let snapshot = self.sensor.snapshot();
        assert!(snapshot.is_none(), "nothing of it is stored");
        self.sensor = self.harness.build(DisclosureConfig::default()).unwrap();
    }
}

/// A session in which nothing was said yet.
pub(crate) fn session(window: u64) -> ContextUsage {
    let mut usage = ContextUsage::new(window, WindowBasis::Model);
    usage.epoch = Some("session".to_owned());
    usage
}

/// The host says this of the context from now on.
pub(crate) fn says(harness: &Harness, usage: &ContextUsage) {
    let answer = HostAnswer::Context(usage.clone());
    harness.host().answer(HostRequest::Context, Ok(answer));
}

/// The host says this of where the components stand from now on.
pub(crate) fn stands(harness: &Harness, positions: [Option<u64>; 4]) {
    let name = SensorName::new("under-test").unwrap();
    let lines = Component::ALL.map(|component| component.headline().to_owned());
    let request = HostRequest::Taught(Taught::new(name, lines));
    let answer = HostAnswer::Taught(positions.to_vec());
    harness.host().answer(request, Ok(answer));
}

pub(crate) fn keys(polled: &Polled) -> Vec<String> {
    assert_eq!(polled.result(), &Ok(()));
    polled.keys().into_iter().map(str::to_owned).collect()
}

/// The keys of teachings of all components, each of which is the `count`th.
pub(crate) fn all(count: u64) -> Vec<String> {
    let components = Component::ALL.into_iter();
    let keys = components.map(|component| format!("{}#{count}", component.name()));
    keys.collect()
}
