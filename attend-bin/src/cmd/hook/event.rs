//! What the host says of the event that a hook is run for.

use std::path::PathBuf;

use serde_json::{Map, Value};

use super::happening::Happening;
use crate::stdin::text;

/// An event of the host.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Event {
    /// Its name, as the host writes it.
    pub(super) name: String,
    /// The session that it is of.
    pub(super) session: String,
    /// How it can carry text.
    pub(super) carrier: Carrier,
    /// The session's transcript.
    pub(super) transcript: Option<PathBuf>,
    /// The subagent whose it is: it must not take what is meant for the session.
    pub(super) subagent: Option<String>,
    /// Where the session works.
    pub(super) cwd: Option<PathBuf>,
    /// The prompt that began the turn.
    pub(super) turn: Option<String>,
    /// On what ways may fire.
    pub(super) happening: Happening,
    /// The file that changed.
    pub(super) file: Option<PathBuf>,
    command: Option<String>,
}

/// How an event can carry text to the model.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Carrier {
    /// Not at all.
    Nothing,
    /// In the answer, as additional context.
    Context,
    /// On stderr, with the exit code that wakes the host.
    Waking,
}

impl Event {
    /// Reads the host's JSON.
    ///
    /// # Errors
    ///
    /// A text that is needed is something else; what it is, for people.
    pub(super) fn of(object: &Map<String, Value>) -> Result<Self, String> {
        let name = text(object, "hook_event_name")?;
        let is_on = |key: &str| object.get(key).and_then(Value::as_bool) == Some(true);
        let path = |key: &str| {
            let path = object.get(key).and_then(Value::as_str).map(PathBuf::from);
            path.filter(|path| path.is_absolute())
        };
        let carrier = match name.as_str() {
            "SessionStart" | "UserPromptSubmit" | "PreToolUse" | "PostToolUse"
            | "PostToolUseFailure" => Carrier::Context,
            // One that goes on because of a hook is let end.
            "Stop" if !is_on("stop_hook_active") => Carrier::Context,
            "FileChanged" => Carrier::Waking,
            _ => Carrier::Nothing,
        };
        let input = object
            .get("tool_input")
            .and_then(|input| input.get("command"));
        let is_shell = object.get("tool_name").and_then(Value::as_str) == Some("Bash");
        let command = input.and_then(Value::as_str).map(str::to_owned);
        let session = text(object, "session_id");
        // Whatever it is called by, it is a subagent's.
        let subagent = object.get("agent_id").filter(|id| !id.is_null());
        let subagent = subagent.map(|id| id.as_str().unwrap_or_default().to_owned());
        Ok(Self {
            session: match carrier {
                Carrier::Nothing => session.unwrap_or_default(),
                _ => session?,
            },
            carrier,
            transcript: path("transcript_path"),
            subagent,
            cwd: path("cwd"),
            turn: text(object, "prompt_id").ok().filter(|id| !id.is_empty()),
            happening: Happening::of(&name, object),
            file: path("file_path"),
            command: command.filter(|_| name == "PreToolUse" && is_shell),
            name,
        })
    }

    /// Whether a session begins.
    pub(super) fn is_start(&self) -> bool {
        self.name == "SessionStart"
    }

    /// The shell command that is about to be run.
    pub(super) fn shell_command(&self) -> Option<&str> {
        self.command.as_deref()
    }
}
