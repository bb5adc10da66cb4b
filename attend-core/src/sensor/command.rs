//! Commands: what is run, how it ended, and what runs on beside the looks.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use async_trait::async_trait;

use super::error::SensorError;
use super::exits::Exit;
use super::world::WakeHandle;

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
    line: usize,
    ends: bool,
    guarded: bool,
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
            line: usize::MAX,
            ends: false,
            guarded: false,
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

    /// How many bytes of each line of its output are kept, so that one long line takes nothing
    /// from the others.
    pub fn keep_of_line(mut self, bytes: usize) -> Self {
        self.line = bytes;
        self
    }

    /// Of its errors the last bytes are kept, not the first.
    pub fn keep_last_errors(mut self) -> Self {
        self.ends = true;
        self
    }

    /// Nothing that it started outlives it, or attend: what still runs of that when it ends is
    /// killed, and so is all of it when attend is, by whatever means.
    ///
    /// On Linux a child that left the process group (`setsid`) is found by its environment; one
    /// that left the group and wiped that, or runs as somebody else, is on its own.
    ///
    /// It costs one more process, which waits for the end of attend, and a pass over the
    /// environments of processes when it ends.
    pub fn guarded(mut self) -> Self {
        self.guarded = true;
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

    /// Its bound on each line of output, in bytes.
    pub fn kept_of_line(&self) -> usize {
        self.line
    }

    /// Whether the last bytes of its errors are kept.
    pub fn keeps_last_errors(&self) -> bool {
        self.ends
    }

    /// Whether nothing that it started outlives it.
    pub fn is_guarded(&self) -> bool {
        self.guarded
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
    /// The first bytes of its errors, or the last.
    pub stderr: Vec<u8>,
    /// How many bytes of either were drained and not kept.
    pub dropped: u64,
    /// How many lines of its output ended in bytes that were not kept.
    pub dropped_lines: u64,
}

impl CommandOutput {
    /// Output of a command that ended with `code`.
    pub fn exited(code: i32, stdout: impl Into<Vec<u8>>) -> Self {
        Self {
            exit: Exit::Code(code),
            stdout: stdout.into(),
            stderr: Vec::new(),
            dropped: 0,
            dropped_lines: 0,
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
    /// It must not put a shell between, give it attend's own input or output, keep more of what it
    /// says than the command allows, or leave it running where the answer is not waited for any
    /// more.
    ///
    /// # Errors
    ///
    /// Transient: it could not be started, or its deadline passed (then it and its children
    /// were killed). Unavailable: there is no such program.
    async fn run(&self, command: &CommandSpec, cwd: &Path) -> Result<CommandOutput, SensorError>;

    /// Starts `command` as one that runs on.
    ///
    /// `wake` is called when it said something, and when it ended. Its deadline does not count; it
    /// is always [guarded](CommandSpec::guarded).
    ///
    /// It must not wait for what the command says or for its end, nor do what [`run`](Self::run)
    /// must not.
    ///
    /// # Errors
    ///
    /// Transient: it could not be started. Unavailable: there is no such program, or this runner
    /// starts nothing that runs on.
    fn start(
        &self,
        command: &CommandSpec,
        cwd: &Path,
        wake: &WakeHandle,
    ) -> Result<Box<dyn Child>, SensorError> {
        let _ = (cwd, wake);
        Err(SensorError::unavailable(format!(
            "cannot start `{command}`: nothing that runs on can be started here"
        )))
    }
}

/// A process that runs on beside the looks. Dropping it kills it, with all that it started.
pub trait Child: Send {
    /// What it said since the last call. Taking it makes room for more: what does not fit into
    /// the bound of its command is drained and counted.
    ///
    /// It must not wait for more, tell a line twice, or panic.
    fn take(&mut self) -> Said;
}

/// What a [`Child`] said since it was last asked.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Said {
    /// The first whole lines of its output, without their ends. One that is longer than is kept
    /// of a line is cut.
    pub lines: Vec<Vec<u8>>,
    /// How many lines more it wrote.
    pub dropped_lines: u64,
    /// The last bytes of its errors, from its start on.
    pub stderr: Vec<u8>,
    /// How it ended, once it has and nothing more will come.
    pub ended: Option<Exit>,
}
