//! Surroundings that stand still, and in which a process is dead once it is said to be.

use std::collections::BTreeSet;
use std::time::{Duration, SystemTime};

use crate::mail::around::{Around, Clock, Life, Process};

/// Time stands still: a lapse is modelled by ageing the claims instead.
const NOW: Duration = Duration::from_secs(1_000);

#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(super) struct Setting {
    pub(super) dead: BTreeSet<u32>,
    /// What chance gives; it is another for each message.
    pub(super) draw: u64,
}

pub(super) fn process(pid: u32) -> Process {
    Process::new(pid, "", "boot", 1)
}

impl Clock for Setting {
    fn wall(&self) -> SystemTime {
        SystemTime::UNIX_EPOCH
    }

    fn boot(&self) -> Duration {
        NOW
    }
}

impl Around for Setting {
    fn boot_id(&self) -> String {
        "boot".to_owned()
    }

    fn random(&self) -> u64 {
        self.draw
    }

    fn life(&self, process: &Process) -> Life {
        if self.dead.contains(&process.pid) {
            Life::Dead
        } else {
            Life::Alive
        }
    }
}
