//! Surroundings of a mailbox that do what a test says.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use super::clock::FakeClock;
use crate::mail::{Around, Clock, Life, Process};

/// An [`Around`] whose processes live until they are ended, and whose chance repeats itself.
///
/// Clones are handles to one machine.
///
/// ```
/// use attend_core::mail::{Around, Life};
/// use attend_core::testkit::FakeAround;
///
/// let around = FakeAround::new();
/// let process = around.process(7);
/// assert_eq!(around.life(&process), Life::Alive);
/// around.end(&process);
/// assert_eq!(around.life(&process), Life::Dead);
/// ```
#[derive(Clone, Debug)]
pub struct FakeAround {
    clock: FakeClock,
    machine: Arc<Mutex<Machine>>,
}

#[derive(Debug)]
struct Machine {
    boots: u64,
    ended: BTreeSet<Process>,
    drawn: u64,
}

impl FakeAround {
    /// The pid namespace of its processes.
    pub const NAMESPACE: u64 = 1;

    /// A machine that has just started, with a clock of its own.
    pub fn new() -> Self {
        let machine = Machine {
            boots: 1,
            ended: BTreeSet::new(),
            drawn: 0,
        };
        Self {
            clock: FakeClock::new(),
            machine: Arc::new(Mutex::new(machine)),
        }
    }

    /// Its clock.
    pub fn clock(&self) -> &FakeClock {
        &self.clock
    }

    /// The process `pid` of this boot, which lives unless it was ended.
    pub fn process(&self, pid: u32) -> Process {
        Process::new(pid, pid.to_string(), self.boot_id(), Self::NAMESPACE)
    }

    /// A process of another pid namespace, of which nothing can be seen.
    pub fn stranger(&self, pid: u32) -> Process {
        Process::new(pid, pid.to_string(), self.boot_id(), Self::NAMESPACE + 1)
    }

    /// Ends a process for ever.
    pub fn end(&self, process: &Process) {
        self.machine().ended.insert(process.clone());
    }

    /// Starts the machine anew: every process has ended. The clocks go on.
    pub fn reboot(&self) {
        self.machine().boots += 1;
    }

    fn machine(&self) -> MutexGuard<'_, Machine> {
        self.machine.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Default for FakeAround {
    fn default() -> Self {
        Self::new()
    }
}

impl Clock for FakeAround {
    fn wall(&self) -> SystemTime {
        self.clock.wall()
    }

    fn boot(&self) -> Duration {
        self.clock.boot()
    }
}

impl Around for FakeAround {
    fn boot_id(&self) -> String {
        format!("boot-{}", self.machine().boots)
    }

    /// SplitMix64, from a fixed start (Steele, Lea and Flood, "Fast splittable pseudorandom
    /// number generators", 2014).
    fn random(&self) -> u64 {
        let mut machine = self.machine();
        machine.drawn += 1;
        let mut z = machine.drawn.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn life(&self, process: &Process) -> Life {
        if process.boot != self.boot_id() || self.machine().ended.contains(process) {
            Life::Dead
        } else if process.namespace != Self::NAMESPACE {
            Life::Unknown
        } else {
            Life::Alive
        }
    }
}
