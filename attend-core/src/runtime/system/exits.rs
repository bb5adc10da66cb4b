//! Waiting for the end of a process that is not a child.

use std::io;
use std::time::Duration;

use tokio::io::Interest;

use super::processes::is_alive;
use super::ready::ready;

/// How often a process is looked at where the system does not tell of its end.
const AGAIN: Duration = Duration::from_secs(2);

/// A process whose end is waited for.
///
/// It is the process that had this id when the value was made, also if the id is used again
/// later, where the system has handles for processes.
#[derive(Debug)]
pub(crate) struct Exit {
    pid: u32,
    #[cfg(target_os = "linux")]
    handle: Option<std::os::fd::OwnedFd>,
}

impl Exit {
    /// Looks out for the end of the process `pid`.
    pub(crate) fn of(pid: u32) -> Self {
        Self {
            pid,
            #[cfg(target_os = "linux")]
            handle: handle(pid).ok(),
        }
    }

    /// Waits until it has ended.
    pub(crate) async fn ended(&self) {
        #[cfg(target_os = "linux")]
        if let Some(handle) = &self.handle
            && let Ok(handle) = handle
                .try_clone()
                .and_then(|fd| ready(fd, Interest::READABLE))
            && handle.readable().await.is_ok()
        {
            return;
        }
        while is_alive(self.pid) {
            tokio::time::sleep(AGAIN).await;
        }
    }
}

/// A descriptor that is readable once the process `pid` has ended.
#[cfg(target_os = "linux")]
pub(super) fn handle(pid: u32) -> io::Result<std::os::fd::OwnedFd> {
    let pid = i32::try_from(pid)
        .ok()
        .and_then(rustix::process::Pid::from_raw);
    let pid = pid.ok_or(io::ErrorKind::InvalidInput)?;
    Ok(rustix::process::pidfd_open(
        pid,
        rustix::process::PidfdFlags::empty(),
    )?)
}
