//! The host's Monitor at the other end of a process's stdout: the simulated one, in real time.

use std::fs::File;
use std::io::{self, PipeReader, PipeWriter, Read, Write};
use std::os::fd::AsRawFd;
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use attend_core::sensor::HostState;
use attend_core::testkit::monitor::{Ending, Notification};
use attend_core::testkit::{MonitorTranscript, SimulatedMonitor};
use rustix::event::{PollFd, PollFlags, Timespec, poll};

use crate::live::PATIENCE;

/// Reads what a process prints on a thread of its own, and gives it to a simulated Monitor at
/// the millisecond of its arrival. Where Monitor stops, it closes the pipe.
pub(crate) struct MonitorPipe(Arc<Shared>);

/// As long as it is kept, a monitor goes on; then it ends as the host ends it: what it gathered
/// leaves, and nothing is read any more.
pub(crate) struct Armed {
    _word: PipeWriter,
}

struct Shared {
    seen: Mutex<Seen>,
    changed: Condvar,
}

struct Seen {
    monitor: SimulatedMonitor,
    transcript: Option<Transcript>,
    /// How many of the notifications stand in the transcript.
    noted: usize,
    /// What comes next finds that so much was printed just before it.
    flood: Option<Flood>,
    /// By how many milliseconds its axis is ahead.
    ahead: u64,
    ended: bool,
    /// What was printed last had no end.
    torn: bool,
}

/// How much else is printed, by whatever it may be.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Flood {
    /// So much that the next notification is suppressed.
    Suppresses,
    /// So much for so long that Monitor stops.
    Stops,
}

struct Transcript {
    file: PathBuf,
    rows: MonitorTranscript,
    host: HostState,
}

impl MonitorPipe {
    /// A monitor that was just armed, and what its process gets as stdout.
    pub(crate) fn new() -> (Self, Stdio) {
        Self::with(SimulatedMonitor::new(), 0)
    }

    /// The same with a monitor to which something happened before it was `now` milliseconds.
    pub(crate) fn with(monitor: SimulatedMonitor, now: u64) -> (Self, Stdio) {
        let (reader, writer) = io::pipe().expect("a pipe");
        (Self::over(reader, monitor, now), writer.into())
    }

    /// A monitor that was just armed, and where a shell finds what is its process's stdout, as
    /// long as the second is kept.
    pub(crate) fn named() -> (Self, PipeWriter, String) {
        let (reader, writer) = io::pipe().expect("a pipe");
        let path = format!("/proc/{}/fd/{}", std::process::id(), writer.as_raw_fd());
        (Self::at(reader), writer, path)
    }

    /// A monitor that was just armed, at the end of a pipe that somebody writes to.
    pub(crate) fn at(pipe: PipeReader) -> Self {
        Self::over(pipe, SimulatedMonitor::new(), 0)
    }

    /// The same as [`Self::named`], which can be ended while its process goes on.
    pub(crate) fn armed() -> (Self, Armed, PipeWriter, String) {
        let (reader, writer) = io::pipe().expect("a pipe");
        let (word, end) = io::pipe().expect("a pipe");
        let path = format!("/proc/{}/fd/{}", std::process::id(), writer.as_raw_fd());
        let monitor = Self::hearing(reader, Some(word), SimulatedMonitor::new(), 0);
        (monitor, Armed { _word: end }, writer, path)
    }

    fn over(pipe: PipeReader, monitor: SimulatedMonitor, now: u64) -> Self {
        Self::hearing(pipe, None, monitor, now)
    }

    fn hearing(
        pipe: PipeReader,
        word: Option<PipeReader>,
        monitor: SimulatedMonitor,
        now: u64,
    ) -> Self {
        let shared = Arc::new(Shared {
            seen: Mutex::new(Seen {
                noted: monitor.notifications().len(),
                monitor,
                transcript: None,
                flood: None,
                ahead: 0,
                ended: false,
                torn: false,
            }),
            changed: Condvar::new(),
        });
        let theirs = Arc::clone(&shared);
        thread::spawn(move || theirs.read(pipe, word.as_ref(), now));
        Self(shared)
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

    /// The next notification is queued, and never delivered.
    pub(crate) fn lose_next(&self) {
        self.0.seen().monitor.lose_next(1);
    }

    /// The next notification is left out, and counted.
    pub(crate) fn suppress_next(&self) {
        self.0.seen().monitor.suppress_next(1);
    }

    /// Just before the next line comes, so much else is printed.
    pub(crate) fn flood(&self, flood: Flood) {
        self.0.seen().flood = Some(flood);
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

    /// What became of all that came so far.
    pub(crate) fn so_far(&self) -> SimulatedMonitor {
        self.0.seen().monitor.clone()
    }

    /// Waits until `holds` of what became of all that came, at most so long, or the process ends.
    /// Returns that.
    pub(crate) fn until(
        &self,
        time: Duration,
        holds: impl Fn(&SimulatedMonitor) -> bool,
    ) -> SimulatedMonitor {
        let seen = self.wait(time, |seen| seen.ended || holds(&seen.monitor));
        seen.monitor.clone()
    }

    /// Whether the last line before the end had no end.
    pub(crate) fn was_torn(&self) -> bool {
        self.0.seen().torn
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

    fn read(&self, mut pipe: PipeReader, word: Option<&PipeReader>, from: u64) {
        let start = Instant::now();
        let mut chunk = vec![0; 65_536];
        let mut open = true;
        while open {
            let (due, ahead) = {
                let seen = self.seen();
                (seen.monitor.due(), from + seen.ahead)
            };
            let now = || ahead + u64::try_from(start.elapsed().as_millis()).expect("a short time");
            let left = due.map(|due| Duration::from_millis(due.saturating_sub(now())));
            let left = left.map(|left| Timespec::try_from(left).expect("a short time"));
            let mut asked = vec![PollFd::new(&pipe, PollFlags::IN)];
            asked.extend(word.map(|word| PollFd::new(word, PollFlags::IN)));
            poll(&mut asked, left.as_ref()).expect("the pipe can be waited for");
            let is_ready = |at: usize| asked.get(at).is_some_and(|fd| !fd.revents().is_empty());
            let (is_ready, is_over) = (is_ready(0), is_ready(1));
            drop(asked);
            let read = is_ready.then(|| pipe.read(&mut chunk).expect("it can be read"));
            let mut seen = self.seen();
            let now = now();
            match read {
                None if is_over => seen.monitor.end(now, Ending::Killed),
                None => seen.monitor.advance(now),
                Some(0) => {
                    seen.torn = !seen.monitor.partial().is_empty();
                    seen.monitor.end(now, Ending::Completed);
                }
                Some(read) => {
                    let now = now + seen.flooded(now);
                    seen.monitor.write(now, &chunk[..read]);
                }
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
    /// Prints what else there is to print from `now` on. Returns how long that took, by which the
    /// axis is ahead from then on.
    fn flooded(&mut self, now: u64) -> u64 {
        let Some(flood) = self.flood.take() else {
            return 0;
        };
        let suppressed = self.monitor.suppressed().count();
        let mut took = 0;
        loop {
            self.monitor.write(now + took, "noise\n");
            took += 200;
            self.monitor.advance(now + took);
            // Right after one that was delivered nothing is left for the next.
            let overflows = self.monitor.suppressed().count() > suppressed;
            let last = self.monitor.notifications().last();
            let is_empty = overflows && last.is_some_and(Notification::is_delivered);
            if !self.monitor.is_reading() || flood == Flood::Suppresses && is_empty {
                break;
            }
        }
        self.ahead += took;
        took
    }

    /// Appends what became of notifications since the last time.
    fn note(&mut self) {
        let new = &self.monitor.notifications()[self.noted..];
        self.noted += new.len();
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
