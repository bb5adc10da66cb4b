//! What in the world keeps configured sensors from working.

use std::path::PathBuf;

use super::finding::{Finding, Problem};
use super::reading::Origin;
use super::resolve::Config;
use crate::sensor::{ConfigError, Registry, Roots, SensorName};
use crate::yaml::Mark;

impl Config {
    /// What in the world keeps its sensors from working now, such as a script that is not there:
    /// with the line of the key that names it. This looks at files.
    pub fn examine(&self, registry: &Registry, roots: &Roots) -> Vec<Finding> {
        let enabled = self.sensors.iter().filter(|sensor| sensor.enabled);
        let found = enabled.filter_map(|sensor| {
            let kind = registry.get(&sensor.kind)?;
            let error = kind.examine(sensor.config.clone(), roots).err()?;
            self.examined(&sensor.name, &error, &sensor.origin)
        });
        found.collect()
    }

    fn examined(&self, name: &SensorName, error: &ConfigError, whole: &Origin) -> Option<Finding> {
        let key = error.key().map(|key| format!("sensors.{name}.{key}"));
        let setting = self
            .values
            .iter()
            .find(|setting| Some(&setting.key) == key.as_ref());
        let at = setting.and_then(|setting| place(&setting.origin));
        let (file, line) = at.or_else(|| place(whole))?;
        let mark = Mark { line, column: 1 };
        let mut finding = Finding::new(&file, Some(mark), Problem::World, error.text());
        finding.column = None;
        Some(finding.key(key.unwrap_or_else(|| format!("sensors.{name}"))))
    }
}

fn place(origin: &Origin) -> Option<(PathBuf, usize)> {
    match origin {
        Origin::User { file, line } | Origin::Project { file, line } => Some((file.clone(), *line)),
        Origin::Default => None,
    }
}
