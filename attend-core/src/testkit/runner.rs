//! A runner that starts nothing and answers only what it was taught.

use std::collections::VecDeque;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;

use super::stream::ScriptedStream;
use crate::sensor::{Child, CommandOutput, CommandSpec, Runner, SensorError, WakeHandle};

/// A [`Runner`] with prepared answers.
///
/// A command is known by its program, arguments and directory; environment, deadline and bound
/// on output are ignored. Naming the work directory is the same as naming none. Several answers
/// to one command are given in the order in which they were taught, and the last one stays. A
/// command that was never taught fails, with an error that quotes it. Clones are handles to one
/// runner.
///
/// ```
/// use std::path::Path;
/// use attend_core::sensor::{CommandOutput, CommandSpec, Runner};
/// use attend_core::testkit::ScriptedRunner;
///
/// let runner = ScriptedRunner::new();
/// let branch = CommandSpec::new("git").args(["branch", "--show-current"]);
/// runner.answer(branch.clone(), CommandOutput::exited(0, "main\n"));
///
/// # futures::executor::block_on(async {
/// let work = Path::new("/work");
/// assert_eq!(runner.run(&branch, work).await?.stdout, b"main\n");
/// let error = runner.run(&CommandSpec::new("git").arg("push"), work).await.unwrap_err();
/// assert_eq!(error.to_string(), "the scripted runner was not taught `git push`; it knows: `git branch --show-current`");
/// # Ok::<(), attend_core::sensor::SensorError>(()) }).unwrap();
/// ```
#[derive(Clone, Debug, Default)]
pub struct ScriptedRunner(Arc<Mutex<Script>>);

type Answer = Result<CommandOutput, SensorError>;

#[derive(Debug, Default)]
struct Script {
    taught: Vec<Taught>,
    streams: Vec<ScriptedStream>,
    ran: Vec<CommandSpec>,
}

#[derive(Debug)]
struct Taught {
    command: CommandSpec,
    next: VecDeque<Answer>,
    /// What was given last, and is given again while nothing follows.
    last: Option<Answer>,
}

impl ScriptedRunner {
    /// A runner that was taught nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// Teaches it what `command` outputs: the first time, or after the answers taught before.
    pub fn answer(&self, command: CommandSpec, output: CommandOutput) {
        self.teach(command, Ok(output));
    }

    /// Teaches it that `command` fails: the first time, or after the answers taught before.
    pub fn fail(&self, command: CommandSpec, error: SensorError) {
        self.teach(command, Err(error));
    }

    /// Teaches it that `command` runs on: what it says, its handle says.
    pub fn runs_on(&self, command: CommandSpec) -> ScriptedStream {
        let stream = ScriptedStream::new(command);
        self.script().streams.push(stream.clone());
        stream
    }

    /// The commands that were run, taught or not, oldest first.
    pub fn ran(&self) -> Vec<CommandSpec> {
        self.script().ran.clone()
    }

    fn teach(&self, command: CommandSpec, answer: Answer) {
        let mut script = self.script();
        let known = script.taught.iter_mut().find(|taught| {
            same(&taught.command, &command) && taught.command.directory() == command.directory()
        });
        if let Some(known) = known {
            known.next.push_back(answer);
        } else {
            script.taught.push(Taught {
                command,
                next: VecDeque::from([answer]),
                last: None,
            });
        }
    }

    fn script(&self) -> MutexGuard<'_, Script> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl Runner for ScriptedRunner {
    async fn run(&self, command: &CommandSpec, cwd: &Path) -> Answer {
        let mut script = self.script();
        script.ran.push(command.clone());
        let directory = |command: &CommandSpec| command.directory().unwrap_or(cwd).to_owned();
        let known = script.taught.iter_mut().find(|taught| {
            same(&taught.command, command) && directory(&taught.command) == directory(command)
        });
        match known {
            Some(taught) => taught.give(),
            None => Err(script.unknown(command)),
        }
    }

    fn start(
        &self,
        command: &CommandSpec,
        _cwd: &Path,
        wake: &WakeHandle,
    ) -> Result<Box<dyn Child>, SensorError> {
        let mut script = self.script();
        script.ran.push(command.clone());
        let stream = script.streams.iter().find(|stream| stream.is(command));
        match stream {
            Some(stream) => Ok(stream.start(wake)),
            None => Err(script.unknown(command)),
        }
    }
}

impl Taught {
    fn give(&mut self) -> Answer {
        self.last = self.next.pop_front().or(self.last.take());
        self.last
            .clone()
            .unwrap_or_else(|| Err(SensorError::transient("taught without an answer")))
    }
}

impl Script {
    fn unknown(&self, command: &CommandSpec) -> SensorError {
        let known: Vec<String> = self
            .taught
            .iter()
            .map(|taught| quoted(&taught.command))
            .collect();
        let known = if known.is_empty() {
            "nothing".to_owned()
        } else {
            known.join(", ")
        };
        SensorError::transient(format!(
            "the scripted runner was not taught {}; it knows: {known}",
            quoted(command)
        ))
    }
}

fn same(one: &CommandSpec, other: &CommandSpec) -> bool {
    one.program() == other.program() && one.arguments() == other.arguments()
}

/// The command between backticks, and where it runs.
fn quoted(command: &CommandSpec) -> String {
    match command.directory() {
        Some(directory) => format!("`{command}` in {}", directory.display()),
        None => format!("`{command}`"),
    }
}
