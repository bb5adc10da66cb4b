//! `attend chat`: a person's seat in the terminal.

use std::io::{IsTerminal, stdin, stdout};

use attend_core::mail::{Around, SeatInfo};
use attend_core::runtime::StateDir;

use crate::chat::{Colours, Kept, Occupant, Sitting, sit};
use crate::cli::{ChatArgs, ChatColours};
use crate::cmd::peers;
use crate::env::{self, Env};
use crate::mailbox::Mail;
use crate::output::Failure;
use crate::speaker::{self, Speaker};

/// The file in which something is kept from one time to the next.
const KEPT: &str = "chat.json";

/// The most that is kept.
const MOST_KEPT: u64 = 16 << 20;

/// Sits down at the terminal.
pub(crate) fn chat(args: &ChatArgs, env: &Env) -> Result<(), Failure> {
    let mail = Mail::of(env)?;
    let speaker = speaker::find(None, env)?;
    match &speaker {
        Speaker::Person(_) => {}
        Speaker::Agent(_) => {
            return Err(Failure::refused(
                "a chat is a person's seat, and this is a session of an agent, which sends with \
                 attend send and reads with attend inbox; a person opens a terminal of their own",
            ));
        }
        Speaker::Program => return Err(no_terminal()),
    }
    if !stdin().is_terminal() || !stdout().is_terminal() {
        return Err(no_terminal());
    }
    let mailbox = mail.open()?;
    let seated = speaker::seat(&speaker, &mailbox)?;
    let reader = speaker.reader(&seated, &mail);
    let dir = env.state().map(|state| StateDir::open(state.join("chat")));
    let dir = dir.transpose().ok().flatten();
    let kept = dir.as_ref().map(kept).unwrap_or_default();
    let (seed, host) = (mail.around().random(), env.clone());
    let occupants = move |seats: Vec<SeatInfo>| occupants(seats, &host);
    sit(Sitting {
        mailbox,
        seated,
        reader,
        colours: colours(args.colours, env),
        zone: env::time_zone(),
        kept,
        seed,
        occupants: Box::new(occupants),
        keeper: Box::new(move |kept| match &dir {
            Some(dir) => keep(dir, kept),
            None => Ok(()),
        }),
    })
    .map_err(|error| Failure::refused(format!("cannot chat in this terminal: {error}")))
}

fn no_terminal() -> Failure {
    Failure::refused(
        "a chat needs a person at a terminal, at its standard input and output; without one, \
         attend send and attend inbox do the same",
    )
}

/// What was kept the last time; what cannot be understood counts as nothing.
fn kept(dir: &StateDir) -> Kept {
    let bytes = dir.kept(KEPT, MOST_KEPT).ok().flatten();
    let kept = bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok());
    kept.unwrap_or_default()
}

fn keep(dir: &StateDir, kept: &Kept) -> Result<(), String> {
    // Plain data is always JSON.
    let bytes = serde_json::to_vec(kept).unwrap_or_default();
    let kept = dir.keep(KEPT, &bytes);
    kept.map_err(|error| format!("what you write is not kept for the next time: {error}"))
}

fn occupants(seats: Vec<SeatInfo>, env: &Env) -> Vec<Occupant> {
    let known = peers::known(&seats, env);
    let occupant = |(info, (state, context))| Occupant {
        info,
        state,
        context,
    };
    seats.into_iter().zip(known).map(occupant).collect()
}

fn colours(asked: ChatColours, env: &Env) -> Colours {
    match asked {
        ChatColours::Light => Colours::Light,
        ChatColours::None => Colours::None,
        ChatColours::Auto if env.wants_no_colour() => Colours::None,
        ChatColours::Auto if env.is_light() => Colours::Light,
        ChatColours::Auto | ChatColours::Dark => Colours::Dark,
    }
}
