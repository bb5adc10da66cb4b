//! A work directory, a sensor that looks at files in it, and what that tells.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use attend_core::runtime::system::SystemWatcher;
use attend_core::sensor::{Sensor, SensorError};
use attend_core::testkit::{Harness, Polled};
use attend_sensors::files::FilesConfig;

pub(crate) struct World {
    pub(crate) harness: Harness,
    pub(crate) sensor: Box<dyn Sensor>,
    config: FilesConfig,
}

/// What is looked at by these paths.
pub(crate) fn paths(paths: &[&str]) -> FilesConfig {
    let config = FilesConfig::default();
    let add = |config: FilesConfig, path: &&str| config.path(path, 2.0).unwrap();
    paths.iter().fold(config, add)
}

impl World {
    /// Looked at with the system's own watcher.
    pub(crate) fn watched(looked_at: &[&str]) -> Self {
        let harness = Harness::new().watched_by(Arc::new(SystemWatcher::new()));
        Self::of(harness, paths(looked_at))
    }

    /// Looked at by interval, since nothing can be watched.
    pub(crate) fn polled(looked_at: &[&str]) -> Self {
        let harness = Harness::new();
        harness.watcher().refuse(SensorError::unavailable("no"));
        Self::of(harness, paths(looked_at))
    }

    /// Looked at with a watcher that sees what it is told.
    pub(crate) fn told_of(looked_at: &[&str]) -> Self {
        Self::of(Harness::new(), paths(looked_at))
    }

    pub(crate) fn of(harness: Harness, config: FilesConfig) -> Self {
        let sensor = harness.build(config.clone()).unwrap();
        Self {
            harness,
            sensor,
            config,
        }
    }

    pub(crate) fn work(&self) -> PathBuf {
        self.harness.work().to_owned()
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.work().join(name)
    }

    /// A path beside the work directory.
    pub(crate) fn beside(&self, name: &str) -> PathBuf {
        self.work().parent().unwrap().join(name)
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        self.harness.write(name, text);
    }

    pub(crate) fn rename(&self, from: &str, to: &str) {
        fs::rename(self.path(from), self.path(to)).unwrap();
    }

    pub(crate) fn remove(&self, name: &str) {
        self.harness.remove(name);
    }

    pub(crate) fn look_after(&mut self, seconds: u64) -> Polled {
        self.harness.advance(Duration::from_secs(seconds));
        self.harness.poll(self.sensor.as_mut())
    }

    /// So much later that what was told adds up with nothing more.
    pub(crate) fn much_later(&mut self) {
        self.harness.advance(Duration::from_mins(2));
    }

    /// A first look, which tells nothing.
    pub(crate) fn begin(&mut self) {
        let polled = self.look_after(0);
        assert!(polled.result().is_ok(), "{polled:?}");
        assert_eq!(polled.texts(), [""; 0]);
    }

    /// What is told until everything settled, by a look every second.
    pub(crate) fn told(&mut self) -> Vec<String> {
        let mut told: Vec<String> = Vec::new();
        for _ in 0..20 {
            let woken = self.harness.woken();
            let polled = self.look_after(1);
            assert!(polled.result().is_ok(), "{polled:?}");
            told.extend(polled.texts().into_iter().map(str::to_owned));
            if self.harness.woken() == woken {
                return told;
            }
        }
        panic!("it asks for ever: {told:?}");
    }

    /// Puts a fresh sensor in the place of this one, which remembers what it stored.
    pub(crate) fn restart(&mut self) {
        self.restart_as(self.config.clone());
    }

    pub(crate) fn restart_as(&mut self, config: FilesConfig) {
        let snapshot = self.sensor.snapshot().unwrap();
        self.sensor = self.harness.build(config).unwrap();
        self.sensor.restore(&snapshot).unwrap();
    }
}

/// Runs `test` with a watch and without.
pub(crate) fn each(looked_at: &[&str], test: impl Fn(&mut World)) {
    test(&mut World::watched(looked_at));
    test(&mut World::polled(looked_at));
}

/// The texts of the warnings of a look.
pub(crate) fn warnings(polled: &Polled) -> Vec<String> {
    polled.warnings().iter().map(ToString::to_string).collect()
}

/// Makes the directory `path` and a file in it.
pub(crate) fn directory(path: &Path, file: &str) {
    fs::create_dir_all(path).unwrap();
    fs::write(path.join(file), "").unwrap();
}
