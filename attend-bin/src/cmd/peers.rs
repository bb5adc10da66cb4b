//! `attend peers`: who sits where, what each does, and what waits for them.

use std::fmt::Write as _;
use std::time::SystemTime;

use attend_core::attention::sanitise;
use attend_core::mail::{Answer, Presence, Query, SeatId, SeatInfo, SenderKind};
use attend_core::runtime::system::SystemClock;
use attend_core::sensor::{
    Clock, ContextUsage, HostAnswer, HostRequest, HostState, Peer, PeerState,
};
use attend_sensors::host::claude_code::ClaudeCode;
use serde::Serialize;

use crate::cli::PeersArgs;
use crate::env::Env;
use crate::mailbox::{Mail, ask, unfit};
use crate::moment::stamp;
use crate::output::{Failure, complain, print, print_json};
use crate::{session, span, speaker, tree};

/// The rank of a seat whose session has ended: the last.
const GONE: u8 = 3;

/// The seats, as they are printed.
#[derive(Serialize, Debug)]
struct Listing {
    seats: Vec<Seat>,
}

/// A seat, as it is printed. What there is not is null.
#[derive(Serialize, Debug)]
struct Seat {
    name: String,
    /// It is the seat of whoever asks.
    you: bool,
    kind: SenderKind,
    /// The name of the project's folder.
    project: Option<String>,
    /// The top of the work tree.
    root: Option<String>,
    /// The session that sits there or sat there last.
    session_id: Option<String>,
    /// None for a person.
    state: Option<&'static str>,
    /// How much of its window is used, in percent.
    context: Option<u64>,
    rooms: Vec<String>,
    reader: &'static str,
    /// When the oldest message that is new was sent.
    oldest: Option<String>,
    /// The seconds since then.
    oldest_age: Option<u64>,
}

/// Prints the seats of the mailbox.
pub(crate) fn peers(args: &PeersArgs, env: &Env) -> Result<(), Failure> {
    let speaker = speaker::find(None, env)?;
    let seats = match Mail::of(env)?.existing()? {
        Some(mailbox) => {
            let own = speaker.seated(&mailbox)?.map(|seated| seated.seat);
            match ask(&mailbox, &Query::Seats)? {
                Answer::Seats(seats) => listed(&seats, own, env),
                other => return Err(unfit(&other)),
            }
        }
        None => Vec::new(),
    };
    let listing = Listing { seats };
    if args.json {
        return print_json(&listing);
    }
    print(&listing.to_text())
}

fn listed(seats: &[SeatInfo], own: Option<SeatId>, env: &Env) -> Vec<Seat> {
    let host = session::host(None, env).at_a_glance();
    let peers = match host.answer(&HostRequest::Peers) {
        Ok(HostAnswer::Peers(peers)) => peers,
        Ok(_) => Vec::new(),
        Err(error) => {
            complain(&format!("what other sessions do is not known: {error}"));
            Vec::new()
        }
    };
    let now = SystemClock.wall();
    let seat = |info| {
        let mut seat = Seat::of(info, now);
        if Some(info.seated.seat) == own {
            seat.is_own(&host);
        } else if info.presence != Presence::Waiting {
            seat.is_of(&peers);
        }
        seat
    };
    seats.iter().map(seat).collect()
}

/// What each of them does, in a word, and how much of its window is used, in percent; as far as
/// the host's records tell.
#[cfg(feature = "chat")]
pub(crate) fn known(seats: &[SeatInfo], env: &Env) -> Vec<(Option<&'static str>, Option<u64>)> {
    let host = session::host(None, env).at_a_glance();
    let peers = match host.answer(&HostRequest::Peers) {
        Ok(HostAnswer::Peers(peers)) => peers,
        _ => Vec::new(),
    };
    let known = |info: &SeatInfo| match (info.kind, info.presence) {
        (SenderKind::Person, _) => (None, None),
        (_, Presence::Waiting) => (Some("gone"), None),
        _ => of_session(info.session.as_deref(), &peers).unwrap_or((Some("unknown"), None)),
    };
    seats.iter().map(known).collect()
}

/// What a session that lives does, and how much of its window is used.
fn of_session(
    session: Option<&str>,
    peers: &[Peer],
) -> Option<(Option<&'static str>, Option<u64>)> {
    let peer = peers.iter().find(|peer| session == Some(&peer.session))?;
    let state = match peer.state {
        PeerState::Busy => "busy",
        PeerState::Idle => "idle",
        PeerState::Waiting => "waiting",
        _ => "unknown",
    };
    let context = peer.context.as_ref().and_then(ContextUsage::percent);
    Some((Some(state), context))
}

impl Seat {
    fn of(info: &SeatInfo, now: SystemTime) -> Self {
        let seated = &info.seated;
        let project = seated.root.as_deref().map(|root| {
            let place = tree::place(root).map(|place| place.folder());
            // Where it is gone, its name is left.
            let name = || root.file_name().unwrap_or_default().to_string_lossy();
            place.unwrap_or_else(|_| name().into_owned())
        });
        let age = |sent| now.duration_since(sent).unwrap_or_default().as_secs();
        Self {
            name: seated.name.clone(),
            you: false,
            kind: info.kind,
            project,
            root: seated.root.as_ref().map(|root| root.display().to_string()),
            session_id: info.session.clone(),
            state: match (info.kind, info.presence) {
                (SenderKind::Person, _) => None,
                (_, Presence::Waiting) => Some("gone"),
                _ => Some("unknown"),
            },
            context: None,
            rooms: info
                .rooms
                .iter()
                .map(|room| room.as_str().to_owned())
                .collect(),
            reader: match info.presence {
                Presence::Listening => "listening",
                Presence::NoReader => "no reader",
                _ => "waiting",
            },
            oldest: info.oldest.map(stamp),
            oldest_age: info.oldest.map(age),
        }
    }

    /// It is the seat of whoever asks, beside `host`.
    fn is_own(&mut self, host: &ClaudeCode) {
        self.you = true;
        if self.state != Some("unknown") {
            return;
        }
        self.state = match host.answer(&HostRequest::State) {
            Ok(HostAnswer::State(HostState::Busy)) => Some("busy"),
            Ok(HostAnswer::State(HostState::Idle { .. } | HostState::Unprompted)) => Some("idle"),
            _ => self.state,
        };
        if let Ok(HostAnswer::Context(usage)) = host.answer(&HostRequest::Context) {
            self.context = usage.percent();
        }
    }

    /// Takes what is known of its session from those that live.
    fn is_of(&mut self, peers: &[Peer]) {
        if let Some(known) = of_session(self.session_id.as_deref(), peers) {
            (self.state, self.context) = known;
        }
    }

    /// Where it stands in a list for people: you, sessions that live, people, and who is gone.
    fn rank(&self) -> u8 {
        match (self.you, self.state) {
            (true, _) => 0,
            (_, Some("gone")) => GONE,
            (_, Some(_)) => 1,
            (_, None) => 2,
        }
    }

    fn facts(&self) -> Vec<String> {
        let kind = match self.kind {
            SenderKind::Person => "a person",
            _ => "an agent",
        };
        let mut facts = vec![match &self.project {
            Some(project) => format!("{kind} in {}", sanitise(project)),
            None => kind.to_owned(),
        }];
        if self.you {
            facts.insert(0, "you".to_owned());
        }
        facts.extend(self.state.map(|state| match state {
            "unknown" => "what it does is not known".to_owned(),
            "waiting" => "waits for an answer".to_owned(),
            state => state.to_owned(),
        }));
        facts.extend(self.context.map(|percent| format!("context at {percent}%")));
        facts.extend(match self.reader {
            "waiting" => None,
            reader => Some(reader.to_owned()),
        });
        let age = self.oldest_age.map(span);
        facts.extend(age.map(|age| format!("oldest new message {age} ago")));
        let rooms: Vec<String> = self.rooms.iter().map(|room| format!("#{room}")).collect();
        if !rooms.is_empty() {
            facts.push(format!("in {}", rooms.join(" ")));
        }
        facts
    }
}

impl Listing {
    fn to_text(&self) -> String {
        let mut text = String::new();
        // Who can answer comes first.
        let mut seats: Vec<&Seat> = self.seats.iter().collect();
        seats.sort_by_key(|seat| seat.rank());
        let names: Vec<String> = seats.iter().map(|seat| sanitise(&seat.name)).collect();
        let width = names.iter().map(|name| name.chars().count()).max();
        let width = width.unwrap_or(0);
        let mut former = None;
        for (seat, name) in seats.into_iter().zip(&names) {
            let is_gone = seat.rank() == GONE;
            if former == Some(false) && is_gone {
                text.push('\n');
            }
            former = Some(is_gone);
            let _ = writeln!(text, "{name:width$}  {}", seat.facts().join(", "));
        }
        if self.seats.is_empty() {
            text.push_str("nobody sits anywhere yet: `attend whoami` in a session takes a seat\n");
        }
        text
    }
}
