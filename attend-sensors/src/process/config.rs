//! How the `process` sensor is configured.

use attend_core::sensor::ConfigError;
use serde::{Deserialize, Serialize};

/// The tools that are known by default.
const TOOLS: [&str; 43] = [
    "ant", "bazel", "bazelisk", "buck2", "bun", "cargo", "cmake", "ctest", "deno", "dotnet", "go",
    "gmake", "gradle", "gradlew", "jest", "just", "make", "meson", "mix", "mocha", "mvn", "mvnw",
    "ninja", "nox", "npm", "npx", "pnpm", "pytest", "rake", "rspec", "sbt", "scons", "stack",
    "swift", "task", "tox", "tsc", "turbo", "vite", "vitest", "webpack", "yarn", "zig",
];

/// What starts tools for its own ends, all the time.
const NOT_BELOW: [&str; 5] = ["gopls", "jdtls", "pylsp", "rust-analyzer", "tsserver"];

/// How many runs of one name are kept.
pub(super) const KEPT: usize = 8;

/// How the `process` sensor is configured.
///
/// ```
/// use attend_core::sensor::SensorSpec;
/// use attend_sensors::process::ProcessConfig;
///
/// let config = ProcessConfig::default();
/// assert_eq!(ProcessConfig::KIND, "process");
/// assert!(config.tools.iter().any(|tool| tool == "cargo") && config.also.is_empty());
/// ```
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
#[non_exhaustive]
pub struct ProcessConfig {
    /// The programs whose runs are told of, as they are called: `cargo`. A script is known by its
    /// own name, without `.py`, `.js` and the like.
    pub tools: Vec<String>,
    /// More of them, beside `tools`.
    pub also: Vec<String>,
    /// Programs that start tools for their own ends: what runs below one of them is not told of.
    pub not_below: Vec<String>,
    /// From which multiple of its longest run of late on a build runs unusually long; 0 for never.
    pub long_factor: f64,
    /// No build runs unusually long before so many seconds.
    pub long_after: u64,
    /// So many runs that ended well have to be known before any is unusual, 1 to 8.
    pub long_known: usize,
}

impl ProcessConfig {
    /// Refuses values that make no sense.
    pub(super) fn refuse(&self) -> Result<(), ConfigError> {
        let lists = [
            ("tools", &self.tools),
            ("also", &self.also),
            ("not_below", &self.not_below),
        ];
        for (key, names) in lists {
            let odd = |name: &&String| name.trim().is_empty() || name.contains('/');
            if let Some(name) = names.iter().find(odd) {
                return Err(ConfigError::at(
                    key,
                    format!("{name:?} is no name of a program: write it without its directory"),
                ));
            }
        }
        if self.long_factor != 0.0 && !(1.0..=1_000.0).contains(&self.long_factor) {
            return Err(ConfigError::at(
                "long_factor",
                format!("{} is neither 0 nor from 1 to 1000", self.long_factor),
            ));
        }
        if !(1..=KEPT).contains(&self.long_known) {
            return Err(ConfigError::at(
                "long_known",
                format!("{} is not from 1 to 8", self.long_known),
            ));
        }
        Ok(())
    }
}

impl Default for ProcessConfig {
    fn default() -> Self {
        let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        Self {
            tools: names(&TOOLS),
            also: Vec::new(),
            not_below: names(&NOT_BELOW),
            long_factor: 2.0,
            long_after: 60,
            long_known: 3,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_makes_no_sense_is_refused() {
        ProcessConfig::default().refuse().unwrap();
        let refused = |change: fn(&mut ProcessConfig)| {
            let mut config = ProcessConfig::default();
            change(&mut config);
            config.refuse().map_err(|error| error.to_string())
        };
        assert_eq!(
            refused(|config| config.also = vec!["/usr/bin/make".to_owned()]).unwrap_err(),
            "`also`: \"/usr/bin/make\" is no name of a program: write it without its directory"
        );
        assert!(refused(|config| config.tools = vec![" ".to_owned()]).is_err());
        assert_eq!(
            refused(|config| config.long_factor = 0.5).unwrap_err(),
            "`long_factor`: 0.5 is neither 0 nor from 1 to 1000"
        );
        assert!(refused(|config| config.long_factor = f64::NAN).is_err());
        assert!(refused(|config| config.long_known = 9).is_err());
        refused(|config| config.long_factor = 0.0).unwrap();
    }
}
