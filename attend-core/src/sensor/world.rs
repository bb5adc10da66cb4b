//! The world as it is handed out: named directories, commands, and watches.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;

use super::error::SensorError;
use super::exits::{Exit, Exits};
pub use crate::mail::Clock;

/// A directory that has a name, so that a fixture tree can stand in for it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Root {
    /// The work tree or directory that is watched.
    Work,
    /// Where attend keeps its state.
    State,
    /// Where attend's configuration lies.
    Config,
    /// The host's configuration root.
    Host,
    /// The process table: `/proc`.
    Proc,
}

/// The named directories below which a sensor reads files.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Roots {
    work: PathBuf,
    others: Vec<(Root, PathBuf)>,
}

impl Roots {
    /// Roots with nothing but a work directory.
    pub fn new(work: impl Into<PathBuf>) -> Self {
        Self {
            work: work.into(),
            others: Vec::new(),
        }
    }

    /// The same roots with `path` as `root`.
    #[must_use]
    pub fn with(mut self, root: Root, path: impl Into<PathBuf>) -> Self {
        if root == Root::Work {
            self.work = path.into();
        } else {
            self.others.retain(|(known, _)| *known != root);
            self.others.push((root, path.into()));
        }
        self
    }

    /// The same roots without `root`; there always is a work directory.
    #[must_use]
    pub fn without(mut self, root: Root) -> Self {
        self.others.retain(|(known, _)| *known != root);
        self
    }

    /// The directory called `root`, where there is one.
    pub fn get(&self, root: Root) -> Option<&Path> {
        if root == Root::Work {
            return Some(&self.work);
        }
        self.others
            .iter()
            .find(|(known, _)| *known == root)
            .map(|(_, path)| path.as_path())
    }

    /// The work tree or directory that is watched.
    pub fn work(&self) -> &Path {
        &self.work
    }
}

/// What is being worked on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Project {
    name: String,
    root: PathBuf,
}

impl Project {
    /// The project in the directory `root`, called after its last component; `/` is called `/`.
    pub fn at(root: impl Into<PathBuf>) -> Self {
        let root = root.into();
        let name = root.file_name().map_or_else(
            || root.display().to_string(),
            |name| name.to_string_lossy().into_owned(),
        );
        Self { name, root }
    }

    /// Its name for people.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its directory.
    pub fn root(&self) -> &Path {
        &self.root
    }
}

/// A command to run: no shell, no standard input, a deadline, and a bound on what is kept.
///
/// ```
/// use std::time::Duration;
/// use attend_core::sensor::CommandSpec;
///
/// let command = CommandSpec::new("git").args(["status", "--porcelain=v2", "-z"]).deadline(Duration::from_secs(5));
/// assert_eq!(command.to_string(), "git status --porcelain=v2 -z");
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[must_use = "a command does nothing until it is run"]
pub struct CommandSpec {
    program: OsString,
    args: Vec<OsString>,
    cwd: Option<PathBuf>,
    env: Vec<(OsString, OsString)>,
    unset: Vec<OsString>,
    deadline: Duration,
    keep: usize,
}

impl CommandSpec {
    /// The program `program` without arguments: 10 s of time, the first 4 MiB of its output.
    pub fn new(program: impl Into<OsString>) -> Self {
        Self {
            program: program.into(),
            args: Vec::new(),
            cwd: None,
            env: Vec::new(),
            unset: Vec::new(),
            deadline: Duration::from_secs(10),
            keep: 4 << 20,
        }
    }

    /// Adds one argument.
    pub fn arg(mut self, arg: impl Into<OsString>) -> Self {
        self.args.push(arg.into());
        self
    }

    /// Adds arguments.
    pub fn args(mut self, args: impl IntoIterator<Item = impl Into<OsString>>) -> Self {
        self.args.extend(args.into_iter().map(Into::into));
        self
    }

    /// Runs it in `directory`; otherwise in the work directory.
    pub fn cwd(mut self, directory: impl Into<PathBuf>) -> Self {
        self.cwd = Some(directory.into());
        self
    }

    /// Sets a variable of its environment.
    pub fn env(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Self {
        self.env.push((name.into(), value.into()));
        self
    }

    /// Keeps an inherited variable out of its environment. A variable that is also
    /// [set](Self::env) is set.
    pub fn env_remove(mut self, name: impl Into<OsString>) -> Self {
        self.unset.push(name.into());
        self
    }

    /// How long it may run before it and all its children are killed.
    pub fn deadline(mut self, deadline: Duration) -> Self {
        self.deadline = deadline;
        self
    }

    /// How many bytes of its output, and of its errors, are kept; the rest is drained and counted.
    pub fn keep(mut self, bytes: usize) -> Self {
        self.keep = bytes;
        self
    }

    /// The program.
    pub fn program(&self) -> &OsStr {
        &self.program
    }

    /// Its arguments.
    pub fn arguments(&self) -> &[OsString] {
        &self.args
    }

    /// Where it runs.
    pub fn directory(&self) -> Option<&Path> {
        self.cwd.as_deref()
    }

    /// What is set in its environment.
    pub fn environment(&self) -> &[(OsString, OsString)] {
        &self.env
    }

    /// What is not inherited from attend's own environment.
    pub fn removed(&self) -> &[OsString] {
        &self.unset
    }

    /// Its time.
    pub fn time(&self) -> Duration {
        self.deadline
    }

    /// Its bound on output, in bytes.
    pub fn kept_bytes(&self) -> usize {
        self.keep
    }
}

impl fmt::Display for CommandSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.program.to_string_lossy())?;
        self.args
            .iter()
            .try_for_each(|arg| write!(f, " {}", arg.to_string_lossy()))
    }
}

/// What a command that ended left behind.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct CommandOutput {
    /// How it ended.
    pub exit: Exit,
    /// The first bytes of its output.
    pub stdout: Vec<u8>,
    /// The first bytes of its errors.
    pub stderr: Vec<u8>,
    /// How many bytes of either were drained and not kept.
    pub dropped: u64,
}

impl CommandOutput {
    /// Output of a command that ended with `code`.
    pub fn exited(code: i32, stdout: impl Into<Vec<u8>>) -> Self {
        Self {
            exit: Exit::Code(code),
            stdout: stdout.into(),
            stderr: Vec::new(),
            dropped: 0,
        }
    }

    /// The same with `stderr` as its errors.
    #[must_use]
    pub fn with_stderr(mut self, stderr: impl Into<Vec<u8>>) -> Self {
        self.stderr = stderr.into();
        self
    }

    /// Whether it ended with exit code 0.
    pub fn success(&self) -> bool {
        self.exit == Exit::Code(0)
    }
}

/// Runs commands. The system's runner stands in `runtime`, one that answers only what it was
/// taught in `testkit`.
#[async_trait]
pub trait Runner: Send + Sync {
    /// Runs `command` in `cwd`, unless the command names another directory, until it ends.
    ///
    /// # Errors
    ///
    /// Transient: it could not be started, or its deadline passed (then it and its children
    /// were killed). Unavailable: there is no such program.
    async fn run(&self, command: &CommandSpec, cwd: &Path) -> Result<CommandOutput, SensorError>;
}

/// Wakes one sensor: it is looked at as soon as its minimum interval allows.
#[derive(Clone)]
pub struct WakeHandle(Arc<dyn Fn() + Send + Sync>);

impl WakeHandle {
    #[cfg(any(feature = "runtime", feature = "testkit"))]
    pub(crate) fn new(wake: impl Fn() + Send + Sync + 'static) -> Self {
        Self(Arc::new(wake))
    }

    /// Asks for a look. Cheap, callable from any thread, as often as one likes.
    pub fn wake(&self) {
        (self.0)();
    }
}

impl fmt::Debug for WakeHandle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("WakeHandle")
    }
}

/// Opens watches. One watcher serves a whole process.
pub trait Watcher: Send + Sync {
    /// A watch on nothing yet, which wakes by `wake`.
    ///
    /// # Errors
    ///
    /// Unavailable: this system has no more watchers to give, or none at all. The text names
    /// the limit.
    fn open(&self, wake: WakeHandle) -> Result<Box<dyn Watch>, SensorError>;

    /// Waits for no process yet, and wakes by `wake`.
    ///
    /// # Errors
    ///
    /// Unavailable: this system does not tell of the ends of others' processes.
    fn exits(&self, wake: WakeHandle) -> Result<Box<dyn Exits>, SensorError> {
        let _ = wake;
        Err(SensorError::unavailable(
            "this system does not tell of the ends of others' processes",
        ))
    }
}

/// A set of watched paths of one sensor.
///
/// A change under any of them wakes the sensor, which asks [`take`](Self::take) what it was.
/// Watching is never recursive: a directory stands for its entries.
pub trait Watch: Send {
    /// Watches `path` too: the entries of a directory, or one file. Watching a path twice is
    /// watching it once.
    ///
    /// # Errors
    ///
    /// Unavailable: a limit was reached (the text names it), or the file system gives no
    /// events. Transient: `path` cannot be watched now, for example because it is gone.
    fn add(&mut self, path: &Path) -> Result<(), SensorError>;

    /// Stops watching everything.
    fn clear(&mut self);

    /// What changed since the last call. Taking it makes room for the next.
    ///
    /// Take it before looking, so that nothing falls between the two, and keep in the sensor
    /// that there was something until the look came to its end: it may fail or be cancelled.
    fn take(&mut self) -> Changes;
}

/// What a [`Watch`] saw.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Changes {
    /// Paths that changed, each once, at most 64.
    pub paths: Vec<PathBuf>,
    /// A directory appeared, moved or went away below a watched one, or a watched path itself
    /// moved or went away and is no longer watched: what is to be watched has to be added again.
    pub structure: bool,
    /// More changed than could be kept: anything may be different.
    pub lost: bool,
}

impl Changes {
    /// These paths changed, and nothing else did.
    pub fn at(paths: Vec<PathBuf>) -> Self {
        Self {
            paths,
            ..Self::default()
        }
    }

    /// Whether nothing changed.
    pub fn is_empty(&self) -> bool {
        self.paths.is_empty() && !self.structure && !self.lost
    }
}
