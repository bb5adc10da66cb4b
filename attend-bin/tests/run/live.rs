//! A process that runs beside the test: its lines as they come, and its end.

use std::fmt::Debug;
use std::io::{self, PipeReader, Read};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, Signal, kill_process};

use crate::delivered::Delivered;

/// How long anything may take on a busy machine.
pub(crate) const PATIENCE: Duration = Duration::from_mins(1);

/// A process that is killed at the end of the test, if it still runs then.
pub(crate) struct Live {
    child: Child,
    out: Option<Out>,
    err: Stream,
}

/// Who reads its lines.
enum Out {
    Test(Stream),
    Monitor(Delivered),
}

/// One end of a pipe, read up to a deadline.
struct Stream {
    pipe: PipeReader,
    read: Vec<u8>,
    ended: bool,
}

impl Live {
    /// Starts `command` with pipes for what it says.
    pub(crate) fn start(command: &mut Command) -> Self {
        let (reader, writer) = io::pipe().expect("a pipe");
        let mut live = Self::start_on(command, writer.into());
        live.out = Some(Out::Test(Stream::of(reader)));
        live
    }

    /// Starts `command` under Monitor: its lines are what that delivers of them.
    pub(crate) fn monitored(command: &mut Command) -> Self {
        let (delivered, out) = Delivered::new();
        let mut live = Self::start_on(command, out);
        live.out = Some(Out::Monitor(delivered));
        live
    }

    /// Starts `command` with its lines going to `out`.
    pub(crate) fn start_on(command: &mut Command, out: Stdio) -> Self {
        let (reader, writer) = io::pipe().expect("a pipe");
        command.stdin(Stdio::null()).stdout(out).stderr(writer);
        let child = command.spawn().expect("it starts");
        // The command keeps the ends that it gave to its child.
        command.stdout(Stdio::null()).stderr(Stdio::null());
        let err = Stream::of(reader);
        Self {
            child,
            out: None,
            err,
        }
    }

    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// The next line.
    #[track_caller]
    pub(crate) fn line(&mut self) -> String {
        match self.line_within(PATIENCE) {
            Some(line) => line,
            None => panic!("no line came; on stderr: {}", self.errors_so_far()),
        }
    }

    /// The next line, where one comes within `time`; none at the end of its output, too.
    pub(crate) fn line_within(&mut self, time: Duration) -> Option<String> {
        self.out.as_mut().expect("an open pipe").line_within(time)
    }

    /// What Monitor delivers of it.
    #[track_caller]
    pub(crate) fn delivered(&mut self) -> &mut Delivered {
        match &mut self.out {
            Some(Out::Monitor(delivered)) => delivered,
            _ => panic!("it is under no Monitor"),
        }
    }

    /// Holds that Monitor delivered all that was `sent`, once each and in sequence, and no other
    /// message.
    #[track_caller]
    pub(crate) fn assert_told<I: AsRef<str> + Debug>(&mut self, sent: &[I]) {
        self.delivered().assert_told(sent);
    }

    /// The next line on stderr.
    #[track_caller]
    pub(crate) fn error(&mut self) -> String {
        self.err
            .line(Instant::now() + PATIENCE)
            .expect("a line on stderr")
    }

    /// What it said on stderr since that was asked for.
    pub(crate) fn errors_so_far(&mut self) -> String {
        self.err.fill_until(Instant::now(), |_| false);
        self.err.take()
    }

    /// Nobody reads its lines any more.
    pub(crate) fn close(&mut self) {
        self.out = None;
    }

    pub(crate) fn signal(&self, signal: Signal) {
        let pid = i32::try_from(self.pid()).ok().and_then(Pid::from_raw);
        kill_process(pid.expect("a process"), signal).expect("it runs");
    }

    /// Waits for its end. Returns its exit code, the lines that were not read, and what it said
    /// on stderr.
    #[track_caller]
    pub(crate) fn ended(mut self) -> (Option<i32>, Vec<String>, String) {
        let mut lines = Vec::new();
        while let Some(out) = &mut self.out
            && let Some(line) = out.line_within(PATIENCE)
        {
            lines.push(line);
        }
        let (code, errors) = self.silent_end();
        (code, lines, errors)
    }

    /// The same, for one whose lines go elsewhere.
    #[track_caller]
    pub(crate) fn silent_end(mut self) -> (Option<i32>, String) {
        let until = Instant::now() + PATIENCE;
        let ended = self.err.fill_until(until, |_| false);
        let errors = self.err.take();
        assert!(ended, "it goes on: {errors}");
        let status = self.child.wait().expect("it can be waited for");
        (status.code(), errors)
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Out {
    fn line_within(&mut self, time: Duration) -> Option<String> {
        match self {
            Self::Test(stream) => stream.line(Instant::now() + time),
            Self::Monitor(delivered) => delivered.line_within(time),
        }
    }
}

impl Stream {
    fn of(pipe: PipeReader) -> Self {
        Self {
            pipe,
            read: Vec::new(),
            ended: false,
        }
    }

    fn line(&mut self, until: Instant) -> Option<String> {
        self.fill_until(until, |read| read.contains(&b'\n'));
        let end = self.read.iter().position(|byte| *byte == b'\n')?;
        let rest = self.read.split_off(end + 1);
        let mut line = std::mem::replace(&mut self.read, rest);
        line.pop();
        Some(String::from_utf8(line).expect("attend writes UTF-8"))
    }

    /// Reads until there is `enough`, the pipe ends, or `until`. Tells whether it ended.
    fn fill_until(&mut self, until: Instant, enough: impl Fn(&[u8]) -> bool) -> bool {
        while !self.ended && !enough(&self.read) {
            let left = until.saturating_duration_since(Instant::now());
            let left = Timespec::try_from(left).expect("a short time");
            let mut asked = [PollFd::new(&self.pipe, PollFlags::IN)];
            if poll(&mut asked, Some(&left)).expect("the pipe can be waited for") == 0 {
                break;
            }
            let mut chunk = [0; 4_096];
            let read = self.pipe.read(&mut chunk).expect("the pipe can be read");
            self.ended = read == 0;
            self.read.extend_from_slice(&chunk[..read]);
        }
        self.ended
    }

    fn take(&mut self) -> String {
        String::from_utf8_lossy(&std::mem::take(&mut self.read)).into_owned()
    }
}

/// Waits until `holds`, looking again and again.
#[track_caller]
pub(crate) fn eventually(what: &str, mut holds: impl FnMut() -> bool) {
    let (_never, pause) = channel::<()>();
    let until = Instant::now() + PATIENCE;
    while !holds() {
        assert!(Instant::now() < until, "{what}");
        let _ = pause.recv_timeout(Duration::from_millis(20));
    }
}

/// Says that a test was left out, past the capture of test output: never in silence.
pub(crate) fn left_out(name: &str, why: &str) {
    use std::io::Write;
    let _ = writeln!(io::stderr(), "run: {name}: left out, {why}");
}
