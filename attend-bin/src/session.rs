//! The session that a command runs beside: found, or said to be unknown; never guessed.

use std::sync::Arc;

use attend_core::runtime::system::SystemClock;
use attend_core::sensor::{HostAnswer, HostRequest, Identity, Root, Roots, SessionInfo};
use attend_sensors::host::claude_code::ClaudeCode;

use crate::env::Env;
use crate::output::Failure;

/// The directories below which the host's files and attend's own are read.
pub(crate) fn roots(work: impl Into<std::path::PathBuf>, env: &Env) -> Roots {
    let mut roots = Roots::new(work).with(Root::Proc, "/proc");
    if let Some(host) = env.host_root() {
        roots = roots.with(Root::Host, host);
    }
    if let Some(state) = env.state() {
        roots = roots.with(Root::State, state.path());
    }
    if let Some(config) = env.config() {
        roots = roots.with(Root::Config, config);
    }
    roots
}

/// The host, as seen from this process, for the session `session` where one was named.
pub(crate) fn host(session: Option<&str>, env: &Env) -> ClaudeCode {
    let clock = Arc::new(SystemClock);
    ClaudeCode::new(roots("/", env), env.given(session), env.windows(), clock)
}

/// What the host says of the session now.
pub(crate) fn look(host: &ClaudeCode) -> Result<SessionInfo, Failure> {
    match host.answer(&HostRequest::Session) {
        Ok(HostAnswer::Session(info)) => Ok(info),
        Ok(_) => Err(Failure::refused(
            "the host does not say which session this is",
        )),
        Err(error) => Err(Failure::refused(format!(
            "cannot tell which session this is: {error}"
        ))),
    }
}

/// The session's id and what else is known of it, for a command that is nothing without one.
pub(crate) fn known(host: &ClaudeCode) -> Result<(String, SessionInfo), Failure> {
    let info = look(host)?;
    match &info.identity {
        Identity::Known { id, .. } => Ok((id.clone(), info)),
        other => Err(Failure::refused(why_not(other))),
    }
}

/// Why no session is known.
pub(crate) fn why_not(identity: &Identity) -> String {
    match identity {
        Identity::Known { .. } => "the session is known".to_owned(),
        Identity::Waiting => {
            "the host has not said yet which session this is; try again after its first prompt"
                .to_owned()
        }
        Identity::NoHost => {
            "there is no host above this process, so this is no session; name one with --session"
                .to_owned()
        }
        Identity::Refused { reason } => format!("cannot tell which session this is: {reason}"),
        _ => "cannot tell which session this is".to_owned(),
    }
}
