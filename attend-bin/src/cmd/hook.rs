//! `attend hook`: the one program for every hook of the host.

use attend_core::runtime::StateDir;
use attend_sensors::host::claude_code::HookRecord;
use serde::Deserialize;

use crate::env::Env;
use crate::output::complain;
use crate::{session, stdin};

/// What every hook tells of itself, as far as it is needed.
#[derive(Deserialize, Default, Debug)]
#[serde(default)]
struct Event {
    hook_event_name: String,
    session_id: String,
    agent_id: Option<serde_json::Value>,
}

/// Answers a hook. At the start of a session it records which session the host's process holds;
/// to every other it has nothing to say. It never fails the host.
pub(crate) fn hook(env: &Env) {
    let read = stdin::read();
    let event = read
        .as_deref()
        .and_then(|json| serde_json::from_slice::<Event>(json).ok());
    match event {
        Some(event) if event.hook_event_name == "SessionStart" && event.agent_id.is_none() => {
            if let Err(why) = record(&event.session_id, env) {
                complain(&format!("the session is not recorded: {why}"));
            }
        }
        Some(_) => {}
        None => complain("standard input holds no JSON of a hook"),
    }
}

/// Records that the host's process above this one holds `session` from now on.
fn record(session: &str, env: &Env) -> Result<(), String> {
    let info = session::look(&session::host(None, env)).map_err(|failure| failure.to_string())?;
    let process = info.process.ok_or("there is no host above this process")?;
    let started = process
        .started
        .ok_or("nobody knows when the host's process started")?;
    let record =
        HookRecord::new(process.pid, started, session).ok_or("its id is no id of a session")?;
    let state = env
        .state()
        .ok_or("neither ATTEND_HOME nor HOME names a directory")?;
    let former = std::fs::read(HookRecord::path(&state.path(), process.pid)).ok();
    let record = record.after(former.as_deref().and_then(HookRecord::parse));
    let kept = StateDir::open(state.join("hosts")).and_then(|dir| {
        dir.keep(
            &format!("{}.json", process.pid),
            record.to_json().as_bytes(),
        )
    });
    kept.map_err(|error| error.to_string())
}
