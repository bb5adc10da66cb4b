//! Drivers beside a host: what it does decides what may leave, from the first line on.
#![cfg(all(unix, feature = "runtime"))]
#![expect(clippy::unwrap_used, reason = "all of this is a test")]

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, SystemTime};

use async_trait::async_trait;
use attend_core::attention::{Input, Waiting};
use attend_core::dynamics::Tick;
use attend_core::mail::{Letter, MessageId, Seq};
use attend_core::runtime::system::{Output, SystemClock};
use attend_core::runtime::{Driver, DriverBuilder, Ended, Handle, SensorSetup};
use attend_core::sensor::{
    Clock, Event, Host, HostAnswer, HostRequest, HostState, Profile, Project, Roots, SensorError,
    SensorName, sensor_sync,
};

const PATIENCE: Duration = Duration::from_mins(1);

/// As often as a sensor may look.
const LEAST: Duration = Duration::from_millis(10);

/// When the first loop of a test starts, in seconds since 1970.
const START: u64 = 1_700_000_000;

/// The system's clock, as if so many seconds had passed since [`START`].
struct Later(Arc<AtomicU64>);

impl Clock for Later {
    fn wall(&self) -> SystemTime {
        SystemTime::UNIX_EPOCH + Duration::from_secs(START + self.0.load(Ordering::Relaxed))
    }

    fn boot(&self) -> Duration {
        SystemClock.boot() + Duration::from_secs(self.0.load(Ordering::Relaxed))
    }
}

/// A host that says always the same, or nothing at all.
struct Says(Option<HostState>);

#[async_trait]
impl Host for Says {
    async fn ask(&self, _request: &HostRequest) -> Result<HostAnswer, SensorError> {
        match self.0 {
            Some(state) => Ok(HostAnswer::State(state)),
            None => std::future::pending().await,
        }
    }
}

/// Reports a branch that changed, once, if `tells`.
fn git(tells: bool) -> SensorSetup {
    SensorSetup::new(SensorName::new("git").unwrap(), move |_| {
        let told = AtomicBool::new(!tells);
        Ok(Box::new(sensor_sync(move |cx| {
            if !told.swap(true, Ordering::Relaxed) {
                cx.report(Event::new(3.0, "branch changed").key("branch"));
            }
            Ok(())
        })))
    })
}

fn builder(host: Option<HostState>, seconds: &Arc<AtomicU64>) -> DriverBuilder {
    Driver::builder(Roots::new("/"), Project::at("/"))
        .clock(Arc::new(Later(seconds.clone())))
        .host(Arc::new(Says(host)))
}

/// Looks once, so many seconds after the start, and tells what was written.
fn once(state: &Path, host: HostState, seconds: u64, sensor: SensorSetup) -> Vec<String> {
    let (reader, writer) = std::io::pipe().unwrap();
    let driver = builder(Some(host), &Arc::new(AtomicU64::new(seconds)))
        .banner("hello")
        .state(state)
        .sensor(sensor)
        .output(Output::to(writer.into()))
        .build()
        .unwrap();
    assert_eq!(driver.once().unwrap(), Ended::Once);
    BufReader::new(reader).lines().map(Result::unwrap).collect()
}

#[test]
fn a_restart_does_not_wake_an_idle_host() {
    let idle = HostState::Idle {
        since: Tick::new(START - 60),
    };
    for quiet in [idle, HostState::Unprompted] {
        let home = tempfile::tempdir().unwrap();
        let none: [&str; 0] = [];
        assert_eq!(once(home.path(), quiet, 0, git(true)), none, "{quiet:?}");
        // What was held, and the banner, passed every gate but that of the host.
        for seconds in [600, 1_200] {
            let written = once(home.path(), quiet, seconds, git(false));
            assert_eq!(written, none, "{quiet:?} {seconds}");
        }
        let written = once(home.path(), HostState::Busy, 1_800, git(false));
        let line = "[attend sensor=git priority=medium] branch changed (30m ago)";
        assert!(written.iter().any(|known| known == line), "{written:?}");
    }
}

#[test]
fn mail_that_nobody_can_claim_holds_up_no_event() {
    let (reader, writer) = std::io::pipe().unwrap();
    let handle: Arc<OnceLock<Handle>> = Arc::default();
    let mail = handle.clone();
    let setup = SensorSetup::instance(
        SensorName::new("git").unwrap(),
        sensor_sync(move |cx| {
            cx.report(Event::new(3.0, "branch changed"));
            let id = MessageId::new("7F3K2A");
            let letter = Letter::new(Seq::new(1), id, "Tam", "you", "hello");
            // Some of these are heard after the report.
            for _ in 0..8 {
                let waiting = Waiting::Few(vec![letter.clone()]);
                mail.wait().input(Input::MailWaiting(waiting));
            }
            Ok(())
        }),
    );
    let driver = Driver::builder(Roots::new("/"), Project::at("/"))
        .sensor(setup)
        .output(Output::to(writer.into()))
        .build()
        .unwrap();
    handle.set(driver.handle()).unwrap();
    assert_eq!(driver.once().unwrap(), Ended::Once);
    let lines: Vec<String> = BufReader::new(reader).lines().map(Result::unwrap).collect();
    assert_eq!(
        lines,
        ["[attend sensor=git priority=medium] branch changed"]
    );
}

#[test]
fn a_host_that_does_not_answer_is_waited_for_and_then_counts_as_busy() {
    let (reader, writer) = std::io::pipe().unwrap();
    let seconds = Arc::new(AtomicU64::new(0));
    let (look, looks) = channel();
    let look = Mutex::new(look);
    let pulse = sensor_sync(move |_| {
        let _ = look.lock().unwrap().send(());
        Ok(())
    });
    let mut profile = Profile::default();
    (profile.interval, profile.min_interval) = (LEAST, LEAST);
    let pulse = SensorSetup::instance(SensorName::new("pulse").unwrap(), pulse);
    let driver = builder(None, &seconds)
        .sensor(git(true))
        .sensor(pulse.profile(profile))
        .output(Output::to(writer.into()))
        .build()
        .unwrap();
    let handle = driver.handle();
    let ended = std::thread::spawn(move || driver.run().unwrap());
    let (send, lines) = channel();
    std::thread::spawn(move || {
        for line in BufReader::new(reader).lines().map_while(Result::ok) {
            let _ = send.send(line);
        }
    });
    // Turns go by, between which the report becomes old enough to leave.
    (0..5).for_each(|_| looks.recv_timeout(PATIENCE).unwrap());
    seconds.store(5, Ordering::Relaxed);
    (0..5).for_each(|_| looks.recv_timeout(PATIENCE).unwrap());
    assert!(lines.try_recv().is_err());
    seconds.store(11, Ordering::Relaxed);
    let line = lines.recv_timeout(PATIENCE).unwrap();
    assert!(line.starts_with("[attend sensor=git priority=medium] branch changed"));
    handle.stop();
    assert_eq!(ended.join().unwrap(), Ended::Stopped);
}
