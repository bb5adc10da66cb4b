//! A random history, and the engine driven through it tick by tick or from promise to promise.

use attend_core::attention::{
    Attention, Batch, Claim, ClaimId, Claiming, Granted, HandledSignals, Input, Mute, MuteTarget,
    Mutes, SensorProfile, Settings, Step, TraceLog, Waiting,
};
use attend_core::dynamics::{Tick, TickDelta};
use attend_core::mail::{Counts, Letter, MessageId, Origin, Seq};
use attend_core::sensor::{Event, HostState, Magnitude, Report, SensorName, Stakes};
use proptest::prelude::*;

/// Something that happens, so many ticks after what came before.
#[derive(Clone, Debug)]
pub(crate) struct Op {
    pub(crate) after: u64,
    pub(crate) what: What,
}

#[derive(Clone, Debug)]
pub(crate) enum What {
    /// One look of a sensor: events, and keys that are cleared, in this order.
    Look(usize, Vec<Found>),
    Host(HostState),
    Handled(bool),
    Letters(u64, bool),
    Notice,
    /// Quiet from a sensor or from the signal, for so many ticks or until it is taken back.
    Mute(Option<usize>, Option<u64>),
    Unmute,
    /// The sensors are listed anew, in another order.
    Reorder,
    /// The next batch cannot be written.
    Fail,
    /// The next claim fails.
    Lose,
}

#[derive(Clone, Debug)]
pub(crate) enum Found {
    Event {
        magnitude: u32,
        key: Option<u8>,
        standing: bool,
        inhibits: Option<u8>,
        critical: bool,
        signal: bool,
    },
    Clear(u8),
}

pub(crate) const SENSORS: usize = 4;

pub(crate) fn name(sensor: usize) -> SensorName {
    SensorName::new(&format!("s{sensor}")).expect("a sensor's name")
}

fn found() -> impl Strategy<Value = Found> {
    let event = (
        0..7_000_u32,
        proptest::option::of(0..5_u8),
        any::<bool>(),
        proptest::option::weighted(0.2, 0..5_u8),
        0..20_u8,
        any::<bool>(),
    );
    prop_oneof![
        5 => event.prop_map(|(magnitude, key, standing, inhibits, critical, signal)| Found::Event {
            magnitude, key, standing: standing && key.is_some(),
            inhibits: inhibits.filter(|_| standing && key.is_some()), critical: critical == 0, signal,
        }),
        1 => (0..5_u8).prop_map(Found::Clear),
    ]
}

/// One look of one sensor.
pub(crate) fn look() -> impl Strategy<Value = (usize, Vec<Found>)> {
    (0..SENSORS, prop::collection::vec(found(), 1..4))
}

fn what() -> impl Strategy<Value = What> {
    prop_oneof![
        12 => look().prop_map(|(sensor, found)| What::Look(sensor, found)),
        1 => prop_oneof![Just(HostState::Busy), Just(HostState::Unknown), Just(HostState::Unprompted), Just(HostState::Idle { since: Tick::new(0) }),
            Just(HostState::Unprompted)].prop_map(What::Host),
        1 => any::<bool>().prop_map(What::Handled),
        2 => (1..4_u64, any::<bool>()).prop_map(|(count, directed)| What::Letters(count, directed)),
        1 => Just(What::Notice),
        2 => (proptest::option::weighted(0.8, 0..SENSORS), proptest::option::weighted(0.8, 1..900_u64)).prop_map(|(sensor, span)| What::Mute(sensor, span)),
        1 => Just(What::Unmute),
        1 => Just(What::Reorder),
        1 => Just(What::Fail),
        1 => Just(What::Lose),
    ]
}

/// Gaps are mostly small, sometimes as long as a window, now and then as long as an event lives.
fn gap() -> impl Strategy<Value = u64> {
    prop_oneof![6 => 0..8_u64, 3 => 10..150_u64, 1 => 500..4_000_u64]
}

pub(crate) fn history(most: usize) -> impl Strategy<Value = Vec<Op>> {
    prop::collection::vec(
        (gap(), what()).prop_map(|(after, what)| Op { after, what }),
        1..most,
    )
}

/// The engine with a fake mailbox and an output that fails when told.
#[derive(Clone, Debug)]
pub(crate) struct World {
    pub(crate) attention: Attention,
    /// What of it is written down.
    pub(crate) log: TraceLog,
    pub(crate) now: Tick,
    pub(crate) written: Vec<Batch>,
    pub(crate) waiting: Vec<Letter>,
    pub(crate) sent: u64,
    pub(crate) printed: Vec<Seq>,
    pub(crate) counted: Vec<Seq>,
    pub(crate) mutes: Vec<Mute>,
    order: Vec<usize>,
    claims: u64,
    fails: bool,
    loses: bool,
}

impl World {
    pub(crate) fn new(settings: Settings) -> Self {
        Self::around(Attention::builder().settings(settings).build())
    }

    pub(crate) fn around(attention: Attention) -> Self {
        let mut world = Self {
            log: TraceLog::begin(Tick::new(0), attention.settings(), None),
            attention,
            now: Tick::new(0),
            written: Vec::new(),
            waiting: Vec::new(),
            sent: 0,
            printed: Vec::new(),
            counted: Vec::new(),
            mutes: Vec::new(),
            order: (0..SENSORS).collect(),
            claims: 0,
            fails: false,
            loses: false,
        };
        world.introduce();
        world
    }

    fn tell(&mut self, input: Input) {
        self.log.input(self.now, &input);
        self.attention.input(self.now, input);
    }

    pub(crate) fn introduce(&mut self) {
        let threshold = Magnitude::new(2.0).expect("a magnitude");
        let order = self.order.iter();
        let profiles = order.map(|sensor| SensorProfile::new(name(*sensor)).threshold(threshold));
        self.tell(Input::Sensors(profiles.collect()));
    }

    /// Waits for `op`'s moment, acting whenever the engine promised, then lets it happen.
    pub(crate) fn live(&mut self, op: &Op) {
        self.wait(op.after);
        self.act(&op.what);
    }

    /// Lets `ticks` pass, from promise to promise.
    pub(crate) fn wait(&mut self, ticks: u64) {
        let end = self.now.after(TickDelta::new(ticks));
        while self.now < end {
            match self.settle() {
                Some(until) if until < end => self.now = until,
                _ => self.now = end,
            }
        }
    }

    /// Lets `ticks` pass, asking at each.
    pub(crate) fn crawl(&mut self, ticks: u64) {
        for _ in 0..ticks {
            self.settle();
            self.now = self.now.after(TickDelta::new(1));
        }
    }

    /// Does what the engine asks until it waits, and says until when.
    pub(crate) fn settle(&mut self) -> Option<Tick> {
        loop {
            let step = self.attention.step(self.now);
            self.log.step(self.now, &step);
            match step {
                Step::Wait { until } => return until,
                Step::Claim(claiming) => self.claim(&claiming),
                Step::Write(batch) if std::mem::take(&mut self.fails) => {
                    self.log.nack(self.now, batch.id());
                    self.attention.nack(self.now, batch.id());
                    if let Some(mailing) = batch.mail() {
                        // A claim that was not settled lapses, and the messages are new again.
                        let lapsed = |seq: &Seq| !mailing.printed.contains(seq);
                        self.printed.retain(lapsed);
                    }
                    self.look();
                }
                Step::Write(batch) => {
                    self.log.ack(self.now, batch.id());
                    self.attention.ack(self.now, batch.id());
                    if let Some(mailing) = batch.mail() {
                        self.printed.extend(&mailing.printed);
                        self.waiting
                            .retain(|letter| !mailing.printed.contains(&letter.seq));
                        let upto = mailing.counted;
                        let counts = |letter: &Letter| {
                            upto.is_some_and(|upto| letter.seq <= upto) && letter.to != "you"
                        };
                        self.counted.extend(
                            self.waiting
                                .iter()
                                .filter(|letter| counts(letter))
                                .map(|letter| letter.seq),
                        );
                        self.waiting.retain(|letter| !counts(letter));
                    }
                    self.written.push(batch);
                    self.look();
                }
                other => panic!("the engine asks for something unknown: {other:?}"),
            }
        }
    }

    fn claim(&mut self, claiming: &Claiming) {
        if std::mem::take(&mut self.loses) {
            self.tell(Input::ClaimFailed);
            self.look();
            return;
        }
        self.claims += 1;
        let id = ClaimId::new(self.claims);
        let grant = |print: &[Seq]| {
            print
                .iter()
                .map(|seq| Granted::new(*seq, false))
                .collect::<Vec<_>>()
        };
        let claim = match claiming {
            Claiming::Print(print) => Claim::new(id, grant(print)),
            Claiming::Digest { print, .. } => Claim::new(id, grant(print)).counting(self.counts()),
            other => panic!("the engine claims something unknown: {other:?}"),
        };
        self.tell(Input::Claimed(claim));
    }

    fn counts(&self) -> Counts {
        let directed = self
            .waiting
            .iter()
            .filter(|letter| letter.to == "you")
            .count() as u64;
        let rest = self.waiting.len() as u64 - directed;
        Counts::new([
            (Origin::You, directed),
            (Origin::Room("#open".to_owned()), rest),
        ])
    }

    pub(crate) fn look(&mut self) {
        let waiting = if self.waiting.len() <= 8 {
            Waiting::Few(self.waiting.clone())
        } else {
            let directed = self
                .waiting
                .iter()
                .filter(|letter| letter.to == "you")
                .take(8)
                .cloned()
                .collect();
            Waiting::Many {
                counts: self.counts(),
                upto: Seq::new(self.sent),
                directed,
            }
        };
        self.tell(Input::MailWaiting(waiting));
    }

    pub(crate) fn act(&mut self, what: &What) {
        let input = match what {
            What::Look(sensor, found) => Input::Report(name(*sensor), report(found)),
            What::Host(HostState::Idle { .. }) => Input::Host(HostState::Idle { since: self.now }),
            What::Host(host) => Input::Host(*host),
            What::Handled(yes) => {
                let all = HandledSignals::from([("sig".into(), "for what to do".to_owned())]);
                Input::Handled(if *yes { all } else { HandledSignals::new() })
            }
            What::Letters(count, directed) => {
                for _ in 0..*count {
                    self.sent += 1;
                    let to = if *directed { "you" } else { "#open" };
                    let id = MessageId::new(format!("M{:05}", self.sent));
                    self.waiting.push(Letter::new(
                        Seq::new(self.sent),
                        id,
                        "Tam-alpha",
                        to,
                        "words",
                    ));
                }
                return self.look();
            }
            What::Mute(sensor, span) => {
                let target = match sensor {
                    Some(sensor) => MuteTarget::Sensor(name(*sensor)),
                    None => MuteTarget::Signal("sig".into()),
                };
                let until = span.map(|span| self.now.after(TickDelta::new(span)));
                self.mutes.push(Mute::new(target, until));
                Input::Mute(Mutes::new(self.mutes.clone()))
            }
            What::Unmute => {
                self.mutes.clear();
                Input::Mute(Mutes::default())
            }
            What::Reorder => {
                self.order.rotate_left(1);
                return self.introduce();
            }
            What::Notice => Input::Notice("something is degraded".to_owned()),
            What::Fail => return self.fails = true,
            What::Lose => return self.loses = true,
        };
        self.tell(input);
    }
}

pub(crate) fn report(found: &[Found]) -> Report {
    let mut report = Report::new();
    for item in found {
        match item {
            Found::Clear(key) => report.clear(format!("k{key}")).expect("few clears"),
            Found::Event {
                magnitude,
                key,
                standing,
                inhibits,
                critical,
                signal,
            } => {
                let mut event = Event::new(f64::from(*magnitude) / 1_000.0, "something happened");
                if let Some(key) = key {
                    event = event.key(format!("k{key}"));
                }
                if *standing {
                    event = event.standing();
                }
                if let Some(key) = inhibits {
                    event = event.inhibits([format!("k{key}")]);
                }
                if *signal {
                    event = event.signal("sig");
                }
                if *critical {
                    event = event.stakes(Stakes::at_hand("it is here"));
                }
                report.event(event).expect("a sound event");
            }
        }
    }
    report
}
