//! How the `files` sensor is configured.

use std::fmt;

use attend_core::sensor::{ConfigError, Magnitude};
use serde::de::value::MapAccessDeserializer;
use serde::de::{self, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use super::pattern::{NameGlob, Pattern, Start};

/// How many paths one sensor looks at.
const MAX_RULES: usize = 64;

/// How much a change matters where nothing else is said.
const MAGNITUDE: Magnitude = match Magnitude::from_thousandths(2_000) {
    Some(magnitude) => magnitude,
    None => unreachable!(),
};

/// How the `files` sensor is configured.
///
/// ```
/// use attend_core::sensor::SensorSpec;
/// use attend_sensors::files::FilesConfig;
///
/// let config = FilesConfig::default();
/// assert_eq!(FilesConfig::KIND, "files");
/// assert_eq!(config.idle(), Some("no paths are named"));
/// assert_eq!(config.path("src/**/*.proto", 3.0).unwrap().idle(), None);
/// ```
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
#[non_exhaustive]
pub struct FilesConfig {
    /// What is looked at, up to 64 paths or globs: `[Cargo.lock, {path: "src/**/*.proto",
    /// magnitude: 3}]`. A name that is a directory stands for all files below it. A path that
    /// begins with `/` or `~/` may lie anywhere, and only the user's own file may say it. Of
    /// several that mean one file, the first counts.
    pub paths: Vec<Rule>,
    /// Names at which wildcards do not look: those of directories, and of what editors leave
    /// behind. A path that says such a name itself is looked at.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<String>"))]
    pub skip: Vec<NameGlob>,
    /// Whether the directories are watched, so that a change is told within seconds.
    pub watch: bool,
}

/// Some files, and how much it matters when they change.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[non_exhaustive]
pub struct Rule {
    /// Which files.
    pub path: Pattern,
    /// How much it matters, from 0 to 100; 2.0 where it is not said.
    pub magnitude: Magnitude,
}

impl FilesConfig {
    /// The same with the path or glob `text`, of which a change matters `magnitude`.
    ///
    /// # Errors
    ///
    /// A text that is no pattern, and a magnitude that is none.
    pub fn path(mut self, text: &str, magnitude: f64) -> Result<Self, ConfigError> {
        let path = Pattern::new(text).map_err(|why| ConfigError::at("paths", why))?;
        let Some(magnitude) = Magnitude::new(magnitude) else {
            let why = format!("{magnitude} is no magnitude from 0 to 100");
            return Err(ConfigError::at("paths", why));
        };
        self.paths.push(Rule { path, magnitude });
        Ok(self)
    }

    /// The same, by interval only: for a tree that would take too many watches.
    #[must_use]
    pub fn by_interval(mut self) -> Self {
        self.watch = false;
        self
    }

    /// Refuses more than is looked at.
    pub(super) fn refuse(&self) -> Result<(), ConfigError> {
        if self.paths.len() > MAX_RULES {
            let why = format!(
                "at most {MAX_RULES} paths are looked at, these are {}",
                self.paths.len()
            );
            return Err(ConfigError::at("paths", why));
        }
        Ok(())
    }

    /// Refuses what lies outside the project.
    pub(super) fn refuse_outside(&self) -> Result<(), ConfigError> {
        let mut rules = self.paths.iter().enumerate();
        let outside = rules.find(|(_, rule)| rule.path.start() != Start::Project);
        outside.map_or(Ok(()), |(at, rule)| {
            let why = format!(
                "`{}` may lie outside the project: only the user's own file may say this",
                rule.path
            );
            Err(ConfigError::at(format!("paths.{at}"), why))
        })
    }
}

impl Default for FilesConfig {
    fn default() -> Self {
        let skip = [
            ".git",
            "node_modules",
            "target",
            "*~",
            ".*.sw?",
            ".#*",
            "#*#",
            "4913",
        ];
        Self {
            paths: Vec::new(),
            watch: true,
            skip: skip
                .into_iter()
                .filter_map(|name| NameGlob::new(name).ok())
                .collect(),
        }
    }
}

impl<'de> Deserialize<'de> for Rule {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Whole {
            path: Pattern,
            #[serde(default = "usual")]
            magnitude: Magnitude,
        }

        struct TextOrWhole;

        impl<'de> Visitor<'de> for TextOrWhole {
            type Value = Rule;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a path, or a mapping with `path` and `magnitude`")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Rule, E> {
                let path = Pattern::new(text).map_err(E::custom)?;
                let magnitude = MAGNITUDE;
                Ok(Rule { path, magnitude })
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Rule, A::Error> {
                let Whole { path, magnitude } =
                    Whole::deserialize(MapAccessDeserializer::new(map))?;
                Ok(Rule { path, magnitude })
            }
        }

        deserializer.deserialize_any(TextOrWhole)
    }
}

fn usual() -> Magnitude {
    MAGNITUDE
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Rule {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Rule".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "description": "Some files, and how much it matters when they change.",
            "anyOf": [
                {"type": "string"},
                {
                    "type": "object",
                    "properties": {
                        "path": {"type": "string", "description": "Which files."},
                        "magnitude": {
                            "type": "number",
                            "minimum": 0,
                            "maximum": 100,
                            "default": 2.0,
                            "description": "How much it matters, from 0 to 100."
                        }
                    },
                    "required": ["path"],
                    "additionalProperties": false
                }
            ]
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_path_is_a_text_or_says_how_much_it_matters() {
        let read: FilesConfig =
            serde_json::from_value(json!({"paths": ["a", {"path": "b/*", "magnitude": 3.5}]}))
                .unwrap();
        let rules = read.paths.iter();
        let rules: Vec<_> = rules
            .map(|rule| (rule.path.as_str(), rule.magnitude.get()))
            .collect();
        assert_eq!(rules, [("a", 2.0), ("b/*", 3.5)]);
        let written = serde_json::to_value(&read).unwrap();
        assert_eq!(written["paths"][0], json!({"path": "a", "magnitude": 2.0}));
        assert_eq!(
            serde_json::from_value::<FilesConfig>(written).unwrap(),
            read
        );
    }

    #[test]
    fn what_is_no_path_is_refused() {
        for wrong in [
            json!({"paths": [7]}),
            json!({"paths": ["[a"]}),
            json!({"paths": [{"path": "a", "magnitud": 1}]}),
            json!({"paths": [{"path": "a", "magnitude": 101}]}),
            json!({"paths": [{"magnitude": 1}]}),
            json!({"skip": ["a/b"]}),
        ] {
            assert!(
                serde_json::from_value::<FilesConfig>(wrong.clone()).is_err(),
                "{wrong}"
            );
        }
        let many = vec!["a"; 65];
        let many: FilesConfig = serde_json::from_value(json!({"paths": many})).unwrap();
        assert!(many.refuse().is_err());
    }

    #[test]
    fn what_may_lie_outside_is_named() {
        let config = FilesConfig::default().path("a", 1.0).unwrap();
        assert_eq!(config.refuse_outside(), Ok(()));
        for outside in ["/etc/hosts", "~/x"] {
            let refused = config.clone().path(outside, 1.0).unwrap().refuse_outside();
            assert_eq!(refused.unwrap_err().key(), Some("paths.1"));
        }
    }
}
