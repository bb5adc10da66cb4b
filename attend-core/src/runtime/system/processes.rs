//! Commands: started in a group of their own, drained while they run, and ended in time.

use std::io;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::time::Duration;

use rustix::io::Errno;
use rustix::process::{Pid, Signal, kill_process_group, test_kill_process};
use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::process::Child;
use tokio::time::timeout;

use super::guard::Guard;
use super::kept::Kept;
use crate::sensor::{CommandOutput, CommandSpec, Exit, SensorError};

/// How long the pipes of a command that ended are read on, where something still holds them.
const GRACE: Duration = Duration::from_millis(100);

/// How long a killed command may take to be gone; one that hangs in the kernel is left behind.
const BURIAL: Duration = Duration::from_secs(1);

/// How much is read at once.
const CHUNK: usize = 16 << 10;

/// Whether there is a process `pid`.
pub(crate) fn is_alive(pid: u32) -> bool {
    let pid = i32::try_from(pid).ok().and_then(Pid::from_raw);
    // One that may not be asked is there.
    pid.is_some_and(|pid| test_kill_process(pid) != Err(Errno::SRCH))
}

/// Runs `command` to its end.
pub(super) async fn run(command: &CommandSpec, cwd: &Path) -> Result<CommandOutput, SensorError> {
    let cwd = command.directory().unwrap_or(cwd);
    let guard = command.is_guarded().then(Guard::start).transpose();
    let guard = guard.map_err(|error| failed(command, &error))?;
    let mut child = start(command, cwd, guard.as_ref())?;
    let group = Group::of(&child, guard);
    let most = command.kept_bytes();
    let mut stdout = Kept::first(most, command.kept_of_line());
    let mut stderr = if command.keeps_last_errors() {
        Kept::last(most)
    } else {
        Kept::first(most, usize::MAX)
    };
    let reads = (child.stdout.take(), child.stderr.take());
    let ended = timeout(
        command.time(),
        until_end(&mut child, reads, (&mut stdout, &mut stderr)),
    )
    .await;
    let Ok(status) = ended else {
        drop(group);
        let _ = timeout(BURIAL, child.wait()).await;
        return Err(SensorError::transient(format!(
            "`{command}` was killed: it took longer than {:?}",
            command.time()
        )));
    };
    let ended = status.map_err(|error| failed(command, &error))?;
    if ended.let_go {
        group.spare();
    }
    let dropped_lines = stdout.dropped_lines;
    let ((stdout, over), (stderr, more)) = (stdout.finish(), stderr.finish());
    let mut output = CommandOutput::exited(0, stdout).with_stderr(stderr);
    output.exit = exit(ended.status);
    (output.dropped, output.dropped_lines) = (over + more, dropped_lines);
    Ok(output)
}

fn start(spec: &CommandSpec, cwd: &Path, guard: Option<&Guard>) -> Result<Child, SensorError> {
    let child = tokio::process::Command::from(command(spec, cwd, guard)).spawn();
    child.map_err(|error| not_started(spec, cwd, &error))
}

/// The process that `spec` stands for, in the group of `guard`; in one of its own without.
pub(super) fn command(spec: &CommandSpec, cwd: &Path, guard: Option<&Guard>) -> Command {
    #[expect(
        clippy::disallowed_methods,
        reason = "processes start here, and nowhere above"
    )]
    let mut process = Command::new(spec.program());
    for name in spec.removed() {
        process.env_remove(name);
    }
    let set = spec.environment().iter();
    process
        .args(spec.arguments())
        .envs(set.map(|(name, value)| (name, value)))
        .current_dir(cwd)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0);
    if let Some(guard) = guard {
        guard.take(&mut process);
    }
    process
}

/// Why `command` could not be started in `cwd`.
pub(super) fn not_started(command: &CommandSpec, cwd: &Path, error: &io::Error) -> SensorError {
    match error.kind() {
        io::ErrorKind::NotFound if cwd.is_dir() => SensorError::unavailable(format!(
            "cannot run `{}`: there is no such program",
            command.program().to_string_lossy()
        )),
        io::ErrorKind::NotFound => SensorError::transient(format!(
            "cannot run `{command}`: the directory {} is not there",
            cwd.display()
        )),
        _ => failed(command, error),
    }
}

pub(super) fn failed(command: &CommandSpec, error: &io::Error) -> SensorError {
    SensorError::transient(format!("cannot run `{command}`: {error}"))
}

struct Ended {
    status: ExitStatus,
    /// Whether everybody let go of the pipes.
    let_go: bool,
}

/// Waits for the end of the command and of its output. Once the command ended, all that it
/// wrote lies in the pipes; only what others still hold them for is waited for a little.
async fn until_end(
    child: &mut Child,
    reads: (
        Option<impl AsyncRead + Unpin>,
        Option<impl AsyncRead + Unpin>,
    ),
    (stdout, stderr): (&mut Kept, &mut Kept),
) -> io::Result<Ended> {
    let mut drained = std::pin::pin!(async {
        tokio::join!(drain(reads.0, stdout), drain(reads.1, stderr));
    });
    tokio::select! {
        () = &mut drained => Ok(Ended { status: child.wait().await?, let_go: true }),
        status = child.wait() => {
            let status = status?;
            let let_go = timeout(GRACE, drained).await.is_ok();
            Ok(Ended { status, let_go })
        }
    }
}

#[cfg(unix)]
pub(super) fn exit(status: ExitStatus) -> Exit {
    use std::os::unix::process::ExitStatusExt;
    match (status.code(), status.signal()) {
        (Some(code), _) => Exit::Code(code),
        (None, Some(signal)) => Exit::Signal(signal),
        (None, None) => Exit::Code(-1),
    }
}

/// Reads to the end; a pipe that cannot be read has ended.
async fn drain(from: Option<impl AsyncRead + Unpin>, kept: &mut Kept) {
    let Some(mut from) = from else { return };
    let mut chunk = vec![0; CHUNK];
    while let Ok(read @ 1..) = from.read(&mut chunk).await {
        kept.take(chunk.get(..read).unwrap_or_default());
    }
}

/// A process group that is killed when this is dropped.
struct Group {
    /// Led by the command; none where nobody is killed.
    led: Option<Pid>,
    /// Takes the group along that it leads.
    _guard: Option<Guard>,
}

impl Group {
    /// The group of `child`: that of the guard, where there is one, else of its own.
    fn of(child: &Child, guard: Option<Guard>) -> Self {
        let id = child.id().and_then(|id| i32::try_from(id).ok());
        let led = id.and_then(Pid::from_raw).filter(|_| guard.is_none());
        Self { led, _guard: guard }
    }

    /// Leaves what runs on to itself, unless there is a guard.
    fn spare(mut self) {
        self.led = None;
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        if let Some(group) = self.led {
            // It may be gone already. Its number is not given to another while a member lives,
            // and numbers are not used up within the grace.
            let _ = kill_process_group(group, Signal::KILL);
        }
    }
}
