//! The engine: a synchronous state machine that is told things and answers what to do next.

use std::collections::VecDeque;

use crate::dynamics::Tick;
use crate::mail::Seq;
use crate::sensor::{HostState, SensorName};

use super::batch::Batch;
use super::checkpoint::Checkpoint;
use super::gate::{GateState, Verdict};
use super::held::Held;
use super::id::BatchId;
use super::input::{Input, SensorProfile, Step};
use super::journal::{Change, Journal, Record, Totals};
use super::lane::{EventLane, MessageLane};
use super::mode::HandledSignals;
use super::outline::Outline;
use super::settings::Settings;

/// How many notices wait at most for a batch to ride on.
const MAX_NOTICES: usize = 8;

/// Decides what is shown, and when.
///
/// It is told what happened by [`input`](Self::input) and answers by [`step`](Self::step) what
/// to do next: claim messages, write a batch, or wait. What was written is told by
/// [`ack`](Self::ack), what was not by [`nack`](Self::nack). It does no I/O, reads no clock and
/// never sleeps; the tick that each call is given must not step back.
///
/// See the [crate's example](crate).
#[derive(Clone, PartialEq, Debug)]
pub struct Attention {
    pub(super) settings: Settings,
    pub(super) events: EventLane,
    pub(super) mail: MessageLane,
    pub(super) handled: HandledSignals,
    pub(super) notices: VecDeque<String>,
    pub(super) banner: Option<String>,
    pub(super) flight: Option<Batch>,
    pub(super) batches: u64,
    pub(super) journal: Journal,
    /// What the last step answered, while that still holds.
    rest: Rest,
}

/// Whether the engine knows that it has nothing to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Rest {
    /// Something changed since it was last asked.
    Unknown,
    /// Nothing, until this tick comes.
    Until(Option<Tick>),
}

/// Builds an [`Attention`].
#[derive(Clone, PartialEq, Debug, Default)]
pub struct AttentionBuilder {
    settings: Settings,
    restored: Option<(Checkpoint, Tick)>,
}

impl AttentionBuilder {
    /// Other settings than the default ones.
    #[must_use]
    pub fn settings(mut self, settings: Settings) -> Self {
        self.settings = settings;
        self
    }

    /// Goes on from `checkpoint` at `now`. Ticks of the checkpoint that lie after `now` count as
    /// `now`.
    #[must_use]
    pub fn restore(mut self, checkpoint: Checkpoint, now: Tick) -> Self {
        self.restored = Some((checkpoint, now));
        self
    }

    /// Builds the engine.
    pub fn build(self) -> Attention {
        let mut attention = Attention {
            events: EventLane::new(&self.settings),
            mail: MessageLane::new(&self.settings),
            handled: HandledSignals::new(),
            notices: VecDeque::new(),
            banner: None,
            flight: None,
            batches: 0,
            journal: Journal::default(),
            rest: Rest::Unknown,
            settings: self.settings,
        };
        if let Some((checkpoint, now)) = self.restored {
            attention.restore(checkpoint, now);
        }
        attention
    }
}

impl Attention {
    /// Starts building an engine.
    pub fn builder() -> AttentionBuilder {
        AttentionBuilder::default()
    }

    /// Tells the engine something at `now`.
    ///
    /// A report of a sensor that [`Input::Sensors`] did not name is dropped, with a notice.
    pub fn input(&mut self, now: Tick, input: Input) {
        self.rest = Rest::Unknown;
        self.catch_up(now);
        match input {
            Input::Sensors(profiles) => self.set_sensors(now, profiles),
            Input::Settings(settings) => self.set_settings(now, *settings),
            Input::Report(name, report) => match self.events.place(&name) {
                Some(place) => {
                    let (handled, settings) = (&self.handled, &self.settings);
                    self.events
                        .accept(place, now, report, handled, settings, &mut self.journal);
                }
                None => self.notice(format!("a report of the unknown sensor {name} was dropped")),
            },
            Input::Host(host) => self.set_host(now, host),
            Input::MailWaiting(waiting) => self.mail.wait(waiting),
            Input::Claimed(claim) => self.mail.claimed(claim),
            Input::ClaimFailed => self.mail.claim_failed(),
            Input::Handled(handled) => {
                self.handled = handled;
                for held in &mut self.events.sensors {
                    held.rephrase(now, &self.handled);
                }
                self.refresh_all(now);
            }
            Input::Mute(mutes) => {
                self.events.mute(now, mutes);
                self.refresh_all(now);
            }
            Input::Notice(text) => self.notice(text),
            Input::Solved(text) => self.solved(&text),
            Input::Banner(text) => self.banner = Some(text),
        }
    }

    /// What to do next at `now`.
    ///
    /// While a batch is being written or a claim is out, that is to wait for its answer.
    pub fn step(&mut self, now: Tick) -> Step {
        if self.flight.is_some() || self.mail.is_claiming() {
            return Step::Wait { until: None };
        }
        if let Rest::Until(until) = self.rest
            && until.is_none_or(|until| now < until)
        {
            return Step::Wait { until };
        }
        self.catch_up(now);
        if let Some(page) = self.mail.take() {
            return Step::Write(self.compose(now, Some(page)));
        }
        if self.mail.due(now).is_some_and(|due| due <= now)
            && let Some(claiming) = self.mail.claim()
        {
            return Step::Claim(claiming);
        }
        let survey = self.events.survey(now, &self.settings);
        if self.banner_leaves() || survey.admitted {
            return Step::Write(self.compose(now, None));
        }
        if survey.changed {
            self.note_all(now);
        }
        let until = survey.until.into_iter().chain(self.mail.due(now)).min();
        self.rest = Rest::Until(until);
        Step::Wait { until }
    }

    /// The sensors with what they hold.
    pub fn sensors(&self) -> &[Held] {
        &self.events.sensors
    }

    /// What the gates say of the sensor called `name` at `now`; none for an unknown one.
    pub fn verdict(&self, name: &SensorName, now: Tick) -> Option<Verdict> {
        let place = self.events.place(name)?;
        if self.events.mute_ends.is_none_or(|end| end > now) {
            return Some(self.events.verdict(place, now, &self.settings));
        }
        let mut then = self.events.clone();
        then.end_mutes(now, &self.settings, &mut Journal::default());
        Some(then.verdict(place, now, &self.settings))
    }

    /// What the gates know beside the sensors, as of the last input.
    pub fn gates(&self) -> GateState<'_> {
        self.events.state(&self.settings)
    }

    /// The settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// What the host is doing, as far as the engine was told.
    pub fn host(&self) -> HostState {
        self.events.host
    }

    /// The signals that some loaded way handles, as far as the engine was told.
    pub fn handled(&self) -> &HandledSignals {
        &self.handled
    }

    /// The rate limit over event notifications.
    pub fn governor(&self) -> &super::gate::EventGovernor {
        &self.events.governor
    }

    /// The cooldown between two writes of mail.
    pub fn mail_governor(&self) -> &crate::dynamics::Governor {
        &self.mail.governor
    }

    /// Whether mail waits, as far as the engine was told.
    #[cfg(feature = "runtime")]
    pub(crate) fn mail_waits(&self) -> bool {
        self.mail.is_waiting()
    }

    /// Whether the banner is still to be said. One that is being written counts as said.
    pub fn banner_waits(&self) -> bool {
        self.banner.is_some()
    }

    /// The notices that wait for a batch to ride on.
    pub fn notices(&self) -> impl Iterator<Item = &str> {
        self.notices.iter().map(String::as_str)
    }

    /// Takes the journal's new records.
    pub fn drain_journal(&mut self) -> Vec<Record> {
        self.journal.drain()
    }

    /// Writes down what befell events since that was last done, also where no stage changed:
    /// for an engine that is about to be stored or to end.
    pub fn note_rest(&mut self, now: Tick) {
        for held in &mut self.events.sensors {
            if !held.unrecorded.is_empty() {
                self.journal.record(now, held, Change::Noted, None, &[]);
            }
        }
    }

    /// What became of every event so far, by sensor.
    pub fn totals(&self) -> Vec<Totals> {
        let totals = |held: &Held| Totals {
            sensor: held.name.clone(),
            tally: held.tally,
            held: held.entries.len() as u64,
        };
        self.events.sensors.iter().map(totals).collect()
    }

    /// Says how much room the letter at `seq` takes, whose words are not known.
    pub(super) fn outline(&mut self, seq: Seq, outline: Outline) {
        self.mail.outlines.insert(seq, outline);
    }

    pub(super) fn changed(&mut self) {
        self.rest = Rest::Unknown;
    }

    pub(super) fn next_batch(&mut self) -> BatchId {
        self.batches += 1;
        BatchId::new(self.batches)
    }

    /// Computes what follows for every sensor.
    pub(super) fn refresh_all(&mut self, now: Tick) {
        for place in 0..self.events.sensors.len() {
            self.events.refresh(place, now, &self.settings);
        }
        self.note_all(now);
    }

    /// Lets happen what time alone brings about by `now`: mutes end, and events age away.
    fn catch_up(&mut self, now: Tick) {
        let Self {
            events,
            settings,
            journal,
            ..
        } = self;
        events.end_mutes(now, settings, journal);
        events.expire_all(now, settings, journal);
    }

    fn set_sensors(&mut self, now: Tick, profiles: Vec<SensorProfile>) {
        let mut former = std::mem::take(&mut self.events.sensors);
        let mut stages = std::mem::take(&mut self.events.stages);
        for profile in profiles {
            if self.events.place(&profile.name).is_some() {
                continue;
            }
            let known = former.iter().position(|held| held.name == profile.name);
            let (mut held, stage) = if let Some(at) = known {
                (former.swap_remove(at), stages.swap_remove(at))
            } else {
                let curve = self.settings.engagement.clone();
                (Held::new(profile.name, profile.threshold, curve), None)
            };
            held.threshold = profile.threshold;
            held.engagement.set_curve(self.settings.engagement.clone());
            self.events.sensors.push(held);
            self.events.stages.push(stage);
        }
        self.refresh_all(now);
    }

    fn set_settings(&mut self, now: Tick, settings: Settings) {
        self.settings = settings;
        self.events.governor.set_limits(&self.settings);
        self.mail.set_limits(&self.settings);
        for held in &mut self.events.sensors {
            held.engagement.set_curve(self.settings.engagement.clone());
        }
        self.refresh_all(now);
    }

    fn set_host(&mut self, now: Tick, host: HostState) {
        self.events.host = host;
        self.refresh_all(now);
    }

    /// Keeps a notice until it was said. Where too many wait, the oldest goes.
    fn notice(&mut self, text: String) {
        let flight = self.flight.as_ref();
        let is_said = flight.is_some_and(|batch| batch.cargo.notices.contains(&text));
        if is_said || self.notices.contains(&text) {
            return;
        }
        if self.notices.len() == MAX_NOTICES {
            self.notices.pop_front();
        }
        self.notices.push_back(text);
    }

    /// Leaves a notice unsaid; should the batch that says it not be written, for good.
    fn solved(&mut self, text: &str) {
        self.notices.retain(|notice| notice != text);
        if let Some(batch) = &mut self.flight {
            batch.cargo.notices.retain(|notice| notice != text);
        }
    }

    /// Takes back what a batch that was not written would have said: before what came since.
    pub(super) fn unsay(&mut self, notices: Vec<String>, banner: Option<String>) {
        for text in notices.into_iter().rev() {
            if self.notices.len() < MAX_NOTICES {
                self.notices.push_front(text);
            }
        }
        self.banner = self.banner.take().or(banner);
    }

    /// Whether the banner may leave by itself: not while that would wake an idle host.
    fn banner_leaves(&self) -> bool {
        self.banner.is_some() && !self.events.host.is_idle()
    }

    /// Writes down where every sensor stands.
    pub(super) fn note_all(&mut self, now: Tick) {
        for place in 0..self.events.sensors.len() {
            self.events
                .note(place, now, &self.settings, &mut self.journal);
        }
    }
}
