//! Drivers that write down what they decide over: to a file of their own, and never at any cost.
#![cfg(all(unix, feature = "runtime"))]
#![expect(clippy::unwrap_used, reason = "all of this is a test")]

use std::fs;
use std::io::{BufRead, BufReader, PipeReader};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, mpsc};
use std::thread::JoinHandle;
use std::time::Duration;

use attend_core::attention::Trace;
use attend_core::runtime::system::Output;
use attend_core::runtime::{Driver, Ended, Handle, Recording, SensorSetup};
use attend_core::sensor::{Event, Profile, Project, Roots, SensorName, sensor_sync};
use tempfile::TempDir;

const PATIENCE: Duration = Duration::from_mins(1);

/// A driver that records, with a sensor that has something new at each of its looks.
struct Recorded {
    home: TempDir,
    handle: Handle,
    ended: JoinHandle<Ended>,
    notices: Arc<Mutex<Vec<String>>>,
    heard: mpsc::Receiver<()>,
    reader: PipeReader,
}

fn trace_in(home: &Path) -> PathBuf {
    home.join("day.trace")
}

fn start(limit: u64) -> Recorded {
    let home = tempfile::tempdir().unwrap();
    let mut profile = Profile::default();
    profile.interval = Duration::from_millis(20);
    profile.min_interval = Duration::from_millis(10);
    let setup = SensorSetup::new(SensorName::new("git").unwrap(), |_| {
        let mut looks = 0;
        Ok(Box::new(sensor_sync(move |cx| {
            looks += 1;
            cx.report(Event::new(0.001, format!("look {looks}")).key("looks"));
            Ok(())
        })))
    });
    let (reader, writer) = std::io::pipe().unwrap();
    let notices = Arc::new(Mutex::new(Vec::new()));
    let (noted, (hear, heard)) = (notices.clone(), mpsc::channel());
    let recording = Recording::create(trace_in(home.path())).unwrap();
    let driver = Driver::builder(Roots::new("/"), Project::at("/"))
        .sensor(setup.profile(profile))
        .banner("hello")
        .state(home.path().join("state"))
        .record(recording.at_most(limit))
        .output(Output::to(writer.into()))
        .on_notice(move |notice| {
            noted.lock().unwrap().push(notice.to_owned());
            let _ = hear.send(());
        })
        .build()
        .unwrap();
    let handle = driver.handle();
    let ended = std::thread::spawn(move || driver.run().unwrap());
    Recorded {
        home,
        handle,
        ended,
        notices,
        heard,
        reader,
    }
}

impl Recorded {
    /// Waits for a notice.
    fn notice(&self) {
        self.heard.recv_timeout(PATIENCE).expect("a notice");
    }

    /// Ends it. Gives its lines, its notices, and what it recorded.
    fn stop(self) -> (Vec<String>, Vec<String>, Option<Vec<u8>>) {
        self.handle.stop();
        assert_eq!(self.ended.join().unwrap(), Ended::Stopped);
        let lines = BufReader::new(self.reader).lines().map_while(Result::ok);
        let notices = self.notices.lock().unwrap().clone();
        let trace = fs::read(trace_in(self.home.path())).ok();
        (lines.collect(), notices, trace)
    }
}

#[test]
fn a_recording_is_private_and_replays_to_the_lines_of_its_loop() {
    let running = start(1 << 20);
    let mut line = String::new();
    let mut reader = BufReader::new(running.reader.try_clone().unwrap());
    reader.read_line(&mut line).unwrap();
    assert_eq!(line, "[attend] hello\n");
    let path = trace_in(running.home.path());
    let mode = fs::metadata(&path).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let (lines, notices, trace) = running.stop();
    assert_eq!((lines, notices), (vec![], vec![]));
    let trace = Trace::read(&trace.unwrap()).unwrap();
    assert!(!trace.is_cut_short());
    let replay = trace.replay().unwrap();
    assert_eq!(replay.to_string(), line);
    assert_eq!(replay.held.len(), 1);
}

#[test]
fn a_file_that_is_there_is_left_alone() {
    let home = tempfile::tempdir().unwrap();
    let path = trace_in(home.path());
    fs::write(&path, "mine").unwrap();
    let error = Recording::create(&path).unwrap_err();
    assert!(error.is_there());
    assert!(error.to_string().contains("it is there already"), "{error}");
    assert_eq!(fs::read_to_string(&path).unwrap(), "mine");
    let error = Recording::create(home.path().join("no/where")).unwrap_err();
    assert!(!error.is_there());
}

#[test]
fn a_recording_that_is_full_ends_with_one_notice_and_the_loop_goes_on() {
    let limit = 1_500;
    let running = start(limit);
    running.notice();
    let (_, notices, trace) = running.stop();
    assert_eq!(notices.len(), 1, "{notices:?}");
    assert!(
        notices[0].contains("it takes 1500 bytes, the most"),
        "{notices:?}"
    );
    let trace = trace.unwrap();
    assert!(trace.len() as u64 <= limit);
    let read = Trace::read(&trace).unwrap();
    assert!(!read.is_cut_short() && !read.is_empty());
    assert!(read.replay().is_ok());
}

#[test]
fn a_file_that_is_removed_ends_the_recording_with_one_notice_and_the_loop_goes_on() {
    let running = start(1 << 20);
    fs::remove_file(trace_in(running.home.path())).unwrap();
    running.notice();
    let (_, notices, trace) = running.stop();
    assert_eq!(notices.len(), 1, "{notices:?}");
    assert!(
        notices[0].ends_with("ended: the file was removed"),
        "{notices:?}"
    );
    assert_eq!(trace, None);
}
