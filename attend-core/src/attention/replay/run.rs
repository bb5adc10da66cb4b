//! Running a script: the engine in virtual time, as fast as it goes.

use std::fmt;

use crate::dynamics::Tick;
use crate::sensor::{Report, SensorName};

use super::super::batch::Batch;
use super::super::engine::Attention;
use super::super::input::{Input, SensorProfile, Step};
use super::super::journal::{Change, Record, Totals};
use super::super::mode::HandledSignals;
use super::super::mute::{Mute, Mutes};
use super::super::settings::Settings;
use super::post::Post;
use super::script::{Action, Cue, Script};

/// What a script led to.
///
/// Displayed, it is one line for each line that was shown: `11 > [attend …] text`.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Replay {
    /// What was shown and why not, in order.
    pub moments: Vec<Moment>,
    /// What became of every event, by sensor.
    pub totals: Vec<Totals>,
}

/// Something that a replay did at a tick.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Moment {
    /// When.
    pub at: Tick,
    /// What.
    pub shown: Shown,
}

/// What a replay did.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum Shown {
    /// A batch was written.
    Batch(Batch),
    /// The journal's account of it.
    Record(Record),
}

impl Replay {
    /// The batches that were written.
    pub fn batches(&self) -> impl Iterator<Item = &Batch> {
        self.moments
            .iter()
            .filter_map(|moment| match &moment.shown {
                Shown::Batch(batch) => Some(batch),
                Shown::Record(_) => None,
            })
    }

    /// The gates that held something, each `tick sensor: reason (until tick)`.
    pub fn holds(&self) -> impl Iterator<Item = String> {
        self.moments
            .iter()
            .filter_map(|moment| match &moment.shown {
                Shown::Record(Record {
                    sensor,
                    change: Change::Held { reason },
                    until,
                    ..
                }) => {
                    let until = until
                        .map(|until| format!(" (until {until})"))
                        .unwrap_or_default();
                    Some(format!("{} {sensor}: {reason}{until}", moment.at))
                }
                _ => None,
            })
    }
}

impl fmt::Display for Replay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for batch in self.batches() {
            for line in batch.lines() {
                writeln!(f, "{} > {line}", batch.tick())?;
            }
        }
        Ok(())
    }
}

impl Script {
    /// Runs the script through an engine with these settings.
    pub fn run(&self, settings: &Settings) -> Replay {
        let mut stage = Stage::new(self, settings);
        let mut now = Tick::new(0);
        for looks in self.cues.chunk_by(is_one_look) {
            let Some(cue) = looks.first() else { continue };
            now = now.max(cue.at);
            stage.play_until(now);
            match look(looks) {
                Some((sensor, report)) => stage.attention.input(now, Input::Report(sensor, report)),
                None => stage.act(now, &cue.action),
            }
            if cue.action == Action::End {
                break;
            }
        }
        stage.settle(now);
        stage.note(now);
        Replay {
            moments: stage.moments,
            totals: stage.attention.totals(),
        }
    }
}

/// The engine with a mailbox and an output that may fail.
struct Stage<'a> {
    script: &'a Script,
    settings: &'a Settings,
    attention: Attention,
    handled: HandledSignals,
    mutes: Vec<Mute>,
    post: Post,
    fails: bool,
    loses: bool,
    now: Tick,
    moments: Vec<Moment>,
}

impl<'a> Stage<'a> {
    fn new(script: &'a Script, settings: &'a Settings) -> Self {
        let mut stage = Self {
            script,
            settings,
            attention: Attention::builder().settings(settings.clone()).build(),
            handled: HandledSignals::new(),
            mutes: Vec::new(),
            post: Post::new(settings.digest_above),
            fails: false,
            loses: false,
            now: Tick::new(0),
            moments: Vec::new(),
        };
        stage.introduce(Tick::new(0));
        stage
    }

    /// Says which sensors there are.
    fn introduce(&mut self, now: Tick) {
        let profile = |(name, threshold): &(_, Option<_>)| {
            let profile = SensorProfile::new(Clone::clone(name));
            match threshold {
                Some(threshold) => profile.threshold(*threshold),
                None => profile,
            }
        };
        let profiles = self.script.sensors.iter().map(profile).collect();
        self.attention.input(now, Input::Sensors(profiles));
    }

    /// Lets everything happen that is due before `end`.
    fn play_until(&mut self, end: Tick) {
        while self.now < end {
            match self.settle(self.now) {
                Some(until) if until < end => self.now = until,
                _ => self.now = end,
            }
        }
    }

    /// Does what the engine says at `now` until it waits, and says until when.
    fn settle(&mut self, now: Tick) -> Option<Tick> {
        loop {
            match self.attention.step(now) {
                Step::Wait { until } => {
                    self.note(now);
                    return until;
                }
                Step::Claim(_) if std::mem::take(&mut self.loses) => {
                    self.attention.input(now, Input::ClaimFailed);
                    return Some(now.after(crate::dynamics::TickDelta::new(1)))
                        .inspect(|_| self.look(now));
                }
                Step::Claim(claiming) => {
                    let claim = self.post.claim(now, &claiming);
                    self.attention.input(now, Input::Claimed(claim));
                }
                Step::Write(batch) => {
                    self.note(now);
                    if std::mem::take(&mut self.fails) {
                        self.attention.nack(now, batch.id());
                    } else {
                        self.attention.ack(now, batch.id());
                        if let Some(mailing) = batch.mail() {
                            self.post.settle(mailing);
                        }
                        self.moments.push(Moment {
                            at: now,
                            shown: Shown::Batch(batch),
                        });
                    }
                    self.look(now);
                }
            }
        }
    }

    fn look(&mut self, now: Tick) {
        self.attention
            .input(now, Input::MailWaiting(self.post.look(now)));
    }

    /// Takes over what the journal has to say.
    fn note(&mut self, now: Tick) {
        let records = self.attention.drain_journal();
        self.moments
            .extend(records.into_iter().map(|record| Moment {
                at: now,
                shown: Shown::Record(record),
            }));
    }

    fn act(&mut self, now: Tick, action: &Action) {
        let input = match action {
            Action::Host(host) => Input::Host(*host),
            Action::Handle(signal, purpose) => {
                self.handled.insert(signal.clone(), purpose.clone());
                Input::Handled(self.handled.clone())
            }
            Action::Letter(letter, again) => {
                self.post.arrive(letter.clone(), now, *again);
                Input::MailWaiting(self.post.look(now))
            }
            Action::Mute(target, span) => {
                let until = span.map(|span| now.after(span));
                self.mutes.push(Mute::new(target.clone(), until));
                Input::Mute(Mutes::new(self.mutes.clone()))
            }
            Action::Unmute => {
                self.mutes.clear();
                Input::Mute(Mutes::default())
            }
            Action::Notice(text) => Input::Notice(text.clone()),
            Action::Banner(text) => Input::Banner(text.clone()),
            Action::Lose => return self.loses = true,
            Action::Fail => return self.fails = true,
            Action::Restart => return self.restart(now),
            // What one look finds is gathered before it gets here.
            Action::Report(..) | Action::Clear(..) | Action::End => return,
        };
        self.attention.input(now, input);
    }

    /// Ends the engine and goes on from its checkpoint, as a process would.
    fn restart(&mut self, now: Tick) {
        self.settle(now);
        let checkpoint = self.attention.checkpoint();
        let host = self.attention.host();
        let builder = Attention::builder().settings(self.settings.clone());
        self.attention = builder.restore(checkpoint, now).build();
        self.introduce(now);
        self.attention
            .input(now, Input::Handled(self.handled.clone()));
        self.attention.input(now, Input::Host(host));
        let mutes = Mutes::new(self.mutes.clone());
        self.attention.input(now, Input::Mute(mutes));
        self.look(now);
    }
}

/// Whether two cues are what one look of one sensor finds.
fn is_one_look(a: &Cue, b: &Cue) -> bool {
    let sensor = |cue: &Cue| match &cue.action {
        Action::Report(sensor, _) | Action::Clear(sensor, _) => Some(sensor.clone()),
        _ => None,
    };
    a.at == b.at && sensor(a).is_some() && sensor(a) == sensor(b)
}

/// What one look of a sensor finds; none for cues that are no look. An event that is refused is
/// the sensor's business: the engine never sees it.
fn look(cues: &[Cue]) -> Option<(SensorName, Report)> {
    let mut report = Report::new();
    let mut found = None;
    for cue in cues {
        match &cue.action {
            Action::Report(sensor, events) => {
                found = Some(sensor.clone());
                for event in events {
                    let _ = report.event(event.clone());
                }
            }
            Action::Clear(sensor, key) => {
                found = Some(sensor.clone());
                let _ = report.clear(key.clone());
            }
            _ => return None,
        }
    }
    found.map(|sensor| (sensor, report))
}
