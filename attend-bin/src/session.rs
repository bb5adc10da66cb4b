//! The session that a command runs beside: found, or said to be unknown; never guessed.

use std::path::PathBuf;
use std::sync::Arc;

use attend_core::runtime::StateDir;
use attend_core::runtime::system::SystemClock;
use attend_core::sensor::{Evidence, HostAnswer, HostRequest, Identity, Root, Roots, SessionInfo};
use attend_sensors::host::claude_code::{self, ClaudeCode, HookRecord, SessionRecord, transcript};

use crate::env::Env;
use crate::output::Failure;

/// A file larger than this is none in which a hook told something, in bytes.
const MOST_BYTES: u64 = 4 << 10;

/// The directories below which the host's files and attend's own are read.
pub(crate) fn roots(work: impl Into<PathBuf>, env: &Env) -> Roots {
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
    env.with_user_roots(roots)
}

/// The host, as seen from this process, for the session `session` where one was named.
pub(crate) fn host(session: Option<&str>, env: &Env) -> ClaudeCode {
    let clock = Arc::new(SystemClock);
    ClaudeCode::new(roots("/", env), env.given(session), env.windows(), clock)
}

/// The same for the session `session`, whose transcript lies in the folder `folder` where that is
/// known.
pub(crate) fn host_in(folder: Option<&str>, session: &str, env: &Env) -> ClaudeCode {
    let mut given = env.given(Some(session));
    if let Some(folder) = folder {
        given.folder = Some(folder.to_owned());
    }
    let clock = Arc::new(SystemClock);
    ClaudeCode::new(roots("/", env), given, env.windows(), clock)
}

/// Which session the host says this is, for whoever needs nothing of its transcript.
pub(crate) fn who(env: &Env) -> SessionInfo {
    host(None, env).session()
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

/// Makes sure that a session that was named is one: a wrong id must not pass for a session of
/// which nothing is known yet.
///
/// Below a process of the host any id is taken, since it may be younger than its traces; then
/// the words to say are returned.
pub(crate) fn check(info: &SessionInfo, env: &Env) -> Result<Option<String>, Failure> {
    let Identity::Known {
        id,
        by: Evidence::Named,
    } = &info.identity
    else {
        return Ok(None);
    };
    if is_traced(id, env) {
        return Ok(None);
    }
    let untraced = format!("no record and no transcript of the host names the session {id}");
    if info.process.is_some() {
        return Ok(Some(format!(
            "{untraced} yet; the host above this process is taken to hold it"
        )));
    }
    let place = env.host_root().map_or_else(
        || "neither CLAUDE_CONFIG_DIR nor HOME names a directory".to_owned(),
        |root| format!("looked in {}", root.display()),
    );
    Err(Failure::refused(format!(
        "{untraced} ({place}); `attend whoami` inside a session tells its id"
    )))
}

/// Whether the session that this process lies in, a record of the host or a transcript has this
/// id.
fn is_traced(id: &str, env: &Env) -> bool {
    let own = || look(&host(None, env)).is_ok_and(|info| info.id() == Some(id));
    let has_transcript = |root: PathBuf| transcript(&root.join("projects"), id, None).is_some();
    own() || env.host_root().is_some_and(has_transcript) || record(id, env).is_some()
}

/// What was said last in the session `id`; nothing where nobody knows.
pub(crate) fn recent_words(id: &str, env: &Env) -> String {
    let projects = env.host_root().map(|root| root.join("projects"));
    let path = projects.and_then(|projects| transcript(&projects, id, None));
    path.map(|path| claude_code::recent_words(&path))
        .unwrap_or_default()
}

/// The host's record of the process that holds the session `id`, where there is one.
pub(crate) fn record(id: &str, env: &Env) -> Option<SessionRecord> {
    let mut records = SessionRecord::all(&env.host_root()?).ok()?.into_iter();
    records.find(|record| record.session.as_deref() == Some(id))
}

/// The host's record of its process `pid`, where there is one.
pub(crate) fn record_of(pid: u32, env: &Env) -> Option<SessionRecord> {
    SessionRecord::read(&env.host_root()?, pid)
}

/// What a hook told of the host's process `pid`, where one did.
pub(crate) fn told_by_hook(pid: u32, env: &Env) -> Option<HookRecord> {
    let dir = StateDir::existing(env.state()?.join("hosts")).ok()??;
    HookRecord::parse(&dir.kept(&format!("{pid}.json"), MOST_BYTES).ok()??)
}

/// The session's id and what else is known of it, for a command that is nothing without one.
pub(crate) fn known(host: &ClaudeCode, env: &Env) -> Result<(String, SessionInfo), Failure> {
    let info = look(host)?;
    check(&info, env)?;
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
