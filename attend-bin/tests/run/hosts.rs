//! Beside a host: a process named as the host's is, with a record in a configuration of its own.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::Duration;

use rustix::process::Signal;
use serde_json::json;

use crate::home::{scrub, stderr, stdout};
use crate::live::{Live, eventually};
use crate::world::World;

const ONE: &str = "00000000-0000-4000-8000-000000000001";
const TWO: &str = "00000000-0000-4000-8000-000000000002";

/// How long nothing at all may be said, where nothing ever should be.
const SILENCE: Duration = Duration::from_secs(2);

/// A command that is a host: a shell of its own name which runs `script`. `$A` is `attend`.
fn host(world: &World, script: &str) -> Command {
    let program = world.beside("claude");
    if !program.exists() {
        fs::copy("/bin/sh", &program).expect("a shell");
    }
    let mut command = Command::new(&program);
    // A second command keeps the shell from giving its own process away.
    command.args(["-c", &format!("{script}; true")]);
    command.current_dir(world.repo());
    scrub(&mut command, world.home.path());
    command.env("A", env!("CARGO_BIN_EXE_attend"));
    command
}

/// Writes the host's record of the process `pid`, whole, as the host does.
fn record(world: &World, pid: u32, session: &str, started: &str, status: &str) {
    let record = json!({
        "pid": pid, "sessionId": session, "cwd": world.repo(), "procStart": started,
        "startedAt": 1, "kind": "interactive", "entrypoint": "cli", "status": status,
        "statusUpdatedAt": 1,
    });
    let sessions = world.beside("claude-config/sessions");
    fs::create_dir_all(&sessions).expect("a directory");
    let file = sessions.join(format!("{pid}.json"));
    fs::write(file.with_extension("new"), record.to_string()).expect("a record");
    fs::rename(file.with_extension("new"), file).expect("a record");
}

/// When the process `pid` started, as its record says it: field 22 of its `stat`.
fn started(pid: u32) -> String {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).expect("it runs");
    let (_, fields) = stat.rsplit_once(')').expect("a name in brackets");
    fields
        .split_whitespace()
        .nth(19)
        .expect("22 fields")
        .to_owned()
}

/// Runs `script` in a host that has a record, which says that it started at `start`, else when it
/// did.
fn in_host(world: &World, session: &str, start: Option<&str>, script: &str) -> Output {
    let config = world.beside("claude-config");
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
    command
        .env("CLAUDE_CONFIG_DIR", config)
        .output()
        .expect("it starts")
}

/// Starts `attend run` in a host.
fn run_in_host(world: &World) -> Live {
    let mut command = host(world, "\"$A\" run & wait");
    Live::start(command.env("CLAUDE_CONFIG_DIR", world.beside("claude-config")))
}

fn checkpoint(world: &World, session: &str) -> PathBuf {
    let state: PathBuf = world.beside("attend").join("state/sessions").join(session);
    state.join("checkpoint.json")
}

#[test]
fn before_the_first_prompt_nothing_is_said_and_the_end_of_the_host_ends_it() {
    let world = World::new();
    let mut live = run_in_host(&world);
    // The record appears after a dialog: until then the session is waited for.
    assert_eq!(live.line_within(SILENCE), None);
    let start = started(live.pid());
    record(&world, live.pid(), ONE, &start, "idle");
    let file = checkpoint(&world, ONE);
    let says = |words: &str| fs::read_to_string(&file).is_ok_and(|text| text.contains(words));
    eventually("the repository is looked at", || {
        says("\"git\"") && says("snapshots")
    });
    world.git(["switch", "-q", "-c", "feat/x"]);
    eventually("the change is held", || says("feat/x"));
    assert_eq!(live.line_within(SILENCE), None);
    live.signal(Signal::KILL);
    // The pipe is let go of by `attend` itself, which outlives the host only for a moment.
    let (_, lines, errors) = live.ended();
    assert!(lines.is_empty(), "{lines:?}");
    assert_eq!(errors, "");
}

#[test]
fn each_host_is_a_session_of_its_own() {
    let world = World::new();
    for session in [ONE, TWO] {
        let output = in_host(&world, session, None, "\"$A\" whoami --json");
        let who: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
        assert_eq!(who["session_id"], session, "{}", stderr(&output));
        assert_eq!(who["found_by"], "record");
        assert_eq!(
            Path::new(who["root"].as_str().expect("text")).file_name(),
            world.repo().file_name()
        );
    }
}

#[test]
fn a_hook_tells_the_session_that_a_stale_record_does_not() {
    let world = World::new();
    let hook = format!(
        "echo '{{\"hook_event_name\":\"SessionStart\",\"session_id\":\"{TWO}\",\"source\":\"clear\"}}' \
         | \"$A\" hook; \"$A\" whoami"
    );
    let output = in_host(&world, ONE, None, &hook);
    assert!(stdout(&output).contains(TWO), "{output:?}");
    assert!(
        stdout(&output).contains("a hook of the host told it"),
        "{output:?}"
    );
}

#[test]
fn a_record_of_another_process_is_not_believed() {
    let world = World::new();
    let output = in_host(&world, ONE, Some("1"), "\"$A\" whoami");
    assert!(output.stdout.is_empty(), "{output:?}");
    assert!(
        stderr(&output).contains("has not said yet which session this is"),
        "{output:?}"
    );
}

#[test]
fn without_a_host_there_is_no_session() {
    let world = World::new();
    let output = world.home.output(&["whoami", "--json"]);
    let who: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(who["session_id"], serde_json::Value::Null, "{output:?}");
    assert_ne!(who["kind"], "agent", "{output:?}");
}
