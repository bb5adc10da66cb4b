//! A repository in temporary directories, the sensor beside it, and the git program for both.

use std::ffi::{OsStr, OsString};

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use attend_core::sensor::{CommandOutput, CommandSpec, Runner, Sensor, SensorError};
use attend_core::testkit::{Harness, Polled};
use attend_sensors::git::GitConfig;

/// A work directory, a sensor that looks at it, and a count of what it ran.
pub(crate) struct World {
    pub(crate) harness: Harness,
    pub(crate) sensor: Box<dyn Sensor>,
    pub(crate) runner: RealRunner,
}

impl World {
    /// An empty directory without a repository, looked at by interval.
    pub(crate) fn bare() -> Self {
        Self::configured(GitConfig::default().by_interval())
    }

    /// The same, watched.
    pub(crate) fn watched() -> Self {
        Self::configured(GitConfig::default())
    }

    fn configured(config: GitConfig) -> Self {
        let runner = RealRunner::default();
        let harness = Harness::new().runner(Arc::new(runner.clone()));
        let sensor = harness.build(config).unwrap();
        Self {
            harness,
            sensor,
            runner,
        }
    }

    /// A repository on `main` with one commit of the file `base`, already looked at.
    pub(crate) fn started() -> Self {
        let mut world = Self::bare();
        world.start();
        world.look().assert_quiet();
        world
    }

    pub(crate) fn start(&self) {
        self.git(["init", "-q", "-b", "main"]);
        self.commit("base", "base\n", "base");
    }

    /// The next look, half a minute later.
    pub(crate) fn look(&mut self) -> Polled {
        self.look_after(30)
    }

    pub(crate) fn look_after(&mut self, seconds: u64) -> Polled {
        self.harness.advance(Duration::from_secs(seconds));
        self.harness.poll(self.sensor.as_mut())
    }

    /// Puts a fresh sensor in the place of this one, which remembers what it stored.
    pub(crate) fn restart(&mut self) {
        self.restart_as(GitConfig::default().by_interval());
    }

    /// The same, watched.
    pub(crate) fn restart_watched(&mut self) {
        self.restart_as(GitConfig::default());
    }

    fn restart_as(&mut self, config: GitConfig) {
        let snapshot = self.sensor.snapshot().unwrap();
        self.sensor = self.harness.build(config).unwrap();
        self.sensor.restore(&snapshot).unwrap();
    }

    pub(crate) fn work(&self) -> PathBuf {
        self.harness.work().to_owned()
    }

    /// A path beside the work directory.
    pub(crate) fn beside(&self, name: &str) -> PathBuf {
        self.work().parent().unwrap().join(name)
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        self.harness.write(name, text);
    }

    /// Runs git in the work directory, where it must succeed.
    pub(crate) fn git<'a>(&self, args: impl IntoIterator<Item = &'a str>) -> String {
        git(&self.work(), args)
    }

    /// Runs git in the work directory, where it must fail, as with a conflict.
    pub(crate) fn git_fails<'a>(&self, args: impl IntoIterator<Item = &'a str>) {
        let args: Vec<&str> = args.into_iter().collect();
        assert!(
            !run_git(&self.work(), &args).status.success(),
            "git {args:?}"
        );
    }

    /// Writes a file and commits it.
    pub(crate) fn commit(&self, name: &str, text: &str, subject: &str) {
        self.write(name, text);
        self.git(["add", "--", name]);
        self.git(["commit", "-q", "-m", subject]);
    }

    /// The first digits of what `revision` names.
    pub(crate) fn short(&self, revision: &str) -> String {
        self.git(["rev-parse", revision]).chars().take(7).collect()
    }
}

/// Runs git in `dir`, where it must succeed.
pub(crate) fn git<'a>(dir: &Path, args: impl IntoIterator<Item = &'a str>) -> String {
    let args: Vec<&str> = args.into_iter().collect();
    let output = run_git(dir, &args);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        output.status.success(),
        "git {args:?} in {}: {said}",
        dir.display()
    );
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}

pub(crate) fn run_git(dir: &Path, args: &[&str]) -> Output {
    let mut command = command(OsStr::new("git"));
    command
        .args([
            "-c",
            "protocol.file.allow=always",
            "-c",
            "rerere.enabled=false",
        ])
        .args(args)
        .current_dir(dir);
    for who in ["AUTHOR", "COMMITTER"] {
        command.env(format!("GIT_{who}_NAME"), "Somebody");
        command.env(format!("GIT_{who}_EMAIL"), "somebody@example.org");
    }
    command.env("GIT_EDITOR", "true").output().unwrap()
}

/// A process without the configuration of whoever runs the tests.
#[expect(clippy::disallowed_methods, reason = "these tests run the real git")]
fn command(program: &OsStr) -> Command {
    let mut command = Command::new(program);
    let around = std::env::vars_os().map(|(name, _)| name);
    for name in around.filter(|name| name.as_encoded_bytes().starts_with(b"GIT_")) {
        command.env_remove(name);
    }
    command
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("HOME", "/nonexistent")
        .stdin(Stdio::null());
    command
}

/// Runs commands for real, in an environment that would lead git astray, and counts them.
#[derive(Clone, Default)]
pub(crate) struct RealRunner {
    ran: Arc<Mutex<Vec<CommandSpec>>>,
    /// More variables of the environment that the sensor inherits.
    around: Arc<Mutex<Vec<(OsString, OsString)>>>,
}

impl RealRunner {
    /// What was run since this was asked last.
    pub(crate) fn take(&self) -> Vec<CommandSpec> {
        std::mem::take(&mut self.ran.lock().unwrap())
    }

    /// Sets a variable that every command inherits.
    pub(crate) fn inherit(&self, name: &str, value: impl Into<OsString>) {
        self.around
            .lock()
            .unwrap()
            .push((name.into(), value.into()));
    }
}

#[async_trait]
impl Runner for RealRunner {
    async fn run(&self, spec: &CommandSpec, cwd: &Path) -> Result<CommandOutput, SensorError> {
        self.ran.lock().unwrap().push(spec.clone());
        let mut command = command(spec.program());
        command
            .env("GIT_DIR", "/nonexistent")
            .env("GIT_WORK_TREE", "/nonexistent")
            .env("GIT_INDEX_FILE", "/nonexistent")
            .env("GIT_OBJECT_DIRECTORY", "/nonexistent");
        let around = self.around.lock().unwrap().clone();
        command.envs(around);
        for name in spec.removed() {
            command.env_remove(name);
        }
        command
            .envs(spec.environment().iter().map(|(name, value)| (name, value)))
            .args(spec.arguments())
            .current_dir(spec.directory().unwrap_or(cwd));
        let output = command
            .output()
            .map_err(|error| SensorError::unavailable(format!("cannot run `{spec}`: {error}")))?;
        let code = output.status.code().unwrap_or(-1);
        Ok(CommandOutput::exited(code, output.stdout).with_stderr(output.stderr))
    }
}
