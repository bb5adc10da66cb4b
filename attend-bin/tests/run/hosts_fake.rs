//! A host of the test's own: a process named as the host's is, a record of it, a transcript.

use std::fs::{self, File};
use std::io::Write;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use attend_sensors::host::claude_code::folder_name;
use serde_json::{Value, json};

use crate::home::scrub;
use crate::live::{Live, eventually};
use crate::world::World;

pub(crate) const ONE: &str = "00000000-0000-4000-8000-000000000001";
pub(crate) const TWO: &str = "00000000-0000-4000-8000-000000000002";

/// How long nothing at all may be said, where nothing ever should be.
pub(crate) const SILENCE: Duration = Duration::from_secs(2);

/// A command that is a host: a shell of its own name which runs `script`. `$A` is `attend`.
pub(crate) fn host(world: &World, script: &str) -> Command {
    let program = world.beside("claude");
    if !program.exists() {
        // A process is named as it was started. A copy could be busy: any other test that starts
        // a process meanwhile has the file open for a moment.
        symlink("/bin/sh", &program).expect("a shell");
    }
    let mut command = Command::new(&program);
    // A second command keeps the shell from giving its own process away.
    command.args(["-c", &format!("{script}; true")]);
    command.current_dir(world.repo());
    scrub(&mut command, world.home.path());
    command
        .env("A", env!("CARGO_BIN_EXE_attend"))
        .env("CLAUDE_CONFIG_DIR", config(world));
    command
}

/// Runs `script` in a host that has a record, which says that it started at `start`, else when it
/// did.
pub(crate) fn in_host(world: &World, session: &str, start: Option<&str>, script: &str) -> Output {
    let config = config(world);
    fs::create_dir_all(config.join("sessions")).expect("a directory");
    let start = start.map_or_else(
        || "$(sed 's/.*) //' /proc/$$/stat | cut -d' ' -f20)".to_owned(),
        str::to_owned,
    );
    let write = format!(
        "printf '{{\"pid\":%s,\"procStart\":\"%s\",\"sessionId\":\"{session}\",\"cwd\":\"%s\",\
         \"kind\":\"interactive\"}}' $$ {start} \"$PWD\" > '{}/sessions/'$$.json",
        config.display()
    );
    let mut command = host(world, &format!("{write}; {script}"));
    command.output().expect("it starts")
}

/// The host's configuration root.
pub(crate) fn config(world: &World) -> PathBuf {
    world.beside("claude-config")
}

/// When the process `pid` started, as its record says it: field 22 of its `stat`.
pub(crate) fn started(pid: u32) -> String {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).expect("it runs");
    let (_, fields) = stat.rsplit_once(')').expect("a name in brackets");
    let field = fields.split_whitespace().nth(19);
    field.expect("22 fields").to_owned()
}

/// Milliseconds since 1970, so long ago.
pub(crate) fn millis(ago: Duration) -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let then = now.expect("a time of day").saturating_sub(ago);
    u64::try_from(then.as_millis()).expect("a time of day")
}

/// `attend run` in a host.
pub(crate) struct Beside<'w> {
    pub(crate) world: &'w World,
    pub(crate) live: Live,
    pub(crate) session: &'static str,
    /// The folder of the transcript.
    pub(crate) folder: String,
    rows: u32,
}

impl<'w> Beside<'w> {
    /// Starts `attend run` under Monitor in a host that has no record yet.
    pub(crate) fn start(world: &'w World) -> Self {
        Self::of(
            world,
            Live::monitored(&mut host(world, "\"$A\" run & wait")),
        )
    }

    /// The same, with its lines going to `out`.
    pub(crate) fn start_on(world: &'w World, out: Stdio) -> Self {
        let mut command = host(world, "\"$A\" run & wait");
        Self::of(world, Live::start_on(&mut command, out))
    }

    /// Beside the host `live`.
    pub(crate) fn of(world: &'w World, live: Live) -> Self {
        Self {
            world,
            live,
            session: ONE,
            folder: folder_name(&world.repo()),
            rows: 0,
        }
    }

    /// Writes the host's record, whole, as the host does: it does `status` since now.
    pub(crate) fn record(&self, status: &str) {
        self.record_of(&json!({
            "status": status, "statusUpdatedAt": millis(Duration::ZERO),
        }));
    }

    /// Where the host's record lies.
    pub(crate) fn record_path(&self) -> PathBuf {
        let sessions = config(self.world).join("sessions");
        sessions.join(format!("{}.json", self.live.pid()))
    }

    /// The same with `more` in it.
    pub(crate) fn record_of(&self, more: &Value) {
        let pid = self.live.pid();
        let mut record = json!({
            "pid": pid, "sessionId": self.session, "cwd": self.world.repo(),
            "procStart": started(pid), "startedAt": 1, "kind": "interactive",
            "entrypoint": "cli",
        });
        let fields = record.as_object_mut().expect("an object");
        fields.extend(more.as_object().expect("an object").clone());
        let file = self.record_path();
        fs::create_dir_all(file.parent().expect("a directory")).expect("a directory");
        fs::write(file.with_extension("new"), record.to_string()).expect("a record");
        fs::rename(file.with_extension("new"), file).expect("a record");
    }

    /// Adds a row of now to the transcript, with `more` in it.
    pub(crate) fn row(&mut self, more: &Value) {
        self.row_ago(Duration::ZERO, more);
    }

    /// Adds a row that was written so long ago.
    pub(crate) fn row_ago(&mut self, ago: Duration, more: &Value) {
        self.rows += 1;
        let millis = millis(ago);
        let at = format!("@{}.{:03}", millis / 1_000, millis % 1_000);
        let at = Command::new("date")
            .args(["-u", "-d", &at, "+%FT%T.%3NZ"])
            .output();
        let at = String::from_utf8(at.expect("date starts").stdout).expect("a time");
        let mut row = json!({
            "sessionId": self.session, "cwd": self.world.repo(), "timestamp": at.trim(),
            "uuid": format!("row-{}", self.rows),
        });
        let fields = row.as_object_mut().expect("an object");
        fields.extend(more.as_object().expect("an object").clone());
        let folder = config(self.world).join("projects").join(&self.folder);
        fs::create_dir_all(&folder).expect("a directory");
        let file = folder.join(format!("{}.jsonl", self.session));
        let file = File::options().create(true).append(true).open(file);
        let row = format!("{row}\n");
        file.and_then(|mut file| file.write_all(row.as_bytes()))
            .expect("a transcript");
    }

    /// A person says something.
    pub(crate) fn prompt(&mut self, words: &str) {
        self.row(&json!({"type": "user", "message": {"role": "user", "content": words}}));
    }

    /// The model answers: it had `tokens` before it, of 200,000.
    pub(crate) fn answer(&mut self, tokens: u64) {
        self.answer_ago(Duration::ZERO, tokens);
    }

    /// The same, so long ago.
    pub(crate) fn answer_ago(&mut self, ago: Duration, tokens: u64) {
        let id = self.rows;
        self.row_ago(
            ago,
            &json!({
                "type": "assistant", "requestId": format!("req-{id}"),
                "message": {
                    "id": format!("msg-{id}"), "model": "claude-opus-4-6", "role": "assistant",
                    "content": [], "stop_reason": "end_turn", "usage": {"input_tokens": tokens},
                },
            }),
        );
    }

    /// The model begins a shell call. Returns what its end is told with.
    pub(crate) fn shell(&mut self, command: &str) -> String {
        self.shell_ago(Duration::ZERO, command)
    }

    /// The same, so long ago.
    pub(crate) fn shell_ago(&mut self, ago: Duration, command: &str) -> String {
        let id = format!("tool-{}", self.rows);
        let call = json!({
            "type": "tool_use", "id": id, "name": "Bash", "input": {"command": command},
        });
        let row = json!({
            "type": "assistant", "message": {"role": "assistant", "content": [call]},
        });
        self.row_ago(ago, &row);
        id
    }

    /// A shell call ends.
    pub(crate) fn shell_ends(&mut self, id: &str) {
        self.shell_ended(Duration::ZERO, id);
    }

    /// A shell call ended so long ago.
    pub(crate) fn shell_ended(&mut self, ago: Duration, id: &str) {
        let result = json!({"type": "tool_result", "tool_use_id": id, "content": "done"});
        let row = json!({
            "type": "user", "message": {"role": "user", "content": [result]},
            "toolUseResult": {"stdout": "done", "stderr": ""},
        });
        self.row_ago(ago, &row);
    }

    /// The model edits `path`, which took no time.
    pub(crate) fn edits(&mut self, path: &Path) {
        self.edited_ago(Duration::ZERO, path);
    }

    /// The same, so long ago.
    pub(crate) fn edited_ago(&mut self, ago: Duration, path: &Path) {
        // No two sessions share the name of a call.
        let id = format!("tool-{}-{}", self.session, self.rows);
        let input = json!({"file_path": path, "new_string": "secret words"});
        let call = json!({"type": "tool_use", "id": id, "name": "Edit", "input": input});
        let message = json!({"role": "assistant", "content": [call]});
        self.row_ago(ago, &json!({"type": "assistant", "message": message}));
        self.shell_ended(ago, &id);
    }

    /// The directory in which the loop keeps its state.
    pub(crate) fn state(&self) -> PathBuf {
        let sessions = self.world.beside("attend").join("state/sessions");
        sessions.join(self.session)
    }

    /// The checkpoint; null where there is none yet.
    pub(crate) fn checkpoint(&self) -> Value {
        let read = fs::read(self.state().join("checkpoint.json")).ok();
        let read = read.and_then(|bytes| serde_json::from_slice(&bytes).ok());
        read.unwrap_or_default()
    }

    /// What the sensor remembers, as of the checkpoint.
    pub(crate) fn remembers(&self, sensor: &str) -> Value {
        self.checkpoint()["snapshots"][sensor].take()
    }

    /// What the engine has of the sensor, as of the checkpoint.
    pub(crate) fn engine(&self, sensor: &str) -> Value {
        let mut checkpoint = self.checkpoint();
        let sensors = checkpoint["attention"]["sensors"].as_array_mut();
        let found = sensors
            .into_iter()
            .flatten()
            .find(|found| found["name"] == sensor);
        found.map(Value::take).unwrap_or_default()
    }

    /// Whether the sensor has an event that holds `words` and was not told yet.
    pub(crate) fn holds(&self, sensor: &str, words: &str) -> bool {
        let engine = self.engine(sensor);
        let held = engine["held"].as_array().into_iter().flatten();
        let mut texts = held.filter_map(|event| event["text"].as_str());
        texts.any(|text| text.contains(words))
    }

    /// Waits until the repository is known as it is: what changes from now on is news.
    #[track_caller]
    pub(crate) fn known(&self) {
        eventually("the repository is looked at", || {
            !self.remembers("git").is_null()
        });
    }
}

/// Configures the user's `attend`.
pub(crate) fn configure(world: &World, text: &str) {
    world.configure_user(text);
}
