//! The model itself: bytes in, notifications out.

use super::bucket::{Bucket, Verdict};
use super::notification::{Ending, Fate, Notification, Said};

/// Milliseconds within which lines are one notification.
const TOGETHER: u64 = 200;

/// Claude Code's Monitor, as far as it decides what an agent gets of what a program prints.
///
/// It does no I/O and has no threads: whoever drives it says which bytes of stdout arrive at
/// which millisecond, on any axis that does not run backwards (an earlier one counts as now).
/// Source: the host's documentation, and measurements up to version 2.1.331.
///
/// | of what is printed | becomes |
/// |---|---|
/// | a line without its end | held until the `\n` comes, or the program ends |
/// | lines less than 200 ms after the first of them | one notification, which leaves at 200 ms |
/// | a line over 500 UTF-16 units | its first 500 |
/// | a notification over 3,000, line breaks included | its first 3,000 |
/// | the 11th notification at once; one more is let through every 2 s | suppressed, and counted in a notification before the next one that is delivered |
/// | more than that for 30 s | the end: it says so, and reads nothing any more |
///
/// It overflows from the first notification that it suppresses until one is delivered with
/// another to spare; what is suppressed 30 s after the first stops it. Bytes that are not UTF-8
/// become U+FFFD. Everything that it took in is kept.
///
/// ```
/// use attend_core::testkit::SimulatedMonitor;
///
/// let mut monitor = SimulatedMonitor::new();
/// monitor.write(1_000, "one\ntw");
/// monitor.write(1_199, "o\n");
/// monitor.write(1_200, "three\n");
/// monitor.advance(5_000);
/// let texts: Vec<_> = monitor.delivered().map(|it| (it.at(), it.text())).collect();
/// assert_eq!(texts, [(1_200, "one\ntwo".into()), (1_400, "three".into())]);
/// monitor.assert_harmless();
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SimulatedMonitor {
    now: u64,
    /// What came since the last line end.
    partial: Vec<u8>,
    open: Option<Open>,
    bucket: Bucket,
    told: Vec<Notification>,
    /// Suppressed notifications of which nothing was said yet.
    untold: u64,
    suppress: u64,
    lose: u64,
    reads: bool,
}

/// Lines that leave together.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Open {
    since: u64,
    lines: Vec<String>,
}

impl SimulatedMonitor {
    /// One that was just armed, with a full bucket.
    pub fn new() -> Self {
        Self {
            now: 0,
            partial: Vec::new(),
            open: None,
            bucket: Bucket::full(),
            told: Vec::new(),
            untold: 0,
            suppress: 0,
            lose: 0,
            reads: true,
        }
    }

    /// Takes in what arrives on stdout at `at` milliseconds. False where it reads no more: then
    /// the pipe is closed, and none of it was taken in.
    pub fn write(&mut self, at: u64, bytes: impl AsRef<[u8]>) -> bool {
        self.advance(at);
        if !self.reads {
            return false;
        }
        for piece in bytes.as_ref().split_inclusive(|byte| *byte == b'\n') {
            match piece.split_last() {
                Some((b'\n', rest)) => {
                    self.partial.extend_from_slice(rest);
                    self.line();
                }
                _ => self.partial.extend_from_slice(piece),
            }
        }
        true
    }

    /// Lets time pass up to `at` milliseconds.
    pub fn advance(&mut self, at: u64) {
        self.now = self.now.max(at);
        if let Some(due) = self.due()
            && due <= self.now
        {
            self.release(due);
        }
    }

    /// The program ends at `at` milliseconds: what it printed leaves at once, also a line without
    /// its end, and Monitor says that it ended.
    pub fn end(&mut self, at: u64, ending: Ending) {
        self.advance(at);
        if !self.reads {
            return;
        }
        if !self.partial.is_empty() {
            self.line();
        }
        self.release(self.now);
        if self.reads {
            self.reads = false;
            self.tell(self.now, Said::Ended(ending), Fate::Delivered);
        }
    }

    /// Suppresses the next `count` notifications although there is room for them. They are
    /// counted and told as those of an overflow are, but are none.
    pub fn suppress_next(&mut self, count: u64) {
        self.suppress += count;
    }

    /// Loses the next `count` notifications that it would deliver: they are queued, never
    /// delivered, and nobody is told.
    pub fn lose_next(&mut self, count: u64) {
        self.lose += count;
    }

    /// When what it gathers leaves, in milliseconds; none while it has no whole line.
    pub fn due(&self) -> Option<u64> {
        self.open
            .as_ref()
            .map(|open| open.since.saturating_add(TOGETHER))
    }

    /// All that it had to say so far, in order, whatever became of it.
    pub fn notifications(&self) -> &[Notification] {
        &self.told
    }

    /// What the agent got, in order.
    pub fn delivered(&self) -> impl Iterator<Item = &Notification> {
        self.told.iter().filter(|told| told.is_delivered())
    }

    /// What was suppressed, in order.
    pub fn suppressed(&self) -> impl Iterator<Item = &Notification> {
        self.told
            .iter()
            .filter(|told| told.fate() == Fate::Suppressed)
    }

    /// The lines that the agent got, cut as they were.
    pub fn lines(&self) -> Vec<String> {
        let own = self.delivered().filter(|told| !told.written().is_empty());
        own.flat_map(|told| {
            let text = told.text();
            text.split('\n').map(str::to_owned).collect::<Vec<_>>()
        })
        .collect()
    }

    /// Whole lines that have not left yet.
    pub fn gathered(&self) -> &[String] {
        self.open.as_ref().map_or(&[], |open| &open.lines)
    }

    /// What came since the last line end.
    pub fn partial(&self) -> &[u8] {
        &self.partial
    }

    /// Whether it reads what is printed: neither stopped nor at the end.
    pub fn is_reading(&self) -> bool {
        self.reads
    }

    /// When it stopped because of too much output, in milliseconds.
    pub fn stopped(&self) -> Option<u64> {
        let stop = self.told.iter().find(|told| told.said == Said::Stopped);
        stop.map(Notification::at)
    }

    /// Holds that it harmed nothing of what it took in.
    ///
    /// # Panics
    ///
    /// Where it stopped, or something was suppressed, lost or cut.
    #[track_caller]
    pub fn assert_harmless(&self) {
        assert_eq!(self.stopped(), None, "it stopped");
        for told in &self.told {
            let at = told.at();
            assert!(told.is_delivered(), "at {at}: {:?}", told.fate());
            assert_eq!(told.cut(), 0, "lines cut at {at}: {:?}", told.written());
        }
    }

    /// What stands in `partial` is a line.
    fn line(&mut self) {
        let line = String::from_utf8_lossy(&self.partial).into_owned();
        self.partial.clear();
        let now = self.now;
        let open = self.open.get_or_insert_with(|| Open {
            since: now,
            lines: Vec::new(),
        });
        open.lines.push(line);
    }

    /// What was gathered leaves at `at`.
    fn release(&mut self, at: u64) {
        let Some(Open { lines, .. }) = self.open.take() else {
            return;
        };
        let said = Said::Lines(lines);
        if let Some(left) = self.suppress.checked_sub(1) {
            self.suppress = left;
            return self.leave_out(at, said);
        }
        match self.bucket.judge(at) {
            Verdict::Deliver => self.deliver(at, said),
            Verdict::Suppress => self.leave_out(at, said),
            Verdict::Stop => {
                self.leave_out(at, said);
                self.reads = false;
                self.tell(at, Said::Stopped, Fate::Delivered);
            }
        }
    }

    fn deliver(&mut self, at: u64, said: Said) {
        if let Some(left) = self.lose.checked_sub(1) {
            self.lose = left;
            return self.tell(at, said, Fate::Lost);
        }
        let untold = std::mem::take(&mut self.untold);
        if untold > 0 {
            self.tell(at, Said::Suppressed(untold), Fate::Delivered);
        }
        self.tell(at, said, Fate::Delivered);
    }

    fn leave_out(&mut self, at: u64, said: Said) {
        self.untold += 1;
        self.tell(at, said, Fate::Suppressed);
    }

    fn tell(&mut self, at: u64, said: Said, fate: Fate) {
        self.told.push(Notification { at, said, fate });
    }
}

impl Default for SimulatedMonitor {
    fn default() -> Self {
        Self::new()
    }
}
