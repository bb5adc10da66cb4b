//! What mail needs of its surroundings: time, chance, and whether a process lives.

use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};

/// Two clocks: one that people set, and one that only ever runs forward.
///
/// The system's clock stands in `runtime`, a clock that jumps on command in `testkit`.
pub trait Clock: Send + Sync {
    /// The time of day, which may step in either direction. It must not wait or panic.
    fn wall(&self) -> SystemTime;

    /// Time since the machine started, suspend included. It must not step back, stand still while
    /// the machine is suspended, or follow the time of day.
    fn boot(&self) -> Duration;
}

/// A clock, and what else a mailbox cannot know by itself.
///
/// An implementation only looks: it must not wait, change anything, or panic. The system's stands
/// in `runtime`, one that obeys a test in `testkit`.
pub trait Around: Clock {
    /// Which boot this is: equal exactly while the machine runs on, so that times of
    /// [`Clock::boot`] compare only where it is equal. It must not change before the machine starts
    /// again, nor be one that an earlier boot had.
    fn boot_id(&self) -> String;

    /// 64 random bits, for names that must not collide. They need not be secret, but must not follow
    /// from the time or the process: many processes ask at once.
    fn random(&self) -> u64;

    /// Whether `process` lives, as far as can be seen from here.
    ///
    /// A zombie is dead; a process of another pid namespace, or one whose start is not known, is
    /// unknown: it must not be called dead, nor another that was given its pid since be taken for
    /// it.
    fn life(&self, process: &Process) -> Life;
}

/// One process. A pid alone names none: pids are used again, and each namespace has its own.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Process {
    /// Its process id, in its own namespace.
    pub pid: u32,
    /// When it started, in the system's own words, to be compared for equality only; empty
    /// where nobody knows.
    pub started: String,
    /// The boot in which it started, as [`Around::boot_id`].
    pub boot: String,
    /// The pid namespace that it lives in; 0 where nobody knows.
    pub namespace: u64,
}

impl Process {
    /// The process `pid` that started at `started` in the boot `boot`, in the pid namespace
    /// `namespace`.
    pub fn new(
        pid: u32,
        started: impl Into<String>,
        boot: impl Into<String>,
        namespace: u64,
    ) -> Self {
        Self {
            pid,
            started: started.into(),
            boot: boot.into(),
            namespace,
        }
    }

    /// Whether both are one process, as far as is known of them: seen from elsewhere, a process
    /// may have no namespace.
    pub fn is(&self, other: &Self) -> bool {
        let one = (self.pid, &self.started, &self.boot);
        let namespaces = (self.namespace, other.namespace);
        let apart = namespaces.0 != namespaces.1 && namespaces.0 != 0 && namespaces.1 != 0;
        one == (other.pid, &other.started, &other.boot) && !apart
    }
}

/// What is known of a process's life.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Life {
    /// It runs.
    Alive,
    /// It does not run, and never will again.
    Dead,
    /// It cannot be seen from here.
    Unknown,
}
