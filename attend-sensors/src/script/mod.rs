//! The `script` sensor: a script in any language that says what it sees, line by line.
//!
//! Each line is an event: `magnitude|text`, or a JSON object with `magnitude`, `text`, and `key`
//! and `signal` where it has them. By `lines` the script is run at each look; by `stream` it runs
//! on and is started again, with growing pauses, when it ends.
//!
//! | the script | means |
//! |---|---|
//! | ends with exit code 0 | what it said |
//! | ends with 1 to 9 | what it said, and a warning |
//! | ends otherwise, or takes too long | a failed look: nothing it said counts |
//! | says what is no line | a warning with the line |
//! | says more than 200 lines or 64 KiB | the first of it, and a warning |
//!
//! Its standard input is closed, it runs in the work directory, and nothing that it started
//! outlives it, but for what left its process group and wiped its environment. It may keep
//! something in `$ATTEND_STATE_DIR`.
//!
//! More than eight lines of a look that differ in numbers alone, and have no key, are a flood: where
//! the next look finds such lines again, one standing event says so, until a look finds fewer.
//!
//! What it does not do: remember what was said. A script that says the same at each look says it
//! each time; with a key the later takes the place of the earlier.

mod place;

mod config;
pub use config::{Protocol, ScriptConfig};

mod line;

mod alike;

mod told;

mod pin;
pub use pin::Pin;

mod stream;

use std::path::Path;
use std::time::Duration;

use async_trait::async_trait;
use attend_core::sensor::{
    BuildContext, CommandOutput, CommandSpec, ConfigError, Declares, Exit, PollContext, Roots,
    Sensor, SensorError, SensorName, SensorSpec, WakeHandle,
};

use crate::asking::session_of;
use alike::Alike;
use stream::Stream;
use told::Errors;

/// How long one look may take: more than the longest deadline of a script.
const LOOK: Duration = Duration::from_secs(75);

/// Stands where nothing can be kept: what is written there is lost, and nowhere else.
const NOWHERE: &str = "/dev/null";

impl ScriptConfig {
    /// The same, to be run as a person allowed it by a [`Pin`] of this fingerprint, and otherwise
    /// not at all.
    #[must_use]
    pub fn pinned(mut self, fingerprint: impl Into<String>) -> Self {
        self.pinned = Some(fingerprint.into());
        self
    }
}

impl SensorSpec for ScriptConfig {
    const KIND: &'static str = "script";
    const ABOUT: &'static str = "whatever a script in any language looks at";

    fn check(&self) -> Result<(), ConfigError> {
        self.refuse()
    }

    fn examine(&self, roots: &Roots) -> Result<(), ConfigError> {
        let argv = self
            .argv(roots)
            .map_err(|why| ConfigError::at(self.key(), why))?;
        let missing = argv.first().and_then(|program| place::missing(program));
        missing.map_or(Ok(()), |why| Err(ConfigError::at(self.key(), why)))
    }

    fn build(self, cx: &BuildContext) -> Result<Box<dyn Sensor>, ConfigError> {
        let protocol = self.protocol;
        let script = Script {
            config: self,
            name: cx.name().clone(),
            wake: cx.wake(),
            pin: None,
        };
        Ok(match protocol {
            Protocol::Lines => Box::new(Lines {
                script,
                errors: Errors::default(),
                alike: Alike::default(),
            }),
            Protocol::Stream => Box::new(Stream::new(script)),
        })
    }

    fn deadline() -> Duration {
        LOOK
    }

    fn declares() -> Declares {
        Declares::default()
            .runs_commands()
            .only_with(["script", "command"])
    }

    #[cfg(feature = "schema")]
    fn schema() -> attend_core::sensor::Schema {
        attend_core::sensor::Schema::of::<Self>()
    }
}

/// What is run, whatever the protocol.
#[derive(Debug)]
struct Script {
    config: ScriptConfig,
    name: SensorName,
    wake: WakeHandle,
    /// What was found to be as it was allowed.
    pin: Option<Pin>,
}

impl Script {
    /// Makes sure that what would be run is what a person allowed, where that is needed.
    fn permit(&mut self, roots: &Roots) -> Result<(), SensorError> {
        let Some(allowed) = &self.config.pinned else {
            return Ok(());
        };
        if self.pin.as_ref().is_some_and(|pin| pin.is_fresh(roots)) {
            return Ok(());
        }
        self.pin = None;
        let pin = Pin::of(&self.name, &self.config, roots).map_err(SensorError::transient)?;
        if pin.fingerprint != *allowed {
            return Err(SensorError::unavailable(
                "it is no longer what was allowed, and not run; a person can allow it again, at a \
                 terminal: attend config trust",
            ));
        }
        self.pin = Some(pin);
        Ok(())
    }

    /// The command, with what it is told of its surroundings.
    async fn command(&self, cx: &mut PollContext) -> Result<CommandSpec, SensorError> {
        let argv = self
            .config
            .argv(cx.roots())
            .map_err(SensorError::unavailable)?;
        let Some((program, rest)) = argv.split_first() else {
            return Err(SensorError::misconfigured("there is nothing to run"));
        };
        if let Some(why) = place::missing(program) {
            return Err(SensorError::transient(why));
        }
        let session = session_of(cx).await;
        let session = session.as_ref().and_then(|session| session.id());
        let memory = match place::memory(cx.roots(), &self.name) {
            Ok(memory) => memory,
            Err(error) => {
                cx.warn(SensorError::transient(format!(
                    "it cannot keep anything: {error}"
                )));
                None
            }
        };
        let memory = memory.as_deref().unwrap_or(Path::new(NOWHERE));
        Ok(CommandSpec::new(program)
            .args(rest)
            .env("ATTEND_PROJECT", cx.project().root())
            .env("ATTEND_SESSION", session.unwrap_or_default())
            .env("ATTEND_STATE_DIR", memory)
            .deadline(Duration::from_secs(self.config.deadline))
            .keep(told::MOST_BYTES)
            .keep_of_line(line::MOST_BYTES + 1)
            .keep_last_errors()
            .guarded())
    }
}

/// A script that is run at each look.
#[derive(Debug)]
struct Lines {
    script: Script,
    errors: Errors,
    alike: Alike,
}

#[async_trait]
impl Sensor for Lines {
    async fn poll(&mut self, cx: &mut PollContext) -> Result<(), SensorError> {
        self.script.permit(cx.roots())?;
        let command = self.script.command(cx).await?;
        let output = cx.run(&command).await;
        if let Ok(output) = &output {
            self.errors.add(&output.stderr);
        }
        self.errors.tell(cx);
        let output = output?;
        match output.exit {
            Exit::Code(0) => {}
            Exit::Code(1..=9) => {
                let how = told::ended(output.exit, &output.stderr);
                cx.warn(SensorError::transient(format!("the script {how}")));
            }
            exit => {
                let how = told::ended(exit, &output.stderr);
                return Err(SensorError::transient(format!("the script {how}")));
            }
        }
        told::report(
            cx,
            whole_lines(&output),
            output.dropped_lines,
            &mut self.alike,
        );
        Ok(())
    }
}

/// The lines of an output, but for one at its end that was cut off and is counted as dropped.
fn whole_lines(output: &CommandOutput) -> impl Iterator<Item = &[u8]> {
    let stdout = output.stdout.as_slice();
    let whole = if output.dropped_lines > 0 && !stdout.ends_with(b"\n") {
        let end = stdout.iter().rposition(|byte| *byte == b'\n');
        end.and_then(|end| stdout.get(..end)).unwrap_or_default()
    } else {
        stdout.strip_suffix(b"\n").unwrap_or(stdout)
    };
    whole.split(|byte| *byte == b'\n')
}
