//! A process table in which processes come and go, and the sensor that reads it.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::time::Duration;

use attend_core::sensor::{Exit, Root, Sensor};
use attend_core::testkit::{Harness, Polled};
use attend_sensors::process::{ProcessConfig, WatchRecord};

/// How long the system is up at the start, in seconds.
const UP: u64 = 10_000;

pub(crate) struct World {
    pub(crate) harness: Harness,
    pub(crate) sensor: Box<dyn Sensor>,
    config: ProcessConfig,
    started: Duration,
}

/// A process as the table shows it.
pub(crate) struct Process<'a> {
    pub(crate) pid: u32,
    pub(crate) parent: u32,
    pub(crate) group: u32,
    pub(crate) words: &'a [&'a str],
    /// How long ago it started, in seconds.
    pub(crate) age: u64,
    pub(crate) cwd: PathBuf,
}

impl World {
    /// A table with its first process, seen once.
    pub(crate) fn new() -> Self {
        Self::configured(ProcessConfig::default())
    }

    pub(crate) fn configured(config: ProcessConfig) -> Self {
        let mut world = Self::unseen(config);
        world.look().assert_quiet();
        // Those that were new are looked at once more.
        world.look().assert_quiet();
        world
    }

    /// The same, not looked at yet.
    pub(crate) fn unseen(config: ProcessConfig) -> Self {
        let harness = Harness::new();
        let started = since_start(&harness);
        let world = Self {
            sensor: harness.build(config.clone()).unwrap(),
            harness,
            config,
            started,
        };
        world.put(&world.process(1, 0, &["init"]));
        world
    }

    /// A process of this project that has just started.
    pub(crate) fn process<'a>(&self, pid: u32, parent: u32, words: &'a [&'a str]) -> Process<'a> {
        Process {
            pid,
            parent,
            group: pid,
            words,
            age: 0,
            cwd: self.harness.work().to_owned(),
        }
    }

    /// It stands in the table from now on.
    pub(crate) fn put(&self, process: &Process<'_>) {
        put(&self.harness, self.up(), process);
    }

    /// `words` run as the process `pid`, below the first process.
    pub(crate) fn runs(&self, pid: u32, words: &[&str]) {
        self.put(&self.process(pid, 1, words));
    }

    /// The same below `parent`.
    pub(crate) fn runs_below(&self, parent: u32, pid: u32, words: &[&str]) {
        self.put(&self.process(pid, parent, words));
    }

    /// The process is gone, and nobody says how.
    pub(crate) fn vanishes(&self, pid: u32) {
        vanish(&self.harness, pid);
    }

    /// The process is gone, and the kernel tells how it ended.
    pub(crate) fn ends(&self, pid: u32, exit: Exit) {
        vanish(&self.harness, pid);
        assert!(
            self.harness.watcher().ended(pid, Some(exit)),
            "nobody waits for {pid}"
        );
    }

    /// A look a second later.
    pub(crate) fn look(&mut self) -> Polled {
        self.later(1)
    }

    /// A look `seconds` later.
    pub(crate) fn later(&mut self, seconds: u64) -> Polled {
        self.harness.advance(Duration::from_secs(seconds));
        let up = self.up();
        let roots = self.harness.roots();
        roots.file_in(Root::Proc, "uptime", format!("{up}.00 1.00\n"));
        self.harness.poll(self.sensor.as_mut())
    }

    /// Puts a fresh sensor in the place of this one, which remembers what it stored.
    pub(crate) fn restart(&mut self) {
        let snapshot = self.sensor.snapshot().unwrap();
        self.sensor = self.harness.build(self.config.clone()).unwrap();
        self.sensor.restore(&snapshot).unwrap();
    }

    /// How long the system is up, in seconds.
    pub(crate) fn up(&self) -> u64 {
        UP + since_start(&self.harness)
            .saturating_sub(self.started)
            .as_secs()
    }

    /// A command of `attend watch` that has just begun in the project, as the process `pid`.
    pub(crate) fn record(&self, pid: u32, words: &[&str]) -> WatchRecord {
        let (program, args) = words.split_first().unwrap();
        let record = WatchRecord::new(pid, self.harness.work(), program, args);
        let proc = self.harness.roots().roots().get(Root::Proc).unwrap();
        record.begun(self.harness.wall()).found_in(proc)
    }

    /// It is written.
    pub(crate) fn write(&self, record: &WatchRecord) {
        write(&self.harness, record);
    }
}

pub(crate) fn put(harness: &Harness, up: u64, process: &Process<'_>) {
    let Process {
        pid, parent, group, ..
    } = process;
    let kept: String = base(process.words[0]).chars().take(15).collect();
    let start = (up - process.age) * 100;
    let line = format!(
        "{pid} ({kept}) S {parent} {group} 1 0 -1 4 1 2 3 4 5 6 7 8 20 0 1 0 {start} 1 2 3\n"
    );
    let words = process.words.iter().flat_map(|word| [*word, "\0"]);
    let words: String = words.collect();
    let roots = harness.roots();
    roots.file_in(Root::Proc, format!("{pid}/stat"), line);
    roots.file_in(Root::Proc, format!("{pid}/cmdline"), words);
    let cwd = roots.path(Root::Proc, format!("{pid}/cwd"));
    let _ = fs::remove_file(&cwd);
    symlink(&process.cwd, cwd).unwrap();
}

pub(crate) fn vanish(harness: &Harness, pid: u32) {
    let path = harness.path(Root::Proc, pid.to_string());
    fs::remove_dir_all(path).unwrap();
}

pub(crate) fn write(harness: &Harness, record: &WatchRecord) {
    let name = Path::new(WatchRecord::directory()).join(record.file_name());
    let path = harness.roots().file_in(Root::State, name, record.to_json());
    harness.watcher().changed(path);
}

fn since_start(harness: &Harness) -> Duration {
    let since = harness
        .wall()
        .duration_since(std::time::SystemTime::UNIX_EPOCH);
    since.unwrap()
}

fn base(path: &str) -> &str {
    path.rsplit('/').next().unwrap()
}
