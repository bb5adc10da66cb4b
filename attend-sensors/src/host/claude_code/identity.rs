//! Decides which session attend runs beside, out of what was given and what was found.

use attend_core::sensor::{Evidence, Identity};

use super::ancestry::Ancestor;
use super::folder::is_session_id;
use super::hook::HookRecord;
use super::process::Liveness;
use super::record::SessionRecord;

/// What whoever started attend gave: arguments and the environment, which only a program reads.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Given {
    /// attend's own process, whose ancestors are looked at.
    pub pid: u32,
    /// `--session`.
    pub session: Option<String>,
    /// `CLAUDE_CODE_SESSION_ID`.
    pub env_session: Option<String>,
    /// `CLAUDE_PID`.
    pub env_pid: Option<u32>,
    /// `CLAUDE_CODE_PROJECT_DIR_NAME`: the folder of the transcripts.
    pub folder: Option<String>,
}

impl Given {
    /// The process `pid`, of which nothing else was given.
    pub fn to(pid: u32) -> Self {
        Self {
            pid,
            ..Self::default()
        }
    }
}

/// What was found to decide by.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Found<'a> {
    /// The nearest ancestor that is a process of the host.
    pub(super) ancestor: Option<&'a Ancestor>,
    /// What a hook recorded of that ancestor.
    pub(super) hook: Option<&'a HookRecord>,
    /// The record of `CLAUDE_PID`, where there is no ancestor.
    pub(super) named: Option<(&'a SessionRecord, Liveness)>,
}

/// Which session it is, best evidence first:
///
/// | evidence | counts |
/// |---|---|
/// | `--session` | always |
/// | a hook's record | of the ancestor |
/// | `CLAUDE_CODE_SESSION_ID` | below an ancestor, unless `CLAUDE_PID` is another process; without one, if the record of `CLAUDE_PID` names the same session and its process is not gone |
/// | the host's record | of the ancestor |
///
/// Nothing else does: an ancestor of which nothing is known yet is waited for while it runs.
pub(super) fn decide(given: &Given, found: Found<'_>) -> Identity {
    let known = |id: &str, by| Identity::Known {
        id: id.to_owned(),
        by,
    };
    if let Some(id) = &given.session {
        return if is_session_id(id) {
            known(id, Evidence::Named)
        } else {
            refused("what was given as a session is no id of one")
        };
    }
    let env = given.env_session.as_deref().filter(|id| is_session_id(id));
    let Some(ancestor) = found.ancestor else {
        return without_ancestor(env, given.env_pid, found.named);
    };
    if let Some(hook) = found.hook {
        return known(&hook.session_id, Evidence::Hook);
    }
    let is_inherited = given.env_pid.is_some_and(|pid| pid != ancestor.pid);
    if let Some(id) = env.filter(|_| !is_inherited) {
        return known(id, Evidence::Environment);
    }
    let record = ancestor.record.as_ref();
    record
        .and_then(|record| record.session.as_deref())
        .map_or(Identity::Waiting, |id| known(id, Evidence::Record))
}

fn without_ancestor(
    env: Option<&str>,
    pid: Option<u32>,
    named: Option<(&SessionRecord, Liveness)>,
) -> Identity {
    match (env, pid, named) {
        (None, None, _) => Identity::NoHost,
        (Some(_), None, _) => {
            refused("the environment names a session, but not the process that holds it")
        }
        (None, Some(_), _) => {
            refused("the environment names a process of the host, but no session")
        }
        (Some(_), Some(pid), None) => refused(format!(
            "there is no record of process {pid}, which the environment names"
        )),
        (Some(_), Some(pid), Some((_, Liveness::Gone))) => refused(format!(
            "process {pid}, which the environment names, has ended"
        )),
        (Some(env), Some(_), Some((record, _))) if record.session.as_deref() == Some(env) => {
            Identity::Known {
                id: env.to_owned(),
                by: Evidence::Environment,
            }
        }
        (Some(_), Some(pid), Some(_)) => refused(format!(
            "process {pid} holds another session than the environment names"
        )),
    }
}

fn refused(reason: impl Into<String>) -> Identity {
    Identity::Refused {
        reason: reason.into(),
    }
}
