//! A program that runs in this process's place: with its streams, its signals and its directory.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::future::poll_fn;
use std::io;
use std::task::Poll;

use rustix::process::{Pid, Signal as Sent, getpgrp, kill_process};
use rustix::termios::tcgetpgrp;
use tokio::process::{Child, Command};
use tokio::runtime::{Builder, Runtime};
use tokio::signal::unix::{Signal, SignalKind, signal};

use super::processes::exit;
use crate::sensor::Exit;

/// What is passed on to the program: each signal that asks a process to do something.
const PASSED_ON: [(SignalKind, Sent); 6] = [
    (SignalKind::hangup(), Sent::HUP),
    (SignalKind::interrupt(), Sent::INT),
    (SignalKind::quit(), Sent::QUIT),
    (SignalKind::terminate(), Sent::TERM),
    (SignalKind::user_defined1(), Sent::USR1),
    (SignalKind::user_defined2(), Sent::USR2),
];

/// A program that was started with the streams and the directory of this process, in its
/// process group.
///
/// Signals that this process is sent reach the program. Those that a terminal sends to the whole
/// group reach it by themselves, and are not sent twice.
#[derive(Debug)]
pub struct Attached {
    runtime: Runtime,
    child: Child,
    signals: Vec<(Signal, Sent)>,
}

impl Attached {
    /// Starts `program`. From then on signals that would end this process do not.
    ///
    /// # Errors
    ///
    /// What the system says: not found, where there is no such program.
    pub fn start(
        program: &OsStr,
        args: impl IntoIterator<Item = impl AsRef<OsStr>>,
    ) -> io::Result<Self> {
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let entered = runtime.enter();
        let ignored = ignored();
        let mut signals = Vec::new();
        for (kind, sent) in PASSED_ON {
            // What whoever started this ignores, as `nohup` does, the program ignores too.
            if ignored & (1 << (kind.as_raw_value() - 1)) == 0 {
                signals.push((signal(kind)?, sent));
            }
        }
        // Where ends of children were ignored, nobody would learn how the program ended.
        drop(signal(SignalKind::child())?);
        let child = Command::new(program).args(args).spawn()?;
        drop(entered);
        Ok(Self {
            runtime,
            child,
            signals,
        })
    }

    /// Waits until the program has ended, and says how.
    ///
    /// # Errors
    ///
    /// The system does not say.
    pub fn wait(mut self) -> io::Result<Exit> {
        let pid = self.child.id().and_then(|id| i32::try_from(id).ok());
        let pid = pid.and_then(Pid::from_raw);
        let (child, signals) = (&mut self.child, &mut self.signals);
        let status = self.runtime.block_on(async {
            loop {
                tokio::select! {
                    status = child.wait() => return status,
                    sent = next(signals) => if let Some(pid) = pid && !reached_all(sent) {
                        // One that has just ended needs it no more.
                        let _ = kill_process(pid, sent);
                    },
                }
            }
        })?;
        Ok(exit(status))
    }
}

/// The next of the signals.
async fn next(signals: &mut [(Signal, Sent)]) -> Sent {
    poll_fn(|cx| {
        for (signal, sent) in signals.iter_mut() {
            if signal.poll_recv(cx).is_ready() {
                return Poll::Ready(*sent);
            }
        }
        Poll::Pending
    })
    .await
}

/// Whether a terminal has sent it to the program, too: whoever presses a key sends to all in
/// the foreground.
fn reached_all(sent: Sent) -> bool {
    if sent != Sent::INT && sent != Sent::QUIT {
        return false;
    }
    let foreground = File::open("/dev/tty").map(tcgetpgrp);
    matches!(foreground, Ok(Ok(group)) if group == getpgrp())
}

/// The signals that this process was started to ignore, a bit each; none where the system does
/// not tell.
fn ignored() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    line.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
        .unwrap_or_default()
}
