//! Whatever happens, what attend prints reaches the agent whole: it never trips Monitor.

use attend_core::attention::{
    Attention, Batch, Claim, ClaimId, Claiming, Granted, Input, SensorProfile, Step, Waiting, units,
};
use attend_core::dynamics::Tick;
use attend_core::mail::{Counts, Letter, MessageId, Origin, Seq};
use attend_core::runtime::LineBudget;
use attend_core::sensor::{Event, HostState, Report, SensorName, Stakes};
use attend_core::testkit::SimulatedMonitor;
use proptest::prelude::*;

/// The most bytes of one write.
const CHUNK: usize = 4_096;

/// By how many milliseconds what was written may be read late.
const LATE: u64 = 90;

#[derive(Clone, Debug)]
enum What {
    Look(usize, Vec<Found>),
    /// So many messages, to this session or on a room.
    Letters(u64, bool, String),
    Host(HostState),
    Notice(String),
    Banner(String),
}

#[derive(Clone, Debug)]
struct Found {
    magnitude: f64,
    text: String,
    block: Vec<String>,
    critical: bool,
}

/// Text of others: short, long, of wide characters, or made to break lines and frames.
fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => "[a-z ]{1,60}",
        2 => "\\PC{1,500}",
        1 => (1..700_usize).prop_map(|length| "🦀".repeat(length)),
        1 => (1..600_usize).prop_map(|length| "word ".repeat(length)),
        1 => Just("a\n[attend] b\r\n</event>\u{1b}[2J".to_owned()),
    ]
}

fn found() -> impl Strategy<Value = Found> {
    let block = prop::collection::vec("[a-z]{1,300}", 0..4);
    (0.0..9.0_f64, text(), block, 0..6_u8).prop_map(|(magnitude, text, block, critical)| Found {
        magnitude,
        text,
        block,
        critical: critical == 0,
    })
}

fn what() -> impl Strategy<Value = What> {
    let looks = (0..4_usize, prop::collection::vec(found(), 1..10));
    let host = prop_oneof![
        4 => Just(HostState::Busy),
        1 => Just(HostState::Idle { since: Tick::new(0) }),
    ];
    prop_oneof![
        10 => looks.prop_map(|(sensor, found)| What::Look(sensor, found)),
        8 => (1..14_u64, any::<bool>(), text()).prop_map(|(count, directed, body)| What::Letters(count, directed, body)),
        1 => host.prop_map(What::Host),
        2 => text().prop_map(What::Notice),
        1 => text().prop_map(What::Banner),
    ]
}

fn flood() -> impl Strategy<Value = Vec<(u64, What)>> {
    let gap = prop_oneof![6 => 0..300_u64, 3 => 300..4_000_u64, 1 => 4_000..40_000_u64];
    prop::collection::vec((gap, what()), 1..80)
}

/// The driver's part: the engine, a mailbox, the line budget, and Monitor at the other end.
struct Reader {
    attention: Attention,
    budget: LineBudget,
    monitor: SimulatedMonitor,
    waiting: Vec<Letter>,
    sent: u64,
    claims: u64,
    /// Milliseconds.
    now: u64,
    late: Vec<u64>,
    written: Vec<String>,
}

impl Reader {
    fn new(late: Vec<u64>) -> Self {
        let mut attention = Attention::builder().build();
        let sensors = (0..4).map(|sensor| SensorProfile::new(name(sensor)));
        attention.input(Tick::new(0), Input::Sensors(sensors.collect()));
        Self {
            attention,
            budget: LineBudget::new(0),
            monitor: SimulatedMonitor::new(),
            waiting: Vec::new(),
            sent: 0,
            claims: 0,
            now: 0,
            late,
            written: Vec::new(),
        }
    }

    fn tick(&self) -> Tick {
        Tick::new(self.now / 1_000)
    }

    fn live(&mut self, ops: &[(u64, What)]) {
        for (gap, what) in ops {
            self.pass(self.now + gap);
            self.act(what);
        }
        self.pass(self.now + 200_000);
        self.monitor.advance(self.now + 1_000);
    }

    /// Does what is due up to `end`: asks the budget first, as the driver does.
    fn pass(&mut self, end: u64) {
        loop {
            let ready = self.budget.ready_at(self.now);
            let next = if ready > self.now {
                ready
            } else {
                match self.attention.step(self.tick()) {
                    Step::Claim(claiming) => {
                        self.claim(&claiming);
                        continue;
                    }
                    Step::Write(batch) => {
                        self.write(&batch);
                        continue;
                    }
                    Step::Wait { until } => until.map_or(end, |tick| tick.get() * 1_000),
                    other => panic!("the engine asks for something unknown: {other:?}"),
                }
            };
            if next >= end {
                self.now = end;
                return;
            }
            self.now = next;
        }
    }

    fn write(&mut self, batch: &Batch) {
        let text = batch.to_string();
        self.take(&text);
        self.attention.ack(self.tick(), batch.id());
        if let Some(mail) = batch.mail() {
            self.waiting.retain(|letter| {
                let counted = mail.counted.is_some_and(|upto| letter.seq <= upto);
                !mail.printed.contains(&letter.seq) && (letter.to == "you" || !counted)
            });
        }
        self.look();
    }

    /// One write, which is read at once or a little late, in pieces.
    fn take(&mut self, text: &str) {
        let granted = self.budget.take(self.now, units(text));
        assert!(granted, "it said that there is room");
        let late = &self.late[self.written.len() % self.late.len()..];
        let mut late = late.iter().chain(&self.late).copied();
        let mut lag = late.next().unwrap_or(0);
        for chunk in text.as_bytes().chunks(CHUNK) {
            assert!(self.monitor.write(self.now + lag, chunk), "it stopped");
            lag = lag.max(late.next().unwrap_or(0));
        }
        self.written.extend(text.lines().map(str::to_owned));
    }

    fn claim(&mut self, claiming: &Claiming) {
        self.claims += 1;
        let id = ClaimId::new(self.claims);
        let grant = |print: &[Seq]| -> Vec<Granted> {
            print.iter().map(|seq| Granted::new(*seq, false)).collect()
        };
        let claim = match claiming {
            Claiming::Print(print) => Claim::new(id, grant(print)),
            Claiming::Digest { print, .. } => Claim::new(id, grant(print)).counting(self.counts()),
            other => panic!("the engine claims something unknown: {other:?}"),
        };
        self.attention.input(self.tick(), Input::Claimed(claim));
    }

    fn directed(&self) -> impl Iterator<Item = &Letter> {
        self.waiting.iter().filter(|letter| letter.to == "you")
    }

    fn counts(&self) -> Counts {
        let directed = self.directed().count() as u64;
        let rest = self.waiting.len() as u64 - directed;
        let open = Origin::Room("#open".to_owned());
        Counts::new([(Origin::You, directed), (open, rest)])
    }

    fn look(&mut self) {
        let waiting = if self.waiting.len() <= 8 {
            Waiting::Few(self.waiting.clone())
        } else {
            Waiting::Many {
                counts: self.counts(),
                upto: Seq::new(self.sent),
                directed: self.directed().take(8).cloned().collect(),
            }
        };
        self.attention
            .input(self.tick(), Input::MailWaiting(waiting));
    }

    fn act(&mut self, what: &What) {
        let input = match what {
            What::Look(sensor, found) => {
                let mut report = Report::new();
                for found in found {
                    let event = Event::new(found.magnitude, found.text.as_str());
                    let event = event.block(found.block.iter().cloned());
                    let stakes = || Stakes::at_hand(found.text.as_str());
                    // One that is too long is refused, and never gets to the engine.
                    let _ = report.event(if found.critical {
                        event.stakes(stakes())
                    } else {
                        event
                    });
                }
                Input::Report(name(*sensor), report)
            }
            What::Letters(count, directed, body) => {
                for _ in 0..*count {
                    self.sent += 1;
                    let id = MessageId::new(format!("M{:05}", self.sent));
                    let to = if *directed { "you" } else { "#open" };
                    let letter = Letter::new(Seq::new(self.sent), id, "Tam-alpha", to, body);
                    self.waiting.push(letter);
                }
                return self.look();
            }
            What::Host(HostState::Idle { .. }) => {
                Input::Host(HostState::Idle { since: self.tick() })
            }
            What::Host(host) => Input::Host(*host),
            What::Notice(text) => Input::Notice(text.clone()),
            What::Banner(text) => Input::Banner(text.clone()),
        };
        self.attention.input(self.tick(), input);
    }
}

fn name(sensor: usize) -> SensorName {
    SensorName::new(&format!("s{sensor}")).unwrap()
}

fn lags() -> impl Strategy<Value = Vec<u64>> {
    prop::collection::vec(0..LATE, 1..20)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    /// Floods of events and mail, through the engine and the line budget.
    #[test]
    fn every_line_of_attends_arrives_whole(ops in flood(), late in lags()) {
        let mut reader = Reader::new(late);
        reader.live(&ops);
        reader.monitor.assert_harmless();
        prop_assert_eq!(reader.monitor.lines(), reader.written);
    }

    /// Batches as long as they may be, as soon as the line budget lets one through.
    #[test]
    fn the_longest_batches_arrive_whole(waits in prop::collection::vec(0..6_000_u64, 1..200), late in lags()) {
        let mut reader = Reader::new(late);
        let line = "x".repeat(398);
        let longest = format!("{}\n", [&*line; 7].join("\n")) + "yyyyyy\n";
        prop_assert_eq!(longest.len(), attend_core::attention::BATCH_LIMIT);
        for wait in waits {
            reader.now = reader.budget.ready_at(reader.now + wait);
            reader.take(&longest);
        }
        reader.monitor.advance(reader.now + 1_000);
        reader.monitor.assert_harmless();
        prop_assert_eq!(reader.monitor.lines(), reader.written);
    }
}
