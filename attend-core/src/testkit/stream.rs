//! Commands that run on, and say what a test lets them say.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::sensor::{Child, CommandSpec, Exit, Said, WakeHandle};

/// A command that runs on once a [`ScriptedRunner`](super::ScriptedRunner) was taught it: what it
/// is told to say, all that were started and did not end say.
///
/// Clones are handles to one command.
///
/// ```
/// use attend_core::sensor::{CommandSpec, Event, sensor_sync};
/// use attend_core::testkit::Harness;
///
/// let mut harness = Harness::new();
/// let command = CommandSpec::new("tail").arg("-f");
/// let stream = harness.script().runs_on(command.clone());
/// let (mut child, wake) = (None, harness.build_context().wake());
/// let mut sensor = sensor_sync(move |cx| {
///     let child = match &mut child {
///         Some(child) => child,
///         none => none.insert(cx.start(&command, &wake)?),
///     };
///     for line in child.take().lines {
///         cx.report(Event::new(2.0, String::from_utf8_lossy(&line)));
///     }
///     Ok(())
/// });
/// harness.poll(&mut sensor).assert_quiet();
/// stream.say("a line");
/// assert_eq!(harness.woken(), 1);
/// harness.poll(&mut sensor).assert_texts(&["a line"]);
/// ```
#[derive(Clone, Debug)]
pub struct ScriptedStream(Arc<Mutex<Stream>>);

#[derive(Debug)]
struct Stream {
    command: CommandSpec,
    started: usize,
    living: Vec<Arc<Mutex<Life>>>,
}

#[derive(Debug)]
struct Life {
    said: Said,
    wake: WakeHandle,
}

impl ScriptedStream {
    pub(super) fn new(command: CommandSpec) -> Self {
        Self(Arc::new(Mutex::new(Stream {
            command,
            started: 0,
            living: Vec::new(),
        })))
    }

    /// Says one line.
    pub fn say(&self, line: impl Into<Vec<u8>>) {
        let line = line.into();
        self.each(|said| said.lines.push(line.clone()));
    }

    /// Says `text` on the standard error.
    pub fn complain(&self, text: &str) {
        self.each(|said| said.stderr.extend_from_slice(text.as_bytes()));
    }

    /// Says that so many lines more were said.
    pub fn drop_lines(&self, count: u64) {
        self.each(|said| said.dropped_lines += count);
    }

    /// Ends all that run.
    pub fn end(&self, exit: Exit) {
        self.each(|said| said.ended = Some(exit));
        lock(&self.0).living.clear();
    }

    /// How many were started so far.
    pub fn started(&self) -> usize {
        lock(&self.0).started
    }

    /// How many run: started, not ended and not dropped.
    pub fn running(&self) -> usize {
        let living = &lock(&self.0).living;
        living
            .iter()
            .filter(|life| Arc::strong_count(life) > 1)
            .count()
    }

    pub(super) fn is(&self, other: &CommandSpec) -> bool {
        let command = &lock(&self.0).command;
        command.program() == other.program() && command.arguments() == other.arguments()
    }

    pub(super) fn start(&self, wake: &WakeHandle) -> Box<dyn Child> {
        let life = Arc::new(Mutex::new(Life {
            said: Said::default(),
            wake: wake.clone(),
        }));
        let mut stream = lock(&self.0);
        stream.started += 1;
        stream.living.push(life.clone());
        Box::new(Started(life))
    }

    fn each(&self, mut say: impl FnMut(&mut Said)) {
        for life in &lock(&self.0).living {
            let mut life = lock(life);
            say(&mut life.said);
            life.wake.wake();
        }
    }
}

/// One that was started.
struct Started(Arc<Mutex<Life>>);

impl Child for Started {
    fn take(&mut self) -> Said {
        let said = &mut lock(&self.0).said;
        let (stderr, ended) = (said.stderr.clone(), said.ended);
        let mut taken = std::mem::take(said);
        (said.stderr, said.ended) = (stderr.clone(), ended);
        taken.stderr = stderr;
        taken
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
