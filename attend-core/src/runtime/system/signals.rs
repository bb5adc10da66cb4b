//! The signals by which a process is asked to end, to stop, and to go on.

use std::fmt;
use std::io;

use rustix::process::{getpgid, getpgrp, getpid, getppid, getsid, kill_process};
use tokio::signal::unix::{Signal, SignalKind, signal};

/// A signal by which a process is asked to end.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum EndSignal {
    /// SIGTERM: somebody wants it to end.
    Terminate,
    /// SIGINT: somebody pressed control-C.
    Interrupt,
    /// SIGHUP: its terminal went away.
    HangUp,
    /// SIGQUIT: somebody pressed control-backslash.
    Quit,
}

impl fmt::Display for EndSignal {
    /// The name that the system gives it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Terminate => "SIGTERM",
            Self::Interrupt => "SIGINT",
            Self::HangUp => "SIGHUP",
            Self::Quit => "SIGQUIT",
        })
    }
}

/// Listens for SIGTERM, SIGINT, SIGHUP and SIGQUIT.
#[derive(Debug)]
pub(crate) struct Ends {
    terminate: Signal,
    interrupt: Signal,
    hang_up: Signal,
    quit: Signal,
}

impl Ends {
    /// From now on these signals no longer kill the process.
    pub(crate) fn listen() -> io::Result<Self> {
        Ok(Self {
            terminate: signal(SignalKind::terminate())?,
            interrupt: signal(SignalKind::interrupt())?,
            hang_up: signal(SignalKind::hangup())?,
            quit: signal(SignalKind::quit())?,
        })
    }

    /// Waits for the next one. Safe to cancel.
    pub(crate) async fn next(&mut self) -> EndSignal {
        tokio::select! {
            _ = self.terminate.recv() => EndSignal::Terminate,
            _ = self.interrupt.recv() => EndSignal::Interrupt,
            _ = self.hang_up.recv() => EndSignal::HangUp,
            _ = self.quit.recv() => EndSignal::Quit,
        }
    }
}

/// What somebody who has the terminal does with a process that runs in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Job {
    /// SIGTSTP: it is asked to stop.
    Stops,
    /// SIGCONT: it goes on.
    GoesOn,
}

/// Listens for SIGTSTP and SIGCONT.
#[derive(Debug)]
pub(crate) struct Jobs {
    stops: Signal,
    goes_on: Signal,
}

impl Jobs {
    /// From now on SIGTSTP no longer stops the process.
    pub(crate) fn listen() -> io::Result<Self> {
        Ok(Self {
            stops: signal(SignalKind::from_raw(rustix::process::Signal::TSTP.as_raw()))?,
            goes_on: signal(SignalKind::from_raw(rustix::process::Signal::CONT.as_raw()))?,
        })
    }

    /// Waits for the next one. Safe to cancel.
    pub(crate) async fn next(&mut self) -> Job {
        tokio::select! {
            _ = self.stops.recv() => Job::Stops,
            _ = self.goes_on.recv() => Job::GoesOn,
        }
    }
}

/// Stops this process until somebody lets it go on, as a shell does with `fg`.
///
/// Where nobody could, since no shell with other jobs started it, nothing happens; gives whether it
/// was stopped.
pub fn stop() -> bool {
    has_shell() && kill_process(getpid(), rustix::process::Signal::STOP).is_ok()
}

/// Whether the parent has a group of its own in the same session: it hears of a job that stops.
fn has_shell() -> bool {
    let Some(parent) = getppid() else {
        return false;
    };
    let is_session = getsid(Some(parent)).is_ok_and(|session| getsid(None) == Ok(session));
    is_session && getpgid(Some(parent)).is_ok_and(|group| group != getpgrp())
}
