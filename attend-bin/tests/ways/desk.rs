//! A session whose context grows, as its transcript tells, and `ways` beside it.

#![expect(
    clippy::disallowed_methods,
    reason = "a test starts the program in an environment of its own"
)]

use std::fs::{self, File};
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output};

use attend_sensors::host::claude_code::folder_name;
use serde_json::{Value, json};

use crate::home::{Home, scrub, stderr, stdout};

pub(crate) const SESSION: &str = "00000000-0000-4000-8000-000000000001";

/// A home, and the transcript of one session in its project.
pub(crate) struct Desk {
    pub(crate) home: Home,
    rows: u32,
}

impl Desk {
    /// A session that has said nothing yet.
    pub(crate) fn new() -> Self {
        Self {
            home: Home::new(),
            rows: 0,
        }
    }

    /// The same with `tokens` before the model.
    pub(crate) fn at(tokens: u64) -> Self {
        let mut desk = Self::new();
        desk.answer(tokens);
        desk
    }

    /// The model answers: it had `tokens` before it, of 200,000.
    pub(crate) fn answer(&mut self, tokens: u64) {
        let id = self.rows;
        self.row(&json!({
            "type": "assistant", "requestId": format!("req-{id}"),
            "message": {
                "id": format!("msg-{id}"), "model": "claude-opus-4-6", "role": "assistant",
                "content": [], "stop_reason": "end_turn", "usage": {"input_tokens": tokens},
            },
        }));
    }

    /// A person says something.
    pub(crate) fn prompt(&mut self, words: &str) {
        self.row(&json!({"type": "user", "message": {"role": "user", "content": words}}));
    }

    /// The context is compacted.
    pub(crate) fn compact(&mut self) {
        self.row(&json!({
            "type": "system", "subtype": "compact_boundary",
            "compactMetadata": {"trigger": "manual", "preTokens": 1},
        }));
    }

    fn row(&mut self, more: &Value) {
        self.rows += 1;
        let project = self.home.project().canonicalize().expect("a project");
        let mut row = json!({
            "sessionId": SESSION, "cwd": project, "uuid": format!("row-{}", self.rows),
            "timestamp": format!("2026-01-02T03:04:{:02}.000Z", self.rows % 60),
        });
        let fields = row.as_object_mut().expect("an object");
        fields.extend(more.as_object().expect("an object").clone());
        let file = self.transcript();
        fs::create_dir_all(file.parent().expect("a folder")).expect("a directory");
        let file = File::options().create(true).append(true).open(file);
        let row = format!("{row}\n");
        file.and_then(|mut file| file.write_all(row.as_bytes()))
            .expect("a transcript");
    }

    /// Where the transcript lies.
    pub(crate) fn transcript(&self) -> PathBuf {
        let project = self.home.project().canonicalize().expect("a project");
        let folder = self.home.path().join("claude/projects");
        let folder = folder.join(folder_name(&project));
        folder.join(format!("{SESSION}.jsonl"))
    }

    /// `ways` with these arguments, in the project.
    pub(crate) fn ways(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ways"));
        command.args(args).current_dir(self.home.project());
        scrub(&mut command, self.home.path());
        command
    }

    pub(crate) fn output(&self, args: &[&str]) -> Output {
        self.ways(args).output().expect("ways starts")
    }

    /// What the command prints for the session; it does what is asked.
    #[track_caller]
    pub(crate) fn says(&self, args: &[&str]) -> String {
        let args: Vec<&str> = args.iter().copied().chain(["--session", SESSION]).collect();
        let output = self.output(&args);
        assert!(output.status.success(), "{args:?}: {}", stderr(&output));
        assert_eq!(stderr(&output), "", "{args:?}");
        stdout(&output)
    }

    /// The same as JSON.
    #[track_caller]
    pub(crate) fn json(&self, args: &[&str]) -> Value {
        serde_json::from_str(&self.says(args)).expect("JSON")
    }

    /// Writes a way of the project.
    pub(crate) fn way(&self, id: &str, text: &str) {
        let file = self.home.project().join(format!(".claude/ways/{id}.md"));
        fs::create_dir_all(file.parent().expect("a directory")).expect("a directory");
        fs::write(file, text).expect("a way");
    }

    /// Where the session's ways are remembered.
    pub(crate) fn state(&self) -> PathBuf {
        let state = self.home.path().join("attend/state/ways");
        state.join(SESSION)
    }

    /// The log of showings.
    pub(crate) fn log(&self) -> Vec<Value> {
        let text = fs::read_to_string(self.state().join("events.jsonl")).unwrap_or_default();
        let lines = text.lines().map(serde_json::from_str);
        lines.collect::<Result<_, _>>().expect("JSON lines")
    }
}

/// A way for `signal`.
pub(crate) fn way(name: &str, description: &str, signal: &str, more: &str) -> String {
    format!(
        "---\nname: {name}\ndescription: {description}\ntrigger:\n  type: attend\n  signals: [{signal}]\n{more}---\nThe guidance of {name}.\n"
    )
}
