//! The host above this process, its version, and the session.

use std::path::PathBuf;

use attend_core::sensor::{Evidence, Identity, SessionInfo};
use attend_sensors::host::claude_code::SessionRecord;

use super::check::Report;
use crate::env::Env;
use crate::output::Failure;
use crate::{place, session};

/// Before this version the host has no Monitor with other providers of models, and without
/// telemetry.
const MONITOR_EVERYWHERE: [u32; 3] = [2, 1, 310];

/// What to do about a session of which nothing is known from here.
const INSIDE: &str = "ask inside a session: type `! attend doctor` in Claude Code";

/// What is known of the host and the session.
pub(super) struct Here {
    pub(super) info: Result<SessionInfo, Failure>,
    record: Option<SessionRecord>,
}

impl Here {
    /// Looks who is above this process.
    pub(super) fn look(env: &Env) -> Self {
        let info = session::look(&session::host(None, env));
        let process = info.as_ref().ok().and_then(|info| info.process.as_ref());
        let record = process.and_then(|process| session::record_of(process.pid, env));
        Self { info, record }
    }

    /// The session's id.
    pub(super) fn session(&self) -> Option<&str> {
        self.info.as_ref().ok()?.id()
    }

    /// The host's process.
    pub(super) fn host(&self) -> Option<u32> {
        let process = self.info.as_ref().ok()?.process.as_ref()?;
        Some(process.pid)
    }

    /// Whether a person sits at it.
    pub(super) fn is_interactive(&self) -> bool {
        let info = self.info.as_ref().ok();
        info.is_some_and(|info| info.interactive == Some(true))
    }

    /// The project that the session works in, else that of the current directory.
    pub(super) fn project(&self) -> Result<PathBuf, Failure> {
        let cwd = self.info.as_ref().ok().and_then(|info| info.cwd.clone());
        place::project(cwd.as_deref()).or_else(|_| place::project(None))
    }

    /// Says what is known of them.
    pub(super) fn tell(&self, report: &mut Report, env: &Env) {
        let info = match &self.info {
            Ok(info) => info,
            Err(failure) => return report.told("host", &failure.to_string(), INSIDE),
        };
        match (&info.process, env.host_root()) {
            (Some(process), _) => {
                report.fine("host", format!("Claude Code, process {}", process.pid));
            }
            (None, None) => report.found(
                "host",
                "no host is above this process, and neither CLAUDE_CONFIG_DIR nor HOME says where Claude Code keeps its files",
                INSIDE,
            ),
            (None, Some(root)) if !root.is_dir() => report.found(
                "host",
                format!("no host is above this process, and there is no {}", root.display()),
                "start Claude Code once, or set CLAUDE_CONFIG_DIR to where it keeps its files",
            ),
            (None, Some(_)) => report.found("host", "no host is above this process", INSIDE),
        }
        if info.process.is_some() {
            self.version(report, env);
        }
        tell_session(info, report);
    }

    fn version(&self, report: &mut Report, env: &Env) {
        let version = self
            .record
            .as_ref()
            .and_then(|record| record.version.as_deref());
        let Some((text, version)) = version.and_then(|text| Some((text, parts(text)?))) else {
            return report.note("versions", "the host does not say of which version it is");
        };
        if version >= MONITOR_EVERYWHERE {
            return report.fine("versions", format!("Claude Code {text}"));
        }
        let text = match env.without_monitor() {
            Some(name) => format!("Claude Code {text} has no Monitor while {name} is set"),
            None => format!(
                "Claude Code {text} is old: it has no Monitor with Bedrock, Vertex, Foundry, or without telemetry"
            ),
        };
        let remedy =
            "update it to 2.1.310 or later: claude update; until then the hooks bring mail";
        report.found("versions", text, remedy);
    }
}

/// Says which session it is.
fn tell_session(info: &SessionInfo, report: &mut Report) {
    let Identity::Known { id, by } = &info.identity else {
        let why = session::why_not(&info.identity);
        let (text, remedy) = match &info.identity {
            Identity::Waiting => (why.as_str(), "try again after the first prompt"),
            // That there is no host is to be mended, and was said.
            Identity::NoHost => {
                return report.note("session", "there is none without a host");
            }
            _ => (why.as_str(), "name it: attend run --session ID"),
        };
        return report.found("session", text, remedy);
    };
    let by = match by {
        Evidence::Named => "as it was named",
        Evidence::Hook => "as the hook of its start told",
        Evidence::Environment => "as the environment says",
        _ => "as the host's record says, which some versions do not renew after /clear",
    };
    report.fine("session", format!("{id}, {by}"));
    if info.interactive == Some(false) {
        report.note(
            "session",
            "nobody sits at it, so it may send and has no mail",
        );
    }
}

/// `2.1.331` as numbers.
fn parts(version: &str) -> Option<[u32; 3]> {
    let version = version.split(['-', '+', ' ']).next()?;
    let mut parts = version.split('.').map(|part| part.parse().ok());
    Some([parts.next()??, parts.next()??, parts.next()??])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_go_by_their_numbers() {
        assert_eq!(parts("2.1.331"), Some([2, 1, 331]));
        assert_eq!(parts("2.1.90-beta.1"), Some([2, 1, 90]));
        assert!(parts("2.1.90") < Some(MONITOR_EVERYWHERE));
        assert!(parts("2.2.0") > Some(MONITOR_EVERYWHERE));
        for odd in ["", "2", "2.1", "two.one.zero", "2.1.x"] {
            assert_eq!(parts(odd), None, "{odd}");
        }
    }
}
