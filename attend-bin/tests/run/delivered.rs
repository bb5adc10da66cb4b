//! What Monitor delivers of a process, line by line, and what it has to say against it at the end.

use std::fmt::Debug;
use std::process::Stdio;
use std::thread;
use std::time::Duration;

use attend_core::testkit::SimulatedMonitor;

use crate::live::PATIENCE;
use crate::monitor_pipe::MonitorPipe;
use crate::reader::Shown;

/// How long what was printed last may take to its verdict on a busy machine.
const VERDICT: Duration = Duration::from_secs(1);

/// The lines that Monitor delivers of one process.
///
/// At its end nothing may have been cut, suppressed or lost of all that was printed, and Monitor
/// may not have stopped, or the test fails.
pub(crate) struct Delivered {
    monitor: MonitorPipe,
    /// How many lines were taken.
    taken: usize,
    /// What Monitor does to this one is what the test is about.
    is_excused: bool,
}

impl Delivered {
    /// What its process gets as stdout, too.
    pub(crate) fn new() -> (Self, Stdio) {
        let (monitor, out) = MonitorPipe::new();
        (Self::by(monitor), out)
    }

    pub(crate) fn by(monitor: MonitorPipe) -> Self {
        Self {
            monitor,
            taken: 0,
            is_excused: false,
        }
    }

    pub(crate) fn monitor(&self) -> &MonitorPipe {
        &self.monitor
    }

    /// Monitor may harm what is printed.
    pub(crate) fn excuse(&mut self) {
        self.is_excused = true;
    }

    /// The next line, where one comes within `time` and before the end.
    pub(crate) fn line_within(&mut self, time: Duration) -> Option<String> {
        let taken = self.taken;
        let now = self
            .monitor
            .until(time, |monitor| monitor.lines().len() > taken);
        let line = now.lines().get(taken).cloned()?;
        self.taken += 1;
        Some(line)
    }

    /// The next line, and what comes with it in one notification.
    #[track_caller]
    pub(crate) fn notification(&mut self) -> Vec<String> {
        let taken = self.taken;
        let now = self
            .monitor
            .until(PATIENCE, |monitor| monitor.lines().len() > taken);
        let mut end = 0;
        let counts = now.delivered().map(|told| told.written().len());
        let found = counts
            .map(|count| {
                end += count;
                end
            })
            .find(|end| *end > taken);
        let end = found.unwrap_or_else(|| panic!("nothing more came: {now:?}"));
        self.taken = end;
        now.lines().drain(taken..end).collect()
    }

    /// All lines so far, whether they were taken or not.
    pub(crate) fn lines(&self) -> Vec<String> {
        self.monitor.lines()
    }

    /// Holds that all that was `sent` was delivered, each of it once, unmarked and in sequence,
    /// and no other message; waits for it.
    #[track_caller]
    pub(crate) fn assert_told<I: AsRef<str> + Debug>(&self, sent: &[I]) {
        let told = |monitor: &SimulatedMonitor| {
            let mut shown = Shown::all(monitor.lines());
            // The parts of a long one.
            shown.dedup_by(|next, one| {
                let is_part = !next.letterhead.starts_with("(1/");
                is_part && next.letterhead.starts_with('(') && next.id == one.id
            });
            shown
        };
        self.monitor
            .until(PATIENCE, |monitor| told(monitor).len() >= sent.len());
        let now = self.settled();
        let told = told(&now);
        let told: Vec<(&str, bool)> = told
            .iter()
            .map(|shown| (shown.id.as_str(), shown.again))
            .collect();
        let all: Vec<(&str, bool)> = sent.iter().map(|id| (id.as_ref(), false)).collect();
        assert_eq!(told, all, "{now:?}");
    }

    /// The same once nothing is on its way any more.
    fn settled(&self) -> SimulatedMonitor {
        self.monitor
            .until(VERDICT, |monitor| monitor.due().is_none())
    }
}

impl Drop for Delivered {
    fn drop(&mut self) {
        if !self.is_excused && !thread::panicking() {
            self.settled().assert_harmless();
        }
    }
}
