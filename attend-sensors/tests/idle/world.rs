//! A session that waits for its person, and the sensor beside it.

use std::fmt::Write as _;
use std::fs::{File, FileTimes};
use std::path::Path;
use std::time::{Duration, SystemTime};

use attend_core::dynamics::Tick;
use attend_core::sensor::{
    Cause, ContextUsage, Evidence, HostAnswer, HostRequest, HostState, Identity, OwnChanges,
    OwnEdit, OwnSpan, Root, Sensor, SessionInfo, Turn, Turns, WindowBasis,
};
use attend_core::testkit::{Harness, Polled};
use attend_sensors::idle::IdleConfig;

/// A window of 200,000 tokens.
pub(crate) const WINDOW: u64 = 200_000;

pub(crate) struct World {
    pub(crate) harness: Harness,
    pub(crate) sensor: Box<dyn Sensor>,
    /// What the host says.
    pub(crate) state: HostState,
    pub(crate) turns: Turns,
    pub(crate) usage: ContextUsage,
    pub(crate) own: OwnChanges,
    config: IdleConfig,
}

impl World {
    /// A session that has just answered its person, and edited a file before.
    pub(crate) fn new() -> Self {
        Self::configured(IdleConfig::default())
    }

    pub(crate) fn configured(config: IdleConfig) -> Self {
        let harness = Harness::new();
        let mut world = Self {
            sensor: harness.build(config.clone()).unwrap(),
            state: HostState::Busy,
            turns: Turns::default(),
            usage: usage(),
            own: OwnChanges::default(),
            harness,
            config,
        };
        info(&world.harness);
        world.begin(Cause::Words);
        world.edit("src/a.rs");
        world.waits();
        world.turns.first = Some(20_000);
        world.usage.tokens = Some(20_000);
        world.look().assert_quiet();
        world
    }

    /// The same without open work.
    pub(crate) fn done() -> Self {
        let mut world = Self::new();
        world.own = OwnChanges::default();
        world
    }

    /// A turn begins, and goes on.
    pub(crate) fn begin(&mut self, cause: Cause) {
        self.turns.began.push(Turn::new(self.harness.now(), cause));
        self.state = HostState::Busy;
    }

    /// It is over.
    pub(crate) fn waits(&mut self) {
        self.state = HostState::Idle {
            since: self.harness.now(),
        };
    }

    /// An edit of now.
    pub(crate) fn edit(&mut self, path: &str) {
        let now = self.harness.now();
        let path = self.harness.work().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        let span = OwnSpan::new(now, Some(now));
        self.own.edits.push(OwnEdit::new(path, span));
    }

    /// HEAD of the repository moves now; without a repository it is made.
    pub(crate) fn commit(&self) {
        let log = self.harness.write(".git/logs/HEAD", "a line\n");
        set_time(&log, self.harness.wall());
    }

    /// A look so many minutes later.
    pub(crate) fn after(&mut self, minutes: u64) -> Polled {
        self.harness.advance(Duration::from_mins(minutes));
        self.look()
    }

    /// A look now.
    pub(crate) fn look(&mut self) -> Polled {
        let host = self.harness.host();
        host.set(self.state);
        for (request, answer) in [
            (HostRequest::Turns, HostAnswer::Turns(self.turns.clone())),
            (
                HostRequest::Context,
                HostAnswer::Context(self.usage.clone()),
            ),
            (HostRequest::Own, HostAnswer::Own(self.own.clone())),
        ] {
            host.answer(request, Ok(answer));
        }
        self.harness.poll(self.sensor.as_mut())
    }

    /// Adds a showing of `way` to the log of ways, now.
    pub(crate) fn shown(&self, way: &str, signal: &str) {
        let path = self.harness.path(Root::State, "ways/own/events.jsonl");
        let mut log = std::fs::read_to_string(&path).unwrap_or_default();
        let at = self.harness.wall().duration_since(SystemTime::UNIX_EPOCH);
        let (at, tokens) = (at.unwrap().as_secs(), self.usage.tokens.unwrap());
        let epoch = self.usage.epoch.as_deref().unwrap();
        writeln!(
            log,
            r#"{{"event":"way_fired","at":{at},"way":"{way}","epoch":"{epoch}","tokens":{tokens},"fires":1,"signals":["{signal}"]}}"#
        )
        .unwrap();
        let roots = self.harness.roots();
        roots.file_in(Root::State, "ways/own/events.jsonl", log);
    }

    /// Puts a fresh sensor in the place of this one, which remembers what it stored.
    pub(crate) fn restart(&mut self) {
        let snapshot = self.sensor.snapshot().unwrap();
        self.sensor = self.harness.build(self.config.clone()).unwrap();
        self.sensor.restore(&snapshot).unwrap();
    }
}

/// A session in which nothing was said yet.
pub(crate) fn usage() -> ContextUsage {
    let mut usage = ContextUsage::new(WINDOW, WindowBasis::Model);
    usage.epoch = Some("own".to_owned());
    usage
}

/// Says which session it is.
pub(crate) fn info(harness: &Harness) {
    let info = SessionInfo::new(Identity::Known {
        id: "own".to_owned(),
        by: Evidence::Record,
    });
    let answer = Ok(HostAnswer::Session(info));
    harness.host().answer(HostRequest::Session, answer);
}

pub(crate) fn set_time(path: &Path, time: SystemTime) {
    let file = File::options().append(true).open(path).unwrap();
    file.set_times(FileTimes::new().set_modified(time)).unwrap();
}

/// So many turns, a minute apart, the last of them now.
pub(crate) fn turns(now: Tick, number: u64) -> Vec<Turn> {
    let at = (0..number).rev().map(|ago| now.get() - 60 * ago);
    at.map(|at| Turn::new(Tick::new(at), Cause::Words))
        .collect()
}
