//! The registry: which kinds of sensor there are, and how each is built from configuration.

use std::fmt;
use std::time::Duration;

use super::context::BuildContext;
use super::error::ConfigError;
#[cfg(feature = "config")]
use super::inspect::{Inspection, Way, inspect, read, refused};
use super::spec::{Declares, Profile, Sensor, SensorSpec};
use super::value::{Schema, Value};
use super::world::Roots;

type Examine = fn(Value, &Roots) -> Result<(), ConfigError>;

type Build = fn(Value, &BuildContext) -> Result<Box<dyn Sensor>, ConfigError>;

/// The kinds of sensor that a program knows, in the order in which they were added.
///
/// ```
/// use attend_core::sensor::{BuildContext, ConfigError, Event, Registry, Sensor, SensorSpec, sensor_sync};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Default, Serialize, Deserialize)]
/// struct Greeting { #[serde(default)] name: String }
///
/// impl SensorSpec for Greeting {
///     const KIND: &'static str = "greeting";
///     const ABOUT: &'static str = "nothing: it greets";
///     fn build(self, _cx: &BuildContext) -> Result<Box<dyn Sensor>, ConfigError> {
///         Ok(Box::new(sensor_sync(move |cx| {
///             cx.report(Event::new(1.0, format!("hello {}", self.name)).key("hello"));
///             Ok(())
///         })))
///     }
/// }
///
/// let registry = Registry::new().with::<Greeting>();
/// assert_eq!(registry.kinds().next().unwrap().kind(), "greeting");
/// ```
#[derive(Default)]
pub struct Registry {
    kinds: Vec<Registration>,
}

/// One kind of sensor in a [`Registry`].
#[derive(Clone)]
pub struct Registration {
    kind: &'static str,
    about: &'static str,
    profile: Profile,
    deadline: Duration,
    declares: Declares,
    schema: fn() -> Schema,
    build: Build,
    examine: Examine,
    #[cfg(feature = "config")]
    defaults: fn() -> serde_json::Value,
    #[cfg(feature = "config")]
    inspect: fn(&serde_json::Value) -> Inspection,
    #[cfg(feature = "config")]
    project: fn(&serde_json::Value) -> Option<(Way, String)>,
    #[cfg(feature = "config")]
    idle: fn(&serde_json::Value) -> Option<&'static str>,
}

impl Registry {
    /// A registry that knows no kind.
    pub fn new() -> Self {
        Self::default()
    }

    /// The same registry with one more kind. A kind added again replaces the first.
    #[must_use]
    pub fn with<S: SensorSpec>(mut self) -> Self {
        self.kinds.retain(|known| known.kind != S::KIND);
        self.kinds.push(Registration {
            kind: S::KIND,
            about: S::ABOUT,
            profile: S::profile(),
            deadline: S::deadline(),
            declares: S::declares(),
            schema: S::schema,
            build: |config, cx| {
                let config = config.read::<S>()?;
                config.check()?;
                config.build(cx)
            },
            examine: |config, roots| config.read::<S>()?.examine(roots),
            #[cfg(feature = "config")]
            defaults: || serde_json::to_value(S::default()).unwrap_or_default(),
            #[cfg(feature = "config")]
            inspect: |config| inspect(config, S::check),
            #[cfg(feature = "config")]
            project: |config| Some(refused(&read::<S>(config)?.check_project().err()?)),
            #[cfg(feature = "config")]
            idle: |config| read::<S>(config)?.idle(),
        });
        self
    }

    /// The kinds, in the order in which they were added.
    pub fn kinds(&self) -> impl Iterator<Item = &Registration> {
        self.kinds.iter()
    }

    /// The kind called `kind`.
    pub fn get(&self, kind: &str) -> Option<&Registration> {
        self.kinds.iter().find(|known| known.kind == kind)
    }

    /// Builds a sensor of the kind `kind`.
    ///
    /// # Errors
    ///
    /// An unknown kind (the error lists those there are), a configuration of another shape, or
    /// one that the kind refuses.
    pub fn build(
        &self,
        kind: &str,
        config: Value,
        cx: &BuildContext,
    ) -> Result<Box<dyn Sensor>, ConfigError> {
        let Some(known) = self.get(kind) else {
            let names: Vec<&str> = self.kinds().map(Registration::kind).collect();
            return Err(ConfigError::new(format!(
                "there is no kind of sensor `{kind}`; known are: {}",
                names.join(", ")
            )));
        };
        known.build(config, cx)
    }
}

impl Registration {
    /// The name of the kind.
    pub fn kind(&self) -> &'static str {
        self.kind
    }

    /// What it looks at, in one phrase.
    pub fn about(&self) -> &'static str {
        self.about
    }

    /// Its cadence and threshold where the configuration says nothing.
    pub fn profile(&self) -> Profile {
        self.profile
    }

    /// How long one look may take.
    pub fn deadline(&self) -> Duration {
        self.deadline
    }

    /// What it may report.
    pub fn declares(&self) -> &Declares {
        &self.declares
    }

    /// The JSON Schema of its configuration, made anew.
    pub fn schema(&self) -> Schema {
        (self.schema)()
    }

    /// Builds a sensor of this kind.
    ///
    /// # Errors
    ///
    /// A configuration of another shape, or one that the kind refuses.
    pub fn build(&self, config: Value, cx: &BuildContext) -> Result<Box<dyn Sensor>, ConfigError> {
        (self.build)(config, cx)
    }

    /// Says what in the world keeps a sensor of this kind from working now.
    ///
    /// # Errors
    ///
    /// The first such thing, or a configuration of another shape.
    pub fn examine(&self, config: Value, roots: &Roots) -> Result<(), ConfigError> {
        (self.examine)(config, roots)
    }

    /// Its own keys with their defaults.
    #[cfg(feature = "config")]
    pub(crate) fn defaults(&self) -> serde_json::Value {
        (self.defaults)()
    }

    /// What this kind says of `config`, without building anything.
    #[cfg(feature = "config")]
    pub(crate) fn inspect(&self, config: &serde_json::Value) -> Inspection {
        (self.inspect)(config)
    }

    /// What of `config` a project's own file may not say, and why.
    #[cfg(feature = "config")]
    pub(crate) fn refuses_of_project(&self, config: &serde_json::Value) -> Option<(Way, String)> {
        (self.project)(config)
    }

    /// Why a sensor with `config` would have nothing to look at.
    #[cfg(feature = "config")]
    pub(crate) fn idle(&self, config: &serde_json::Value) -> Option<&'static str> {
        (self.idle)(config)
    }
}

impl fmt::Debug for Registry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(&self.kinds).finish()
    }
}

impl fmt::Debug for Registration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Registration")
            .field("kind", &self.kind)
            .finish_non_exhaustive()
    }
}
