//! A session whose host runs `attend hook`: what it tells the hook, and what that answers.

#![expect(
    clippy::disallowed_methods,
    reason = "a test starts the program in an environment of its own"
)]

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

use crate::desk::{Desk, SESSION};
use crate::home::{scrub, stderr, stdout};

impl Desk {
    /// `attend hook`, told `event`, to which what every event has is added.
    pub(crate) fn hook_command(&self, event: &Value) -> Command {
        let project = self.home.project();
        let mut all = json!({
            "session_id": SESSION, "transcript_path": self.transcript(), "cwd": project,
            "prompt_id": "prompt-1",
        });
        let object = all.as_object_mut().expect("an object");
        object.extend(event.as_object().expect("an object").clone());
        self.raw_hook(&all)
    }

    /// The same, told exactly `event`.
    pub(crate) fn raw_hook(&self, event: &Value) -> Command {
        let input = tempfile::tempfile_in(self.home.path()).expect("a file");
        let mut writer = &input;
        serde_json::to_writer(&mut writer, event).expect("it is written");
        std::io::Seek::rewind(&mut writer).expect("a file");
        let mut command = Command::new(env!("CARGO_BIN_EXE_attend"));
        command.arg("hook").current_dir(self.home.project());
        scrub(&mut command, self.home.path());
        command
            .stdin(input)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    /// What the hook gives the model at `event`; nothing is complained of.
    #[track_caller]
    pub(crate) fn hears(&self, event: &Value) -> String {
        let name = event["hook_event_name"].as_str().expect("a name");
        let output = self.hook_command(event).output().expect("attend starts");
        told(&output, name)
    }

    /// Writes a way of the project with this trigger, whose body is `The guidance of ID.`
    pub(crate) fn triggered(&self, id: &str, trigger: &str, more: &str) {
        let text = format!(
            "---\nname: {id}\ndescription: d\ntrigger: {trigger}\n{more}---\nThe guidance of {id}.\n"
        );
        self.way(id, &text);
    }
}

/// What a hook gave the model; empty where that is nothing.
#[track_caller]
pub(crate) fn told(output: &Output, event: &str) -> String {
    assert!(output.status.success(), "{}", stderr(output));
    // There is no process of a host here whose session could be recorded.
    let errors = stderr(output);
    let is_start = event == "SessionStart" && errors.lines().count() == 1;
    assert!(
        errors.is_empty() || is_start && errors.contains("the session is not recorded"),
        "{errors}"
    );
    let said = stdout(output);
    assert!(said.len() < 8_000, "{}", said.len());
    if said.is_empty() {
        return said;
    }
    let answer: Value = serde_json::from_str(&said).expect("one JSON document");
    let answer = &answer["hookSpecificOutput"];
    assert_eq!(answer["hookEventName"], event);
    assert_eq!(answer["permissionDecision"], Value::Null);
    let context = answer["additionalContext"].as_str();
    context.expect("additional context").to_owned()
}

/// The name of the event in a fixture of what the host sends, and that.
pub(crate) fn fixtures() -> Vec<(String, Value)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../attend-sensors/tests/fixtures");
    let files = fs::read_dir(root.join("claude-code/constructed/hooks-stdin"));
    let files = files.expect("fixtures").map(|file| {
        let path = file.expect("a file").path();
        let name = path.file_stem().expect("a name").to_string_lossy();
        let text = fs::read_to_string(&path).expect("UTF-8");
        (
            name.into_owned(),
            serde_json::from_str(&text).expect("JSON"),
        )
    });
    files.collect()
}

pub(crate) fn prompt(words: &str) -> Value {
    json!({"hook_event_name": "UserPromptSubmit", "prompt": words})
}

pub(crate) fn edit(file: &str) -> Value {
    json!({
        "hook_event_name": "PostToolUse", "tool_name": "Edit",
        "tool_input": {"file_path": file}, "tool_response": {},
    })
}

pub(crate) fn start(source: &str) -> Value {
    json!({"hook_event_name": "SessionStart", "source": source})
}

pub(crate) fn bare(event: &str) -> Value {
    json!({"hook_event_name": event})
}

pub(crate) fn stop(prompt: &str) -> Value {
    json!({"hook_event_name": "Stop", "stop_hook_active": false, "prompt_id": prompt})
}
