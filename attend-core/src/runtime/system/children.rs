//! Processes that run on beside the looks: listened to by a thread each, and ended with attend.

use std::fmt;
use std::io::{self, Read};
use std::os::fd::{AsFd, OwnedFd};
use std::path::Path;
use std::process::{self, ChildStderr, ChildStdout};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::guard::Guard;
use super::kept::Kept;
use super::processes::{command, exit, failed, not_started};
use crate::sensor::{Child, CommandSpec, Exit, Said, SensorError, WakeHandle};

/// How many lines are kept until somebody takes them.
const MOST_LINES: usize = 200;

/// How long the pipes of a process that ended are read on, where something still holds them.
const GRACE: Duration = Duration::from_millis(100);

/// How often a process is looked at where the system does not tell of its end.
const AGAIN: Duration = Duration::from_secs(1);

/// How much is read at once.
const CHUNK: usize = 16 << 10;

/// How often the pipes are read after the end: more than they hold.
const MOST_READS: usize = 128;

/// Starts `spec` as a process that runs on.
pub(super) fn start(
    spec: &CommandSpec,
    cwd: &Path,
    wake: &WakeHandle,
) -> Result<Box<dyn Child>, SensorError> {
    let cwd = spec.directory().unwrap_or(cwd);
    let guard = Guard::start().map_err(|error| failed(spec, &error))?;
    let mut child = command(spec, cwd, Some(&guard))
        .spawn()
        .map_err(|error| not_started(spec, cwd, &error))?;
    let shared = Arc::new(Shared {
        heard: Mutex::new(Heard::new(spec)),
        guard: Mutex::new(Some(guard)),
    });
    let listener = Listener {
        pipes: (child.stdout.take(), child.stderr.take()),
        end: end_of(&child).ok(),
        child,
        shared: shared.clone(),
        wake: wake.clone(),
    };
    let thread = std::thread::Builder::new().name("script".to_owned());
    let thread = thread.stack_size(128 << 10);
    // Where there is no thread, the process ends with its guard.
    let started = thread.spawn(move || listener.run());
    started.map_err(|error| failed(spec, &error))?;
    Ok(Box::new(Running(shared)))
}

/// A process that runs on.
struct Running(Arc<Shared>);

impl Child for Running {
    fn take(&mut self) -> Said {
        self.0.heard().take()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.0.end();
    }
}

/// What the thread hears, and what ends the process.
struct Shared {
    heard: Mutex<Heard>,
    guard: Mutex<Option<Guard>>,
}

impl Shared {
    fn heard(&self) -> MutexGuard<'_, Heard> {
        self.heard.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Kills the whole group.
    fn end(&self) {
        let mut guard = self.guard.lock().unwrap_or_else(PoisonError::into_inner);
        *guard = None;
    }
}

/// What a process said, until somebody takes it.
struct Heard {
    lines: Vec<Vec<u8>>,
    dropped_lines: u64,
    /// The bytes of the lines, and of the line that has no end yet.
    bytes: usize,
    line: Vec<u8>,
    most: usize,
    of_line: usize,
    stderr: Kept,
    ended: Option<Exit>,
    /// Whether a look was asked for since the last one.
    asked: bool,
}

impl Heard {
    fn new(spec: &CommandSpec) -> Self {
        Self {
            lines: Vec::new(),
            dropped_lines: 0,
            bytes: 0,
            line: Vec::new(),
            most: spec.kept_bytes(),
            of_line: spec.kept_of_line().min(spec.kept_bytes()),
            stderr: Kept::last(spec.kept_bytes()),
            ended: None,
            asked: false,
        }
    }

    fn take(&mut self) -> Said {
        (self.bytes, self.asked) = (0, false);
        Said {
            lines: std::mem::take(&mut self.lines),
            dropped_lines: std::mem::take(&mut self.dropped_lines),
            stderr: self.stderr.bytes().to_vec(),
            ended: self.ended,
        }
    }

    fn output(&mut self, chunk: &[u8]) {
        for part in chunk.split_inclusive(|byte| *byte == b'\n') {
            let text = part.strip_suffix(b"\n").unwrap_or(part);
            let room = self.of_line.saturating_sub(self.line.len());
            let kept = text.get(..room.min(text.len()));
            self.line.extend_from_slice(kept.unwrap_or_default());
            if part.ends_with(b"\n") {
                self.end_line();
            }
        }
    }

    fn end_line(&mut self) {
        let line = std::mem::take(&mut self.line);
        let bytes = self.bytes + line.len();
        if self.lines.len() == MOST_LINES || bytes > self.most {
            self.dropped_lines += 1;
        } else {
            self.bytes = bytes;
            self.lines.push(line);
        }
    }

    /// Whether there is something to look at for which no look was asked yet.
    fn asks(&mut self) -> bool {
        let something = !self.lines.is_empty() || self.dropped_lines > 0 || self.ended.is_some();
        something && !std::mem::replace(&mut self.asked, true)
    }
}

/// The thread that listens.
struct Listener {
    pipes: (Option<ChildStdout>, Option<ChildStderr>),
    /// Readable once the process has ended.
    end: Option<OwnedFd>,
    child: process::Child,
    shared: Arc<Shared>,
    wake: WakeHandle,
}

impl Listener {
    fn run(mut self) {
        let wait = self.end.is_none().then_some(AGAIN);
        while !self.listen(wait).ended && !matches!(self.child.try_wait(), Ok(Some(_))) {}
        // What it wrote lies in the pipes; whoever else holds them has no more say.
        self.shared.end();
        for _ in 0..MOST_READS {
            if !self.listen(Some(GRACE)).heard {
                break;
            }
        }
        let ended = self.child.wait().map_or(Exit::Code(-1), exit);
        let asks = {
            let mut heard = self.shared.heard();
            if !heard.line.is_empty() {
                heard.end_line();
            }
            heard.ended = Some(ended);
            heard.asked = false;
            heard.asks()
        };
        if asks {
            self.wake.wake();
        }
    }

    /// Waits for the pipes, and for the end as long as it is not `wait` that is over.
    fn listen(&mut self, wait: Option<Duration>) -> Listened {
        let wait = wait.and_then(|wait| Timespec::try_from(wait).ok());
        let fds = [
            self.pipes.0.as_ref().map(AsFd::as_fd),
            self.pipes.1.as_ref().map(AsFd::as_fd),
            self.end.as_ref().map(AsFd::as_fd),
        ];
        let mut asked: Vec<PollFd<'_>> = fds
            .iter()
            .flatten()
            .map(|fd| PollFd::from_borrowed_fd(*fd, PollFlags::IN))
            .collect();
        let mut ready = match poll(&mut asked, wait.as_ref()) {
            Ok(_) => asked.iter().map(|fd| !fd.revents().is_empty()),
            Err(rustix::io::Errno::INTR) => return Listened::default(),
            // Nothing can be waited for: it ends here.
            Err(_) => return Listened::END,
        };
        let mut is = |fd: &Option<_>| fd.is_some() && ready.next().unwrap_or_default();
        let (out, err, ended) = (is(&fds[0]), is(&fds[1]), is(&fds[2]));
        if ended {
            // Told once; what follows waits for the pipes alone.
            self.end = None;
        }
        let mut chunk = [0; CHUNK];
        let mut heard = false;
        if out {
            let read = read(&mut self.pipes.0, &mut chunk);
            heard |= !read.is_empty();
            self.shared.heard().output(read);
        }
        if err {
            let read = read(&mut self.pipes.1, &mut chunk);
            heard |= !read.is_empty();
            self.shared.heard().stderr.take(read);
        }
        if heard && self.shared.heard().asks() {
            self.wake.wake();
        }
        Listened { heard, ended }
    }
}

/// What was waited for.
#[derive(Clone, Copy, Default)]
struct Listened {
    heard: bool,
    ended: bool,
}

impl Listened {
    const END: Self = Self {
        heard: false,
        ended: true,
    };
}

/// Reads what is there; a pipe that has ended, or cannot be read, is let go.
fn read<'a>(pipe: &mut Option<impl Read>, chunk: &'a mut [u8]) -> &'a [u8] {
    let read = match pipe.as_mut().map(|pipe| pipe.read(chunk)) {
        Some(Err(error)) if error.kind() == io::ErrorKind::Interrupted => return &[],
        Some(Ok(read)) => read,
        _ => 0,
    };
    if read == 0 {
        *pipe = None;
    }
    chunk.get(..read).unwrap_or_default()
}

#[cfg(target_os = "linux")]
fn end_of(child: &process::Child) -> io::Result<OwnedFd> {
    super::exits::handle(child.id())
}

#[cfg(not(target_os = "linux"))]
fn end_of(_: &process::Child) -> io::Result<OwnedFd> {
    Err(io::ErrorKind::Unsupported.into())
}

impl fmt::Debug for Running {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Running")
    }
}
