//! How sensors are built from configuration, and what a bad one is told.

use attend_core::sensor::{
    BuildContext, ConfigError, Event, Registration, Registry, Sensor, SensorSpec, Value,
    sensor_sync,
};
use attend_core::testkit::Harness;
use serde::{Deserialize, Serialize};
use serde_json::json;

#[derive(Serialize, Deserialize)]
#[serde(default)]
struct Greeting {
    name: String,
    times: u8,
    tags: Vec<String>,
}

impl Default for Greeting {
    fn default() -> Self {
        Self {
            name: "world".into(),
            times: 1,
            tags: Vec::new(),
        }
    }
}

impl SensorSpec for Greeting {
    const KIND: &'static str = "greeting";
    const ABOUT: &'static str = "nothing: it greets";

    fn build(self, cx: &BuildContext) -> Result<Box<dyn Sensor>, ConfigError> {
        if self.times == 0 {
            return Err(ConfigError::at("times", "a greeting is said at least once"));
        }
        let who = cx.name().clone();
        Ok(Box::new(sensor_sync(move |cx| {
            cx.report(Event::new(1.0, format!("{who}: hello {}", self.name)));
            Ok(())
        })))
    }
}

/// Another kind of the same name.
#[derive(Default, Serialize, Deserialize)]
struct Farewell {}

impl SensorSpec for Farewell {
    const KIND: &'static str = "greeting";
    const ABOUT: &'static str = "nothing: it leaves";

    fn build(self, _cx: &BuildContext) -> Result<Box<dyn Sensor>, ConfigError> {
        Ok(Box::new(sensor_sync(|cx| {
            cx.report(Event::new(1.0, "goodbye"));
            Ok(())
        })))
    }
}

#[derive(Default, Serialize, Deserialize)]
struct Required {
    interval: u64,
    path: String,
}

impl SensorSpec for Required {
    const KIND: &'static str = "required";
    const ABOUT: &'static str = "nothing: it asks for keys";

    fn build(self, _cx: &BuildContext) -> Result<Box<dyn Sensor>, ConfigError> {
        Ok(Box::new(sensor_sync(|_| Ok(()))))
    }
}

fn build(
    registry: &Registry,
    kind: &str,
    config: &serde_json::Value,
) -> Result<Box<dyn Sensor>, ConfigError> {
    registry.build(kind, Value::of(config)?, &Harness::new().build_context())
}

fn refused(kind: &str, config: &serde_json::Value) -> ConfigError {
    let registry = Registry::new().with::<Greeting>().with::<Required>();
    build(&registry, kind, config).map(drop).unwrap_err()
}

#[test]
fn a_kind_is_built_from_what_is_configured_and_its_defaults() {
    let registry = Registry::new().with::<Greeting>();
    let mut harness = Harness::new();
    for (config, text) in [
        (json!(null), "under-test: hello world"),
        (json!({}), "under-test: hello world"),
        (json!({ "name": "Cleo" }), "under-test: hello Cleo"),
        (
            json!({ "name": "Cleo", "unknown": [1] }),
            "under-test: hello Cleo",
        ),
    ] {
        let mut sensor = build(&registry, "greeting", &config).unwrap();
        harness.poll(sensor.as_mut()).assert_texts(&[text]);
    }
}

#[test]
fn an_unknown_kind_is_told_which_there_are() {
    assert_eq!(
        refused("greting", &json!({})).to_string(),
        "there is no kind of sensor `greting`; known are: greeting, required"
    );
}

#[test]
fn a_bad_configuration_names_the_key() {
    let cases = [
        (
            "greeting",
            json!({ "name": "Cleo", "times": "three" }),
            Some("times"),
            "`times`: invalid type: string \"three\", expected u8",
        ),
        (
            "greeting",
            json!({ "name": "Cleo", "times": 300 }),
            Some("times"),
            "`times`: invalid value: integer `300`, expected u8",
        ),
        (
            "greeting",
            json!({ "tags": ["a", 1] }),
            Some("tags"),
            "`tags`: invalid type: integer `1`, expected a string",
        ),
        // Two are wrong: the first that is read is named.
        (
            "greeting",
            json!({ "name": 1, "tags": 1 }),
            Some("name"),
            "`name`: invalid type: integer `1`, expected a string",
        ),
        (
            "required",
            json!({ "interval": 5, "path": 1 }),
            Some("path"),
            "`path`: invalid type: integer `1`, expected a string",
        ),
        // What is missing is named by the text.
        (
            "required",
            json!({ "interval": 5 }),
            None,
            "missing field `path`",
        ),
        (
            "greeting",
            json!(["Cleo", "x"]),
            None,
            "invalid type: string \"x\", expected u8",
        ),
        // And what the kind itself refuses.
        (
            "greeting",
            json!({ "times": 0 }),
            Some("times"),
            "`times`: a greeting is said at least once",
        ),
    ];
    for (kind, config, key, text) in cases {
        let error = refused(kind, &config);
        assert_eq!(
            (error.key(), error.to_string().as_str()),
            (key, text),
            "{config}"
        );
    }
}

#[test]
fn a_kind_added_again_replaces_the_first() {
    let registry = Registry::new()
        .with::<Greeting>()
        .with::<Required>()
        .with::<Farewell>();
    let kinds: Vec<&str> = registry.kinds().map(Registration::kind).collect();
    assert_eq!(kinds, ["required", "greeting"]);
    assert_eq!(
        registry.get("greeting").unwrap().about(),
        "nothing: it leaves"
    );
    let mut sensor = build(&registry, "greeting", &json!({})).unwrap();
    Harness::new()
        .poll(sensor.as_mut())
        .assert_texts(&["goodbye"]);
}
