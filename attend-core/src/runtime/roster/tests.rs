//! What the roster makes of looks that succeed, fail, panic and block.

use super::*;
use crate::runtime::system::{SystemClock, SystemRunner, SystemWatcher};
use crate::sensor::{
    ConfigError, Event, Gathered, HostState, NoHost, Project, Roots, SensorError, sensor_sync,
};

fn secs(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

/// One sensor, 60/5, and the host, which is out for ever.
struct Scene {
    roster: Roster,
    now: Duration,
}

impl Scene {
    fn new() -> Self {
        let name = SensorName::new("git").unwrap();
        let setup = SensorSetup::new(name.clone(), |_| Ok(Box::new(sensor_sync(|_| Ok(())))));
        let world = Arc::new(Facilities {
            clock: Arc::new(SystemClock),
            runner: Arc::new(SystemRunner),
            watcher: Arc::new(SystemWatcher::new()),
            host: Arc::new(NoHost),
            roots: Roots::new("/"),
            project: Project::at("/"),
            rearmed: false,
        });
        let snapshots = Snapshot::of(&7)
            .into_iter()
            .map(|seven| (name.clone(), seven))
            .collect();
        let mut roster = Roster::new(world, vec![setup], snapshots).with_host();
        let now = secs(1_000);
        assert_eq!(roster.due(now, Tick::new(1)).len(), 2);
        Self { roster, now }
    }

    /// Ends the look that is out with `found`, sends out the next, and tells what was said and
    /// how long that took.
    fn look(&mut self, found: Found) -> (Gleaned, Option<Duration>) {
        let returned = Returned {
            place: 0,
            sensor: None,
            found,
        };
        let before = self.roster.entries[0].state();
        let mut gleaned = self
            .roster
            .take_back(returned, self.now, SystemTime::UNIX_EPOCH);
        let fares = std::mem::take(&mut gleaned.fares);
        assert_eq!(fares, before != self.roster.entries[0].state());
        (gleaned, self.send())
    }

    fn send(&mut self) -> Option<Duration> {
        let due = self.roster.next_due()?;
        let waited = due.saturating_sub(self.now);
        self.now = due;
        assert_eq!(self.roster.due(due, Tick::new(1)).len(), 1);
        Some(waited)
    }

    fn condition(&self) -> Condition {
        self.roster.health(self.now, SystemTime::UNIX_EPOCH)[0].condition
    }
}

fn saw(snapshot: u32) -> Found {
    Found::Saw(Gathered::default(), Snapshot::of(&snapshot).ok())
}

fn failed(error: SensorError) -> Found {
    Found::Failed(error, Gathered::default())
}

#[test]
fn a_look_that_counts_is_reported_and_remembered() {
    let mut scene = Scene::new();
    let mut outcome = Gathered::default();
    outcome
        .report
        .event(Event::new(3.0, "branch changed"))
        .unwrap();
    outcome
        .warnings
        .push(SensorError::transient("one file was unreadable"));
    let found = Found::Saw(outcome, Snapshot::of(&8).ok());
    let (gleaned, waited) = scene.look(found);
    assert_eq!(
        gleaned
            .report
            .map(|(name, report)| (name.to_string(), report.len())),
        Some(("git".to_owned(), 1))
    );
    assert_eq!(gleaned.notices, ["git: one file was unreadable"]);
    assert!(gleaned.remembers);
    assert_eq!(waited, Some(secs(30)));
    assert_eq!(
        scene.roster.snapshots().into_values().next(),
        Snapshot::of(&8).ok()
    );
    let (gleaned, waited) = scene.look(saw(8));
    assert_eq!((gleaned, waited), (Gleaned::default(), Some(secs(30))));
}

#[test]
fn a_failed_look_leaves_the_memory_and_backs_off() {
    let mut scene = Scene::new();
    let transient = || failed(SensorError::transient("index is locked"));
    let (gleaned, waited) = scene.look(transient());
    assert_eq!((gleaned, waited), (Gleaned::default(), Some(secs(5))));
    assert_eq!(scene.condition(), Condition::Failing);
    let (gleaned, waited) = scene.look(transient());
    assert_eq!(gleaned.notices, ["git: index is locked"]);
    assert_eq!(waited, Some(secs(10)));
    assert_eq!(
        scene.roster.snapshots().into_values().next(),
        Snapshot::of(&7).ok()
    );
    let (gleaned, _) = scene.look(saw(7));
    let solved = Gleaned {
        solved: Some("git: index is locked".to_owned()),
        ..Gleaned::default()
    };
    assert_eq!((gleaned, scene.condition()), (solved, Condition::Healthy));
    assert_eq!(scene.look(saw(7)).0, Gleaned::default());
}

#[test]
fn what_is_not_there_is_looked_for_rarely() {
    let mut scene = Scene::new();
    let (gleaned, waited) = scene.look(failed(SensorError::unavailable("no git")));
    assert_eq!(gleaned.notices, ["git: no git"]);
    assert_eq!(waited, Some(secs(600)));
    assert_eq!(scene.condition(), Condition::Unavailable);
}

#[test]
fn what_cannot_work_is_switched_off_and_says_so() {
    for found in [
        failed(SensorError::misconfigured("no such root")),
        Found::Refused(ConfigError::at("path", "is empty")),
    ] {
        let mut scene = Scene::new();
        let (gleaned, waited) = scene.look(found);
        assert_eq!(gleaned.notices.len(), 1);
        assert!(
            gleaned.notices[0].ends_with("(switched off)"),
            "{:?}",
            gleaned.notices
        );
        assert_eq!((waited, scene.condition()), (None, Condition::Disabled));
        assert!(scene.roster.entries[0].has_looked());
    }
}

#[test]
fn three_panics_in_a_row_are_too_many() {
    let mut scene = Scene::new();
    let panic = || Found::Panicked("out of cheese".to_owned());
    assert_eq!(scene.look(panic()).0.notices.len(), 1);
    assert_eq!(scene.look(panic()).0.notices.len(), 0);
    scene.look(saw(7));
    for (said, waited) in [(0, Some(secs(5))), (0, Some(secs(10))), (1, None)] {
        let (gleaned, next) = scene.look(panic());
        assert_eq!((gleaned.notices.len(), next), (said, waited), "{gleaned:?}");
    }
    assert_eq!(scene.condition(), Condition::Disabled);
}

#[test]
fn who_blocks_rests_three_times_and_bystanders_are_looked_at_soon() {
    let mut scene = Scene::new();
    let blocked = Blocked {
        culprit: 0,
        bystanders: vec![1],
    };
    for times in 1..=3 {
        let said = scene.roster.blocked(&blocked, scene.now);
        assert_eq!(
            said,
            [format!(
                "git: blocked the sensor thread ({times}) and rests for 10 minutes"
            )]
        );
        let host = scene.now + secs(1);
        assert_eq!(scene.roster.next_due(), Some(host));
        scene.roster.due(host, Tick::new(1));
        assert_eq!(scene.send(), Some(secs(600)));
    }
    let said = scene.roster.blocked(&blocked, scene.now);
    assert_eq!(
        said,
        ["git: switched off: it keeps blocking the sensor thread"]
    );
    assert_eq!(scene.condition(), Condition::Disabled);
}

#[test]
fn many_wakes_are_one() {
    let mut scene = Scene::new();
    scene.look(saw(7));
    let entry = &scene.roster.entries[0];
    let wake = entry.wake_handle(0, scene.roster.wakes.send.clone());
    for _ in 0..100 {
        wake.wake();
    }
    assert_eq!(scene.roster.wakes.receive.len(), 1);
    scene.roster.wake_all_woken();
    wake.wake();
    assert_eq!(scene.roster.wakes.receive.len(), 1);
    let (_, waited) = scene.look(saw(7));
    assert_eq!(waited, Some(secs(5)), "it was woken while it was out");
}

#[test]
fn a_host_that_stops_answering_is_unknown() {
    let idle = HostState::Idle {
        since: Tick::new(7),
    };
    let said = || Found::Saw(Gathered::default(), Snapshot::of(&idle).ok());
    let host = |scene: &mut Scene, found| {
        let returned = Returned {
            place: 1,
            sensor: None,
            found,
        };
        let now = scene.now;
        scene
            .roster
            .take_back(returned, now, SystemTime::UNIX_EPOCH)
    };
    let heard = || {
        let mut scene = Scene::new();
        assert!(scene.roster.awaits_host());
        let gleaned = host(&mut scene, said());
        assert_eq!(gleaned, Gleaned::default(), "nothing of it is remembered");
        assert!(!scene.roster.awaits_host());
        assert_eq!(scene.roster.host(), idle);
        scene
    };
    for found in [
        failed(SensorError::transient("its record is being written")),
        failed(SensorError::misconfigured("there is no such host")),
        Found::Panicked("out of cheese".to_owned()),
        Found::Saw(Gathered::default(), Snapshot::of(&"odd").ok()),
        Found::Saw(Gathered::default(), None),
    ] {
        let mut scene = heard();
        host(&mut scene, found.clone());
        assert_eq!(scene.roster.host(), HostState::Unknown, "{found:?}");
        assert!(!scene.roster.awaits_host());
        host(&mut scene, said());
        assert_eq!(scene.roster.host(), idle, "it answers again");
    }
    let mut scene = heard();
    let blocked = Blocked {
        culprit: 1,
        bystanders: vec![0],
    };
    scene.roster.blocked(&blocked, scene.now);
    assert_eq!(scene.roster.host(), HostState::Unknown);

    // Where another look blocks the thread, it may well answer when it is asked again.
    let mut scene = heard();
    scene.roster.lost(1, scene.now);
    assert_eq!(scene.roster.host(), idle);
    scene.roster.lost(1, scene.now);
    assert_eq!(scene.roster.host(), HostState::Unknown);
}

mod configured {
    use serde::{Deserialize, Serialize};

    use super::*;
    use crate::sensor::{BuildContext, Registry, Sensor, SensorSpec, Value};

    #[derive(Default, Serialize, Deserialize)]
    struct Nothing {
        path: String,
    }

    impl SensorSpec for Nothing {
        const KIND: &'static str = "nothing";
        const ABOUT: &'static str = "nothing";

        fn build(self, _cx: &BuildContext) -> Result<Box<dyn Sensor>, ConfigError> {
            Ok(Box::new(sensor_sync(|_| Ok(()))))
        }

        fn deadline() -> Duration {
            secs(77)
        }
    }

    fn setup(name: &str, path: &str, interval: u64) -> SensorSetup {
        let registry = Registry::new().with::<Nothing>();
        let config = Value::of(&Nothing {
            path: path.to_owned(),
        })
        .unwrap();
        let kind = registry.get("nothing").unwrap();
        SensorSetup::registered(SensorName::new(name).unwrap(), kind, config)
            .profile(Profile::new(interval, 5, 2_000, 3))
    }

    fn sensor() -> Box<dyn Sensor> {
        Box::new(sensor_sync(|_| Ok(())))
    }

    fn is_built(errand: &Errand) -> bool {
        matches!(
            errand.subject,
            crate::runtime::sensor_thread::Subject::Built(_)
        )
    }

    #[test]
    fn only_what_changed_is_built_anew() {
        let world = Scene::new().roster.world.clone();
        let setups = vec![
            setup("same", "a", 60),
            setup("other", "a", 60),
            setup("gone", "a", 60),
        ];
        let mut roster = Roster::new(world, setups, BTreeMap::new());
        let now = secs(1_000);
        assert_eq!(roster.due(now, Tick::new(1)).len(), 3);
        for place in [0, 1] {
            let returned = Returned {
                place,
                sensor: Some(sensor()),
                found: saw(7),
            };
            roster.take_back(returned, now, SystemTime::UNIX_EPOCH);
        }
        let setups = vec![
            setup("other", "b", 60),
            setup("same", "a", 30),
            setup("new", "a", 60),
        ];
        roster.configure(setups);
        let names: Vec<String> = roster
            .profiles()
            .iter()
            .map(|sensor| sensor.name.to_string())
            .collect();
        assert_eq!(names, ["same", "other", "new"]);
        // One that is gone was out, and comes back to nobody.
        let returned = Returned {
            place: 2,
            sensor: Some(sensor()),
            found: saw(8),
        };
        assert_eq!(
            roster.take_back(returned, now, SystemTime::UNIX_EPOCH),
            Gleaned::default()
        );

        let errands = roster.due(now, Tick::new(1));
        assert!(errands.iter().all(|errand| errand.deadline == secs(77)));
        let places: Vec<usize> = errands.iter().map(|errand| errand.place).collect();
        assert_eq!(places, [3, 4]);
        assert!(!errands.iter().any(is_built));
        assert_eq!(roster.snapshots().len(), 2, "the other one remembers too");
        assert_eq!(roster.next_due(), Some(now + secs(30)));
        assert!(
            roster
                .due(now + secs(30), Tick::new(31))
                .iter()
                .all(is_built)
        );
    }
}
