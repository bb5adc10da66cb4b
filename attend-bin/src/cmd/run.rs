//! `attend run`: the loop.

use std::time::Duration;

use attend_core::runtime::system::{Output, reader_is_gone};
use attend_core::runtime::{Ended, Recording, RecordingError, Saved, StateDir, StatePlace};
use attend_core::sensor::{Identity, SessionInfo};
use attend_sensors::host::claude_code::{ClaudeCode, HookRecord};

use crate::cli::RunArgs;
use crate::delivery::{self, Found};
use crate::env::Env;
use crate::output::{Failure, complain, print};
use crate::way::WayIn;
use crate::{compose, place, session};

/// How often a host is asked for its session while it has not said it.
const AGAIN: Duration = Duration::from_millis(500);

/// After how many times that is said: 30 s.
const PATIENCE: u32 = 60;

/// Watches until it is ended, or looks once.
pub(crate) fn run(args: &RunArgs, env: &Env) -> Result<(), Failure> {
    // Before anything is waited for, or taken over.
    let output = Output::stdout()
        .map_err(|error| Failure::refused(format!("cannot use standard output: {error}")))?;
    let host = session::host(args.session.as_deref(), env);
    let Some(info) = settled(&host)? else {
        return Ok(());
    };
    if let Some(doubt) = session::check(&info, env)? {
        complain(&doubt);
    }
    let mut driver = match &info.identity {
        Identity::Known { id, .. } => {
            let root = match &args.project {
                Some(project) => place::project(Some(project))?,
                None => place::of_session(&info)?,
            };
            let state = place::session_state(id, env);
            if let Some(state) = &state {
                take_over(state, &info, env);
            }
            let mut none = None;
            let mail = match delivery::find(id, &info, args.once, env)? {
                Found::Mail(mail) => Some(*mail),
                Found::None(why) => {
                    none = why;
                    None
                }
                Found::Taken(why) if args.rearm => return print(&format!("[attend] {why}\n")),
                Found::Taken(why) => return Err(Failure::refused(why)),
            };
            if let Some(state) = state.as_ref().filter(|_| !args.once) {
                WayIn::own(env).note(state);
            }
            let driver = compose::driver(&root, state, Some((host, &info)), mail, env);
            match none {
                Some(why) => driver.notice(format!(
                    "no mail is shown: {why}; then start attend run again"
                )),
                None => driver,
            }
        }
        Identity::NoHost => {
            let root = place::project(args.project.as_deref())?;
            compose::driver(&root, place::state(&root, env), None, None, env)
        }
        other => return Err(Failure::refused(session::why_not(other))),
    };
    if args.rearm {
        driver = driver.rearmed();
    }
    if let Some(file) = &args.record {
        let recording = Recording::create(file).map_err(|error| unrecorded(&error))?;
        driver = driver.record(recording);
    }
    let driver = driver
        .output(output)
        .build()
        .map_err(|error| Failure::of(&error))?;
    let ended = if args.once {
        driver.once()
    } else {
        driver.run()
    };
    match ended.map_err(|error| Failure::of(&error))? {
        Ended::Displaced => Err(Failure::refused(
            "ended: the seat of this session is held by another, or the session is over",
        )),
        Ended::Stalled => Err(Failure::refused(
            "ended: nobody read for 30 s, so what was to be shown is left to the next loop",
        )),
        _ => Ok(()),
    }
}

/// Why nothing is recorded, and what to do.
fn unrecorded(error: &RecordingError) -> Failure {
    let advice = if error.is_there() {
        "; name another file, or remove this one first"
    } else {
        ""
    };
    Failure::refused(format!("{error}{advice}"))
}

/// What the host says of the session once it says which it is; until then this waits, without a
/// word. None where nobody reads the output any more.
fn settled(host: &ClaudeCode) -> Result<Option<SessionInfo>, Failure> {
    for round in 0_u32.. {
        let info = session::look(host)?;
        if info.identity != Identity::Waiting {
            return Ok(Some(info));
        }
        if round == PATIENCE {
            let pid = info.process.map(|host| host.pid.to_string());
            complain(&format!(
                "still waiting for the host (process {}) to record which session this is",
                pid.unwrap_or_default()
            ));
        }
        if reader_is_gone(AGAIN) {
            return Ok(None);
        }
    }
    Ok(None)
}

/// Takes over what the loop of the session before remembered, where the host's process went on
/// to a new session, as after `/clear`.
fn take_over(state: &StatePlace, info: &SessionInfo, env: &Env) {
    let Some(process) = &info.process else { return };
    let Some(root) = env.state() else { return };
    let record = session::told_by_hook(process.pid, env);
    let fits = |record: &HookRecord| process.started.as_ref() == Some(&record.proc_start);
    let Some(previous) = record.filter(fits).and_then(|record| record.previous) else {
        return;
    };
    let moved = || {
        let (Some(before), here) = (
            StateDir::existing(root.join("sessions").join(previous))?,
            StateDir::open(state.clone())?,
        ) else {
            return Ok(());
        };
        match (Saved::peek(&here)?, Saved::peek(&before)?) {
            (None, Some(saved)) => saved.store(&here),
            _ => Ok(()),
        }
    };
    if let Err(error) = moved() {
        let error: attend_core::runtime::StateError = error;
        complain(&format!(
            "what the session before remembered is not taken over: {error}"
        ));
    }
}
