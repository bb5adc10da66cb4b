//! Configuration: layers, findings with their lines, and what no text can do.
#![expect(clippy::unwrap_used, reason = "all of this is a test")]

mod findings;
mod laws;
mod layers;
mod reader;
mod scripts;

use attend_core::runtime::config::{Config, File, Layer, resolve};
use attend_core::sensor::{
    BuildContext, ConfigError, Declares, Profile, Registry, Sensor, SensorSpec, sensor_sync,
};
use serde::{Deserialize, Serialize};

/// A kind with keys of its own.
#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
struct Files {
    paths: Vec<String>,
    rules: Vec<Rule>,
    most: Option<u8>,
    watch: bool,
}

#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
struct Rule {
    glob: String,
    magnitude: f64,
}

impl SensorSpec for Files {
    const KIND: &'static str = "files";
    const ABOUT: &'static str = "files";

    fn check(&self) -> Result<(), ConfigError> {
        if self.paths.iter().any(String::is_empty) {
            return Err(ConfigError::at("paths", "a path is empty"));
        }
        Ok(())
    }

    fn build(self, _cx: &BuildContext) -> Result<Box<dyn Sensor>, ConfigError> {
        Ok(Box::new(sensor_sync(|_| Ok(()))))
    }

    fn profile() -> Profile {
        Profile::new(30, 5, 2_000, 4)
    }
}

/// A kind that needs a key, and runs what that says.
#[derive(Serialize, Deserialize)]
struct Script {
    command: Vec<String>,
    #[serde(default)]
    quiet: bool,
}

impl Default for Script {
    fn default() -> Self {
        Self {
            command: vec!["true".to_owned()],
            quiet: true,
        }
    }
}

impl SensorSpec for Script {
    const KIND: &'static str = "script";
    const ABOUT: &'static str = "what a command says";

    fn build(self, _cx: &BuildContext) -> Result<Box<dyn Sensor>, ConfigError> {
        Ok(Box::new(sensor_sync(|_| Ok(()))))
    }

    fn declares() -> Declares {
        Declares::default().runs_commands()
    }
}

fn registry() -> Registry {
    Registry::new().with::<Files>().with::<Script>()
}

fn file(layer: Layer, bytes: &[u8]) -> File {
    let path = match layer {
        Layer::User => "u.yaml",
        _ => "p.yaml",
    };
    File {
        layer,
        path: path.into(),
        bytes: bytes.to_vec(),
    }
}

fn user(text: &str) -> Config {
    resolve(&[file(Layer::User, text.as_bytes())], &registry())
}

fn both(user: &str, project: &str) -> Config {
    let files = [
        file(Layer::User, user.as_bytes()),
        file(Layer::Project, project.as_bytes()),
    ];
    resolve(&files, &registry())
}

fn told(config: &Config) -> Vec<String> {
    config.findings.iter().map(ToString::to_string).collect()
}

/// The value of `key`, as JSON, and where it comes from: `default`, or `user:3`.
fn holds(config: &Config, key: &str) -> Option<(String, String)> {
    let setting = config.values.iter().find(|setting| setting.key == key)?;
    let origin = serde_json::to_value(&setting.origin).unwrap();
    let layer = origin["layer"].as_str().unwrap().to_owned();
    let from = match origin["line"].as_u64() {
        Some(line) => format!("{layer}:{line}"),
        None => layer,
    };
    Some((serde_json::to_string(&setting.value).unwrap(), from))
}
