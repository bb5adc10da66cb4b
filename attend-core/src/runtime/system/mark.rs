//! Marks: a variable of the environment, by which what left a process group is found and ended.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::hash::{BuildHasher, RandomState};
use std::io::Read;
use std::process;

use rustix::process::Pid;

/// How often it is looked whether more of them came while others were ended.
const ROUNDS: usize = 10;

/// More of an environment is not read, in bytes.
const MOST_BYTES: u64 = 4 << 20;

/// The name of a variable that nobody else sets: what is started with it hands it on to all that
/// it starts.
#[derive(Debug)]
pub(super) struct Mark(String);

impl Mark {
    /// One of its own.
    pub(super) fn new() -> Self {
        let chance = RandomState::new().hash_one(process::id());
        Self(format!("ATTEND_GUARD_{chance:016x}"))
    }

    /// The variable's name.
    pub(super) fn name(&self) -> &str {
        &self.0
    }

    /// Kills every process that has it, until a round finds no more.
    pub(super) fn kill(&self) {
        let mut killed = BTreeSet::new();
        for _ in 0..ROUNDS {
            let found = processes().filter(|pid| self.is_on(*pid));
            let found: Vec<Pid> = found
                .filter(|pid| killed.insert(pid.as_raw_pid()))
                .collect();
            if found.is_empty() {
                return;
            }
            for pid in found {
                self.end(pid);
            }
        }
    }

    #[cfg(target_os = "linux")]
    fn end(&self, pid: Pid) {
        use rustix::process::{PidfdFlags, Signal, pidfd_open, pidfd_send_signal};
        // Its number may have been given to another since; that of a handle is not.
        if let Ok(handle) = pidfd_open(pid, PidfdFlags::empty())
            && self.is_on(pid)
        {
            let _ = pidfd_send_signal(&handle, Signal::KILL);
        }
    }

    #[cfg(not(target_os = "linux"))]
    fn end(&self, _: Pid) {}

    /// Whether the process `pid` began with it; of one that may not be asked nothing is known.
    fn is_on(&self, pid: Pid) -> bool {
        let path = format!("/proc/{}/environ", pid.as_raw_pid());
        let mut began = Vec::new();
        let read = File::open(path).and_then(|file| file.take(MOST_BYTES).read_to_end(&mut began));
        let name = self.0.as_bytes();
        let mut variables = began.split(|byte| *byte == 0);
        read.is_ok() && variables.any(|variable| variable.starts_with(name))
    }
}

/// Those that there are.
fn processes() -> impl Iterator<Item = Pid> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|entry| Pid::from_raw(entry.file_name().to_str()?.parse().ok()?))
}
