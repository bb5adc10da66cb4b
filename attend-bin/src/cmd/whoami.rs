//! `attend whoami`: which session this is, and how that was found.

use attend_core::attention::sanitise;
use attend_core::sensor::{Evidence, Identity, SessionInfo};
use serde::Serialize;

use crate::cli::WhoamiArgs;
use crate::env::Env;
use crate::output::{Failure, print, print_json};
use crate::{place, session};

/// Who asks, as it is printed.
#[derive(Serialize, Debug)]
struct WhoAmI {
    session_id: String,
    /// How the session was found: `named`, `hook`, `environment` or `record`.
    found_by: &'static str,
    /// The host's process.
    host_pid: Option<u32>,
    project: String,
    root: String,
}

/// Prints the session that this process lies in.
pub(crate) fn whoami(args: &WhoamiArgs, env: &Env) -> Result<(), Failure> {
    let (id, info) = session::known(&session::host(args.session.as_deref(), env), env)?;
    let root = place::of_session(&info)?;
    let project = root.file_name().unwrap_or(root.as_os_str());
    let who = WhoAmI {
        session_id: id,
        found_by: found_by(&info),
        host_pid: info.process.as_ref().map(|process| process.pid),
        project: sanitise(&project.to_string_lossy()),
        root: sanitise(&root.display().to_string()),
    };
    if args.json {
        return print_json(&who);
    }
    let how = match who.found_by {
        "named" => "as it was named",
        "hook" => "a hook of the host told it when the session began",
        "environment" => "the host's environment names it",
        _ => "the host's record of its process names it",
    };
    let pid = who
        .host_pid
        .map(|pid| format!(", process {pid}"))
        .unwrap_or_default();
    print(&format!(
        "session {} ({how}{pid})\nproject {} at {}\n",
        who.session_id, who.project, who.root
    ))
}

fn found_by(info: &SessionInfo) -> &'static str {
    match &info.identity {
        Identity::Known {
            by: Evidence::Named,
            ..
        } => "named",
        Identity::Known {
            by: Evidence::Hook, ..
        } => "hook",
        Identity::Known {
            by: Evidence::Environment,
            ..
        } => "environment",
        _ => "record",
    }
}
