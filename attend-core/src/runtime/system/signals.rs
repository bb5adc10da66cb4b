//! The signals by which a process is asked to end.

use std::fmt;
use std::io;

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
}

impl fmt::Display for EndSignal {
    /// The name that the system gives it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Terminate => "SIGTERM",
            Self::Interrupt => "SIGINT",
            Self::HangUp => "SIGHUP",
        })
    }
}

/// Listens for SIGTERM, SIGINT and SIGHUP.
#[derive(Debug)]
pub(crate) struct Ends {
    terminate: Signal,
    interrupt: Signal,
    hang_up: Signal,
}

impl Ends {
    /// From now on these signals no longer kill the process.
    pub(crate) fn listen() -> io::Result<Self> {
        Ok(Self {
            terminate: signal(SignalKind::terminate())?,
            interrupt: signal(SignalKind::interrupt())?,
            hang_up: signal(SignalKind::hangup())?,
        })
    }

    /// Waits for the next one. Safe to cancel.
    pub(crate) async fn next(&mut self) -> EndSignal {
        tokio::select! {
            _ = self.terminate.recv() => EndSignal::Terminate,
            _ = self.interrupt.recv() => EndSignal::Interrupt,
            _ = self.hang_up.recv() => EndSignal::HangUp,
        }
    }
}
