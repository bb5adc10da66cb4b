//! The runner of the system: commands and what runs on are processes of this machine.

use std::path::Path;

use async_trait::async_trait;

use super::children;
use super::processes::{failed, run};
use crate::sensor::{Child, CommandOutput, CommandSpec, Runner, SensorError, WakeHandle};

/// Runs commands as processes of this machine.
///
/// Each command leads a process group of its own, has no standard input, and shares no
/// standard output with attend. Its pipes are drained while it runs; what it left running that
/// still holds them is killed soon after it ended. Past its deadline, or when the look that
/// waits for it is cancelled, the whole group is killed. A child that left the group
/// (`setsid`) is on its own.
///
/// One that is [guarded](CommandSpec::guarded), as each that runs on is, has a small process
/// beside it that ends them both when attend is gone, by whatever means. What left its group ends
/// with it, too, on Linux: it is found by a variable `ATTEND_GUARD_…` of its environment.
///
/// Outside a tokio runtime it blocks until the command ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SystemRunner;

#[async_trait]
impl Runner for SystemRunner {
    async fn run(&self, command: &CommandSpec, cwd: &Path) -> Result<CommandOutput, SensorError> {
        if tokio::runtime::Handle::try_current().is_ok() {
            return run(command, cwd).await;
        }
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(|error| failed(command, &error))?;
        runtime.block_on(run(command, cwd))
    }

    fn start(
        &self,
        command: &CommandSpec,
        cwd: &Path,
        wake: &WakeHandle,
    ) -> Result<Box<dyn Child>, SensorError> {
        children::start(command, cwd, wake)
    }
}
