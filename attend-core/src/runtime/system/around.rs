//! What mail needs of this machine: its clocks, chance, and whether a process lives.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::sync::OnceLock;
use std::time::{Duration, SystemTime};

use super::clock::SystemClock;
use super::processes::is_alive;
use crate::mail::{Around, Clock, Life, Process};

const BOOT_ID: &str = "/proc/sys/kernel/random/boot_id";

/// This machine, as a mailbox sees it.
///
/// ```
/// use attend_core::mail::{Around, Life};
/// use attend_core::runtime::system::SystemAround;
///
/// let around = SystemAround::new();
/// let me = around.process(std::process::id());
/// assert_eq!(around.life(&me), Life::Alive);
/// ```
#[derive(Clone, Debug, Default)]
pub struct SystemAround {
    /// What does not change while the machine runs.
    fixed: OnceLock<(String, u64)>,
}

impl SystemAround {
    /// This machine.
    pub fn new() -> Self {
        Self::default()
    }

    /// The process `pid` of this pid namespace, which may have ended.
    pub fn process(&self, pid: u32) -> Process {
        let started = stat(pid).map_or(String::new(), |stat| stat.started);
        Process::new(pid, started, self.boot_id(), self.namespace())
    }

    /// The pid namespace that this process lives in; 0 where the system has none.
    pub fn namespace(&self) -> u64 {
        self.fixed().1
    }

    fn fixed(&self) -> &(String, u64) {
        self.fixed.get_or_init(|| {
            let boot = fs::read_to_string(BOOT_ID).unwrap_or_default();
            let namespace = fs::metadata("/proc/self/ns/pid").map_or(0, |ns| ns.ino());
            (boot.trim().to_owned(), namespace)
        })
    }
}

impl Clock for SystemAround {
    fn wall(&self) -> SystemTime {
        SystemClock.wall()
    }

    fn boot(&self) -> Duration {
        SystemClock.boot()
    }
}

impl Around for SystemAround {
    fn boot_id(&self) -> String {
        self.fixed().0.clone()
    }

    fn random(&self) -> u64 {
        let mut bytes = [0; 8];
        match rustix::rand::getrandom(&mut bytes, rustix::rand::GetRandomFlags::empty()) {
            Ok(8) => u64::from_ne_bytes(bytes),
            // A name that is taken is drawn again, so a poor source costs time only.
            _ => u64::from(SystemClock.boot().subsec_nanos()).wrapping_mul(0x9e37_79b9_7f4a_7c15),
        }
    }

    fn life(&self, process: &Process) -> Life {
        let (boot, namespace) = self.fixed();
        if process.boot != *boot {
            return Life::Dead;
        }
        if process.namespace != *namespace {
            return Life::Unknown;
        }
        match stat(process.pid) {
            Some(stat) => {
                let is_it = process.started.is_empty() || stat.started == process.started;
                if is_it && !stat.is_dead {
                    Life::Alive
                } else {
                    Life::Dead
                }
            }
            None if is_alive(process.pid) => Life::Unknown,
            None => Life::Dead,
        }
    }
}

/// What the process table says of one process.
struct Stat {
    is_dead: bool,
    started: String,
}

/// Reads `/proc/<pid>/stat`: the third field is the state, the 22nd when it started.
fn stat(pid: u32) -> Option<Stat> {
    let line = fs::read(Path::new("/proc").join(pid.to_string()).join("stat")).ok()?;
    let line = String::from_utf8_lossy(&line);
    // The name stands in parentheses and may itself hold some, and blanks.
    let (_, after) = line.rsplit_once(')')?;
    let mut fields = after.split_whitespace();
    let state = fields.next()?;
    Some(Stat {
        is_dead: matches!(state, "Z" | "X" | "x"),
        started: fields.nth(18)?.to_owned(),
    })
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_process_lives_only_as_itself() {
        let around = SystemAround::new();
        let me = around.process(std::process::id());
        assert!(!me.started.is_empty() && !me.boot.is_empty() && me.namespace != 0);
        assert_eq!(around.life(&me), Life::Alive);

        let mut reused = me.clone();
        reused.started = "1".into();
        assert_eq!(around.life(&reused), Life::Dead);

        let mut before = me.clone();
        before.boot = "another".into();
        assert_eq!(around.life(&before), Life::Dead);

        let mut elsewhere = me.clone();
        elsewhere.namespace = 1;
        assert_eq!(around.life(&elsewhere), Life::Unknown);

        let gone = Process::new(u32::MAX >> 1, "1", me.boot.clone(), me.namespace);
        assert_eq!(around.life(&gone), Life::Dead);
    }

    #[test]
    #[expect(clippy::disallowed_methods, reason = "a zombie is a real process")]
    fn a_zombie_is_dead() {
        let around = SystemAround::new();
        let mut child = std::process::Command::new("true").spawn().unwrap();
        let process = around.process(child.id());
        // It ends without being waited for.
        while stat(child.id()).is_some_and(|stat| !stat.is_dead) {
            std::thread::yield_now();
        }
        assert_eq!(around.life(&process), Life::Dead);
        child.wait().unwrap();
    }

    #[test]
    fn chance_is_chance() {
        let around = SystemAround::new();
        assert_ne!(around.random(), around.random());
    }
}
