//! A sensor as it is configured: its name, its profile, and how it is built.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use crate::runtime::sensor_thread::Build;
use crate::sensor::{
    BuildContext, ConfigError, DEADLINE, Magnitude, Profile, Registration, Sensor, SensorName,
    Value,
};

/// A sensor that a driver is to run.
///
/// ```
/// use attend_core::runtime::SensorSetup;
/// use attend_core::sensor::{Event, Profile, SensorName, sensor_sync};
///
/// let setup = SensorSetup::new(SensorName::new("greeting")?, |_cx| {
///     Ok(Box::new(sensor_sync(|cx| {
///         cx.report(Event::new(1.0, "hello").key("hello"));
///         Ok(())
///     })))
/// })
/// .profile(Profile::new(60, 5, 2_000, 4));
/// assert_eq!(setup.name().as_str(), "greeting");
/// # Ok::<(), attend_core::sensor::NameError>(())
/// ```
#[derive(Clone)]
#[must_use = "a setup does nothing until a driver runs it"]
pub struct SensorSetup {
    pub(super) name: SensorName,
    pub(super) kind: String,
    pub(super) profile: Profile,
    pub(super) build: Build,
    pub(super) deadline: Duration,
    /// What a registered kind was given; none for what cannot be compared.
    config: Option<Value>,
}

impl SensorSetup {
    /// A sensor that `build` makes: before its first look, and again should it panic or block.
    ///
    /// `build` runs on the sensor thread. Its kind is its name, its profile the default one.
    pub fn new(
        name: SensorName,
        build: impl Fn(&BuildContext) -> Result<Box<dyn Sensor>, ConfigError> + Send + Sync + 'static,
    ) -> Self {
        Self {
            kind: name.as_str().to_owned(),
            name,
            profile: Profile::default(),
            build: Arc::new(build),
            deadline: DEADLINE,
            config: None,
        }
    }

    /// A sensor of a registered kind, with its profile and its deadline.
    pub fn registered(name: SensorName, registration: &Registration, config: Value) -> Self {
        let (kind, profile) = (registration.kind().to_owned(), registration.profile());
        let deadline = registration.deadline();
        let registration = registration.clone();
        let given = config.clone();
        let mut setup = Self::new(name, move |cx| registration.build(config.clone(), cx));
        (setup.kind, setup.profile, setup.config) = (kind, profile, Some(given));
        setup.deadline = deadline;
        setup
    }

    /// A sensor that is there already. It cannot be built again: should it panic or block, it
    /// is switched off.
    pub fn instance(name: SensorName, sensor: impl Sensor + 'static) -> Self {
        let sensor: Mutex<Option<Box<dyn Sensor>>> = Mutex::new(Some(Box::new(sensor)));
        Self::new(name, move |_| {
            let sensor = sensor.lock().unwrap_or_else(PoisonError::into_inner).take();
            sensor.ok_or_else(|| ConfigError::new("it cannot be built a second time"))
        })
    }

    /// The same sensor with another cadence and threshold.
    pub fn profile(mut self, profile: Profile) -> Self {
        self.profile = profile;
        self
    }

    /// How long one look may take; 30 s unless the kind or this says otherwise.
    pub fn deadline(mut self, deadline: Duration) -> Self {
        self.deadline = deadline;
        self
    }

    /// Whether `other` makes the same sensor, its cadence and threshold apart.
    pub(super) fn makes_the_same_as(&self, other: &Self) -> bool {
        self.config.is_some()
            && (&self.name, &self.kind, &self.config) == (&other.name, &other.kind, &other.config)
    }

    pub(crate) fn threshold(&self) -> Magnitude {
        self.profile.threshold
    }

    pub(crate) fn recipe(&self) -> Build {
        self.build.clone()
    }

    /// How long a look may take.
    pub(crate) fn time(&self) -> Duration {
        self.deadline
    }

    /// Its name.
    pub fn name(&self) -> &SensorName {
        &self.name
    }

    /// What it is.
    pub fn kind(&self) -> &str {
        &self.kind
    }
}

impl fmt::Debug for SensorSetup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SensorSetup")
            .field("name", &self.name)
            .field("kind", &self.kind)
            .finish_non_exhaustive()
    }
}
