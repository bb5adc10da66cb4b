//! Guards: a process that waits for the end of attend, and takes a process group along.

use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};

use rustix::process::{Pid, Signal, kill_process_group};

use super::mark::Mark;

/// What a guard does: its input ends when attend does, by whatever means. Then it ends what bears
/// its mark, wherever that went, as [`Mark::kill`] does, and its group together with itself.
const SCRIPT: &str = r#"read -r _
round=0
while [ $round -lt 10 ]; do
    marked=$(grep -lsF "$0" /proc/[0-9]*/environ)
    [ -n "$marked" ] || break
    for path in $marked; do
        path=${path#/proc/}
        kill -KILL "${path%/environ}"
    done
    round=$((round + 1))
done
kill -KILL 0"#;

/// The leader of a process group that ends with attend, and when this is dropped.
///
/// With it ends what left the group and has its mark still, which every process hands on to those
/// that it starts unless it takes care not to.
#[derive(Debug)]
pub(super) struct Guard {
    child: Child,
    group: Pid,
    mark: Mark,
}

impl Guard {
    /// Starts the leader of a new group, which others are then started into.
    pub(super) fn start() -> io::Result<Self> {
        #[expect(
            clippy::disallowed_methods,
            reason = "processes start here, and nowhere above"
        )]
        let mut command = Command::new("/bin/sh");
        let mark = Mark::new();
        let child = command
            .args(["-c", SCRIPT, mark.name()])
            .env_clear()
            .current_dir("/")
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .process_group(0)
            .spawn()?;
        let group = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
        let group = group.ok_or(io::ErrorKind::InvalidData)?;
        Ok(Self { child, group, mark })
    }

    /// Has `command` start in the group, with the mark.
    pub(super) fn take(&self, command: &mut Command) {
        let group = self.group.as_raw_nonzero().get();
        command.process_group(group).env(self.mark.name(), "");
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        // Until the guard is waited for, its number is not given to another.
        let _ = kill_process_group(self.group, Signal::KILL);
        let _ = self.child.wait();
        self.mark.kill();
    }
}
