//! Places: which project a command is about, and where its state lies.

use std::hash::Hasher;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use attend_core::attention::Settings;
use attend_core::runtime::config::{Places, Reader, WaysSettings, resolve};
use attend_core::runtime::{Cleanup, StateDir, StatePlace};
use attend_core::sensor::{Registry, SessionInfo};
use attend_sensors::built_in;
use siphasher::sip::SipHasher13;

use crate::cli::OfLoop;
use crate::env::{self, Env};
use crate::output::Failure;
use crate::session;
use crate::trust::Trusted;

/// What to do where the directory for state cannot be used.
pub(crate) const ADVICE: &str = "set ATTEND_HOME to a directory of your own";

/// The longest readable part of a directory's name.
const MAX_SLUG: usize = 40;

/// The project that contains `named`, or the current directory: the work tree of a repository
/// that it lies in, else the directory itself.
pub(crate) fn project(named: Option<&Path>) -> Result<PathBuf, Failure> {
    let directory = env::directory(named).map_err(|error| {
        let what = named.map_or_else(
            || "the current directory".to_owned(),
            |path| path.display().to_string(),
        );
        Failure::refused(format!("cannot watch {what}: {error}"))
    })?;
    if !directory.is_dir() {
        let what = directory.display();
        return Err(Failure::refused(format!(
            "cannot watch {what}: it is not a directory; name the one it lies in"
        )));
    }
    let work_tree = repository(&directory).map(Path::to_path_buf);
    Ok(work_tree.unwrap_or(directory))
}

/// The work tree of the repository that `directory` lies in, where there is one.
pub(crate) fn repository(directory: &Path) -> Option<&Path> {
    let mut ancestors = directory.ancestors();
    ancestors.find(|above| above.join(".git").exists())
}

/// The configuration that holds for the project at `root`.
pub(crate) fn config(root: &Path, env: &Env) -> Reader {
    Reader::new(config_places(root, env), built_in()).trusting(Trusted::new(root, env))
}

/// What only the user's own file says, to commands that have to do with no sensor.
#[derive(Clone, Debug)]
pub(crate) struct Own {
    /// Of ways.
    pub(crate) ways: WaysSettings,
    /// How many new messages are shown one by one.
    pub(crate) digest_above: usize,
    /// When what is left of projects and sessions goes.
    pub(crate) cleanup: Cleanup,
}

/// Reads that. What is wrong in it is not told.
pub(crate) fn own(env: &Env) -> Own {
    let mut places = Places::default();
    places.user = config_places(Path::new("/"), env).user;
    let (files, _) = places.read();
    if files.is_empty() {
        return Own {
            ways: WaysSettings::default(),
            digest_above: Settings::default().digest_above,
            cleanup: Cleanup::default(),
        };
    }
    let config = resolve(&files, &Registry::new());
    Own {
        ways: config.ways,
        digest_above: config.settings.digest_above,
        cleanup: config.cleanup,
    }
}

/// Where that configuration lies.
pub(crate) fn config_places(root: &Path, env: &Env) -> Places {
    let user = env.config().map(|config| config.join("config.yaml"));
    Places::new(user, root)
}

/// The project of a session: that of the directory in which the host works.
pub(crate) fn of_session(info: &SessionInfo) -> Result<PathBuf, Failure> {
    project(info.cwd.as_deref())
}

/// Where the state of the loop beside the session `id` lies, where there is a place for it.
pub(crate) fn session_state(id: &str, env: &Env) -> Option<StatePlace> {
    env.state().map(|state| state.join("sessions").join(id))
}

/// Where the state of an observer of the project at `root` lies, where there is a place for it.
///
/// The name is for people; the hash keeps projects of one name apart.
pub(crate) fn state(root: &Path, env: &Env) -> Option<StatePlace> {
    let name = root
        .file_name()
        .map(|name| name.to_string_lossy().into_owned())
        .unwrap_or_default();
    let keep = |c: char| {
        if c.is_ascii_alphanumeric() {
            c.to_ascii_lowercase()
        } else {
            '-'
        }
    };
    let slug: String = name.chars().take(MAX_SLUG).map(keep).collect();
    let mut hasher = SipHasher13::new();
    hasher.write(root.as_os_str().as_bytes());
    env.state().map(|state| {
        state
            .join("observers")
            .join(format!("{slug}-{:016x}", hasher.finish()))
    })
}

/// The loop that a command asks about: the one beside the session that the command lies in,
/// else the observer of a project.
pub(crate) struct Loop {
    /// The project that it watches.
    pub(crate) project: PathBuf,
    /// Its state, where there is some.
    pub(crate) dir: Option<StateDir>,
    /// The session that it runs beside; none of an observer.
    pub(crate) session: Option<String>,
}

/// The loop of the session that was named; or the one beside this session; or the observer of
/// the project that was named or that contains the current directory. What is named need not be
/// there any more.
pub(crate) fn of_loop(of: &OfLoop, env: &Env) -> Result<Loop, Failure> {
    let opened = |place| {
        StateDir::existing(place).map_err(|error| Failure::refused(format!("{error}; {ADVICE}")))
    };
    if let Some(id) = &of.session {
        return of_named(id, env);
    }
    if of.project.is_none() {
        let info = session::look(&session::host(None, env))?;
        if let Some(id) = info.id()
            && let Some(place) = session_state(id, env)
            && let Some(dir) = opened(place)?
        {
            let project = match &info.cwd {
                Some(cwd) => whole(cwd.clone()),
                None => of_session(&info)?,
            };
            return Ok(Loop {
                project,
                dir: Some(dir),
                session: Some(id.to_owned()),
            });
        }
    }
    let named = of.project.as_deref();
    let project = match named.and_then(env::gone) {
        Some(gone) => gone,
        None => project(named)?,
    };
    let dir = match state(&project, env) {
        Some(place) => opened(place)?,
        None => None,
    };
    Ok(Loop {
        project,
        dir,
        session: None,
    })
}

/// The loop of the session `id`, whether or not the host still knows that.
fn of_named(id: &str, env: &Env) -> Result<Loop, Failure> {
    let info = session::look(&session::host(Some(id), env))?;
    if info.id() != Some(id) {
        return Err(Failure::refused(session::why_not(&info.identity)));
    }
    let dir = match session_state(id, env).map(StateDir::existing) {
        Some(dir) => dir.map_err(|error| Failure::refused(format!("{error}; {ADVICE}")))?,
        None => None,
    };
    if dir.is_none() {
        return Err(Failure::refused(format!(
            "attend never ran beside the session {id}; `attend whoami` inside a session tells its id"
        )));
    }
    // Its record goes with its process: then nobody knows where it worked.
    let cwd = session::record(id, env).and_then(|record| record.cwd);
    Ok(Loop {
        project: cwd.map_or_else(|| PathBuf::from(format!("session {id}")), whole),
        dir,
        session: Some(id.to_owned()),
    })
}

/// The project around `cwd`, or that itself where it is gone.
fn whole(cwd: PathBuf) -> PathBuf {
    project(Some(&cwd)).unwrap_or(cwd)
}

/// Nobody ever watched the project at `root`.
pub(crate) fn nothing_yet(root: &Path) -> Failure {
    Failure::refused(format!(
        "attend never ran for {}; start it there: attend run",
        root.display()
    ))
}
