//! Replaying a trace under other settings: the engine in virtual time, by its own waits.

use std::collections::BTreeMap;

use super::super::engine::Attention;
use super::super::input::{Input, SensorProfile, Step};
use super::super::settings::Settings;
use super::super::trace::{Entry, Numbered, Trace};
use super::playback::{Letters, Playback, Played, dropped, held};
use super::tray::Tray;
use crate::dynamics::{Tick, TickDelta};
use crate::sensor::{Magnitude, SensorName};

/// Under what a trace is replayed.
///
/// ```
/// use attend_core::attention::{Conditions, Settings};
/// use attend_core::sensor::{Magnitude, SensorName};
///
/// let git = SensorName::new("git")?;
/// let four = Magnitude::new(4.0).ok_or("from 0 to 100")?;
/// let conditions = Conditions::new(Settings::default()).threshold(git, four);
/// # let _ = conditions;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Conditions {
    settings: Settings,
    sensors: BTreeMap<SensorName, Share>,
}

/// What of a sensor counts.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Share {
    /// All that it reported, from this threshold on.
    From(Magnitude),
    Nothing,
}

impl Conditions {
    /// These settings, and the thresholds that the sensors had.
    pub fn new(settings: Settings) -> Self {
        Self {
            settings,
            sensors: BTreeMap::new(),
        }
    }

    /// The same with another threshold for one sensor.
    #[must_use]
    pub fn threshold(mut self, sensor: SensorName, threshold: Magnitude) -> Self {
        self.sensors.insert(sensor, Share::From(threshold));
        self
    }

    /// The same without what one sensor reported.
    #[must_use]
    pub fn without(mut self, sensor: SensorName) -> Self {
        self.sensors.insert(sensor, Share::Nothing);
        self
    }
}

impl Trace {
    /// What would have been shown under other conditions.
    ///
    /// The engine is told the same at the same ticks and goes by its own waits in between; what
    /// it writes counts as written at once. It writes nothing before the recorded loop could.
    pub fn under(&self, conditions: &Conditions) -> Playback {
        self.run(Some(conditions))
    }

    /// The same under the conditions that were recorded: what [`under`](Self::under) is to be
    /// compared with.
    ///
    /// Other than in [`replay`](Self::replay) no time passes between a decision and its lines.
    pub fn under_its_own(&self) -> Playback {
        self.run(None)
    }

    fn run(&self, conditions: Option<&Conditions>) -> Playback {
        let settings = conditions.map_or(&self.settings, |given| &given.settings);
        let engine = self.engine(settings.clone());
        let mut stage = Stage {
            conditions,
            before: dropped(&engine),
            engine,
            letters: Letters::default(),
            tray: Tray::new(settings.digest_above),
            opens: self.opens(),
            now: self.start,
            batches: Vec::new(),
        };
        for Numbered { at, entry, .. } in &self.entries {
            stage.play_until(*at);
            stage.tell(*at, entry);
        }
        if stage.now >= stage.opens {
            stage.settle(stage.now);
        }
        Playback {
            batches: stage.batches,
            held: held(&stage.engine),
            dropped: dropped(&stage.engine).saturating_sub(stage.before),
        }
    }

    /// When the recorded loop could write for the first time: it did, or its host had told what
    /// it does.
    fn opens(&self) -> Tick {
        let opens =
            |entry: &Entry| matches!(entry, Entry::Host(_) | Entry::Claim | Entry::Write(_));
        let first = self.entries.iter().find(|numbered| opens(&numbered.entry));
        first.map_or(self.start, |numbered| numbered.at)
    }
}

/// The engine, with the mail of the trace and an output that never fails.
struct Stage<'a> {
    conditions: Option<&'a Conditions>,
    engine: Attention,
    letters: Letters,
    tray: Tray,
    opens: Tick,
    now: Tick,
    before: u64,
    batches: Vec<Played>,
}

impl Stage<'_> {
    /// Lets everything happen that is due before `end`.
    fn play_until(&mut self, end: Tick) {
        self.now = self.now.max(self.opens.min(end));
        while self.now < end {
            let until = self.settle(self.now);
            let soonest = self.now.after(TickDelta::new(1));
            self.now = until.map_or(end, |until| until.max(soonest).min(end));
        }
    }

    /// Does what the engine says at `now` until it waits, and says until when.
    fn settle(&mut self, now: Tick) -> Option<Tick> {
        loop {
            match self.engine.step(now) {
                Step::Wait { until } => return until,
                Step::Claim(claiming) => {
                    let claim = self.tray.claim(now, &claiming);
                    self.engine.input(now, Input::Claimed(claim));
                }
                Step::Write(batch) => {
                    self.engine.ack(now, batch.id());
                    if let Some(mailing) = batch.mail() {
                        self.tray.settle(mailing);
                        self.look(now);
                    }
                    self.batches.push(self.letters.played(&batch));
                }
            }
        }
    }

    fn look(&mut self, now: Tick) {
        let waiting = self.tray.look(now);
        self.engine.input(now, Input::MailWaiting(waiting));
    }

    fn tell(&mut self, now: Tick, entry: &Entry) {
        let input = match entry {
            Entry::Waiting(waiting) => {
                for letter in waiting.letters() {
                    self.letters.note(letter);
                    self.engine.outline(letter.seq, letter.outline.clone());
                }
                self.tray.see(now, waiting);
                return self.look(now);
            }
            Entry::Claimed(claim) => return self.tray.read(claim),
            Entry::ClaimFailed => return,
            Entry::Settings(_) if self.conditions.is_some() => return,
            Entry::Report(report) if self.share(&report.sensor) == Some(Share::Nothing) => return,
            told => told.input(),
        };
        match input {
            Some(Input::Sensors(sensors)) => {
                let sensors = self.under_conditions(sensors);
                self.engine.input(now, Input::Sensors(sensors));
            }
            Some(input) => self.engine.input(now, input),
            None => {}
        }
    }

    /// What the conditions say of a sensor.
    fn share(&self, sensor: &SensorName) -> Option<Share> {
        self.conditions?.sensors.get(sensor).copied()
    }

    fn under_conditions(&self, sensors: Vec<SensorProfile>) -> Vec<SensorProfile> {
        let profile = |profile: SensorProfile| match self.share(&profile.name) {
            Some(Share::From(threshold)) => Some(profile.threshold(threshold)),
            Some(Share::Nothing) => None,
            None => Some(profile),
        };
        sensors.into_iter().filter_map(profile).collect()
    }
}
