//! How attend's lines reach the session: the plugin, Monitor, hooks.

use attend_core::runtime::StateDir;

use super::check::Report;
use super::host::Here;
use crate::cmd::plugin::{own_files, usual};
use crate::env::Env;
use crate::plugin::{Directory, Installation};
use crate::way::WayIn;
use crate::{place, session};

/// Says whether the plugin is written, and what reaches the session now.
pub(super) fn tell(report: &mut Report, here: &Here, env: &Env) {
    plugin(report, env);
    // Without a session nothing can reach it.
    let Some(session) = here.session() else {
        return;
    };
    let mut live = Vec::new();
    let dir = place::session_state(session, env).map(StateDir::existing);
    if let Some(Ok(Some(dir))) = dir
        && let Some(pid) = dir.holder()
    {
        let way = WayIn::of(&dir).map_or("a loop", WayIn::name);
        live.push(format!("{way} (process {pid})"));
    }
    if here.host().is_some_and(|pid| has_hooks(pid, session, env)) {
        live.push("hooks".to_owned());
    }
    if live.is_empty() && here.is_interactive() {
        return report.found(
            "way-in",
            "nothing brings lines or mail to this session: no loop runs beside it, and no hook told of its start",
            "attend plugin install, or let the Monitor tool run `attend run --rearm`",
        );
    }
    if !live.is_empty() {
        report.fine("way-in", format!("live: {}", live.join(", ")));
    }
}

fn plugin(report: &mut Report, env: &Env) {
    let Some(dir) = usual(env) else { return };
    let shown = dir.display().to_string();
    let installation = Directory::at(dir).and_then(|dir| dir.installation(&own_files()));
    match installation {
        Err(failure) => report.told("plugin", &failure.to_string(), "move it away"),
        Ok(Installation::Installed) => report.fine("plugin", format!("written to {shown}")),
        Ok(Installation::Absent) => report.advise(
            "plugin",
            format!("not written to {shown}"),
            "attend plugin install, unless it lies elsewhere or you set up the hooks yourself",
        ),
        Ok(Installation::Outdated) => report.found(
            "plugin",
            format!("what lies in {shown} is of another attend, or not whole"),
            "attend plugin install",
        ),
        Ok(Installation::Foreign(path)) => report.found(
            "plugin",
            format!(
                "{} is not as attend wrote it, or somebody else's",
                path.display()
            ),
            "move it away, then attend plugin install",
        ),
    }
}

/// Whether a hook told that the host's process `pid` holds `session`.
fn has_hooks(pid: u32, session: &str, env: &Env) -> bool {
    session::told_by_hook(pid, env).is_some_and(|record| record.session_id == session)
}
