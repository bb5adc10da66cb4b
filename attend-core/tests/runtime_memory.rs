//! What a driver writes down, and when: on a clock that stands still unless it is told to move.
#![cfg(all(unix, feature = "runtime"))]
#![expect(clippy::unwrap_used, reason = "all of this is a test")]

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::thread::JoinHandle;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use attend_core::attention::Change;
use attend_core::runtime::system::Output;
use attend_core::runtime::{
    Driver, DriverBuilder, Ended, Handle, Journal, JournalEntry, Saved, SensorSetup, StateDir,
};
use attend_core::sensor::{
    Clock, Event, Profile, Project, Roots, SensorError, SensorName, sensor_sync,
};

const PATIENCE: Duration = Duration::from_mins(1);

/// How long a line is waited for before the clock moves on.
const STEP: Duration = Duration::from_millis(400);

/// Milliseconds since a start, as somebody set them.
#[derive(Clone, Default)]
struct Hand(Arc<AtomicU64>);

impl Hand {
    fn advance(&self, seconds: u64) {
        self.0.fetch_add(seconds * 1_000, Ordering::SeqCst);
    }
}

impl Clock for Hand {
    fn wall(&self) -> SystemTime {
        UNIX_EPOCH + Duration::from_hours(500_000) + self.boot()
    }

    fn boot(&self) -> Duration {
        Duration::from_secs(100) + Duration::from_millis(self.0.load(Ordering::SeqCst))
    }
}

struct Running {
    lines: Receiver<String>,
    handle: Handle,
    ended: JoinHandle<Ended>,
}

fn start(builder: DriverBuilder) -> Running {
    let (reader, writer) = std::io::pipe().unwrap();
    let driver = builder.output(Output::to(writer.into())).build().unwrap();
    let (send, lines) = channel();
    std::thread::spawn(move || {
        for line in BufReader::new(reader).lines().map_while(Result::ok) {
            let _ = send.send(line);
        }
    });
    Running {
        lines,
        handle: driver.handle(),
        ended: std::thread::spawn(move || driver.run().unwrap()),
    }
}

impl Running {
    /// The next line, before which the clock moves no further than it has to.
    fn line(&self, clock: &Hand) -> String {
        for _ in 0..PATIENCE.as_millis() / STEP.as_millis() {
            if let Ok(line) = self.lines.recv_timeout(STEP) {
                return line;
            }
            clock.advance(1);
        }
        panic!("no line came")
    }

    fn stop(self) {
        self.handle.stop();
        assert_eq!(self.ended.join().unwrap(), Ended::Stopped);
    }
}

fn builder(state: &Path, clock: &Hand) -> DriverBuilder {
    Driver::builder(Roots::new("/"), Project::at("/"))
        .clock(Arc::new(clock.clone()))
        .state(state)
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

fn name() -> SensorName {
    SensorName::new("git").unwrap()
}

fn quick() -> Profile {
    let mut profile = Profile::new(1, 1, 2_000, 4);
    profile.interval = Duration::from_millis(20);
    profile.min_interval = Duration::from_millis(10);
    profile
}

#[test]
fn what_was_shown_stands_in_the_journal_before_time_passes() {
    let home = tempfile::tempdir().unwrap();
    let state = home.path().join("state");
    let clock = Hand::default();
    let conflict = SensorSetup::instance(
        name(),
        sensor_sync(|cx| {
            cx.report(Event::new(5.0, "conflict").key("it").standing());
            Ok(())
        }),
    );
    let running = start(builder(&state, &clock).banner("hello").sensor(conflict));
    assert_eq!(running.line(&clock), "[attend] hello");
    // A batch leaves one tick after its sensor became ready; then the clock stands still, and
    // nothing else is due.
    assert!(running.line(&clock).ends_with("] conflict"));
    let dir = StateDir::existing(&state).unwrap().unwrap();
    eventually("it is written down", || {
        let mut journal = Journal::read(&dir).unwrap_or_default().into_iter();
        journal.any(|entry| match entry {
            JournalEntry::Record(record) => {
                matches!(record.change, Change::Shown { .. })
                    && record.text.as_deref() == Some("conflict")
            }
            _ => false,
        })
    });
    running.stop();
}

/// The checkpoint's file, by which it is known that another one was written.
fn inode(state: &Path) -> Option<u64> {
    use std::os::unix::fs::MetadataExt;
    let checkpoint: PathBuf = state.join("checkpoint.json");
    fs::metadata(checkpoint).ok().map(|file| file.ino())
}

#[test]
fn looks_that_find_nothing_write_nothing_and_one_that_fails_otherwise_does() {
    let home = tempfile::tempdir().unwrap();
    let state = home.path().join("state");
    let clock = Hand::default();
    let looks = Arc::new(AtomicU32::new(0));
    let fails = Arc::new(AtomicBool::new(false));
    let (seen, broken) = (looks.clone(), fails.clone());
    let sensor = SensorSetup::instance(
        name(),
        sensor_sync(move |_| {
            seen.fetch_add(1, Ordering::SeqCst);
            if broken.load(Ordering::SeqCst) {
                return Err(SensorError::transient("no luck"));
            }
            Ok(())
        }),
    );
    let running = start(builder(&state, &clock).sensor(sensor.profile(quick())));
    let looked = |until: u32| {
        eventually("a look", || {
            clock.advance(1);
            looks.load(Ordering::SeqCst) >= until
        });
    };
    let written = |word: &str| {
        eventually(word, || {
            clock.advance(1);
            let dir = StateDir::existing(&state).unwrap();
            let saved = dir.and_then(|dir| Saved::peek(&dir).unwrap_or_default());
            saved.is_some_and(|saved| format!("{:?}", saved.health[0].condition) == word)
        });
    };
    written("Healthy");
    let first = inode(&state);
    assert!(first.is_some());
    let kept = fs::File::open(state.join("checkpoint.json")).unwrap();
    clock.advance(3_600);
    looked(looks.load(Ordering::SeqCst) + 20);
    assert_eq!(inode(&state), first, "nothing but the time changed");
    drop(kept);
    fails.store(true, Ordering::SeqCst);
    written("Failing");
    running.stop();
}
