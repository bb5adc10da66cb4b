//! `attend status`: what a running attend holds back, why, and until when.

mod lanes;

use std::fmt::Write as _;
use std::path::Path;
use std::time::UNIX_EPOCH;

use attend_core::attention::{Attention, Entry, Held, Reason, Verdict, sanitise};
use attend_core::dynamics::Tick;
use attend_core::mail::{Answer, MailboxExt, Presence, Query, SeatInfo};
use attend_core::runtime::system::SystemClock;
use attend_core::runtime::{Condition, Saved, SensorHealth, StateDir};
use attend_core::sensor::Clock;
use futures::executor::block_on;
use serde::Serialize;

use self::lanes::{Budget, Lanes};
use crate::cli::StatusArgs;
use crate::env::Env;
use crate::mailbox::{Mail, ask};
use crate::output::{Failure, print, print_json};
use crate::receipt::presence_name;
use crate::{place, span, tree};

/// The state of one loop, as it is printed.
#[derive(Serialize, Debug)]
struct Status {
    project: String,
    /// The process of the loop, where one runs.
    pid: Option<u32>,
    /// Seconds since its state was last written down.
    age: u64,
    sensors: Vec<Sensor>,
    /// Seconds until the governor admits another notification; 0 where it does now.
    governor_ready_in: u64,
    lanes: Lanes,
    /// None where the loop never wrote down what is left of it.
    budget: Option<Budget>,
    notices: Vec<String>,
    /// Why the loop shows no mail; none where it does, or does not run.
    mail_off: Option<String>,
    /// The seats in this work tree; none where nobody has mail yet, or it cannot be read.
    seats: Option<Vec<Seat>>,
}

#[derive(Serialize, Debug)]
struct Seat {
    name: String,
    reader: &'static str,
    /// Messages that nobody there has seen.
    unread: u64,
    #[serde(skip)]
    session: Option<String>,
}

#[derive(Serialize, Debug)]
struct Sensor {
    name: String,
    condition: Option<Condition>,
    error: Option<String>,
    threshold: f64,
    sum: f64,
    /// What holds its events; none where they may leave.
    reason: Option<String>,
    /// Seconds until that changes by itself.
    until_in: Option<u64>,
    held: Vec<Event>,
    reported: u64,
    shown: u64,
    footnoted: u64,
    aged_out: u64,
    replaced: u64,
    cleared: u64,
    repeated: u64,
    over_cap: u64,
}

#[derive(Serialize, Debug)]
struct Event {
    text: String,
    magnitude: f64,
    key: Option<String>,
    /// Seconds since it was first and last reported.
    first: u64,
    last: u64,
    inhibited: bool,
    /// Seconds until it is dropped, unless more is reported.
    dropped_in: Option<u64>,
}

/// Prints the state of the loop that watches the project.
pub(crate) fn status(args: &StatusArgs, env: &Env) -> Result<(), Failure> {
    let place::Loop {
        project,
        dir,
        session,
    } = place::of_loop(&args.of, env)?;
    let saved = match &dir {
        Some(dir) => Saved::peek(dir).map_err(|error| Failure::refused(error.to_string()))?,
        None => None,
    };
    let (Some(dir), Some(saved)) = (dir, saved) else {
        return Err(place::nothing_yet(&project));
    };
    let mut status = Status::of(&project.display().to_string(), &dir, saved);
    match seats(&project, env) {
        Ok(seats) => {
            status.mail_off = status
                .pid
                .and_then(|_| off(session.as_deref(), seats.as_deref()));
            status.seats = seats;
        }
        Err(failure) => status.mail_off = Some(sanitise(&failure.to_string())),
    }
    if args.json {
        print_json(&status)
    } else {
        print(&status.to_text())
    }
}

/// Why a loop that runs beside `session` shows no mail of the `seats` here.
fn off(session: Option<&str>, seats: Option<&[Seat]>) -> Option<String> {
    let Some(session) = session else {
        return Some("this loop observes, and mail comes to one beside a session".to_owned());
    };
    let mut seats = seats.unwrap_or_default().iter();
    let why = match seats.find(|seat| seat.session.as_deref() == Some(session)) {
        Some(seat) if seat.reader == presence_name(Presence::Listening) => return None,
        Some(seat) => format!("this loop does not read what comes to {}", seat.name),
        None => "this session has no seat".to_owned(),
    };
    Some(format!("{why}; `attend doctor` in it tells more"))
}

/// The seats in the work tree at `project`.
fn seats(project: &Path, env: &Env) -> Result<Option<Vec<Seat>>, Failure> {
    let Some(mailbox) = Mail::of(env)?.existing()? else {
        return Ok(None);
    };
    let Answer::Seats(seats) = ask(&mailbox, &Query::Seats)? else {
        return Ok(None);
    };
    let place = tree::place(project).ok();
    let root = place.as_ref().map_or(project, |place| &place.root);
    let here = seats
        .iter()
        .filter(|seat| seat.seated.root.as_deref() == Some(root));
    let seat = |info: &SeatInfo| {
        Ok(Seat {
            name: info.seated.name.clone(),
            reader: presence_name(info.presence),
            unread: block_on(mailbox.unread(info.seated.seat))?,
            session: info.session.clone(),
        })
    };
    here.map(seat).collect::<Result<_, _>>().map(Some)
}

impl Status {
    fn of(project: &str, dir: &StateDir, saved: Saved) -> Self {
        let wall = SystemClock
            .wall()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default()
            .as_secs();
        let now = Tick::new(wall);
        let attention = Attention::builder().restore(saved.attention, now).build();
        let ready = attention.governor().ready_at(false);
        let age = wall.saturating_sub(saved.written_at);
        Self {
            project: sanitise(project),
            pid: dir.holder(),
            age,
            sensors: attention
                .sensors()
                .iter()
                .map(|held| Sensor::of(held, &attention, &saved.health, now))
                .collect(),
            governor_ready_in: ready.map_or(0, |at| at.since(now).get()),
            lanes: Lanes::of(&attention, now),
            budget: saved.budget.map(|left| Budget::of(left, age)),
            notices: attention.notices().map(sanitise).collect(),
            mail_off: None,
            seats: None,
        }
    }

    fn to_text(&self) -> String {
        let mut text = String::new();
        let (project, age) = (&self.project, span(self.age));
        let _ = match self.pid {
            Some(pid) => writeln!(
                text,
                "attend runs as process {pid} for {project}, unchanged for {age}"
            ),
            None => writeln!(text, "attend does not run for {project}, as of {age} ago"),
        };
        self.lanes.write(&mut text, self.governor_ready_in);
        if let Some(budget) = &self.budget {
            budget.write(&mut text);
        }
        if let Some(why) = &self.mail_off {
            let _ = writeln!(text, "mail: off: {why}");
        }
        match self.seats.as_deref() {
            None | Some([]) if self.mail_off.is_some() => {}
            None => text.push_str("mail: none is known here\n"),
            Some([]) => text
                .push_str("mail: nobody has a seat here: `attend whoami` in a session takes one\n"),
            Some(seats) => {
                for Seat {
                    name,
                    reader,
                    unread,
                    ..
                } in seats
                {
                    let _ = writeln!(text, "mail: {name}: {reader}, {unread} unread");
                }
            }
        }
        for sensor in &self.sensors {
            sensor.write(&mut text);
        }
        for notice in &self.notices {
            let _ = writeln!(text, "notice: {notice}");
        }
        text
    }
}

impl Sensor {
    fn of(held: &Held, attention: &Attention, health: &[SensorHealth], now: Tick) -> Self {
        let (reason, until) = match attention.verdict(held.name(), now) {
            Some(Verdict::Hold {
                reason: Reason::Empty,
                ..
            })
            | None => (None, None),
            Some(Verdict::Hold { reason, until }) => (Some(reason.to_string()), until),
            Some(Verdict::Admit) => (None, Some(now)),
            Some(_) => (
                Some("a gate that this attend does not know".to_owned()),
                None,
            ),
        };
        let health = health.iter().find(|health| health.name == *held.name());
        let tally = held.tally();
        Self {
            name: held.name().to_string(),
            condition: health.map(|health| health.condition),
            error: health
                .and_then(|health| health.error.as_deref())
                .map(sanitise),
            threshold: held.threshold().get(),
            sum: held.sum() as f64 / 1_000.0,
            reason,
            until_in: until.map(|until| until.since(now).get()),
            held: held
                .entries()
                .iter()
                .map(|entry| Event::of(entry, held, now))
                .collect(),
            reported: tally.reported,
            shown: tally.shown,
            footnoted: tally.footnoted,
            aged_out: tally.aged_out,
            replaced: tally.replaced,
            cleared: tally.cleared,
            repeated: tally.repeated,
            over_cap: tally.over_cap,
        }
    }

    fn write(&self, text: &mut String) {
        let condition = match self.condition {
            Some(Condition::Healthy) | None => String::new(),
            Some(condition) => format!(" ({})", condition_name(condition)),
        };
        let _ = writeln!(
            text,
            "\n{}{condition}: sum {:.1} of threshold {:.1}",
            self.name, self.sum, self.threshold
        );
        if let Some(error) = &self.error {
            let _ = writeln!(text, "  last error: {error}");
        }
        for event in &self.held {
            let _ = writeln!(
                text,
                "  {:.1}  {} ({} ago)",
                event.magnitude,
                event.text,
                span(event.last)
            );
            let why = if event.inhibited {
                Some("waits for a condition of its own to end")
            } else {
                self.reason.as_deref()
            };
            let until = match (event.dropped_in, self.until_in) {
                (Some(dropped), _) => format!("; dropped in {} unless more comes", span(dropped)),
                (None, Some(until)) => format!("; leaves in {} at the earliest", span(until)),
                (None, None) => "; until something changes".to_owned(),
            };
            let _ = writeln!(
                text,
                "       held: {}{until}",
                why.unwrap_or("about to leave")
            );
        }
        let counts = [
            (self.shown, "shown"),
            (self.footnoted, "named in passing"),
            (self.aged_out, "aged out"),
            (self.replaced, "replaced"),
            (self.cleared, "withdrawn"),
            (self.repeated, "repeated"),
            (self.over_cap, "over the cap"),
            (self.held.len() as u64, "held"),
        ];
        let told: Vec<String> = counts
            .iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, name)| format!("{count} {name}"))
            .collect();
        let told = if told.is_empty() {
            String::new()
        } else {
            format!(": {}", told.join(", "))
        };
        let _ = writeln!(text, "  {} reported{told}", self.reported);
    }
}

impl Event {
    fn of(entry: &Entry, held: &Held, now: Tick) -> Self {
        Self {
            text: sanitise(entry.event().text()),
            magnitude: entry.event().magnitude().get(),
            key: entry.event().key().map(|key| sanitise(key.as_str())),
            first: now.since(entry.first_seen()).get(),
            last: now.since(entry.last_seen()).get(),
            inhibited: held.is_inhibited(entry),
            dropped_in: held.expires(entry).map(|at| at.since(now).get()),
        }
    }
}

/// A condition, for people.
pub(crate) fn condition_name(condition: Condition) -> &'static str {
    match condition {
        Condition::New => "not looked at yet",
        Condition::Healthy => "healthy",
        Condition::Failing => "failing",
        Condition::Unavailable => "not available",
        Condition::Resting => "rests after it blocked",
        Condition::Disabled => "switched off",
        _ => "in an unknown condition",
    }
}
