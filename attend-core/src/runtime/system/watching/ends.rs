//! Ends of processes on Linux: one epoll instance over a handle of each process.

#[cfg(test)]
mod tests;

use std::io;
use std::os::fd::OwnedFd;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rustix::buffer::spare_capacity;
use rustix::event::epoll::{self, CreateFlags, EventData, EventFlags};
use rustix::io::Errno;
use rustix::process::{Pid, PidfdFlags, pidfd_open};
use rustix::time::Timespec;
use tokio::io::Interest;
use tokio::sync::Notify;

use crate::runtime::system::raw::wait_status;
use crate::runtime::system::ready::ready;
use crate::sensor::{Ended, Exit, Exits, SensorError, WakeHandle};

/// How many ends are read at once.
const AT_ONCE: usize = 64;

/// Ends that are waited for, by all sensors of the process. The instance is made when the
/// first process is added.
#[derive(Default)]
pub(super) struct Ends {
    state: Mutex<State>,
    made: Notify,
}

#[derive(Default)]
struct State {
    instance: Option<Arc<OwnedFd>>,
    numbers: u64,
    entries: Vec<Entry>,
}

/// One process that a sensor waits for.
struct Entry {
    number: u64,
    owner: u64,
    pid: u32,
    handle: OwnedFd,
    wake: WakeHandle,
    stage: Stage,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    Runs,
    /// It is gone, and was not told how.
    Gone,
    Ended(Exit),
}

impl Ends {
    /// Waits for no process yet.
    pub(super) fn open(self: &Arc<Self>, wake: WakeHandle) -> Box<dyn Exits> {
        let mut state = self.lock();
        state.numbers += 1;
        let owner = state.numbers;
        drop(state);
        let ends = self.clone();
        Box::new(SystemExits { ends, owner, wake })
    }

    /// Wakes whoever waits for a process that ends, for ever.
    ///
    /// # Errors
    ///
    /// The instance cannot be waited for; then who waits is told when they ask.
    pub(super) async fn pump(&self) -> io::Result<()> {
        let instance = self.instance().await;
        let readable = ready(instance.try_clone()?, Interest::READABLE)?;
        loop {
            readable.readable().await?.clear_ready();
            self.drain();
        }
    }

    async fn instance(&self) -> Arc<OwnedFd> {
        loop {
            if let Some(instance) = &self.lock().instance {
                return instance.clone();
            }
            self.made.notified().await;
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes what ended, and wakes whom it concerns.
    fn drain(&self) {
        let woken = self.lock().drain();
        for wake in woken {
            wake.wake();
        }
    }
}

impl State {
    fn drain(&mut self) -> Vec<WakeHandle> {
        let Some(instance) = self.instance.clone() else {
            return Vec::new();
        };
        let mut woken = Vec::new();
        let mut events = Vec::with_capacity(AT_ONCE);
        loop {
            events.clear();
            let now = Timespec::default();
            match epoll::wait(&instance, spare_capacity(&mut events), Some(&now)) {
                Err(Errno::INTR) => continue,
                Ok(1..) => {}
                _ => return woken,
            }
            for event in &events {
                let number = event.data.u64();
                let flags = event.flags;
                let entry = self.entries.iter_mut().find(|entry| entry.number == number);
                let Some(entry) = entry else { continue };
                match wait_status(&entry.handle) {
                    Some(status) => entry.stage = Stage::Ended(exit(status)),
                    None if flags.contains(EventFlags::HUP) => entry.stage = Stage::Gone,
                    None => {
                        // Its parent has yet to take note of it, and only then it is told how.
                        let data = EventData::new_u64(number);
                        let _ = epoll::modify(&instance, &entry.handle, data, EventFlags::HUP);
                        continue;
                    }
                }
                let _ = epoll::delete(&instance, &entry.handle);
                woken.push(entry.wake.clone());
            }
        }
    }

    fn add(&mut self, owner: u64, pid: u32, wake: &WakeHandle) -> Result<bool, SensorError> {
        let waits = |entry: &Entry| entry.owner == owner && entry.pid == pid;
        if self.entries.iter().any(waits) {
            return Ok(false);
        }
        let refused = |error: Errno| match error {
            Errno::SRCH | Errno::INVAL => {
                SensorError::transient(format!("there is no process {pid}"))
            }
            error => SensorError::unavailable(format!(
                "cannot wait for the end of process {pid}: {error}"
            )),
        };
        let id = i32::try_from(pid).ok().and_then(Pid::from_raw);
        let id = id.ok_or(Errno::INVAL).map_err(refused)?;
        let handle = pidfd_open(id, PidfdFlags::empty()).map_err(refused)?;
        let made = self.instance.is_none();
        let instance = match &self.instance {
            Some(instance) => instance.clone(),
            None => Arc::new(epoll::create(CreateFlags::CLOEXEC).map_err(refused)?),
        };
        self.instance = Some(instance.clone());
        self.numbers += 1;
        let number = self.numbers;
        let data = EventData::new_u64(number);
        epoll::add(&instance, &handle, data, EventFlags::IN).map_err(refused)?;
        self.entries.push(Entry {
            number,
            owner,
            pid,
            handle,
            wake: wake.clone(),
            stage: Stage::Runs,
        });
        Ok(made)
    }

    fn take(&mut self, owner: u64) -> Vec<Ended> {
        let ended = |entry: &mut Entry| entry.owner == owner && entry.stage != Stage::Runs;
        let ended = self.entries.extract_if(.., ended);
        let ended = ended.map(|entry| {
            let exit = match entry.stage {
                Stage::Ended(exit) => Some(exit),
                // The kernel may say a moment later how it ended.
                _ => wait_status(&entry.handle).map(exit),
            };
            Ended::new(entry.pid, exit)
        });
        ended.collect()
    }
}

struct SystemExits {
    ends: Arc<Ends>,
    owner: u64,
    wake: WakeHandle,
}

impl Exits for SystemExits {
    fn add(&mut self, pid: u32) -> Result<(), SensorError> {
        if self.ends.lock().add(self.owner, pid, &self.wake)? {
            self.ends.made.notify_one();
        }
        Ok(())
    }

    fn remove(&mut self, pid: u32) {
        let mut state = self.ends.lock();
        // Closing its handle ends the wait for it.
        state
            .entries
            .retain(|entry| entry.owner != self.owner || entry.pid != pid);
    }

    fn take(&mut self) -> Vec<Ended> {
        self.ends.drain();
        self.ends.lock().take(self.owner)
    }
}

impl Drop for SystemExits {
    fn drop(&mut self) {
        let mut state = self.ends.lock();
        state.entries.retain(|entry| entry.owner != self.owner);
    }
}

/// How a process ended, by the status that `wait` gives.
fn exit(status: i32) -> Exit {
    match status & 0x7f {
        0 => Exit::Code(status >> 8 & 0xff),
        signal => Exit::Signal(signal),
    }
}
