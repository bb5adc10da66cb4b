//! Kinds that run commands: implied by a key, never there by themselves, and trusted or not.

use std::path::Path;
use std::sync::{Arc, Mutex};

use attend_core::runtime::config::{Asked, Config, Layer, Places, Problem, Reader, Trust, resolve};
use attend_core::sensor::{
    BuildContext, ConfigError, Declares, Registry, Root, Roots, Sensor, SensorSpec, Value,
    sensor_sync,
};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{file, told};

/// A kind that is nothing without its key.
#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
struct Runs {
    run: Option<String>,
    quick: bool,
    pinned: Option<bool>,
}

impl SensorSpec for Runs {
    const KIND: &'static str = "runs";
    const ABOUT: &'static str = "what a program says";

    fn check(&self) -> Result<(), ConfigError> {
        match self.run {
            Some(_) => Ok(()),
            None => Err(ConfigError::new("there is nothing to run")),
        }
    }

    fn examine(&self, roots: &Roots) -> Result<(), ConfigError> {
        let program = roots.work().join(self.run.as_deref().unwrap_or_default());
        if program.exists() {
            return Ok(());
        }
        Err(ConfigError::at("run", "it is not there"))
    }

    fn build(self, _cx: &BuildContext) -> Result<Box<dyn Sensor>, ConfigError> {
        Ok(Box::new(sensor_sync(|_| Ok(()))))
    }

    fn declares() -> Declares {
        Declares::default().runs_commands().only_with(["run"])
    }
}

fn registry() -> Registry {
    Registry::new().with::<Runs>()
}

fn user(text: &str) -> Config {
    resolve(&[file(Layer::User, text.as_bytes())], &registry())
}

fn names(config: &Config) -> Vec<&str> {
    let sensors = config.sensors.iter();
    sensors.map(|sensor| sensor.name.as_str()).collect()
}

#[test]
fn a_kind_that_needs_a_key_is_there_only_where_that_is_said() {
    assert_eq!(names(&user("")), [""; 0]);
    let config = user("sensors:\n  a: {run: x}\n  runs: {run: y}\n  b: {kind: runs, run: z}\n");
    assert_eq!(told(&config), [""; 0]);
    assert_eq!(names(&config), ["a", "runs", "b"]);
    assert!(config.sensors.iter().all(|sensor| sensor.kind == "runs"));
}

#[test]
fn what_is_wrong_in_one_is_told_with_its_line() {
    let config = user(
        "sensors:\n  a:\n    rnu: x\n  b:\n    run: x\n    quik: true\n  c:\n    kind: runs\n",
    );
    assert_eq!(
        told(&config),
        [
            "u.yaml:2:3: sensors.a: there is no kind of sensor `a`",
            "u.yaml:6:5: sensors.b.quik: there is no such key; it is ignored; did you mean `quick`?",
            "u.yaml:7:3: sensors.c: there is nothing to run",
        ]
    );
    assert_eq!(names(&config), ["b"]);
}

#[test]
fn what_is_not_there_is_told_with_its_line_and_costs_nothing() {
    let home = tempfile::tempdir().unwrap();
    std::fs::write(home.path().join("there"), "").unwrap();
    let roots = Roots::new(home.path()).with(Root::Proc, "/proc");
    let config = user(
        "sensors:\n  a:\n    run: there\n  b:\n    interval: 10\n    run: gone\n  c: {run: gone, enabled: false}\n",
    );
    let found = config.examine(&registry(), &roots);
    let text: Vec<String> = found.iter().map(ToString::to_string).collect();
    assert_eq!(text, ["u.yaml:6: sensors.b.run: it is not there"]);
    assert_eq!(found[0].problem, Problem::World);
    assert_eq!(names(&config), ["a", "b", "c"]);
}

/// Allows what runs `good`, once it is told to.
#[derive(Clone, Debug, Default)]
struct Good(Arc<Mutex<(bool, bool)>>);

impl Good {
    fn allow(&self) {
        *self.0.lock().unwrap() = (true, true);
    }
}

impl Trust for Good {
    fn renew(&mut self) -> bool {
        std::mem::take(&mut self.0.lock().unwrap().1)
    }

    fn judge(&self, asked: &Asked) -> Result<Value, String> {
        let config = serde_json::to_value(&asked.config).unwrap();
        if self.0.lock().unwrap().0 && config["run"] == "good" {
            return Ok(Value::of(&json!({"run": "good", "pinned": true})).unwrap());
        }
        Err(format!("{} may not run", asked.name))
    }
}

/// A reader of these two files.
fn reader(home: &Path, user: &str, project: &str, trust: Good) -> Reader {
    std::fs::create_dir_all(home.join(".claude")).unwrap();
    std::fs::write(home.join("u.yaml"), user).unwrap();
    std::fs::write(home.join(".claude/attend.yaml"), project).unwrap();
    let places = Places::new(Some(home.join("u.yaml")), home);
    Reader::new(places, registry()).trusting(trust)
}

fn config_of(config: &Config, name: &str) -> Option<String> {
    let mut sensors = config.sensors.iter();
    let sensor = sensors.find(|sensor| sensor.name.as_str() == name)?;
    Some(serde_json::to_string(&sensor.config).unwrap())
}

#[test]
fn what_a_project_sets_up_runs_as_it_was_allowed_or_not_at_all() {
    let home = tempfile::tempdir().unwrap();
    let trust = Good::default();
    let project = "sensors:\n  a: {run: good}\n  b: {run: bad}\n";
    let mut reader = reader(home.path(), "", project, trust.clone());
    let config = reader.read();
    assert_eq!(names(&config), [""; 0]);
    let lines: Vec<_> = config.findings.iter().map(|found| found.line).collect();
    assert_eq!(lines, [Some(2), Some(3)]);
    assert!(
        config
            .findings
            .iter()
            .all(|found| found.problem == Problem::NotTrusted)
    );
    assert!(reader.changed().is_none());

    trust.allow();
    let config = reader.changed().expect("something else is trusted");
    assert_eq!(names(&config), ["a"]);
    let pinned = r#"{"pinned":true,"run":"good"}"#;
    assert_eq!(config_of(&config, "a").as_deref(), Some(pinned));
    assert_eq!(config.findings.len(), 1);
    assert!(reader.changed().is_none());
}

#[test]
fn where_it_may_not_the_users_own_goes_on() {
    let home = tempfile::tempdir().unwrap();
    let user = "sensors:\n  a: {run: mine}\n  b: {run: mine}\n";
    let project = "sensors:\n  a: {quick: true, enabled: false}\n  b: {interval: 10}\n";
    let mut reader = reader(home.path(), user, project, Good::default());
    let config = reader.read();
    let mine = Some(r#"{"run":"mine"}"#);
    assert_eq!(config_of(&config, "a").as_deref(), mine);
    assert_eq!(config_of(&config, "b").as_deref(), mine);
    // Whether and how often it runs is for anybody to say.
    assert_eq!(config.findings.len(), 1, "{:?}", config.findings);
    assert!(!config.sensors[0].enabled);
    assert_eq!(config.sensors[1].profile.interval.as_secs(), 10);
}
