//! Guards: a process that waits for the end of attend, and takes a process group along.

use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};

use rustix::process::{Pid, Signal, kill_process_group};

/// What a guard does: its input ends when attend does, by whatever means, and then its group ends
/// with it.
const SCRIPT: &str = "read -r _; kill -KILL 0";

/// The leader of a process group that ends with attend, and when this is dropped.
#[derive(Debug)]
pub(super) struct Guard {
    child: Child,
    group: Pid,
}

impl Guard {
    /// Starts the leader of a new group, which others are then started into.
    pub(super) fn start() -> io::Result<Self> {
        #[expect(
            clippy::disallowed_methods,
            reason = "processes start here, and nowhere above"
        )]
        let mut command = Command::new("/bin/sh");
        let child = command
            .args(["-c", SCRIPT])
            .env_clear()
            .current_dir("/")
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .process_group(0)
            .spawn()?;
        let group = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
        let group = group.ok_or(io::ErrorKind::InvalidData)?;
        Ok(Self { child, group })
    }

    /// The group that it leads.
    pub(super) fn group(&self) -> i32 {
        self.group.as_raw_nonzero().get()
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        // Until the guard is waited for, its number is not given to another.
        let _ = kill_process_group(self.group, Signal::KILL);
        let _ = self.child.wait();
    }
}
