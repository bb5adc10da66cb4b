//! The roster: the sensors there are, when each is looked at, and how each fares.

mod setup;
pub use setup::SensorSetup;

mod health;
pub use health::{Condition, SensorHealth};

mod host;
pub(crate) use host::{HostReply, Inquiry};

mod said;

mod entry;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use super::sensor_thread::{Blocked, Errand, Found, Returned};
use crate::attention::SensorProfile;
use crate::dynamics::Tick;
use crate::mail::Draft;
use crate::sensor::{
    Facilities, HostState, Key, PollContext, Profile, Report, SensorName, Shown, Snapshot,
};
use entry::Entry;

/// How often the host is asked what it is doing: every 5 s, and after a report.
const HOST: Profile = Profile::new(5, 1, 0, 4);

/// How long it may take to answer.
pub(crate) const HOST_DEADLINE: Duration = Duration::from_secs(10);

/// All sensors of a driver, by their places.
#[derive(Debug)]
pub(crate) struct Roster {
    world: Arc<Facilities>,
    entries: Vec<Entry>,
    wakes: Wakes,
    inquiry: Inquiry,
}

/// Where wakes arrive, as the places of their sensors.
#[derive(Debug)]
struct Wakes {
    send: UnboundedSender<usize>,
    receive: UnboundedReceiver<usize>,
}

/// What a look that came back means for the rest of the program.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Gleaned {
    /// What it reported.
    pub(crate) report: Option<(SensorName, Report)>,
    /// Words that somebody wrote.
    pub(crate) drafts: Vec<(Key, Draft)>,
    /// What has to be said about the sensor.
    pub(crate) notices: Vec<String>,
    /// What was said of it, and holds no longer.
    pub(crate) solved: Option<String>,
    /// Whether it fares otherwise than before.
    pub(crate) fares: bool,
    /// Whether there is something new to remember over a restart.
    pub(crate) remembers: bool,
}

impl Roster {
    /// The sensors of `setups`, each to be restored from its snapshot.
    pub(crate) fn new(
        world: Arc<Facilities>,
        setups: Vec<SensorSetup>,
        mut snapshots: BTreeMap<SensorName, Snapshot>,
    ) -> Self {
        let (send, receive) = unbounded_channel();
        let entries = setups.into_iter().map(|setup| {
            let snapshot = snapshots.remove(&setup.name);
            Entry::new(setup, snapshot)
        });
        Self {
            world,
            entries: entries.collect(),
            wakes: Wakes { send, receive },
            inquiry: Inquiry::default(),
        }
    }

    /// Asks the host too.
    #[must_use]
    pub(crate) fn with_host(mut self) -> Self {
        let inquiry = self.inquiry.clone();
        self.entries
            .extend(Entry::host(HOST, HOST_DEADLINE, inquiry));
        self
    }

    /// Makes the sensors those of `setups`. One that is configured as before stays as it is;
    /// one that is configured otherwise is built anew and remembers what it knew.
    pub(crate) fn configure(&mut self, setups: Vec<SensorSetup>) {
        let mut snapshots = self.snapshots();
        let (mut kept, mut new) = (Vec::new(), Vec::new());
        for setup in setups {
            let place = self
                .entries
                .iter()
                .position(|entry| !entry.retired && !entry.is_host() && entry.is_made_by(&setup));
            match place {
                Some(place) => {
                    self.entries[place].adopt(setup);
                    kept.push(place);
                }
                None => new.push(Entry::new(setup.clone(), snapshots.remove(setup.name()))),
            }
        }
        for (place, entry) in self.entries.iter_mut().enumerate() {
            if !entry.is_host() && !kept.contains(&place) {
                entry.retire();
            }
        }
        // Places stay: looks that are out come back to them.
        self.entries.append(&mut new);
    }

    /// There is one look only: every error is told at once.
    pub(crate) fn only_once(&mut self) {
        self.entries.iter_mut().for_each(Entry::grow_impatient);
    }

    /// What the engine has to know of each sensor.
    pub(crate) fn profiles(&self) -> Vec<SensorProfile> {
        let sensors = self.sensors();
        sensors.map(Entry::engine_profile).collect()
    }

    /// When the next look is due, on the boot clock.
    pub(crate) fn next_due(&self) -> Option<Duration> {
        self.entries.iter().filter_map(Entry::due).min()
    }

    /// The looks that are due at `now`, and those that may go along with one.
    pub(crate) fn due(&mut self, now: Duration, tick: Tick) -> Vec<Errand> {
        let mut errands = Vec::new();
        let due = self.entries.iter().filter(|entry| entry.is_due(now));
        let Some(rare) = due.map(Entry::wait).max() else {
            return errands;
        };
        for (place, entry) in self.entries.iter_mut().enumerate() {
            if entry.is_due(now) || entry.may_join(now, rare) {
                let cx = PollContext::new(self.world.clone(), tick);
                errands.push(entry.send(place, cx, &self.world, &self.wakes.send));
            }
        }
        errands
    }

    /// Waits until a sensor asks for a look. Safe to cancel.
    pub(crate) async fn woken(&mut self) {
        if let Some(place) = self.wakes.receive.recv().await {
            self.wake(place);
        }
    }

    /// Notes all that asked for a look.
    pub(crate) fn wake_all_woken(&mut self) {
        while let Ok(place) = self.wakes.receive.try_recv() {
            self.wake(place);
        }
    }

    fn wake(&mut self, place: usize) {
        if let Some(entry) = self.entries.get_mut(place) {
            entry.woken();
        }
    }

    /// Asks the host anew as soon as may be.
    pub(crate) fn ask_host(&mut self) {
        for host in self.entries.iter_mut().filter(|entry| entry.is_host()) {
            host.woken();
        }
    }

    /// Asks the host about messages as soon as may be.
    pub(crate) fn inquire(&mut self, question: Shown) {
        self.inquiry.ask(question);
        self.ask_host();
    }

    /// What the host answered about messages, once it did.
    pub(crate) fn answered(&self) -> Option<HostReply> {
        self.inquiry.take()
    }

    /// Whether there is a host that was never heard: no look at it ended yet.
    pub(crate) fn awaits_host(&self) -> bool {
        let mut hosts = self.entries.iter().filter(|entry| entry.is_host());
        hosts.any(|host| !host.has_looked())
    }

    /// What the host last said of itself; unknown where it does not answer.
    pub(crate) fn host(&self) -> HostState {
        let heard = self.entries.iter().find_map(Entry::heard);
        heard.unwrap_or_default()
    }

    /// Takes a sensor back.
    pub(crate) fn take_back(
        &mut self,
        returned: Returned,
        now: Duration,
        wall: SystemTime,
    ) -> Gleaned {
        let Some(entry) = self.entries.get_mut(returned.place) else {
            return Gleaned::default();
        };
        entry.put(returned.sensor);
        if entry.retired {
            entry.put(None);
            return Gleaned::default();
        }
        entry.looked(wall);
        let before = entry.state();
        let mut gleaned = match returned.found {
            Found::Saw(outcome, snapshot) => entry.saw(now, outcome, snapshot),
            Found::Failed(error, beside) => entry.failed(now, &error, beside),
            Found::Refused(error) => entry.refused(now, &error),
            Found::Panicked(words) => entry.panicked(now, &words),
        };
        gleaned.fares = !entry.is_host() && before != entry.state();
        gleaned
    }

    /// Deals with a thread that was left behind because a look blocks it.
    pub(crate) fn blocked(&mut self, blocked: &Blocked, now: Duration) -> Vec<String> {
        for place in &blocked.bystanders {
            self.lost(*place, now);
        }
        let culprit = self.entries.get_mut(blocked.culprit);
        let culprit = culprit.filter(|entry| !entry.retired);
        culprit
            .and_then(|entry| entry.blocked(now))
            .into_iter()
            .collect()
    }

    /// The sensor at `place` is gone with its thread, through no fault of its own: it is built
    /// again.
    pub(crate) fn lost(&mut self, place: usize, now: Duration) {
        if let Some(entry) = self.entries.get_mut(place)
            && !entry.retired
        {
            entry.lost(now);
        }
    }

    /// Whether every sensor had a look that ended, or will have none.
    pub(crate) fn has_looked(&self) -> bool {
        self.entries.iter().all(Entry::has_looked)
    }

    /// What the sensors remember.
    pub(crate) fn snapshots(&self) -> BTreeMap<SensorName, Snapshot> {
        let known = self.sensors().filter_map(Entry::remembered);
        known.collect()
    }

    /// How the sensors fare; `now` and `wall` are the same moment.
    pub(crate) fn health(&self, now: Duration, wall: SystemTime) -> Vec<SensorHealth> {
        self.sensors()
            .map(|entry| entry.health(now, wall))
            .collect()
    }

    /// The sensors that somebody configured.
    fn sensors(&self) -> impl Iterator<Item = &Entry> {
        let entries = self.entries.iter();
        entries.filter(|entry| !entry.is_host() && !entry.retired)
    }
}
