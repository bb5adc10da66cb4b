//! `attend hook`: the one program for every hook of the host.

use attend_core::runtime::StateDir;
use attend_sensors::host::claude_code::HookRecord;

use crate::env::Env;
use crate::output::complain;
use crate::place::ADVICE;
use crate::{session, stdin};

/// Answers a hook. At the start of a session it records which session the host's process holds;
/// to every other it has nothing to say. It never fails the host.
pub(crate) fn hook(env: &Env) {
    if let Err(why) = answer(env) {
        complain(&format!("hook: {why}"));
    }
}

fn answer(env: &Env) -> Result<(), String> {
    let (_, event) = stdin::object("hook")?;
    let is_agent = event.get("agent_id").is_some_and(|id| !id.is_null());
    if stdin::text(&event, "hook_event_name")? != "SessionStart" || is_agent {
        return Ok(());
    }
    let recorded = stdin::text(&event, "session_id").and_then(|session| record(&session, env));
    recorded.map_err(|why| format!("the session is not recorded: {why}"))
}

/// Records that the host's process above this one holds `session` from now on.
fn record(session: &str, env: &Env) -> Result<(), String> {
    let info = session::look(&session::host(None, env)).map_err(|failure| failure.to_string())?;
    let process = info.process.ok_or("there is no host above this process")?;
    let started = process
        .started
        .ok_or("nobody knows when the host's process started")?;
    let record = HookRecord::new(process.pid, started, session)
        .ok_or("`session_id` in the host's JSON is no id of a session")?;
    let state = env
        .state()
        .ok_or_else(|| format!("neither ATTEND_HOME nor HOME names a directory; {ADVICE}"))?;
    let former = std::fs::read(HookRecord::path(&state.path(), process.pid)).ok();
    let record = record.after(former.as_deref().and_then(HookRecord::parse));
    let kept = StateDir::open(state.join("hosts")).and_then(|dir| {
        dir.keep(
            &format!("{}.json", process.pid),
            record.to_json().as_bytes(),
        )
    });
    kept.map_err(|error| format!("{error}; {ADVICE}"))
}
