//! The `peers` sensor: which other sessions come and go, what those of the same project do, and
//! whose context is nearly full.
//!
//! | key | magnitude | says |
//! |---|---|---|
//! | `presence:ID` | 3.0 in this project, 1.0 elsewhere | `session api 7f3c2a9b appeared in this project` |
//! | `presence:ID` | 2.0 in this project, 0.5 elsewhere | `session api 7f3c2a9b is gone` |
//! | `presence:ID` | 1.0 in this project, 0.5 elsewhere | `session api 9d04e1f2 is back in this project`, within ten minutes |
//! | `state:ID` | 1.5, divided among the sessions of this project, and there only | `session api 7f3c2a9b starts working`, `… waits for an answer` |
//! | `context:ID` | 2.0 from 80 % on, again after a fall below | `session api 7f3c2a9b: context at 83%` |
//!
//! A session that its person gave a name is called by that. `ID` is the session's id: what is
//! held of one takes the place of what was held before, so that one that comes and goes is one
//! event. What a session does is withdrawn when it does that no longer.
//!
//! One that begins where another of that name was gone for less than ten minutes was restarted: it
//! goes on under the key of the other, and takes the place of what is held of that.
//!
//! Who is there at the first look is no news. While the host does not know who lives, nobody is
//! gone. A session that its person clears goes on as another of the same process, and is the
//! same here.
//!
//! What it does not do: read the host's files. It asks the host, at the latest after its
//! interval, and sooner when what the host says to watch has changed.

mod config;
pub use config::PeersConfig;

mod known;

use async_trait::async_trait;
use attend_core::sensor::{
    BuildContext, ConfigError, Declares, Event, HostAnswer, HostRequest, Peer, PeerState,
    PollContext, Profile, Sensor, SensorError, SensorSpec, Snapshot,
};

use crate::asking::{session_of, unanswered};
use crate::follow::Follow;
use crate::trees::Trees;

use known::{Known, Memory, lately, percent};

/// What a session does on this project, and what one does elsewhere.
const APPEARED: [f64; 2] = [3.0, 1.0];
const GONE: [f64; 2] = [2.0, 0.5];

const BACK: [f64; 2] = [1.0, 0.5];

const STATE: f64 = 1.5;

const CONTEXT: f64 = 2.0;

impl SensorSpec for PeersConfig {
    const KIND: &'static str = "peers";
    const ABOUT: &'static str = "other sessions";

    fn build(self, cx: &BuildContext) -> Result<Box<dyn Sensor>, ConfigError> {
        Ok(Box::new(Peers {
            config: self,
            follow: Follow::new(cx, "other sessions are"),
            memory: Memory::default(),
        }))
    }

    fn profile() -> Profile {
        Profile::new(30, 5, 2_000, 5)
    }

    fn declares() -> Declares {
        Declares::default().needing_host()
    }

    #[cfg(feature = "schema")]
    fn schema() -> attend_core::sensor::Schema {
        attend_core::sensor::Schema::of::<Self>()
    }
}

#[derive(Debug)]
struct Peers {
    config: PeersConfig,
    follow: Follow,
    memory: Memory,
}

#[async_trait]
impl Sensor for Peers {
    async fn poll(&mut self, cx: &mut PollContext) -> Result<(), SensorError> {
        let answer = cx.host().ask(&HostRequest::Peers).await?;
        let session = session_of(cx).await;
        let peers = if let HostAnswer::Peers(peers) = answer {
            Some(peers)
        } else {
            unanswered(session.as_ref(), "which sessions there are")?;
            None
        };
        let watched = session.and_then(|session| self.follow.follow(&session.watch_peers));
        if let Some(refused) = watched {
            cx.warn(refused);
        }
        if let Some(peers) = peers {
            self.look(cx, &peers);
        }
        Ok(())
    }

    fn snapshot(&self) -> Option<Snapshot> {
        self.memory.write()
    }

    fn restore(&mut self, from: &Snapshot) -> Result<(), SensorError> {
        self.memory = Memory::read(from)?;
        Ok(())
    }
}

impl Peers {
    fn look(&mut self, cx: &mut PollContext, peers: &[Peer]) {
        let is_first = self.memory.0.is_none();
        let before = self.memory.0.take().unwrap_or_default();
        let (gone, mut before): (Vec<Known>, _) = before.into_iter().partition(Known::is_gone);
        let mut gone = lately(gone, cx.now());
        let company = before.iter().filter(|known| known.here).count();
        let mut now: Vec<Known> = Vec::new();
        let mut trees = None;
        // By session first: none may be taken for another of the same process.
        let (same, others): (Vec<&Peer>, Vec<&Peer>) = peers
            .iter()
            .partition(|peer| before.iter().any(|known| known.is_session(peer)));
        for peer in same.into_iter().chain(others) {
            let found = before.iter().position(|known| known.is_session(peer));
            let found = found.or_else(|| before.iter().position(|known| known.is_process(peer)));
            let known = found.map(|at| before.remove(at));
            let here = known.as_ref().and_then(|known| known.here_still(peer));
            let here = here.unwrap_or_else(|| {
                let trees = trees.get_or_insert_with(|| Trees::of(cx.project().root()));
                peer.cwd.as_deref().is_some_and(|cwd| trees.hold(cwd))
            });
            if !here && !self.config.elsewhere {
                before.extend(known.filter(|known| known.here));
                continue;
            }
            let again = known.is_none() && !is_first;
            let again = gone.iter().position(|gone| again && gone.is_again(peer));
            let again = again.map(|at| gone.remove(at));
            let key = match known.as_ref().or(again.as_ref()) {
                Some(known) => known.key.clone(),
                None => free_key(peer, before.iter().chain(&now).chain(&gone)),
            };
            let mut next = Known::new(peer, key, here, cx.project());
            match known {
                Some(known) => changed(cx, &known, &mut next, percent(peer), company),
                None if is_first => {}
                None if again.is_some() => appeared(cx, &next, "is back", BACK),
                None => appeared(cx, &next, "appeared", APPEARED),
            }
            now.push(next);
        }
        for ended in before {
            let text = format!("{} is gone", ended.name);
            cx.report(Event::new(weighed(GONE, ended.here), text).key(key("presence", &ended)));
            cx.clear(key("state", &ended));
            cx.clear(key("context", &ended));
            gone.push(ended.left(cx.now()));
        }
        now.extend(lately(gone, cx.now()));
        self.memory = Memory(Some(now));
    }
}

fn appeared(cx: &mut PollContext, known: &Known, how: &str, weights: [f64; 2]) {
    let place = if known.here { " in this project" } else { "" };
    let text = format!("{} {how}{place}", known.name);
    let event = Event::new(weighed(weights, known.here), text);
    cx.report(event.key(key("presence", known)));
}

/// Tells what is other than `before`. What is not known is taken to be as it was.
fn changed(
    cx: &mut PollContext,
    before: &Known,
    now: &mut Known,
    percent: Option<u64>,
    company: usize,
) {
    match (before.here, now.here) {
        (false, true) => appeared(cx, now, "appeared", APPEARED),
        (true, false) => {
            let text = format!("{} left this project", now.name);
            cx.report(Event::new(weighed(GONE, true), text).key(key("presence", now)));
            cx.clear(key("state", now));
        }
        _ => {}
    }
    if now.state == PeerState::Unknown {
        now.state = before.state;
    }
    if before.here && now.here && before.state != now.state {
        state(cx, before.state, now, company);
    }
    now.full = now.full.or(before.full);
    match (before.full, now.full, percent) {
        (Some(false), Some(true), Some(percent)) => {
            let text = format!("{}: context at {percent}%", now.name);
            cx.report(Event::new(CONTEXT, text).key(key("context", now)));
        }
        (Some(true), Some(false), _) => cx.clear(key("context", now)),
        _ => {}
    }
}

/// Where many work, one that begins to is no more than the rest of them: together they come to
/// what one alone does.
fn state(cx: &mut PollContext, before: PeerState, now: &Known, company: usize) {
    let does = match (before, now.state) {
        // What it did before nobody saw it change to.
        (PeerState::Unknown, _) => return,
        (PeerState::Idle, PeerState::Busy) => "starts working",
        (_, PeerState::Waiting) => "waits for an answer",
        _ => return cx.clear(key("state", now)),
    };
    let text = format!("{} {does}", now.name);
    let weight = STATE / company.max(1) as f64;
    cx.report(Event::new(weight, text).key(key("state", now)));
}

fn weighed([here, elsewhere]: [f64; 2], is_here: bool) -> f64 {
    if is_here { here } else { elsewhere }
}

fn key(fact: &str, known: &Known) -> String {
    format!("{fact}:{}", known.key)
}

/// The id of `peer`, with its process where another goes by that id.
fn free_key<'a>(peer: &Peer, mut taken: impl Iterator<Item = &'a Known>) -> String {
    if taken.any(|known| known.key == peer.session) {
        return format!("{}-{}", peer.session, peer.process.pid);
    }
    peer.session.clone()
}
