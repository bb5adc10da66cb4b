//! The start of a session: which one the host's process holds from now on.

use attend_core::runtime::StateDir;
use attend_sensors::host::claude_code::HookRecord;

use crate::env::Env;
use crate::place::ADVICE;
use crate::session;

/// Records that the host's process above this one holds `session` from now on.
pub(super) fn record(session: &str, env: &Env) -> Result<(), String> {
    let process = session::who(env).process;
    let process = process.ok_or("there is no host above this process")?;
    let started = process
        .started
        .ok_or("nobody knows when the host's process started")?;
    let record = HookRecord::new(process.pid, started, session)
        .ok_or("`session_id` in the host's JSON is no id of a session")?;
    let state = env
        .state()
        .ok_or_else(|| format!("neither ATTEND_HOME nor HOME names a directory; {ADVICE}"))?;
    let record = record.after(session::told_by_hook(process.pid, env));
    let kept = StateDir::open(state.join("hosts")).and_then(|dir| {
        dir.keep(
            &format!("{}.json", process.pid),
            record.to_json().as_bytes(),
        )
    });
    kept.map_err(|error| format!("{error}; {ADVICE}"))
}
