//! The host's Monitor at the other end of a process's stdout: the simulated one, in real time.

use std::fs::File;
use std::io::{self, PipeReader, Read, Write};
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use attend_core::sensor::HostState;
use attend_core::testkit::monitor::Ending;
use attend_core::testkit::{MonitorTranscript, SimulatedMonitor};
use rustix::event::{PollFd, PollFlags, Timespec, poll};

use crate::live::PATIENCE;

/// Reads what a process prints on a thread of its own, and gives it to a simulated Monitor at
/// the millisecond of its arrival. Where Monitor stops, it closes the pipe.
pub(crate) struct MonitorPipe(Arc<Shared>);

struct Shared {
    seen: Mutex<Seen>,
    changed: Condvar,
}

struct Seen {
    monitor: SimulatedMonitor,
    transcript: Option<Transcript>,
    /// How many of the notifications stand in the transcript, where there is one.
    noted: usize,
    /// The lines that were delivered, each with the number of its notification.
    lines: Vec<(String, usize)>,
    ended: bool,
}

struct Transcript {
    file: PathBuf,
    rows: MonitorTranscript,
    host: HostState,
}

/// The lines that Monitor delivers of `text`, which it finds all at once: of a pipe that it did
/// not read for a while. It may do no harm to them.
#[track_caller]
pub(crate) fn delivered(text: &str) -> Vec<String> {
    let mut monitor = SimulatedMonitor::new();
    assert!(monitor.write(0, text), "it reads on");
    monitor.end(0, Ending::Completed);
    monitor.assert_harmless();
    monitor.lines()
}

impl MonitorPipe {
    /// A monitor that was just armed, and what its process gets as stdout.
    pub(crate) fn new() -> (Self, Stdio) {
        Self::with(SimulatedMonitor::new(), 0)
    }

    /// The same with a monitor to which something happened before it was `now` milliseconds.
    pub(crate) fn with(monitor: SimulatedMonitor, now: u64) -> (Self, Stdio) {
        let (reader, writer) = io::pipe().expect("a pipe");
        let shared = Arc::new(Shared {
            seen: Mutex::new(Seen {
                noted: monitor.notifications().len(),
                lines: Vec::new(),
                monitor,
                transcript: None,
                ended: false,
            }),
            changed: Condvar::new(),
        });
        let theirs = Arc::clone(&shared);
        thread::spawn(move || theirs.read(reader, now));
        (Self(shared), writer.into())
    }

    /// From now on, what is delivered is appended to `file`, as the transcript of `session` in
    /// which the host does `host`.
    pub(crate) fn transcribe(&self, file: PathBuf, session: &str, cwd: &str, host: HostState) {
        let rows = MonitorTranscript::new(session, cwd).beginning(SystemTime::now());
        self.0.seen().transcript = Some(Transcript { file, rows, host });
    }

    /// From now on the host does something else.
    pub(crate) fn host(&self, host: HostState) {
        let mut seen = self.0.seen();
        seen.transcript.as_mut().expect("a transcript").host = host;
    }

    /// Waits until so many notifications were delivered. Returns the lines in them so far.
    #[track_caller]
    pub(crate) fn delivered(&self, count: usize) -> Vec<String> {
        let seen = self.wait(PATIENCE, |seen| seen.monitor.delivered().count() >= count);
        let got = seen.monitor.delivered().count();
        assert!(got >= count, "{got} of {count}: {:?}", seen.monitor);
        seen.monitor.lines()
    }

    /// The lines that were delivered so far.
    pub(crate) fn lines(&self) -> Vec<String> {
        self.0.seen().monitor.lines()
    }

    /// Line number `at` of those that were delivered, where it is within `time`.
    pub(crate) fn line(&self, at: usize, time: Duration) -> Option<String> {
        let seen = self.wait(time, |seen| seen.lines.len() > at || seen.ended);
        seen.lines.get(at).map(|(line, _)| line.clone())
    }

    /// The lines from number `at` on of the notification in which it was delivered.
    pub(crate) fn notification(&self, at: usize, time: Duration) -> Option<Vec<String>> {
        let seen = self.wait(time, |seen| seen.lines.len() > at || seen.ended);
        let (_, first) = seen.lines.get(at)?;
        let all = seen.lines.iter().skip(at);
        let of_it = all.take_while(|(_, notification)| notification == first);
        Some(of_it.map(|(line, _)| line.clone()).collect())
    }

    /// Holds that Monitor did no harm so far.
    #[track_caller]
    pub(crate) fn assert_harmless(&self) {
        self.0.seen().monitor.assert_harmless();
    }

    /// Monitor suppresses so many of the next notifications.
    pub(crate) fn suppress_next(&self, count: u64) {
        self.0.seen().monitor.suppress_next(count);
    }

    /// Lets so much time pass, less where the process ends.
    pub(crate) fn pass(&self, time: Duration) {
        drop(self.wait(time, |seen| seen.ended));
    }

    /// Waits until the process closed its stdout, or Monitor stopped. Returns what became of
    /// all that it printed.
    #[track_caller]
    pub(crate) fn ended(self) -> SimulatedMonitor {
        let seen = self.wait(PATIENCE, |seen| seen.ended);
        assert!(seen.ended, "it goes on: {:?}", seen.monitor);
        seen.monitor.clone()
    }

    fn wait(&self, time: Duration, holds: impl Fn(&Seen) -> bool) -> MutexGuard<'_, Seen> {
        let until = Instant::now() + time;
        let mut seen = self.0.seen();
        while !holds(&seen) {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            let woken = self.0.changed.wait_timeout(seen, left);
            seen = woken.expect("the reader goes on").0;
        }
        seen
    }
}

impl Shared {
    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().expect("the reader goes on")
    }

    fn read(&self, mut pipe: PipeReader, from: u64) {
        let start = Instant::now();
        let mut chunk = vec![0; 65_536];
        let mut open = true;
        while open {
            let now = || from + u64::try_from(start.elapsed().as_millis()).expect("a short time");
            let due = self.seen().monitor.due();
            let left = due.map(|due| Duration::from_millis(due.saturating_sub(now())));
            let left = left.map(|left| Timespec::try_from(left).expect("a short time"));
            let mut asked = [PollFd::new(&pipe, PollFlags::IN)];
            let ready = poll(&mut asked, left.as_ref()).expect("the pipe can be waited for");
            let read = (ready > 0).then(|| pipe.read(&mut chunk).expect("it can be read"));
            let mut seen = self.seen();
            match read {
                None => seen.monitor.advance(now()),
                Some(0) => seen.monitor.end(now(), Ending::Completed),
                Some(read) => _ = seen.monitor.write(now(), &chunk[..read]),
            }
            seen.note();
            open = seen.monitor.is_reading();
            drop(seen);
            self.changed.notify_all();
        }
        drop(pipe);
        self.seen().ended = true;
        self.changed.notify_all();
    }
}

impl Seen {
    /// Appends what became of notifications since the last time.
    fn note(&mut self) {
        let first = self.noted;
        let new = &self.monitor.notifications()[first..];
        self.noted += new.len();
        for (number, told) in new.iter().enumerate() {
            if told.is_delivered() && !told.written().is_empty() {
                let text = told.text();
                let lines = text.split('\n');
                let lines = lines.map(|line| (line.to_owned(), first + number));
                self.lines.extend(lines);
            }
        }
        let Some(Transcript { file, rows, host }) = &mut self.transcript else {
            return;
        };
        let rows = new.iter().flat_map(|told| rows.rows(told, *host));
        let rows: String = rows.map(|row| row + "\n").collect();
        let file = File::options().create(true).append(true).open(file);
        file.and_then(|mut file| file.write_all(rows.as_bytes()))
            .expect("a transcript");
    }
}
