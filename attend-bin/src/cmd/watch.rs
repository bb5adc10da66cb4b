//! `attend watch`: runs a command, and tells the sensors how it began and how it ended.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use attend_core::runtime::StateDir;
use attend_core::runtime::system::{Attached, SystemClock};
use attend_core::sensor::{Clock, Exit};
use attend_sensors::process::{WatchEnd, WatchRecord, surplus};

use crate::cli::WatchArgs;
use crate::env::{self, Env};
use crate::output::complain;
use crate::place::ADVICE;

/// What a shell answers where there is no such program, and where it cannot be run.
const NOT_FOUND: u8 = 127;
const NOT_RUN: u8 = 126;

/// What it adds to the number of the signal that ended a program.
const SIGNALLED: i32 = 128;

/// Runs the command to its end, and ends with its code. That the sensors cannot be told is said,
/// and keeps nothing from being run; without `env` nobody is told.
pub(crate) fn watch(args: &WatchArgs, env: Option<&Env>) -> ExitCode {
    let Some((program, words)) = args.command.split_first() else {
        return ExitCode::from(NOT_RUN);
    };
    let told = env.map(|env| Told::begin(program, words, env));
    let told = told.and_then(|told| told.map_err(|why| untold(&why)).ok());
    let began = SystemClock.boot();
    let attached = match Attached::start(program, words) {
        Ok(attached) => attached,
        Err(error) => {
            complain(&format!(
                "cannot run {}: {error}",
                program.to_string_lossy()
            ));
            let code = if error.kind() == io::ErrorKind::NotFound {
                NOT_FOUND
            } else {
                NOT_RUN
            };
            end(told, Exit::Code(i32::from(code)), Duration::ZERO);
            return ExitCode::from(code);
        }
    };
    match attached.wait() {
        Ok(exit) => {
            end(told, exit, SystemClock.boot().saturating_sub(began));
            ExitCode::from(code(exit))
        }
        Err(error) => {
            complain(&format!(
                "how {} ended is not known: {error}",
                program.to_string_lossy()
            ));
            ExitCode::FAILURE
        }
    }
}

/// The code that a shell gives for `exit`.
fn code(exit: Exit) -> u8 {
    let code = match exit {
        Exit::Code(code) => code,
        Exit::Signal(signal) => SIGNALLED + signal,
        _ => 1,
    };
    u8::try_from(code & 0xff).unwrap_or(u8::MAX)
}

fn end(told: Option<Told>, exit: Exit, took: Duration) {
    if let Some(told) = told
        && let Err(why) = told.end(exit, took)
    {
        untold(&why);
    }
}

fn untold(why: &str) {
    complain(&format!("the sensors are not told: {why}; {ADVICE}"));
}

/// What the sensors are told.
struct Told {
    state: StateDir,
    record: WatchRecord,
}

impl Told {
    fn begin(program: &OsStr, words: &[OsString], env: &Env) -> Result<Self, String> {
        let cwd =
            env::directory(None).map_err(|error| format!("the directory is gone: {error}"))?;
        let place = env
            .state()
            .ok_or("neither ATTEND_HOME nor HOME names a directory")?;
        let place = place.join(WatchRecord::directory());
        let state = StateDir::open(place).map_err(|error| error.to_string())?;
        let words: Vec<_> = words.iter().map(|word| word.to_string_lossy()).collect();
        let words: Vec<&str> = words.iter().map(AsRef::as_ref).collect();
        let now = SystemClock.wall();
        let record = WatchRecord::new(std::process::id(), cwd, &program.to_string_lossy(), &words);
        let record = record.begun(now).found_in(Path::new("/proc"));
        let told = Self { state, record };
        told.keep()?;
        for old in surplus(told.state.path(), now) {
            // What cannot be removed is left to the next one.
            let _ = fs::remove_file(old);
        }
        Ok(told)
    }

    fn end(mut self, exit: Exit, took: Duration) -> Result<(), String> {
        self.record.ended = Some(WatchEnd::new(exit, took));
        self.keep()
    }

    fn keep(&self) -> Result<(), String> {
        let (name, json) = (self.record.file_name(), self.record.to_json());
        let kept = self.state.keep(&name, json.as_bytes());
        kept.map_err(|error| error.to_string())
    }
}
