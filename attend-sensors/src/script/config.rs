//! How a `script` sensor is configured.

use std::path::PathBuf;

use attend_core::sensor::{ConfigError, Root, Roots};
use serde::{Deserialize, Serialize};

use super::place::{expanded, is_reachable};

/// The longest that one look may take, in seconds.
const MOST_SECONDS: u64 = 60;

/// How a `script` sensor is configured.
///
/// ```
/// use attend_core::sensor::SensorSpec;
/// use attend_sensors::script::{Protocol, ScriptConfig};
///
/// let config = ScriptConfig::of_script("~/bin/reviews.sh");
/// assert_eq!((ScriptConfig::KIND, config.protocol), ("script", Protocol::Lines));
/// assert!(config.check().is_ok());
/// assert!(ScriptConfig::default().check().is_err(), "there is nothing to run");
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
#[non_exhaustive]
pub struct ScriptConfig {
    /// The script: a file that can be executed. `~`, `$HOME` and `$XDG_…` at its beginning stand for
    /// your directories. Another path begins beside the file that says it: in attend's directory of
    /// configuration, or for a project's file in the project.
    pub script: Option<String>,
    /// In place of `script`: a program and its arguments. The program is looked for as a shell
    /// would, each of them is expanded as `script` is, and no shell reads them.
    pub command: Vec<String>,
    /// `lines`: it is run at each look, and says what it has to say. `stream`: it runs on, and says
    /// it when it happens.
    pub protocol: Protocol,
    /// How many seconds a look at `lines` may take before the script is killed; 1 to 60.
    pub deadline: u64,
    /// What a person allowed, where a project's file set it up.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(skip))]
    pub(super) pinned: Option<String>,
}

/// How a script says what it has to say.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(inline))]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Protocol {
    /// One process for each look.
    #[default]
    Lines,
    /// One process that runs on.
    Stream,
}

impl Default for ScriptConfig {
    fn default() -> Self {
        Self {
            script: None,
            command: Vec::new(),
            protocol: Protocol::Lines,
            deadline: 10,
            pinned: None,
        }
    }
}

impl ScriptConfig {
    /// A script that is run at each look.
    #[must_use]
    pub fn of_script(script: impl Into<String>) -> Self {
        Self {
            script: Some(script.into()),
            ..Self::default()
        }
    }

    /// A program with arguments that is run at each look.
    #[must_use]
    pub fn of_command(command: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self {
            command: command.into_iter().map(Into::into).collect(),
            ..Self::default()
        }
    }

    /// The same, running on.
    #[must_use]
    pub fn streaming(mut self) -> Self {
        self.protocol = Protocol::Stream;
        self
    }

    /// Its configuration as a person allows it: without what pins it.
    pub(super) fn plain(&self) -> Self {
        Self {
            pinned: None,
            ..self.clone()
        }
    }

    /// What is run: a program, or a path of one, and its arguments.
    fn words(&self) -> impl Iterator<Item = &str> {
        let script = self.script.as_deref();
        script
            .into_iter()
            .chain(self.command.iter().map(String::as_str))
    }

    /// What is run: a path, or the name of a program, and its arguments.
    pub(super) fn argv(&self, roots: &Roots) -> Result<Vec<PathBuf>, String> {
        let words = self.words().map(|word| expanded(word, roots));
        let mut words = words.collect::<Result<Vec<_>, _>>()?;
        let Some(program) = words.first_mut() else {
            return Err("there is nothing to run".to_owned());
        };
        let is_path = self.script.is_some() || program.components().count() > 1;
        if is_path && program.is_relative() {
            // A project's file means the project. The user's own means the user's own, or any
            // project could bring what is run.
            let base = match self.pinned {
                Some(_) => Some(roots.work()),
                None => roots.get(Root::Config),
            };
            let base = base.ok_or("there is no directory of configuration for it to lie in")?;
            *program = base.join(&*program);
        }
        Ok(words)
    }

    /// The key that says what is run.
    pub(super) fn key(&self) -> &'static str {
        if self.script.is_some() {
            "script"
        } else {
            "command"
        }
    }

    /// Refuses values that make no sense.
    pub(super) fn refuse(&self) -> Result<(), ConfigError> {
        let key = self.key();
        if self.script.is_some() && !self.command.is_empty() {
            let text = "it takes the place of `script`: give one of them";
            return Err(ConfigError::at("command", text));
        }
        let Some(program) = self.words().next() else {
            return Err(ConfigError::new(
                "there is nothing to run: give it a `script` or a `command`",
            ));
        };
        if program.is_empty() {
            return Err(ConfigError::at(key, "it names nothing to run"));
        }
        if self.words().any(|word| word.contains('\0')) {
            return Err(ConfigError::at(key, "it holds a zero byte"));
        }
        if !is_reachable(program) {
            let text = format!(
                "nothing stands for the beginning of {program}: known are ~, $HOME, $XDG_CONFIG_HOME, \
                 $XDG_DATA_HOME, $XDG_STATE_HOME, $XDG_CACHE_HOME and $XDG_RUNTIME_DIR"
            );
            return Err(ConfigError::at(key, text));
        }
        if !(1..=MOST_SECONDS).contains(&self.deadline) {
            let text = format!("must be from 1 to {MOST_SECONDS} seconds");
            return Err(ConfigError::at("deadline", text));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn roots() -> Roots {
        Roots::new("/project").with(Root::Config, "/home/sam/.config/attend")
    }

    #[test]
    fn a_path_begins_beside_the_file_that_says_it() {
        let program = |config: &ScriptConfig| config.argv(&roots()).unwrap().remove(0);
        let mut config = ScriptConfig::of_script("x.sh");
        assert_eq!(program(&config), Path::new("/home/sam/.config/attend/x.sh"));
        config.pinned = Some(String::new());
        assert_eq!(program(&config), Path::new("/project/x.sh"));
        for (word, path) in [
            ("jq", "jq"),
            ("./jq", "/home/sam/.config/attend/jq"),
            ("/bin/jq", "/bin/jq"),
        ] {
            let config = ScriptConfig::of_command([word, "x.sh"]);
            let argv = config.argv(&roots()).unwrap();
            assert_eq!(argv, [Path::new(path), Path::new("x.sh")], "{word}");
        }
    }
}
