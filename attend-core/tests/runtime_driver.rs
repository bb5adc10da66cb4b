//! Whole drivers: real threads, real pipes, real files of state.
#![cfg(all(unix, feature = "runtime"))]
#![expect(clippy::unwrap_used, reason = "all of this is a test")]

use std::io::{BufRead, BufReader, PipeReader};
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

use async_trait::async_trait;
use attend_core::attention::Change;
use attend_core::runtime::system::Output;
use attend_core::runtime::{
    Condition, Driver, DriverBuilder, Ended, Handle, Journal, JournalEntry, Saved, SensorSetup,
    StateDir,
};
use attend_core::sensor::{
    Event, PollContext, Profile, Project, Roots, Sensor, SensorError, SensorName, Snapshot,
    sensor_fn, sensor_sync,
};

const PATIENCE: Duration = Duration::from_mins(1);

/// A driver that runs on a thread of its own.
struct Running {
    lines: Receiver<String>,
    handle: Handle,
    ended: JoinHandle<Ended>,
    notices: Arc<Mutex<Vec<String>>>,
}

fn builder() -> DriverBuilder {
    Driver::builder(Roots::new("/"), Project::at("/"))
}

fn start(builder: DriverBuilder) -> (Running, PipeReader) {
    let (reader, writer) = std::io::pipe().unwrap();
    let notices = Arc::new(Mutex::new(Vec::new()));
    let heard = notices.clone();
    let driver = builder
        .output(Output::to(writer.into()))
        .on_notice(move |notice| heard.lock().unwrap().push(notice.to_owned()))
        .build()
        .unwrap();
    let handle = driver.handle();
    let ended = std::thread::spawn(move || driver.run().unwrap());
    let (_, lines) = channel();
    let running = Running {
        lines,
        handle,
        ended,
        notices,
    };
    (running, reader)
}

/// Reads along, as Monitor does.
fn run(builder: DriverBuilder) -> Running {
    let (mut running, reader) = start(builder);
    let (send, lines) = channel();
    std::thread::spawn(move || {
        for line in BufReader::new(reader).lines().map_while(Result::ok) {
            if send.send(line).is_err() {
                return;
            }
        }
    });
    running.lines = lines;
    running
}

impl Running {
    fn line(&self) -> String {
        self.lines.recv_timeout(PATIENCE).expect("a line")
    }

    fn stop(self) -> (Vec<String>, Vec<String>) {
        self.handle.stop();
        assert_eq!(self.ended.join().unwrap(), Ended::Stopped);
        let notices = self.notices.lock().unwrap().clone();
        (self.lines.iter().collect(), notices)
    }
}

fn name(name: &str) -> SensorName {
    SensorName::new(name).unwrap()
}

/// Reports `text` at each look, with 5.0, under one standing key.
fn tells(sensor: &str, text: &'static str) -> SensorSetup {
    SensorSetup::new(name(sensor), move |_| {
        Ok(Box::new(sensor_sync(move |cx| {
            cx.report(Event::new(5.0, text).key("it").standing());
            Ok(())
        })))
    })
}

fn quick() -> Profile {
    let mut profile = Profile::default();
    profile.interval = Duration::from_millis(20);
    profile.min_interval = Duration::from_millis(10);
    profile
}

fn eventually(what: &str, mut holds: impl FnMut() -> bool) {
    let (send, over) = channel::<()>();
    let timer = std::thread::spawn(move || over.recv_timeout(PATIENCE));
    while !holds() {
        assert!(!timer.is_finished(), "{what}");
        std::thread::yield_now();
    }
    drop(send);
}

#[test]
fn what_a_sensor_reports_is_written_and_a_reader_that_goes_ends_it() {
    let (running, reader) = start(
        builder()
            .banner("attend 0.1.0, 1 sensor")
            .sensor(tells("git", "branch changed")),
    );
    let mut lines = BufReader::new(reader).lines();
    assert_eq!(
        lines.next().unwrap().unwrap(),
        "[attend] attend 0.1.0, 1 sensor"
    );
    assert_eq!(
        lines.next().unwrap().unwrap(),
        "[attend sensor=git priority=high] branch changed"
    );
    // Nothing is written any more; the end is noticed all the same.
    drop(lines);
    assert_eq!(running.ended.join().unwrap(), Ended::Closed);
}

struct Counter(u32, Arc<AtomicU32>);

#[async_trait]
impl Sensor for Counter {
    async fn poll(&mut self, _cx: &mut PollContext) -> Result<(), SensorError> {
        self.0 += 1;
        self.1.store(self.0, Ordering::Relaxed);
        Ok(())
    }

    fn snapshot(&self) -> Option<Snapshot> {
        Snapshot::of(&self.0).ok()
    }

    fn restore(&mut self, from: &Snapshot) -> Result<(), SensorError> {
        self.0 = from.read()?;
        Ok(())
    }
}

#[test]
fn a_restart_goes_on_and_repeats_nothing() {
    let home = tempfile::tempdir().unwrap();
    let state = home.path().join("state");
    let looks = Arc::new(AtomicU32::new(0));
    let build = || {
        let counted = looks.clone();
        let counter_setup = SensorSetup::new(name("counter"), move |_| {
            Ok(Box::new(Counter(0, counted.clone())))
        });
        builder()
            .state(&state)
            .banner("hello")
            // What holds only now is said, and no reason to say it all again.
            .banner_end(format!(", look {}", looks.load(Ordering::Relaxed)))
            .rearmed()
            .sensor(tells("git", "conflict in a.rs"))
            .sensor(counter_setup)
    };
    let running = run(build());
    assert_eq!(running.line(), "[attend] hello, look 0");
    assert_eq!(
        running.line(),
        "[attend sensor=git priority=high] conflict in a.rs"
    );
    assert_eq!(running.stop(), (vec![], vec![]));
    assert_eq!(looks.load(Ordering::Relaxed), 1);

    let dir = StateDir::open(&state).unwrap();
    let saved = Saved::peek(&dir).unwrap().unwrap();
    assert_eq!(saved.banner.as_deref(), Some("hello"));
    assert_eq!(saved.snapshots[&name("counter")], Snapshot::of(&1).unwrap());
    assert!(
        saved
            .health
            .iter()
            .all(|health| health.condition == Condition::Healthy)
    );
    let journal = Journal::read(&dir).unwrap();
    assert!(matches!(
        journal[0],
        JournalEntry::Segment { segment: 1, .. }
    ));
    assert!(journal.iter().any(|entry| matches!(
        entry,
        JournalEntry::Record(record) if matches!(record.change, Change::Shown { .. })
    )));

    let running = run(build());
    eventually("a look", || looks.load(Ordering::Relaxed) == 2);
    assert_eq!(running.stop(), (vec![], vec![]));
    drop(dir);
}

#[test]
fn once_looks_once_and_writes_what_is_due() {
    let (reader, writer) = std::io::pipe().unwrap();
    let fails = sensor_sync(|_| Err(SensorError::transient("no luck")));
    let notices = Arc::new(Mutex::new(Vec::new()));
    let heard = notices.clone();
    let driver = builder()
        .output(Output::to(writer.into()))
        .on_notice(move |notice| heard.lock().unwrap().push(notice.to_owned()))
        .sensor(tells("git", "branch changed"))
        .sensor(SensorSetup::instance(name("unlucky"), fails))
        .build()
        .unwrap();
    assert_eq!(driver.once().unwrap(), Ended::Once);
    let lines: Vec<String> = BufReader::new(reader).lines().map(Result::unwrap).collect();
    assert_eq!(
        lines,
        [
            "[attend sensor=git priority=high] branch changed",
            "[attend] notice: unlucky: no luck"
        ]
    );
    assert_eq!(*notices.lock().unwrap(), ["unlucky: no luck"]);
}

#[test]
fn bad_neighbours_cost_themselves_only() {
    let (go, wait) = channel::<()>();
    let wait = Mutex::new(wait);
    let blocks = SensorSetup::instance(
        name("blocks"),
        sensor_sync(move |_| {
            let _ = wait.lock().unwrap().recv();
            Ok(())
        }),
    );
    let panics = SensorSetup::new(name("panics"), |_| {
        Ok(Box::new(sensor_sync(|_| panic!("out of cheese"))))
    });
    let hangs = SensorSetup::new(name("hangs"), |_| {
        let hangs = sensor_fn((), |(), _| Box::pin(std::future::pending()));
        Ok(Box::new(hangs))
    });
    let hangs = hangs.deadline(Duration::from_millis(50));
    let floods = SensorSetup::new(name("floods"), |_| {
        Ok(Box::new(sensor_sync(|cx| {
            for n in 0..100_000 {
                cx.report(Event::new(0.001, n.to_string()));
            }
            Ok(())
        })))
    });
    let looks = Arc::new(AtomicU32::new(0));
    let counted = looks.clone();
    let fine = SensorSetup::new(name("fine"), move |_| {
        Ok(Box::new(Counter(0, counted.clone())))
    });
    let bad = [blocks, panics, hangs];
    let running = run(builder()
        .sensor(floods)
        .sensors(bad.map(|setup| setup.profile(quick())))
        .sensor(fine.profile(quick())));
    let said = |what: &str| {
        let notices = running.notices.lock().unwrap();
        notices.iter().any(|notice| notice.contains(what))
    };
    eventually("all is said", || {
        said("blocks: blocked the sensor thread (1) and rests for 10 minutes")
            && said("panics: switched off: it panicked 3 times in a row: out of cheese")
            && said("hangs: a look was ended: it took longer than 50ms")
    });
    let before = looks.load(Ordering::Relaxed);
    eventually("the good one is looked at", || {
        looks.load(Ordering::Relaxed) > before + 10
    });
    let (lines, notices) = running.stop();
    assert_eq!(lines, [] as [String; 0]);
    assert!(notices.len() < 8, "{notices:?}");
    drop(go);
}

#[test]
fn a_batch_is_remembered_as_told_before_it_is_written() {
    let home = tempfile::tempdir().unwrap();
    let (reader, mut writer) = std::io::pipe().unwrap();
    // The pipe is full: nothing can be written until somebody reads.
    let full = Output::to(writer.try_clone().unwrap().into());
    let ballast = vec![b'.'; 65_536];
    std::io::Write::write_all(&mut writer, &ballast).unwrap();
    let driver = builder()
        .output(full)
        .state(home.path())
        .sensor(tells("git", "branch changed").profile(quick()))
        .build()
        .unwrap();
    let handle = driver.handle();
    let ended = std::thread::spawn(move || driver.run().unwrap());
    let holds = |home: &Path| {
        let dir = StateDir::existing(home).unwrap().unwrap();
        let saved = Saved::peek(&dir).unwrap();
        saved.map(|saved| {
            serde_json::to_value(&saved.attention).unwrap()["sensors"][0]["held"].clone()
        })
    };
    let none = serde_json::json!([]);
    eventually("a checkpoint", || {
        holds(home.path()).as_ref() == Some(&none)
    });
    handle.stop();
    assert_eq!(ended.join().unwrap(), Ended::Stopped);
    // It was not written, so it is held again.
    let held = holds(home.path()).unwrap();
    assert_eq!(held.as_array().unwrap().len(), 1, "{held}");
    drop(reader);
}

#[test]
fn without_a_place_for_state_it_runs_and_says_so() {
    let running = run(builder()
        .state("/proc/attend/state")
        .state_advice("choose another place")
        .sensor(tells("git", "branch changed")));
    assert_eq!(
        running.line(),
        "[attend sensor=git priority=high] branch changed"
    );
    let notice = running.line();
    for part in [
        "[attend] notice: ",
        "/proc/attend/state",
        "; choose another place",
    ] {
        assert!(notice.contains(part), "{notice}");
    }
    let (_, notices) = running.stop();
    assert_eq!(notices.len(), 1);
}

#[test]
fn a_second_loop_on_the_same_state_runs_without() {
    let home = tempfile::tempdir().unwrap();
    let build = || {
        builder()
            .state(home.path())
            .sensor(tells("git", "branch changed"))
    };
    let first = run(build());
    first.line();
    let second = run(build());
    second.line();
    assert!(
        second
            .line()
            .contains(&format!("process {}", std::process::id()))
    );
    second.stop();
    first.stop();
    // The first one's memory is whole.
    let third = run(build().banner("here"));
    assert_eq!(third.line(), "[attend] here");
    assert_eq!(third.stop(), (vec![], vec![]));
}

#[test]
fn other_sensors_take_over_while_it_runs() {
    let home = tempfile::tempdir().unwrap();
    let built = Arc::new(AtomicU32::new(0));
    let counted = built.clone();
    let running = run(builder()
        .state(home.path())
        .sensor(tells("git", "branch changed")));
    running
        .handle
        .configure(vec![SensorSetup::new(name("files"), move |_| {
            Ok(Box::new(Counter(0, counted.clone())))
        })]);
    eventually("it is looked at", || built.load(Ordering::Relaxed) == 1);
    running.stop();
    let dir = StateDir::open(home.path()).unwrap();
    let saved = Saved::peek(&dir).unwrap().unwrap();
    let names: Vec<&str> = saved
        .health
        .iter()
        .map(|health| health.name.as_str())
        .collect();
    assert_eq!(names, ["files"]);
}
