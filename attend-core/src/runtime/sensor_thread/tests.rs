//! Sensors that panic, hang, block and flood, beside ones that must not notice.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, channel};

use async_trait::async_trait;

use super::*;
use crate::dynamics::Tick;
use crate::runtime::system::{SystemClock, SystemRunner, SystemWatcher};
use crate::sensor::{
    BuildContext, CommandSpec, ErrorKind, Event, Facilities, MAX_HELD, NoHost, PollContext,
    PollFuture, Project, Roots, Sensor, SensorError, SensorName, Snapshot, WakeHandle, sensor_fn,
    sensor_sync,
};

const PATIENCE: Duration = Duration::from_secs(20);

fn world() -> Arc<Facilities> {
    Arc::new(Facilities {
        clock: Arc::new(SystemClock),
        runner: Arc::new(SystemRunner),
        watcher: Arc::new(SystemWatcher::new()),
        host: Arc::new(NoHost),
        roots: Roots::new("/"),
        project: Project::at("/"),
        rearmed: false,
    })
}

fn errand(place: usize, subject: Subject) -> Errand {
    let cx = PollContext::new(world(), Tick::new(1));
    Errand {
        place,
        subject,
        cx,
        deadline: PATIENCE,
    }
}

fn built(place: usize, sensor: impl Sensor + 'static) -> Errand {
    errand(place, Subject::Built(Box::new(sensor)))
}

fn fine() -> impl Sensor {
    sensor_sync(|cx| {
        cx.report(Event::new(1.0, "fine"));
        Ok(())
    })
}

async fn next(thread: &mut SensorThread) -> Returned {
    let next = tokio::time::timeout(PATIENCE, thread.next()).await;
    next.expect("a look came back")
        .expect("the thread is there")
}

fn events(returned: &Returned) -> usize {
    match &returned.found {
        Found::Saw(outcome, _) => outcome.report.len(),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_look_that_hangs_holds_up_nobody_and_is_ended() {
    let mut thread = SensorThread::start().unwrap();
    let mut hangs = built(0, sensor_fn((), |(), _| Box::pin(std::future::pending())));
    hangs.deadline = Duration::from_millis(300);
    thread.send(hangs);
    for _ in 0..10 {
        thread.send(built(1, fine()));
        let returned = next(&mut thread).await;
        assert_eq!((returned.place, events(&returned)), (1, 1));
    }
    let returned = next(&mut thread).await;
    assert!(returned.sensor.is_some(), "a look is safe to cancel");
    let Found::Failed(error, _) = returned.found else {
        panic!("{returned:?}")
    };
    assert_eq!(error.kind(), ErrorKind::Transient);
    assert!(error.to_string().contains("longer than 300ms"), "{error}");
    assert!(thread.out().is_empty());
}

/// Runs a command that ends, then one that does not.
fn waits<'a>((): &'a mut (), cx: &'a mut PollContext) -> PollFuture<'a> {
    Box::pin(async move {
        cx.run(&CommandSpec::new("true")).await?;
        cx.run(&CommandSpec::new("sleep").arg("1000")).await?;
        Ok(())
    })
}

#[tokio::test]
async fn a_look_that_is_ended_names_the_command_that_it_waited_for() {
    let mut thread = SensorThread::start().unwrap();
    let mut errand = built(0, sensor_fn((), waits));
    errand.deadline = Duration::from_millis(300);
    thread.send(errand);
    let Found::Failed(error, _) = next(&mut thread).await.found else {
        panic!("another end")
    };
    let text = "a look was ended: it took longer than 300ms; it waited for `sleep 1000`";
    assert_eq!(error.to_string(), text);
}

struct Fragile;

#[async_trait]
impl Sensor for Fragile {
    async fn poll(&mut self, _cx: &mut PollContext) -> Result<(), SensorError> {
        panic!("out of {}", "cheese")
    }
}

impl Drop for Fragile {
    fn drop(&mut self) {
        panic!("not once more");
    }
}

#[tokio::test]
async fn a_panic_costs_one_sensor() {
    let mut thread = SensorThread::start().unwrap();
    thread.send(built(0, Fragile));
    let returned = next(&mut thread).await;
    assert!(returned.sensor.is_none());
    assert_eq!(returned.found, Found::Panicked("out of cheese".to_owned()));
    thread.send(built(1, fine()));
    assert_eq!(events(&next(&mut thread).await), 1);
}

#[tokio::test]
async fn a_flood_and_a_failure_come_back_bounded_and_bare() {
    let mut thread = SensorThread::start().unwrap();
    thread.send(built(
        0,
        sensor_sync(|cx| {
            for n in 0..100_000 {
                cx.report(Event::new(1.0, n.to_string()));
            }
            Ok(())
        }),
    ));
    thread.send(built(
        1,
        sensor_sync(|cx| {
            cx.report(Event::new(1.0, "half the truth"));
            cx.warn(SensorError::transient("beside"));
            Err(SensorError::unavailable("gone"))
        }),
    ));
    for _ in 0..2 {
        let returned = next(&mut thread).await;
        match returned.found {
            Found::Failed(error, beside) => {
                assert_eq!(error, SensorError::unavailable("gone"));
                assert_eq!(beside.warnings, [SensorError::transient("beside")]);
            }
            Found::Saw(outcome, _) => assert_eq!(outcome.report.len(), MAX_HELD),
            other => panic!("{other:?}"),
        }
    }
}

/// Blocks the thread until it is told to go on.
fn blocks() -> (std::sync::mpsc::Sender<()>, impl Sensor) {
    let (go, wait): (_, Receiver<()>) = channel();
    let wait = std::sync::Mutex::new(wait);
    let sensor = sensor_sync(move |_| {
        let _ = wait.lock().map(|wait| wait.recv());
        Ok(())
    });
    (go, sensor)
}

#[tokio::test]
async fn a_blocked_thread_is_found_out_with_its_culprit() {
    let mut thread = SensorThread::start().unwrap();
    assert_eq!(thread.check(), None);
    let pending = || {
        sensor_fn((), |(), _| -> PollFuture {
            Box::pin(std::future::pending())
        })
    };
    thread.send(built(3, pending()));
    thread.send(built(4, pending()));
    let (go, sensor) = blocks();
    thread.send(built(7, sensor));
    let entered = async {
        while thread.pulse.beat().map(Beat::place) != Some(7) {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(PATIENCE, entered)
        .await
        .expect("the look began");
    assert_eq!((thread.check(), thread.check()), (None, None));
    let blocked = Blocked {
        culprit: 7,
        bystanders: vec![3, 4],
    };
    assert_eq!(thread.check(), Some(blocked));
    drop(thread);
    // Another thread takes over while the first is still blocked.
    let mut thread = SensorThread::start().unwrap();
    thread.send(built(1, fine()));
    assert_eq!(events(&next(&mut thread).await), 1);
    drop(go);
}

#[tokio::test]
async fn a_thread_that_is_busy_with_ever_other_polls_is_not_blocked() {
    let mut thread = SensorThread::start().unwrap();
    thread.send(built(
        0,
        sensor_fn((), |(), _| {
            Box::pin(async {
                loop {
                    tokio::task::yield_now().await;
                }
            })
        }),
    ));
    for _ in 0..10 {
        assert_eq!(thread.check(), None);
        thread.send(built(1, fine()));
        next(&mut thread).await;
    }
}

struct Counter(u32);

#[async_trait]
impl Sensor for Counter {
    async fn poll(&mut self, _cx: &mut PollContext) -> Result<(), SensorError> {
        self.0 += 1;
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

fn recipe(build: Build, snapshot: Option<Snapshot>) -> Errand {
    let name = SensorName::new("counter").unwrap();
    let cx = BuildContext::new(world(), name, WakeHandle::new(|| {}));
    errand(
        0,
        Subject::Recipe {
            build,
            cx,
            snapshot,
        },
    )
}

#[tokio::test]
async fn a_sensor_is_built_and_restored_where_it_looks() {
    let mut thread = SensorThread::start().unwrap();
    let counter: Build = Arc::new(|_| Ok(Box::new(Counter(0))));
    thread.send(recipe(counter.clone(), Snapshot::of(&41).ok()));
    let returned = next(&mut thread).await;
    let Found::Saw(outcome, snapshot) = returned.found else {
        panic!("{returned:?}")
    };
    assert_eq!(
        (outcome.warnings.len(), snapshot),
        (0, Snapshot::of(&42).ok())
    );

    thread.send(recipe(counter, Snapshot::of(&"what?").ok()));
    let returned = next(&mut thread).await;
    let Found::Saw(outcome, snapshot) = returned.found else {
        panic!("{returned:?}")
    };
    assert_eq!(
        (outcome.warnings.len(), snapshot),
        (1, Snapshot::of(&1).ok())
    );

    let refuses: Build = Arc::new(|_| Err(crate::sensor::ConfigError::at("path", "is empty")));
    thread.send(recipe(refuses, None));
    let returned = next(&mut thread).await;
    assert!(matches!(returned.found, Found::Refused(_)), "{returned:?}");

    let panics: Build = Arc::new(|_| panic!("no"));
    thread.send(recipe(panics, None));
    assert_eq!(
        next(&mut thread).await.found,
        Found::Panicked("no".to_owned())
    );
}

#[tokio::test]
async fn the_end_takes_commands_along() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("pid");
    let script = format!("echo $$ > {}; exec sleep 1000", file.display());
    let ended = Arc::new(AtomicBool::new(false));
    let told = ended.clone();
    let mut thread = SensorThread::start().unwrap();
    thread.send(built(
        0,
        sensor_fn((), move |(), cx| {
            let command = CommandSpec::new("sh")
                .args(["-c", &script])
                .deadline(PATIENCE);
            let told = told.clone();
            Box::pin(async move {
                let _ = cx.run(&command).await;
                told.store(true, Ordering::Relaxed);
                Ok(())
            })
        }),
    ));
    let started = async {
        loop {
            match std::fs::read_to_string(&file) {
                Ok(pid) if pid.ends_with('\n') => return pid.trim().to_owned(),
                _ => tokio::task::yield_now().await,
            }
        }
    };
    let pid = tokio::time::timeout(PATIENCE, started)
        .await
        .expect("it started");
    thread.stop().await;
    let stat = Path::new("/proc").join(pid).join("stat");
    let dead = async {
        while std::fs::read_to_string(&stat).is_ok_and(|stat| !stat.contains(") Z ")) {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(PATIENCE, dead)
        .await
        .expect("it was killed");
    assert!(!ended.load(Ordering::Relaxed));
}
