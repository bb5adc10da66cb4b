//! The office itself: sensors that look when a driver would let them, and the clock that runs between.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use attend_core::attention::{HandledSignals, Input, SensorProfile};
use attend_core::dynamics::Tick;
use attend_core::mail::Letter;
use attend_core::sensor::{
    ContextUsage, Evidence, HostAnswer, HostRequest, HostState, Identity, OwnChanges, OwnEdit,
    Peer, PeerEdits, Profile, Root, Sensor, SensorName, SessionInfo, Turns, Value, WindowBasis,
};
use attend_core::testkit::Harness;
use attend_sensors::built_in;
use serde_json::json;

use super::label::{Label, Need};
use super::repository::{Shell, git_dir, oid};
use crate::Dice;

/// The tokens of the window of the session's model.
pub(super) const WINDOW: u64 = 200_000;

/// How long the machine is up when the day begins, in seconds.
const UP: u64 = 10_000;

/// A running build is looked at so often: it ends with a wake, and only that it runs long is found
/// by looking.
const PROCESS_INTERVAL: u64 = 30;

/// What happens at a moment of the day.
type Deed = Box<dyn FnOnce(&mut Office)>;

/// One sensor.
struct Desk {
    name: SensorName,
    sensor: Box<dyn Sensor>,
    profile: Profile,
    looked: u64,
    /// Something asked for a look.
    wanted: bool,
}

impl Desk {
    fn next(&self) -> u64 {
        let after = if self.wanted {
            self.profile.min_interval
        } else if self.name.as_str() == "process" {
            Duration::from_secs(PROCESS_INTERVAL)
        } else {
            self.profile.interval
        };
        self.looked + after.as_secs()
    }
}

/// An agent's surroundings over a day, in virtual time: a repository, builds, colleagues, files, a
/// script and a person, and the built-in sensors that look at them.
///
/// Times are seconds of the day. Everything that happens is told beforehand, in any order, by
/// [`then`](Self::then); [`record`](super::record) lets it happen.
pub struct Office {
    pub(super) harness: Harness,
    pub(super) shell: Shell,
    desks: Vec<Desk>,
    /// The second of the day.
    pub(super) now: u64,
    begin: u64,
    deeds: BTreeMap<(u64, usize), Deed>,
    told: usize,
    pub(super) inputs: Vec<(Tick, Input)>,
    pub(super) letters: Vec<(Tick, Letter)>,
    pub(super) labels: Vec<Label>,
    pub(super) state: HostState,
    pub(super) usage: ContextUsage,
    pub(super) grew: Vec<u64>,
    pub(super) turns: Turns,
    pub(super) own: OwnChanges,
    pub(super) peers: BTreeMap<&'static str, Peer>,
    pub(super) theirs: BTreeMap<&'static str, Vec<OwnEdit>>,
    pub(super) pids: u32,
    /// Numbers that are the same wherever the day is recorded.
    pub dice: Dice,
}

impl Office {
    /// An office that opens at the second `begin` of a day, with dice of this seed.
    ///
    /// # Panics
    ///
    /// Where no temporary directory can be made.
    pub fn new(begin: u64, seed: u64) -> Self {
        let shell = Shell::default();
        let harness = Harness::new().runner(std::sync::Arc::new(shell.clone()));
        let mut usage = ContextUsage::new(WINDOW, WindowBasis::Model);
        usage.model = Some("model".to_owned());
        usage.epoch = Some("0".to_owned());
        usage.tokens = Some(20_000);
        let mut turns = Turns::default();
        turns.first = Some(20_000);
        let mut office = Self {
            harness,
            shell,
            desks: Vec::new(),
            now: begin,
            begin,
            deeds: BTreeMap::new(),
            told: 0,
            inputs: Vec::new(),
            letters: Vec::new(),
            labels: Vec::new(),
            state: HostState::Unprompted,
            usage,
            grew: Vec::new(),
            turns,
            own: OwnChanges::default(),
            peers: BTreeMap::new(),
            theirs: BTreeMap::new(),
            pids: 100,
            dice: Dice::new(seed),
        };
        office.furnish();
        office
    }

    /// Puts up the repository, the process table and the sensors.
    fn furnish(&mut self) {
        self.harness.write(".git/HEAD", "ref: refs/heads/main\n");
        self.log_head(0, 0);
        self.put_process(1, 0, &["init"]);
        let info = SessionInfo::new(Identity::Known {
            id: "own".to_owned(),
            by: Evidence::Record,
        });
        let answer = Ok(HostAnswer::Session(info));
        self.harness.host().answer(HostRequest::Session, answer);
        let configs = [
            ("context", "context", json!({})),
            ("disclosure", "disclosure", json!({})),
            ("git", "git", json!({"watch": false})),
            (
                "files",
                "files",
                json!({"watch": false, "paths": ["Cargo.lock", "migrations/*.sql"]}),
            ),
            ("idle", "idle", json!({})),
            ("overlap", "overlap", json!({})),
            ("peers", "peers", json!({})),
            ("process", "process", json!({})),
            ("queue", "script", json!({"command": ["queue-length"]})),
        ];
        let (registry, mut profiles) = (built_in(), Vec::new());
        let mut handled = HandledSignals::new();
        for (name, kind, config) in configs {
            let name = SensorName::new(name).expect("a name");
            let known = registry.get(kind).expect("a built-in kind");
            let config = Value::of(&config).expect("JSON");
            let cx = self.harness.build_context();
            let sensor = known.build(config, &cx).expect("a sound configuration");
            let profile = known.profile();
            profiles.push(SensorProfile::new(name.clone()).threshold(profile.threshold));
            handled.extend(known.declares().signals.iter().cloned());
            self.desks.push(Desk {
                name,
                sensor,
                profile,
                looked: 0,
                wanted: true,
            });
        }
        self.input(Input::Sensors(profiles));
        self.input(Input::Handled(handled));
        self.input(Input::Host(self.state));
    }

    /// Says what happens at the second `at` of the day.
    pub fn then(&mut self, at: u64, deed: impl FnOnce(&mut Self) + 'static) {
        self.told += 1;
        let at = at.max(self.now);
        self.deeds.insert((at, self.told), Box::new(deed));
    }

    /// The same so many seconds from now.
    pub fn later(&mut self, seconds: u64, deed: impl FnOnce(&mut Self) + 'static) {
        self.then(self.now + seconds, deed);
    }

    /// From now on a line must say `text`, as soon as `need` says.
    pub fn must_tell(&mut self, text: &'static str, need: Need) {
        let since = self.tick();
        self.labels.push(Label::MustTell { since, text, need });
    }

    /// From now on nobody is to be interrupted because of lines that say `text`.
    pub fn noise(&mut self, text: &'static str) {
        let since = self.tick();
        let until = None;
        self.labels.push(Label::Noise { since, until, text });
    }

    /// From now on what says `text` is of interest again.
    pub fn no_noise(&mut self, wanted: &str) {
        let now = self.tick();
        for label in &mut self.labels {
            if let Label::Noise { until, text, .. } = label
                && *text == wanted
            {
                *until = Some(now);
            }
        }
    }

    /// The tick of now.
    pub(super) fn tick(&self) -> Tick {
        self.harness.now()
    }

    pub(super) fn input(&mut self, input: Input) {
        self.inputs.push((self.tick(), input));
    }

    /// What these sensors watch has changed.
    pub(super) fn stir(&mut self, names: &[&str]) {
        for desk in &mut self.desks {
            desk.wanted |= names.contains(&desk.name.as_str());
        }
    }

    /// Lets everything happen until the second `end` of the day.
    pub(super) fn run(&mut self, end: u64) {
        loop {
            let deed = self.deeds.first_key_value().map(|((at, _), _)| *at);
            let look = self.desks.iter().map(Desk::next).min();
            let next = deed.into_iter().chain(look).chain([end]).min();
            let next = next.unwrap_or(end).max(self.now);
            self.harness.advance(Duration::from_secs(next - self.now));
            self.now = next;
            if next >= end {
                return;
            }
            if deed == Some(next) {
                let (_, deed) = self.deeds.pop_first().expect("it is there");
                deed(self);
            } else {
                self.look();
            }
        }
    }

    /// Every sensor whose time has come looks.
    fn look(&mut self) {
        self.tell_host();
        for at in 0..self.desks.len() {
            if self.desks[at].next() > self.now {
                continue;
            }
            if self.desks[at].name.as_str() == "process" {
                let uptime = format!("{}.00 1.00\n", self.up());
                self.harness.roots().file_in(Root::Proc, "uptime", uptime);
            }
            let desk = &mut self.desks[at];
            let woken = self.harness.woken();
            desk.looked = self.now;
            let polled = self.harness.poll(desk.sensor.as_mut());
            desk.wanted = self.harness.woken() > woken;
            if let Err(error) = polled.result() {
                panic!("{} at {}: {error}", desk.name, self.now);
            }
            if !polled.report().is_empty() {
                let input = Input::Report(desk.name.clone(), polled.report().clone());
                self.input(input);
            }
        }
    }

    /// The host answers as things are now.
    fn tell_host(&self) {
        let peers: Vec<Peer> = self.peers.values().cloned().collect();
        let theirs = self.theirs.iter().filter_map(|(name, edits)| {
            let peer = self.peers.get(name)?;
            Some(PeerEdits::new(peer.clone(), edits.iter().cloned()))
        });
        let near = HostRequest::PeerEdits(vec![self.harness.work().to_owned()]);
        let host = self.harness.host();
        host.set(self.state);
        for (request, answer) in [
            (HostRequest::Turns, HostAnswer::Turns(self.turns.clone())),
            (
                HostRequest::Context,
                HostAnswer::Context(self.usage.clone()),
            ),
            (HostRequest::Own, HostAnswer::Own(self.own.clone())),
            (HostRequest::Peers, HostAnswer::Peers(peers)),
            (near, HostAnswer::PeerEdits(theirs.collect())),
        ] {
            host.answer(request, Ok(answer));
        }
    }

    /// How long the machine is up, in seconds.
    pub(super) fn up(&self) -> u64 {
        UP + self.now - self.begin
    }

    /// HEAD moved, as its log says.
    pub(super) fn log_head(&self, from: usize, to: usize) {
        let wall = self.harness.wall();
        let since = wall.duration_since(std::time::SystemTime::UNIX_EPOCH);
        let seconds = since.unwrap_or_default().as_secs();
        let (from, to) = (oid(from), oid(to));
        let line = format!("{from} {to} Somebody <s@example.org> {seconds} +0000\tmoved\n");
        let log = git_dir(self.harness.work()).join("logs/HEAD");
        let log = self
            .harness
            .write(log.strip_prefix(self.harness.work()).expect("below"), line);
        let file = std::fs::File::options().append(true).open(log);
        let times = std::fs::FileTimes::new().set_modified(wall);
        file.and_then(|file| file.set_times(times))
            .expect("a file of the office");
    }
}

impl fmt::Debug for Office {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Office")
            .field("now", &self.now)
            .field("inputs", &self.inputs.len())
            .finish_non_exhaustive()
    }
}
