//! `attend hook`: the one program for every hook of the host.

mod answer;

mod happening;

mod event;

mod shell;

mod guard;

mod seat;

mod page;

mod standing;

mod ways;

mod reply;

mod mail;

mod start;

use std::process::ExitCode;

use self::answer::Answer;
use self::event::{Carrier, Event};
use self::reply::Reply;
use crate::env::Env;
use crate::output::{complain, expect_reader};
use crate::{place, stdin};

/// Answers a hook: mail for the session and guidance, where that event can carry text, and what
/// else the event asks for. It never fails the host, and never holds it up: what cannot be done
/// at once is left.
pub(crate) fn hook(env: &Env) -> ExitCode {
    match answer(env) {
        Ok(code) => code,
        Err(why) => {
            complain(&format!("hook: {why}"));
            ExitCode::SUCCESS
        }
    }
}

fn answer(env: &Env) -> Result<ExitCode, String> {
    let (_, object) = stdin::object("hook")?;
    let event = Event::of(&object)?;
    // Whoever starts the loop, nobody would read its lines; and consent is a person's.
    if let Some(denied) = event.shell_command().and_then(guard::denies) {
        return Answer::denial(denied.reason()).write();
    }
    let own = place::own(env);
    let mut reply = Reply::new(&event, env, &own);
    if event.subagent.is_some() {
        return reply.end();
    }
    if event.is_start() {
        let recorded = start::record(&event.session, env);
        if let Err(why) = recorded {
            complain(&format!("hook: the session is not recorded: {why}"));
        }
    }
    if event.carrier == Carrier::Nothing {
        return reply.end();
    }
    if event.carrier == Carrier::Context {
        // What nobody reads is no showing.
        expect_reader().map_err(|failure| failure.to_string())?;
    }
    let delivered = mail::deliver(&event, (env, &own), &mut reply);
    if let Err(why) = delivered {
        complain(&format!("hook: {why}"));
    }
    reply.end()
}
