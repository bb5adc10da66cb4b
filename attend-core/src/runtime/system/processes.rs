//! Commands: started in a group of their own, drained while they run, and ended in time.

use std::io;
use std::path::Path;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use async_trait::async_trait;
use rustix::io::Errno;
use rustix::process::{Pid, Signal, kill_process_group, test_kill_process};
use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::process::{Child, Command};
use tokio::time::timeout;

use crate::sensor::{CommandOutput, CommandSpec, Exit, Runner, SensorError};

/// How long the pipes of a command that ended are read on, where something still holds them.
const GRACE: Duration = Duration::from_millis(100);

/// How long a killed command may take to be gone; one that hangs in the kernel is left behind.
const BURIAL: Duration = Duration::from_secs(1);

/// How much is read at once.
const CHUNK: usize = 16 << 10;

/// Runs commands as processes of this machine.
///
/// Each command leads a process group of its own, has no standard input, and shares no
/// standard output with attend. Its pipes are drained while it runs; what it left running that
/// still holds them is killed soon after it ended. Past its deadline, or when the look that
/// waits for it is cancelled, the whole group is killed. A child that left the group
/// (`setsid`) and let go of the pipes is on its own.
///
/// Outside a tokio runtime it blocks until the command ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SystemRunner;

#[async_trait]
impl Runner for SystemRunner {
    async fn run(&self, command: &CommandSpec, cwd: &Path) -> Result<CommandOutput, SensorError> {
        if tokio::runtime::Handle::try_current().is_ok() {
            return run(command, cwd).await;
        }
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(|error| failed(command, &error))?;
        runtime.block_on(run(command, cwd))
    }
}

/// Whether there is a process `pid`.
pub(crate) fn is_alive(pid: u32) -> bool {
    let pid = i32::try_from(pid).ok().and_then(Pid::from_raw);
    // One that may not be asked is there.
    pid.is_some_and(|pid| test_kill_process(pid) != Err(Errno::SRCH))
}

async fn run(command: &CommandSpec, cwd: &Path) -> Result<CommandOutput, SensorError> {
    let cwd = command.directory().unwrap_or(cwd);
    let mut child = start(command, cwd)?;
    let group = Group::led_by(&child);
    let (mut stdout, mut stderr) = (Kept::new(command), Kept::new(command));
    let reads = (child.stdout.take(), child.stderr.take());
    let ended = timeout(
        command.time(),
        until_end(&mut child, reads, &mut stdout, &mut stderr),
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
    let mut output = CommandOutput::exited(0, stdout.bytes).with_stderr(stderr.bytes);
    output.exit = exit(ended.status);
    output.dropped = stdout.dropped + stderr.dropped;
    Ok(output)
}

fn start(command: &CommandSpec, cwd: &Path) -> Result<Child, SensorError> {
    let mut process = Command::new(command.program());
    for name in command.removed() {
        process.env_remove(name);
    }
    let child = process
        .args(command.arguments())
        .envs(
            command
                .environment()
                .iter()
                .map(|(name, value)| (name, value)),
        )
        .current_dir(cwd)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0)
        .spawn();
    child.map_err(|error| match error.kind() {
        io::ErrorKind::NotFound if cwd.is_dir() => SensorError::unavailable(format!(
            "cannot run `{}`: there is no such program",
            command.program().to_string_lossy()
        )),
        io::ErrorKind::NotFound => SensorError::transient(format!(
            "cannot run `{command}`: the directory {} is not there",
            cwd.display()
        )),
        _ => failed(command, &error),
    })
}

fn failed(command: &CommandSpec, error: &io::Error) -> SensorError {
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
    stdout: &mut Kept,
    stderr: &mut Kept,
) -> io::Result<Ended> {
    let mut drained = std::pin::pin!(async {
        tokio::join!(stdout.drain(reads.0), stderr.drain(reads.1));
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

/// The first bytes of a stream, and how many there were more.
struct Kept {
    bytes: Vec<u8>,
    most: usize,
    dropped: u64,
}

impl Kept {
    fn new(command: &CommandSpec) -> Self {
        Self {
            bytes: Vec::new(),
            most: command.kept_bytes(),
            dropped: 0,
        }
    }

    /// Reads to the end; a pipe that cannot be read has ended.
    async fn drain(&mut self, from: Option<impl AsyncRead + Unpin>) {
        let Some(mut from) = from else { return };
        let mut chunk = vec![0; CHUNK];
        while let Ok(read @ 1..) = from.read(&mut chunk).await {
            let kept = read.min(self.most - self.bytes.len());
            self.bytes.extend_from_slice(&chunk[..kept]);
            self.dropped += (read - kept) as u64;
        }
    }
}

/// A process group that is killed when this is dropped.
struct Group(Option<Pid>);

impl Group {
    fn led_by(child: &Child) -> Self {
        let id = child.id().and_then(|id| i32::try_from(id).ok());
        Self(id.and_then(Pid::from_raw))
    }

    fn spare(mut self) {
        self.0 = None;
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        if let Some(group) = self.0 {
            // It may be gone already. Its number is not given to another while a member lives,
            // and numbers are not used up within the grace.
            let _ = kill_process_group(group, Signal::KILL);
        }
    }
}
