//! A summary: as much of a trigger as tells on what it cannot fire.

use serde::{Deserialize, Serialize};

use super::needed::{Needed, fold};
use super::pattern::{FileGlob, Pattern};
use super::trigger::{Occasion, Prompts, Trigger};

/// As much of a trigger as tells on what it cannot fire.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Summary {
    #[serde(rename = "t")]
    trigger: String,
    #[serde(rename = "s", default, skip_serializing_if = "Vec::is_empty")]
    signals: Vec<String>,
    /// The share of the window that has to be reached.
    #[serde(rename = "a", default, skip_serializing_if = "Option::is_none")]
    above: Option<f64>,
    #[serde(rename = "c", default, skip_serializing_if = "Vec::is_empty")]
    tools: Vec<String>,
    /// What the prompt or the command needs to hold.
    #[serde(rename = "n", default, skip_serializing_if = "Needed::is_nothing")]
    text: Needed,
    #[serde(rename = "f", default, skip_serializing_if = "Needed::is_nothing")]
    file: Needed,
}

impl Summary {
    /// Of `trigger`.
    pub fn of(trigger: &Trigger) -> Self {
        let mut summary = Self {
            trigger: trigger.name().to_owned(),
            signals: trigger.signals().iter().map(ToString::to_string).collect(),
            above: match trigger {
                Trigger::ContextThreshold { above } => Some(*above),
                _ => None,
            },
            tools: Vec::new(),
            text: Needed::default(),
            file: Needed::default(),
        };
        match trigger {
            Trigger::UserPromptSubmit(prompts) => summary.text = of_prompts(prompts),
            Trigger::Tool(_, calls) => {
                summary.tools.clone_from(&calls.tools);
                summary.text = Needed::any(calls.commands.iter().map(Pattern::needed));
                summary.file = Needed::any(calls.files.iter().map(FileGlob::needed));
            }
            _ => {}
        }
        summary
    }

    /// The type of the trigger, as [`Trigger::name`] calls it.
    pub fn trigger(&self) -> &str {
        &self.trigger
    }

    /// The share of the window that has to be reached, where it fires on that.
    pub fn above(&self) -> Option<f64> {
        self.above
    }

    /// Whether the trigger may fire on `occasion`: what this denies, it does not do.
    ///
    /// ```
    /// use attend_core::sensor::Signal;
    /// use attend_core::ways::{Occasion, Summary, Trigger};
    ///
    /// let trigger = Trigger::Attend { signals: vec![Signal::from("build-failed")] };
    /// let summary = Summary::of(&trigger);
    /// assert!(summary.may_fire_on(&Occasion::Asked("build-failed")));
    /// assert!(!summary.may_fire_on(&Occasion::Asked("build-complete")));
    /// ```
    pub fn may_fire_on(&self, occasion: &Occasion<'_>) -> bool {
        let is = |name: &str| self.trigger == name;
        match occasion {
            Occasion::Asked(asked) => self.signals.iter().any(|signal| signal == asked),
            Occasion::Prompt(text) => is("UserPromptSubmit") && self.text.may_be_in(text.folded()),
            Occasion::Tool {
                event,
                tool,
                command,
                file,
            } => {
                let by_tool = self.tools.is_empty() || self.tools.iter().any(|name| name == tool);
                let command = command.map_or("", |text| text.folded());
                is(event.name())
                    && by_tool
                    && self.text.may_be_in(command)
                    && self.file.may_be_in(&fold(file.unwrap_or_default()))
            }
            Occasion::Start(_) => is("SessionStart"),
            Occasion::Compacted => is("PostCompact"),
            Occasion::Stop { .. } => is("Stop"),
            Occasion::Share { now, .. } => self.above.is_some_and(|above| *now >= above),
        }
    }
}

fn of_prompts(prompts: &Prompts) -> Needed {
    let keywords: Vec<Needed> = prompts
        .keywords
        .iter()
        .map(|word| Needed::of_words(word))
        .collect();
    Needed::any(prompts.pattern.iter().map(Pattern::needed).chain(&keywords))
}
