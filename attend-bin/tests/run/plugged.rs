//! A host of the test's own that does what the plugin tells it: its hooks, the file that they name to
//! be watched, and the session that one of them wakes.

use std::fs;
use std::path::PathBuf;
use std::time::SystemTime;

use serde_json::{Value, json};

use crate::desk::{Desk, Done, ONE};
use crate::home::stderr;
use crate::world::World;

/// A session of that host.
pub(crate) struct Plugged<'w> {
    world: &'w World,
    pub(crate) desk: Desk,
    /// What stands in `hooks.json`.
    hooks: Value,
    /// The file that is watched, and when it changed last.
    bell: Option<(PathBuf, Option<SystemTime>)>,
    fired: u32,
}

/// Writes the plugin; gives what stands in one of its files.
pub(crate) fn installed(world: &World, file: &str) -> Value {
    let output = world.home.output(&["plugin", "install"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let path = world.beside("attend/data/plugin").join(file);
    let text = fs::read_to_string(path).expect("a file of the plugin");
    serde_json::from_str(&text).expect("JSON")
}

impl<'w> Plugged<'w> {
    /// A session that was not told of yet.
    pub(crate) fn new(world: &'w World) -> Self {
        Self {
            hooks: installed(world, "hooks/hooks.json")["hooks"].take(),
            world,
            desk: Desk::new(world, ONE),
            bell: None,
            fired: 0,
        }
    }

    /// The names of the events that have hooks.
    pub(crate) fn events(&self) -> Vec<String> {
        let hooks = self.hooks.as_object().expect("an object");
        hooks.keys().cloned().collect()
    }

    /// The session begins: the host watches what its hooks say.
    #[track_caller]
    pub(crate) fn start(&mut self) -> String {
        let mut told = String::new();
        for (_, done) in self.fire("SessionStart", &json!({"source": "startup"})) {
            let answer = &done.json()["hookSpecificOutput"];
            if let Some(path) = answer["watchPaths"][0].as_str() {
                self.bell = Some((path.into(), None));
            }
            told += answer["additionalContext"].as_str().unwrap_or_default();
        }
        self.has_changed();
        told
    }

    /// Something happens; gives what the hooks put before the model.
    #[track_caller]
    pub(crate) fn told(&mut self, event: &str, more: &Value) -> String {
        let mut told = String::new();
        for (_, done) in self.fire(event, more) {
            let text = done.ok();
            if !text.is_empty() {
                let answer: Value = serde_json::from_str(&text).expect("one JSON document");
                let answer = &answer["hookSpecificOutput"];
                assert_eq!(answer["hookEventName"], event);
                told += answer["additionalContext"].as_str().unwrap_or_default();
            }
        }
        told
    }

    /// A tool is used, and nothing else happens.
    #[track_caller]
    pub(crate) fn uses_a_tool(&mut self) -> String {
        let tool = json!({"tool_name": "Read", "tool_input": {"file_path": "/x"}});
        self.told("PreToolUse", &tool) + &self.told("PostToolUse", &tool)
    }

    /// Where the watched file changed, runs the hooks for it; gives what an idle session is woken
    /// with.
    #[track_caller]
    pub(crate) fn rung(&mut self) -> Option<String> {
        if !self.has_changed() {
            return None;
        }
        let (path, _) = self.bell.clone()?;
        let mut woken = None;
        for (wakes, done) in self.fire(
            "FileChanged",
            &json!({"file_path": path, "event": "change"}),
        ) {
            assert_eq!(done.out, "", "nobody reads it");
            match (done.code, wakes) {
                (2, true) => woken = Some(woken.unwrap_or_default() + done.err.as_str()),
                (code, _) => assert_eq!((code, done.err.as_str()), (0, "")),
            }
        }
        woken
    }

    /// A tool was used while the doorbell rang: the hooks for both run side by side. Gives what the
    /// model is given by either.
    #[track_caller]
    pub(crate) fn rung_while_at_work(&mut self) -> String {
        let bell = self.bell.clone().expect("a file is watched").0;
        let tool = json!({"tool_name": "Read", "tool_input": {"file_path": "/x"}});
        let changed = json!({"file_path": bell, "event": "change"});
        let mut lines = Vec::new();
        let mut said = Vec::new();
        for (event, more) in [("PostToolUse", &tool), ("FileChanged", &changed)] {
            let stdin = self.stdin(event, more);
            for (_, command) in self.commands(event) {
                let (line, name) = self.prepared(&command, &stdin);
                let (out, err) = (name.with_extension("out"), name.with_extension("err"));
                lines.push(format!(
                    "{line} >'{}' 2>'{}' & all=\"$all $!\";",
                    out.display(),
                    err.display()
                ));
                said.push((out, err));
            }
        }
        // The host may run something else for longer.
        let line = format!("all=; {} wait $all || true", lines.join(" "));
        self.desk.run(&line).ok();
        let mut told = String::new();
        for (out, err) in said {
            let out = fs::read_to_string(out).expect("UTF-8");
            if !out.is_empty() {
                let answer: Value = serde_json::from_str(&out).expect("one JSON document");
                let context = &answer["hookSpecificOutput"]["additionalContext"];
                told += context.as_str().unwrap_or_default();
            }
            told += &fs::read_to_string(err).expect("UTF-8");
        }
        self.has_changed();
        told
    }

    /// Runs the hooks for `event` with its JSON; gives for each whether it may wake the session, and
    /// what it did.
    #[track_caller]
    pub(crate) fn fire(&mut self, event: &str, more: &Value) -> Vec<(bool, Done)> {
        let stdin = self.stdin(event, more);
        self.fire_with(event, &stdin)
    }

    /// The same with exactly this on standard input.
    #[track_caller]
    pub(crate) fn fire_with(&mut self, event: &str, stdin: &str) -> Vec<(bool, Done)> {
        let commands = self.commands(event).into_iter();
        commands
            .map(|(wakes, command)| {
                let (line, _) = self.prepared(&command, stdin);
                (wakes, self.desk.run(&line))
            })
            .collect()
    }

    /// The host's JSON of `event`.
    fn stdin(&self, event: &str, more: &Value) -> String {
        let transcript = self.world.beside("claude/projects/-repo");
        let mut stdin = json!({
            "session_id": ONE, "cwd": self.world.repo(), "hook_event_name": event,
            "transcript_path": transcript.join(format!("{ONE}.jsonl")),
        });
        let object = stdin.as_object_mut().expect("an object");
        object.extend(more.as_object().expect("an object").clone());
        stdin.to_string()
    }

    /// The commands of the hooks for `event`, and whether each may wake the session.
    #[track_caller]
    fn commands(&self, event: &str) -> Vec<(bool, String)> {
        let groups = self.hooks[event].as_array().expect("hooks of that event");
        let hooks = groups
            .iter()
            .flat_map(|group| group["hooks"].as_array().expect("a list"));
        hooks
            .map(|hook| {
                assert_eq!(hook["type"], "command");
                let command = hook["command"].as_str().expect("a command");
                (hook["asyncRewake"] == true, command.to_owned())
            })
            .collect()
    }

    /// A line that runs a command of the plugin as the host does, by a shell; and what its files are
    /// called after.
    fn prepared(&mut self, command: &str, stdin: &str) -> (String, PathBuf) {
        self.fired += 1;
        let name = self.world.beside(&format!("fired-{}", self.fired));
        let (script, input) = (name.with_extension("sh"), name.with_extension("json"));
        let root = self.world.beside("attend/data/plugin");
        let text = format!(
            "export CLAUDE_PLUGIN_ROOT='{}'\n{command}\n",
            root.display()
        );
        fs::write(&script, text).expect("a script");
        fs::write(&input, stdin).expect("its input");
        let line = format!("sh '{}' <'{}'", script.display(), input.display());
        (line, name)
    }

    /// Whether the watched file changed since that was asked last.
    fn has_changed(&mut self) -> bool {
        let Some((path, known)) = &mut self.bell else {
            return false;
        };
        let now = fs::metadata(path).and_then(|found| found.modified()).ok();
        std::mem::replace(known, now) != now
    }
}
