//! How processes end, also those that somebody else started.

use super::error::SensorError;

/// How a process ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Exit {
    /// With this exit code.
    Code(i32),
    /// By this signal.
    Signal(i32),
}

/// A process that has ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct Ended {
    /// Its process id.
    pub pid: u32,
    /// How it ended; none where the system does not tell that of processes of others.
    pub exit: Option<Exit>,
}

impl Ended {
    /// The process `pid` ended so.
    pub fn new(pid: u32, exit: Option<Exit>) -> Self {
        Self { pid, exit }
    }
}

/// Waits for the ends of processes of any parent. Each wakes the sensor.
pub trait Exits: Send {
    /// Waits for the end of the process that has the id `pid` now. Waiting for it twice is
    /// waiting once.
    ///
    /// It must not wait itself, signal the process, or take its status from its parent.
    ///
    /// # Errors
    ///
    /// Transient: there is no such process any more. Unavailable: this system does not tell of
    /// ends, or has no more descriptors to give.
    fn add(&mut self, pid: u32) -> Result<(), SensorError>;

    /// Waits no longer for the end of `pid`. It must not tell that end any more, or touch the
    /// process.
    fn remove(&mut self, pid: u32);

    /// Which processes ended since the last call, each once.
    ///
    /// One whose parent has not taken note of its end yet is told later, and perhaps never: look
    /// whether it runs, too.
    ///
    /// It must not wait for an end, or take another process that was given the same id since for
    /// the one that was meant.
    fn take(&mut self) -> Vec<Ended>;
}
