//! `attend mute` and `attend unmute`: what a seat wants to hear nothing of for a while.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::time::SystemTime;

use attend_core::attention::sanitise;
use attend_core::mail::{
    Answer, Change, Changed, Clock, MailboxExt, Muted, Query, Quiet, RoomName, SeatId, age, closest,
};
use attend_core::runtime::config::Span;
use futures::executor::block_on;
use serde::Serialize;

use crate::cli::{MuteArgs, UnmuteArgs, What};
use crate::env::Env;
use crate::mailbox::{Mail, Open, ask, unfit};
use crate::output::{Failure, print, print_json};
use crate::speaker::{self, Speaker};
use crate::{moment, place};

/// The mutes, as they are printed.
#[derive(Serialize, Debug)]
struct Listed {
    mutes: Vec<Mute>,
}

#[derive(Serialize, Debug)]
struct Mute {
    kind: &'static str,
    /// A room without its `#`.
    name: String,
    /// None, where it ends when it is taken back.
    until: Option<String>,
    /// Seconds until then.
    left: Option<u64>,
}

/// Mutes something, or lists what is muted.
pub(crate) fn mute(args: &MuteArgs, env: &Env) -> Result<(), Failure> {
    if let Some(behind) = &args.behind {
        return Err(Failure::usage(format!(
            "`{behind}` says nothing here; for how long is said with --for, such as --for 1h, and \
             one name is muted at a time"
        )));
    }
    let mail = Mail::of(env)?;
    let speaker = speaker::find(None, env)?;
    let Some(what) = &args.what else {
        let (mailbox, seated) = speaker::reading(&speaker, &mail)?;
        let mutes = block_on(mailbox.mutes(seated.seat))?;
        return list(&mutes, mail.around().wall(), args.json);
    };
    let mailbox = mail.open()?;
    let seat = speaker::seat(&speaker, &mailbox)?.seat;
    let what = meant(what, &Known::of(&speaker, (&mailbox, seat), env)?)?;
    let now = mail.around().wall();
    if args.during.is_some_and(|span| span.is_zero()) {
        return Err(Failure::refused(
            "a mute of no time mutes nothing; say for how long: --for 1h",
        ));
    }
    let until = args.during.map(|span| now + span);
    let muted = Muted::new(what.clone(), until);
    block_on(mailbox.change(&Change::Mute { seat, muted }))?;
    if args.json {
        return list(&block_on(mailbox.mutes(seat))?, now, true);
    }
    let end = match args.during {
        Some(span) => format!("for {}", Span::of_seconds(span.as_secs())),
        None => format!("until: {}", unmuting(&what)),
    };
    let later = match &what {
        Quiet::Room(_) => {
            "; what is said there is counted in one line afterwards, and mail to you comes as ever"
        }
        _ => "",
    };
    print(&format!("muted {} {end}{later}\n", told(&what)))
}

/// Ends one mute, or all of them.
pub(crate) fn unmute(args: &UnmuteArgs, env: &Env) -> Result<(), Failure> {
    let mail = Mail::of(env)?;
    let speaker = speaker::find(None, env)?;
    let mailbox = mail.open()?;
    let seat = speaker::seat(&speaker, &mailbox)?.seat;
    let what = match &args.what {
        None => None,
        Some(what) => Some(match among(what, &block_on(mailbox.mutes(seat))?) {
            Some(muted) => muted,
            None => meant(what, &Known::of(&speaker, (&mailbox, seat), env)?)?,
        }),
    };
    let change = Change::Unmute {
        seat,
        what: what.clone(),
    };
    let ended = match block_on(mailbox.change(&change))? {
        Changed::Unmuted(ended) => ended,
        other => return Err(odd(&other)),
    };
    if args.json {
        let left = block_on(mailbox.mutes(seat))?;
        return list(&left, mail.around().wall(), true);
    }
    let names: Vec<String> = ended.iter().map(|muted| told(&muted.what)).collect();
    print(&match (what, names.as_slice()) {
        (None, []) => "nothing is muted\n".to_owned(),
        (Some(what), []) => format!("{} is not muted\n", told(&what)),
        (_, names) => format!("unmuted {}\n", names.join(", ")),
    })
}

/// A store that did something else than it was asked breaks its contract.
fn odd(changed: &Changed) -> Failure {
    let _ = changed;
    Failure::refused("the mailbox did something of another kind; that is a defect of attend")
}

/// What can be muted here.
struct Known {
    sensors: BTreeSet<String>,
    signals: BTreeSet<String>,
    rooms: BTreeSet<RoomName>,
}

impl Known {
    /// The sensors that the project configures, the signals that any sensor declares, and the
    /// rooms of the seat.
    fn of(speaker: &Speaker, (mailbox, seat): (&Open, SeatId), env: &Env) -> Result<Self, Failure> {
        let root = match speaker {
            Speaker::Agent(agent) => place::of_session(&agent.info)?,
            _ => place::project(None)?,
        };
        let mut reader = place::config(&root, env);
        let config = reader.read();
        let kinds = reader.registry().kinds();
        let signals = kinds.flat_map(|kind| kind.declares().signals.iter());
        let rooms = match ask(mailbox, &Query::Rooms(Some(seat)))? {
            Answer::Rooms(rooms) => rooms,
            other => return Err(unfit(&other)),
        };
        let rooms = rooms.into_iter().filter(|room| room.joined);
        Ok(Self {
            sensors: config
                .sensors
                .iter()
                .map(|sensor| sensor.name.to_string())
                .collect(),
            signals: signals.map(|(signal, _)| signal.to_string()).collect(),
            rooms: rooms.map(|room| room.name).collect(),
        })
    }

    /// What `name` may have meant, as it is typed.
    fn near(&self, name: &str) -> Vec<String> {
        let names = self.sensors.iter().chain(&self.signals);
        let mut near = closest(name, names.map(String::as_str));
        let near_rooms = closest(name, self.rooms.iter().map(RoomName::as_str));
        near.extend(near_rooms.into_iter().map(|room| format!("'#{room}'")));
        near
    }
}

/// What somebody who typed `what` means: a sensor before a signal of the same name.
fn meant(what: &What, known: &Known) -> Result<Quiet, Failure> {
    let name = match what {
        // Whether the seat is in it the mailbox says.
        What::Room(room) => return Ok(Quiet::Room(room.clone())),
        What::Name(name) => name,
    };
    if known.sensors.contains(name) && name != "messages" {
        return Ok(Quiet::Sensor(name.clone()));
    }
    if known.signals.contains(name) {
        return Ok(Quiet::Signal(name.clone()));
    }
    if name == "messages" {
        return Err(Failure::refused(
            "messages cannot be muted, only a room of yours: attend mute '#deploy'; mail to you \
             comes as ever",
        ));
    }
    let hint = match known.near(name).as_slice() {
        [] => {
            let list = |names: &BTreeSet<String>| -> String {
                let names: Vec<&str> = names.iter().map(String::as_str).collect();
                names.join(", ")
            };
            let (sensors, signals) = (list(&known.sensors), list(&known.signals));
            format!("; sensors: {sensors}; signals: {signals}; a room is written '#room'")
        }
        [one] => format!(", did you mean {one}?"),
        several => format!(", did you mean one of {}?", several.join(", ")),
    };
    Err(Failure::refused(format!(
        "there is no sensor and no signal {name}{hint}"
    )))
}

/// What is muted under the name that somebody typed, also where nothing declares it any more.
fn among(what: &What, mutes: &[Muted]) -> Option<Quiet> {
    let is_meant = |muted: &&Muted| match (what, &muted.what) {
        (What::Room(room), Quiet::Room(of)) => room == of,
        (What::Name(name), Quiet::Sensor(of) | Quiet::Signal(of)) => name == of,
        _ => false,
    };
    mutes.iter().find(is_meant).map(|muted| muted.what.clone())
}

fn list(mutes: &[Muted], now: SystemTime, is_json: bool) -> Result<(), Failure> {
    if is_json {
        return print_json(&Listed {
            mutes: mutes.iter().map(|muted| Mute::of(muted, now)).collect(),
        });
    }
    let mut text = String::new();
    for muted in mutes {
        let end = match left(muted, now) {
            Some(left) => format!("for {} more", age(std::time::Duration::from_secs(left))),
            None => format!("until: {}", unmuting(&muted.what)),
        };
        let _ = writeln!(text, "{} {end}", told(&muted.what));
    }
    if mutes.is_empty() {
        text.push_str("nothing is muted\n");
    }
    print(&text)
}

impl Mute {
    fn of(muted: &Muted, now: SystemTime) -> Self {
        let (kind, name) = match &muted.what {
            Quiet::Sensor(name) => ("sensor", name.clone()),
            Quiet::Signal(name) => ("signal", name.clone()),
            Quiet::Room(room) => ("room", room.as_str().to_owned()),
            other => ("unknown", format!("{other:?}")),
        };
        Self {
            kind,
            name,
            until: muted.until.map(moment::stamp),
            left: left(muted, now),
        }
    }
}

/// Seconds until a mute ends, if it ends by itself.
fn left(muted: &Muted, now: SystemTime) -> Option<u64> {
    let until = muted.until?;
    Some(until.duration_since(now).unwrap_or_default().as_secs())
}

fn told(what: &Quiet) -> String {
    match what {
        Quiet::Sensor(name) => sanitise(name),
        Quiet::Signal(name) => format!("signal {}", sanitise(name)),
        Quiet::Room(room) => room.to_string(),
        other => format!("{other:?}"),
    }
}

/// The command that takes a mute back.
fn unmuting(what: &Quiet) -> String {
    match what {
        Quiet::Room(room) => format!("attend unmute '{room}'"),
        Quiet::Sensor(name) | Quiet::Signal(name) => format!("attend unmute {}", sanitise(name)),
        _ => "attend unmute".to_owned(),
    }
}
