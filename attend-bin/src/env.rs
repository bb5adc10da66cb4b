//! The environment: the one place that reads it.

#![expect(
    clippy::disallowed_methods,
    reason = "this is the one place that reads the environment"
)]

use std::env;
use std::ffi::OsString;
use std::fs::DirBuilder;
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use attend_core::runtime::StatePlace;
use attend_core::sensor::{Root, Roots};
use attend_sensors::host::claude_code::{Given, Windows};

use crate::output::Failure;
use crate::zone::zone;

/// With one of these, older versions of the host have no Monitor: other providers of models, and
/// no telemetry.
const WITHOUT_MONITOR: [&str; 5] = [
    "CLAUDE_CODE_USE_BEDROCK",
    "CLAUDE_CODE_USE_VERTEX",
    "CLAUDE_CODE_USE_FOUNDRY",
    "DISABLE_TELEMETRY",
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC",
];

/// What the environment says, read once.
#[derive(Clone, Debug)]
pub(crate) struct Env {
    root: Option<PathBuf>,
    home: Option<PathBuf>,
    xdg_state: Option<PathBuf>,
    xdg_config: Option<PathBuf>,
    xdg_data: Option<PathBuf>,
    xdg_cache: Option<PathBuf>,
    xdg_runtime: Option<PathBuf>,
    /// The host's configuration root.
    claude: Option<PathBuf>,
    session: Option<String>,
    host_pid: Option<u32>,
    folder: Option<String>,
    /// It runs for a plugin of the host.
    of_plugin: bool,
    /// What switches Monitor off in older versions of the host.
    without_monitor: Option<&'static str>,
    most_tokens: Option<u64>,
    only_small: bool,
    #[cfg(feature = "chat")]
    no_colour: bool,
    /// The colours of letters and ground, as some terminals tell them: `15;0`.
    #[cfg(feature = "chat")]
    ground: Option<String>,
}

impl Env {
    /// Reads it. An empty or relative directory counts as none.
    ///
    /// # Errors
    ///
    /// `ATTEND_HOME` is relative. To ignore it would be to write to the user's own files, which
    /// it was set to spare; to follow it, to remember something else in each directory.
    pub(crate) fn read() -> Result<Self, Failure> {
        let directory = |name: &str| env::var_os(name).and_then(absolute);
        let text = |name: &str| env::var(name).ok().filter(|value| !value.is_empty());
        let is_on = |name: &&str| text(name).is_some_and(|set| set != "0" && set != "false");
        let root = env::var_os("ATTEND_HOME").filter(|value| !value.is_empty());
        let root = root.map(PathBuf::from);
        if let Some(relative) = root.as_ref().filter(|root| !root.is_absolute()) {
            return Err(Failure::refused(format!(
                "ATTEND_HOME is the relative path {}, which is another place in each directory; \
                 set it to a whole path, which begins with /",
                relative.display()
            )));
        }
        Ok(Self {
            root,
            home: directory("HOME"),
            xdg_state: directory("XDG_STATE_HOME"),
            xdg_config: directory("XDG_CONFIG_HOME"),
            xdg_data: directory("XDG_DATA_HOME"),
            xdg_cache: directory("XDG_CACHE_HOME"),
            xdg_runtime: directory("XDG_RUNTIME_DIR"),
            claude: directory("CLAUDE_CONFIG_DIR"),
            session: text("CLAUDE_CODE_SESSION_ID"),
            host_pid: text("CLAUDE_PID").and_then(|pid| pid.parse().ok()),
            folder: text("CLAUDE_CODE_PROJECT_DIR_NAME"),
            of_plugin: text("CLAUDE_PLUGIN_ROOT").is_some(),
            without_monitor: WITHOUT_MONITOR.into_iter().find(is_on),
            most_tokens: text("CLAUDE_CODE_MAX_CONTEXT_TOKENS").and_then(|most| most.parse().ok()),
            only_small: is_on(&"CLAUDE_CODE_DISABLE_1M_CONTEXT"),
            #[cfg(feature = "chat")]
            no_colour: text("NO_COLOR").is_some(),
            #[cfg(feature = "chat")]
            ground: text("COLORFGBG"),
        })
    }

    /// Where state is kept; none where the environment names no place. It belongs to attend
    /// from `ATTEND_HOME` on, else from `attend` in the user's directory for state.
    pub(crate) fn state(&self) -> Option<StatePlace> {
        if let Some(root) = &self.root {
            return Some(StatePlace::new(root).join("state"));
        }
        let state = self
            .xdg_state
            .clone()
            .or_else(|| self.home.as_ref().map(|home| home.join(".local/state")));
        state.map(|state| StatePlace::new(state.join("attend")))
    }

    /// The directory that holds everything of attend's, where one was named for that.
    pub(crate) fn root(&self) -> Option<&Path> {
        self.root.as_deref()
    }

    /// Where the user's configuration lies; none where the environment names no place.
    pub(crate) fn config(&self) -> Option<PathBuf> {
        if let Some(root) = &self.root {
            return Some(root.join("config"));
        }
        let default = || self.home.as_ref().map(|home| home.join(".config"));
        let config = self.xdg_config.clone().or_else(default);
        config.map(|config| config.join("attend"))
    }

    /// Where mail is kept; none where the environment names no place.
    pub(crate) fn data(&self) -> Option<PathBuf> {
        if let Some(root) = &self.root {
            return Some(root.join("data"));
        }
        let default = || self.home.as_ref().map(|home| home.join(".local/share"));
        let data = self.xdg_data.clone().or_else(default);
        data.map(|data| data.join("attend"))
    }

    /// The user's home, for a path that begins with `~`.
    pub(crate) fn home(&self) -> Option<&Path> {
        self.home.as_deref()
    }
}

impl Env {
    /// `roots` with the user's own directories, which a configuration may name. Where one is not
    /// set it is the usual one; for what lives as long as the user is logged in there is none.
    pub(crate) fn with_user_roots(&self, roots: Roots) -> Roots {
        let usual = |below: &str| self.home.as_ref().map(|home| home.join(below));
        let set = |set: &Option<PathBuf>, below| set.clone().or_else(|| usual(below));
        let named = [
            (Root::Home, self.home.clone()),
            (Root::UserConfig, set(&self.xdg_config, ".config")),
            (Root::UserData, set(&self.xdg_data, ".local/share")),
            (Root::UserState, set(&self.xdg_state, ".local/state")),
            (Root::UserCache, set(&self.xdg_cache, ".cache")),
            (Root::UserRuntime, self.xdg_runtime.clone()),
        ];
        let named = named
            .into_iter()
            .filter_map(|(root, path)| Some((root, path?)));
        named.fold(roots, |roots, (root, path)| roots.with(root, path))
    }

    /// Whether it names a session of a host, or a process of one.
    pub(crate) fn names_session(&self) -> bool {
        self.session.is_some() || self.host_pid.is_some()
    }

    /// Whether a plugin of the host runs this process.
    pub(crate) fn is_of_plugin(&self) -> bool {
        self.of_plugin
    }

    /// The variable that switches Monitor off in older versions of the host, where one is set.
    pub(crate) fn without_monitor(&self) -> Option<&'static str> {
        self.without_monitor
    }

    /// The host's configuration root; none where the environment names no place.
    pub(crate) fn host_root(&self) -> Option<PathBuf> {
        let default = || self.home.as_ref().map(|home| home.join(".claude"));
        self.claude.clone().or_else(default)
    }

    /// What the environment says of the session that attend runs beside.
    pub(crate) fn given(&self, session: Option<&str>) -> Given {
        let mut given = Given::to(std::process::id());
        given.session = session.map(str::to_owned);
        given.env_session.clone_from(&self.session);
        given.env_pid = self.host_pid;
        given.folder.clone_from(&self.folder);
        given
    }

    /// What the environment says of context windows.
    pub(crate) fn windows(&self) -> Windows {
        let mut windows = Windows::default();
        windows.most = self.most_tokens;
        windows.only_small = self.only_small;
        windows
    }
}

#[cfg(feature = "chat")]
impl Env {
    /// Whether it asks for no colours: <https://no-color.org>.
    pub(crate) fn wants_no_colour(&self) -> bool {
        self.no_colour
    }

    /// Whether it tells that the ground of the terminal is light.
    pub(crate) fn is_light(&self) -> bool {
        let ground = self
            .ground
            .as_deref()
            .and_then(|told| told.rsplit(';').next());
        matches!(
            ground,
            Some("7" | "9" | "10" | "11" | "12" | "13" | "14" | "15")
        )
    }
}

/// The argument of this process, where there is exactly one.
pub(crate) fn only_argument() -> Option<OsString> {
    let mut arguments = env::args_os().skip(1);
    arguments.next().filter(|_| arguments.next().is_none())
}

/// The path of this program, where a shell would not find it by its name.
pub(crate) fn unlisted_program() -> Option<PathBuf> {
    let own = env::current_exe().ok()?;
    let real = |path: &Path| path.canonicalize().ok();
    let path = env::var_os("PATH").unwrap_or_default();
    let mut listed = env::split_paths(&path).map(|dir| dir.join("attend"));
    let first = listed.find(|path| path.is_file());
    let is_found = first.is_some_and(|first| real(&first) == real(&own));
    (!is_found).then_some(own)
}

/// The directory in which the command was given, or the one that was named, canonical.
pub(crate) fn directory(named: Option<&Path>) -> io::Result<PathBuf> {
    match named {
        Some(path) => path.canonicalize(),
        None => env::current_dir()?.canonicalize(),
    }
}

/// The whole path of the directory `named`, where that is not there any more: what is left of
/// its way is canonical.
pub(crate) fn gone(named: &Path) -> Option<PathBuf> {
    let whole = std::path::absolute(named).ok()?;
    if whole.symlink_metadata().is_ok() {
        return None;
    }
    let there = whole.ancestors().find_map(|above| {
        let real = above.canonicalize().ok()?;
        Some(real.join(whole.strip_prefix(above).ok()?))
    });
    Some(there.unwrap_or(whole))
}

/// A new directory that only this user enters, for what is thrown away.
pub(crate) fn scratch() -> io::Result<PathBuf> {
    let mut made = DirBuilder::new();
    made.mode(0o700);
    let named = |n: u32| env::temp_dir().join(format!("attend-{}-{n}", std::process::id()));
    let mut all = (0..100).map(named);
    // Whatever is there already is somebody else's.
    let free = all.find_map(|path| match made.create(&path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => None,
        created => Some(created.map(|()| path)),
    });
    free.unwrap_or_else(|| Err(io::ErrorKind::AlreadyExists.into()))
}

/// The time zone of whoever gave the command.
pub(crate) fn time_zone() -> jiff::tz::TimeZone {
    zone(env::var_os("TZ").as_deref(), env::var_os("TZDIR"))
}

fn absolute(value: OsString) -> Option<PathBuf> {
    Some(PathBuf::from(value)).filter(|path| path.is_absolute())
}
