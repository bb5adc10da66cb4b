//! The event lane: every sensor's held events, and the governor over what they cause.

use crate::dynamics::Tick;
use crate::sensor::{HostState, Report, SensorName};

use super::super::gate::{EventGovernor, GateState, Reason, Verdict, verdict};
use super::super::held::{Held, Ids, Terms};
use super::super::journal::{Change, Journal};
use super::super::mode::HandledSignals;
use super::super::mute::Mutes;
use super::super::settings::Settings;

/// All sensors with what they hold.
#[derive(Clone, PartialEq, Debug)]
pub(in crate::attention) struct EventLane {
    pub(in crate::attention) sensors: Vec<Held>,
    pub(in crate::attention) governor: EventGovernor,
    pub(in crate::attention) ids: Ids,
    pub(in crate::attention) host: HostState,
    pub(in crate::attention) mutes: Mutes,
    /// When the next mute ends.
    pub(in crate::attention) mute_ends: Option<Tick>,
    /// The gate at which each sensor stood when that was last written down.
    pub(in crate::attention) stages: Vec<Option<Change>>,
}

/// What the gates say of all sensors together.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::attention) struct Survey {
    /// Some sensor may interrupt now.
    pub(in crate::attention) admitted: bool,
    /// The first tick at which one that is held may.
    pub(in crate::attention) until: Option<Tick>,
    /// Some sensor stands at another gate than was last written down.
    pub(in crate::attention) changed: bool,
}

impl EventLane {
    pub(in crate::attention) fn new(settings: &Settings) -> Self {
        Self {
            sensors: Vec::new(),
            governor: EventGovernor::new(settings),
            ids: Ids(0),
            host: HostState::default(),
            mutes: Mutes::default(),
            mute_ends: None,
            stages: Vec::new(),
        }
    }

    /// Where the sensor called `name` stands.
    pub(in crate::attention) fn place(&self, name: &SensorName) -> Option<usize> {
        self.sensors.iter().position(|held| held.name == *name)
    }

    /// Takes in what one look of the sensor at `place` found.
    pub(in crate::attention) fn accept(
        &mut self,
        place: usize,
        now: Tick,
        report: Report,
        handled: &HandledSignals,
        settings: &Settings,
        journal: &mut Journal,
    ) {
        self.expire(place, now, journal);
        self.sensors[place].accept(now, report, handled, &mut self.ids);
        self.refresh(place, now, settings);
        let held = &mut self.sensors[place];
        held.unrecorded.add_up(held.outlook.sum);
        self.note(place, now, settings, journal);
    }

    /// Computes what follows from the events of the sensor at `place`.
    pub(in crate::attention) fn refresh(&mut self, place: usize, now: Tick, settings: &Settings) {
        let is_busy = !self.host.is_idle();
        let mutes = &self.mutes;
        self.sensors[place].refresh(
            now,
            Terms {
                settings,
                mutes,
                is_busy,
            },
        );
    }

    /// From now on these mutes hold, and no others.
    pub(in crate::attention) fn mute(&mut self, now: Tick, mutes: Mutes) {
        self.mute_ends = mutes.next_end(now);
        self.mutes = mutes;
    }

    /// Ends the mutes that were to end by `now`, each at its own tick.
    pub(in crate::attention) fn end_mutes(
        &mut self,
        now: Tick,
        settings: &Settings,
        journal: &mut Journal,
    ) {
        while let Some(end) = self.mute_ends.filter(|end| *end <= now) {
            for place in 0..self.sensors.len() {
                self.expire(place, end, journal);
                self.refresh(place, end, settings);
                self.note(place, end, settings, journal);
            }
            self.mute_ends = self.mutes.next_end(end);
        }
    }

    /// Drops what aged away from the sensor at `place`.
    fn expire(&mut self, place: usize, now: Tick, journal: &mut Journal) {
        let held = &mut self.sensors[place];
        let aged = held.aged(now);
        for event in &aged {
            journal.record(now, held, Change::AgedOut, None, &[*event]);
        }
        if !aged.is_empty() {
            held.drop_aged(&aged);
        }
    }

    /// Drops what aged away, everywhere, and computes what follows where something did.
    pub(in crate::attention) fn expire_all(
        &mut self,
        now: Tick,
        settings: &Settings,
        journal: &mut Journal,
    ) {
        for place in 0..self.sensors.len() {
            if self.sensors[place]
                .outlook
                .expires_at
                .is_some_and(|at| at <= now)
            {
                self.expire(place, now, journal);
                self.refresh(place, now, settings);
            }
        }
    }

    /// What the gates say of the sensor at `place`.
    pub(in crate::attention) fn verdict(
        &self,
        place: usize,
        now: Tick,
        settings: &Settings,
    ) -> Verdict {
        verdict(&self.sensors[place], &self.state(settings), now)
    }

    /// What the gates know beside the sensors.
    pub(in crate::attention) fn state<'a>(&'a self, settings: &'a Settings) -> GateState<'a> {
        GateState {
            host: self.host,
            governor: &self.governor,
            mutes: &self.mutes,
            settings,
        }
    }

    /// Asks the gates of all sensors.
    pub(in crate::attention) fn survey(&self, now: Tick, settings: &Settings) -> Survey {
        let mut survey = Survey::default();
        for (place, stage) in self.stages.iter().enumerate() {
            match self.verdict(place, now, settings) {
                Verdict::Admit => survey.admitted = true,
                Verdict::Hold { until, reason } => {
                    let change = Change::Held { reason };
                    survey.until = survey.until.into_iter().chain(until).min();
                    survey.changed |= stage.is_none_or(|last| !is_same_stage(last, change));
                }
            }
        }
        survey
    }

    /// Writes down the gate at which the sensor at `place` stands, where that changed, and what
    /// befell its events, where that is much.
    pub(in crate::attention) fn note(
        &mut self,
        place: usize,
        now: Tick,
        settings: &Settings,
        journal: &mut Journal,
    ) {
        let (change, until) = match self.verdict(place, now, settings) {
            Verdict::Admit => (Change::Admitted, Some(now)),
            Verdict::Hold { until, reason } => (Change::Held { reason }, until),
        };
        let same = self.stages[place].is_some_and(|last| is_same_stage(last, change));
        if !same {
            self.stages[place] = Some(change);
            journal.record(now, &mut self.sensors[place], change, until, &[]);
        } else if self.sensors[place].unrecorded.is_much() {
            journal.record(now, &mut self.sensors[place], Change::Noted, None, &[]);
        }
    }
}

/// Whether two stages differ in nothing but their figures.
fn is_same_stage(a: Change, b: Change) -> bool {
    match (a, b) {
        (Change::Held { reason: a }, Change::Held { reason: b }) => {
            std::mem::discriminant::<Reason>(&a) == std::mem::discriminant(&b)
        }
        (a, b) => a == b,
    }
}
