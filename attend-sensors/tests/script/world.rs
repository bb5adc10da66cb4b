//! Worlds for scripts: one that answers what it was taught, one with real processes.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use attend_core::runtime::system::SystemRunner;
use attend_core::sensor::{CommandOutput, CommandSpec, Root, Sensor};
use attend_core::testkit::{Harness, Polled};
use attend_sensors::script::ScriptConfig;

/// The command that a scripted world knows.
pub(crate) fn reviews() -> CommandSpec {
    CommandSpec::new("reviews").arg("--new")
}

pub(crate) fn config() -> ScriptConfig {
    ScriptConfig::of_command(["reviews", "--new"])
}

/// One look at a script that ended with this.
pub(crate) fn look(output: CommandOutput) -> Polled {
    let mut harness = Harness::new().answer(reviews(), output);
    let mut sensor = harness.build(config()).unwrap();
    harness.poll(sensor.as_mut())
}

pub(crate) fn warnings(polled: &Polled) -> Vec<String> {
    polled.warnings().iter().map(ToString::to_string).collect()
}

/// A script of shell in a world with real processes.
pub(crate) struct Real {
    pub(crate) harness: Harness,
    pub(crate) sensor: Box<dyn Sensor>,
}

impl Real {
    /// The script `text`, as the user's configuration names it.
    pub(crate) fn new(text: &str) -> Self {
        Self::of(text, |config| config)
    }

    pub(crate) fn of(text: &str, how: impl FnOnce(ScriptConfig) -> ScriptConfig) -> Self {
        let harness = Harness::new().runner(Arc::new(SystemRunner));
        script(&harness, Root::Config, "it.sh", text);
        let config = how(ScriptConfig::of_script("it.sh"));
        let sensor = harness.build(config).unwrap();
        Self { harness, sensor }
    }

    pub(crate) fn look(&mut self) -> Polled {
        self.harness.poll(self.sensor.as_mut())
    }

    /// Looks whenever a look is asked for, until one `holds`.
    #[track_caller]
    pub(crate) fn until(&mut self, what: &str, mut holds: impl FnMut(&Polled) -> bool) -> Polled {
        let mut woken = self.harness.woken();
        let mut polled = self.look();
        while !holds(&polled) {
            eventually(what, || self.harness.woken() > woken);
            woken = self.harness.woken();
            polled = self.look();
        }
        polled
    }

    /// A path in the work directory.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.harness.work().join(name)
    }
}

/// Puts the shell script `text` below `root`.
pub(crate) fn script(harness: &Harness, root: Root, name: &str, text: &str) -> PathBuf {
    let text = format!("#!/bin/sh\n{text}\n");
    // Written under another name by a process of its own: what another thread starts meanwhile
    // would hold the file open, and what is open for writing cannot be run.
    let path = harness.path(root, name);
    #[expect(clippy::disallowed_methods, reason = "a test prepares its place")]
    let mut writer = std::process::Command::new("sh");
    writer.args(["-c", "printf %s \"$1\" >\"$2\"", "sh"]);
    assert!(writer.arg(text).arg(&path).status().unwrap().success());
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path
}

/// Waits until `holds`, looking again and again.
#[track_caller]
pub(crate) fn eventually(what: &str, mut holds: impl FnMut() -> bool) {
    let (_never, pause) = std::sync::mpsc::channel::<()>();
    for _ in 0..6_000 {
        if holds() {
            return;
        }
        let _ = pause.recv_timeout(Duration::from_millis(5));
    }
    panic!("{what}");
}

/// Waits until the process that is written down in the file is gone.
#[track_caller]
pub(crate) fn gone(file: &std::path::Path) {
    let pid = fs::read_to_string(file).unwrap();
    let stat = format!("/proc/{}/stat", pid.trim());
    eventually("the process still runs", || {
        !fs::read_to_string(&stat).is_ok_and(|stat| !stat.contains(") Z "))
    });
}
