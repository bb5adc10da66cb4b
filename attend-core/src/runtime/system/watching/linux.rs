//! The watcher on Linux: one inotify instance for all watches of the process.

#[cfg(test)]
mod tests;

use std::collections::HashSet;
use std::ffi::OsStr;
use std::fmt;
use std::io;
use std::mem::MaybeUninit;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rustix::fs::inotify::{self, CreateFlags, ReadFlags, Reader, WatchFlags};
use rustix::io::Errno;
use tokio::io::Interest;
use tokio::sync::Notify;

use super::ends::Ends;
use super::limits;
use super::table::{Table, WatchId};
use crate::runtime::system::ready::ready;
use crate::sensor::{Changes, Exits, SensorError, WakeHandle, Watch, Watcher};

/// How long the watcher looks away after it read: the kernel holds what happens meanwhile, and
/// forgets repetitions. Churn wakes it a hundred times a second at most; a doorbell that rings
/// beside it is heard so much later at worst.
pub(super) const PAUSE: Duration = Duration::from_millis(10);

/// How many events are read before others get their turn: more than the kernel's queue holds
/// by default.
const MOST_EVENTS: usize = 20_000;

/// How many bytes of events are read at once.
const BUFFER: usize = 16 << 10;

/// What is asked for, always the same: a descriptor that is shared has one mask. `MODIFY`
/// tells of a file that is written to and stays open, `CLOSE_WRITE` of one that was written
/// through a mapping, `ATTRIB` of changed permissions.
pub(super) const MASK: WatchFlags = WatchFlags::CREATE
    .union(WatchFlags::DELETE)
    .union(WatchFlags::MODIFY)
    .union(WatchFlags::CLOSE_WRITE)
    .union(WatchFlags::ATTRIB)
    .union(WatchFlags::MOVE)
    .union(WatchFlags::DELETE_SELF)
    .union(WatchFlags::MOVE_SELF)
    .union(WatchFlags::EXCL_UNLINK);

const MOVED: ReadFlags = ReadFlags::MOVED_FROM.union(ReadFlags::MOVED_TO);
const GONE: ReadFlags = ReadFlags::DELETE_SELF
    .union(ReadFlags::MOVE_SELF)
    .union(ReadFlags::UNMOUNT);

/// Watches files by inotify, and processes by their handles.
///
/// Clones share one inotify instance, which is made when the first watch is opened. Somebody
/// has to [`pump`](Self::pump) it, or nobody is woken; [`Watch::take`] is exact either way,
/// since it reads first what the kernel holds. A watched path that is moved or replaced is no
/// longer watched: that is a change, and the sensor adds the path again.
#[derive(Clone, Default)]
pub struct SystemWatcher(Arc<Shared>);

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    made: Notify,
    ends: Arc<Ends>,
}

#[derive(Default)]
struct State {
    instance: Option<Arc<OwnedFd>>,
    table: Table,
}

impl SystemWatcher {
    /// A watcher that watches nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Passes events on and wakes who waits for them, for ever.
    ///
    /// It belongs on the main thread, inside a tokio runtime that has I/O. Under a storm of changes
    /// it reads ten times a second.
    pub async fn pump(&self) {
        // Where one of them fails, the safety look of each sensor remains.
        let _ = tokio::join!(self.try_pump(), self.0.ends.pump());
        std::future::pending::<()>().await;
    }

    async fn try_pump(&self) -> io::Result<()> {
        let instance = self.0.instance().await;
        let readable = ready(instance.try_clone()?, Interest::READABLE)?;
        loop {
            readable.readable().await?.clear_ready();
            while self.0.drain() {
                tokio::time::sleep(PAUSE).await;
            }
            tokio::time::sleep(PAUSE).await;
        }
    }
}

impl Watcher for SystemWatcher {
    fn open(&self, wake: WakeHandle) -> Result<Box<dyn Watch>, SensorError> {
        let mut state = self.0.lock();
        if state.instance.is_none() {
            let made = inotify::init(CreateFlags::NONBLOCK | CreateFlags::CLOEXEC);
            state.instance = Some(Arc::new(made.map_err(limits::no_instance)?));
            self.0.made.notify_one();
        }
        let id = state.table.open(wake);
        let shared = self.0.clone();
        Ok(Box::new(SystemWatch { shared, id }))
    }

    fn exits(&self, wake: WakeHandle) -> Result<Box<dyn Exits>, SensorError> {
        Ok(self.0.ends.open(wake))
    }
}

struct SystemWatch {
    shared: Arc<Shared>,
    id: WatchId,
}

impl Watch for SystemWatch {
    fn add(&mut self, path: &Path) -> Result<(), SensorError> {
        limits::file_system(path)?;
        let mut state = self.shared.lock();
        let Some(instance) = state.instance.clone() else {
            return Ok(());
        };
        let descriptor = inotify::add_watch(instance, path, MASK)
            .map_err(|error| limits::no_watch(path, error))?;
        state.table.add(self.id, descriptor, path);
        Ok(())
    }

    fn clear(&mut self) {
        // What happened until now still counts.
        self.shared.drain();
        self.shared.release(Table::clear, self.id);
    }

    fn take(&mut self) -> Changes {
        self.shared.drain();
        self.shared.lock().table.take(self.id)
    }
}

impl Drop for SystemWatch {
    fn drop(&mut self) {
        self.shared.release(Table::close, self.id);
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn instance(&self) -> Arc<OwnedFd> {
        loop {
            if let Some(instance) = &self.lock().instance {
                return instance.clone();
            }
            self.made.notified().await;
        }
    }

    fn release(&self, release: impl FnOnce(&mut Table, WatchId) -> Vec<i32>, id: WatchId) {
        let mut state = self.lock();
        let unwanted = release(&mut state.table, id);
        for descriptor in unwanted {
            if let Some(instance) = &state.instance {
                // One whose path is gone was removed by the kernel.
                let _ = inotify::remove_watch(instance, descriptor);
            }
        }
    }

    /// Reads what the kernel holds and wakes, once each, whom it concerns. Tells whether it
    /// stopped before the end.
    fn drain(&self) -> bool {
        let mut touched = HashSet::new();
        let mut state = self.lock();
        let instance = state.instance.clone();
        let more = instance.is_some_and(|fd| read(&fd, &mut state.table, &mut touched));
        let woken = state.table.wakes(touched);
        drop(state);
        for wake in woken {
            wake.wake();
        }
        more
    }
}

fn read(instance: &OwnedFd, table: &mut Table, touched: &mut HashSet<WatchId>) -> bool {
    let mut buffer = [MaybeUninit::uninit(); BUFFER];
    let mut events = Reader::new(instance, &mut buffer);
    for _ in 0..MOST_EVENTS {
        let event = match events.next() {
            Ok(event) => event,
            Err(Errno::INTR) => continue,
            Err(_) => return false,
        };
        let (flags, descriptor) = (event.events(), event.wd());
        if flags.contains(ReadFlags::QUEUE_OVERFLOW) {
            table.lost(touched);
            continue;
        }
        if flags.contains(ReadFlags::IGNORED) {
            table.forget(descriptor);
            continue;
        }
        let name = event
            .file_name()
            .map(|name| OsStr::from_bytes(name.to_bytes()));
        let came_or_went = ReadFlags::CREATE | ReadFlags::DELETE | MOVED;
        // The end of a watched path itself does not say whether it was a directory.
        let structure = flags.intersects(GONE)
            || flags.contains(ReadFlags::ISDIR) && flags.intersects(came_or_went);
        table.changed(descriptor, name, structure, touched);
        if flags.intersects(GONE) {
            // A moved directory is followed by the kernel, under a path that is no longer its own.
            let _ = inotify::remove_watch(instance, descriptor);
            table.forget(descriptor);
        }
    }
    true
}

impl fmt::Debug for SystemWatcher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SystemWatcher")
    }
}
