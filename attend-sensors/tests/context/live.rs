//! From the rows of a transcript to the lines: the real adapter, the sensor and the engine, in
//! virtual time.

use std::fs::OpenOptions;
use std::io::Write;
use std::sync::Arc;
use std::time::{Duration, UNIX_EPOCH};

use attend_core::attention::{Attention, HandledSignals, Input, SensorProfile, Step};
use attend_core::dynamics::Tick;
use attend_core::sensor::{Host, HostAnswer, HostRequest, Root, Sensor, SensorName, SensorSpec};
use attend_core::testkit::Harness;
use attend_sensors::context::ContextConfig;
use attend_sensors::host::claude_code::{ClaudeCode, Given, Windows};
use serde_json::{Value, json};

const ID: &str = "00000000-0000-4000-8000-000000000001";

/// attend's own process, and the host above it.
const SELF: u32 = 4_300;
const HOST: u32 = 4_242;

/// A turn every so often.
const HALF_AN_HOUR: u64 = 1_800;

/// A session that is at work, and attend beside it.
struct Desk {
    harness: Harness,
    host: Arc<ClaudeCode>,
    sensor: Box<dyn Sensor>,
    engine: Attention,
    name: SensorName,
    rows: u32,
}

impl Desk {
    /// A desk at which nothing was looked at yet. Some way handles the signals `handled`.
    fn new(handled: HandledSignals) -> Self {
        let harness = Harness::new();
        for (pid, name, parent) in [(SELF, "attend", HOST), (HOST, "claude", 1)] {
            let line = format!("{pid} ({name}) S {parent} 1 1 0 -1 4 1 2 3 4 5 6 7 8 20 0 1 0 77");
            let below = format!("{pid}/stat");
            harness.roots().file_in(Root::Proc, below, line);
        }
        let record = json!({
            "pid": HOST, "procStart": "77", "sessionId": ID, "status": "busy", "cwd": "/w",
        });
        let below = format!("sessions/{HOST}.json");
        let file = harness
            .roots()
            .file_in(Root::Host, below, record.to_string());
        assert!(file.exists());
        let (roots, clock) = (harness.roots().roots().clone(), harness.clock().clone());
        let host = ClaudeCode::new(roots, Given::to(SELF), Windows::default(), Arc::new(clock));
        let host = Arc::new(host);
        let harness = harness.host_adapter(Arc::clone(&host) as Arc<dyn Host>);
        let name = SensorName::new("context").unwrap();
        let profile = SensorProfile::new(name.clone());
        let profile = profile.threshold(ContextConfig::profile().threshold);
        let mut engine = Attention::builder().build();
        engine.input(harness.now(), Input::Sensors(vec![profile]));
        engine.input(harness.now(), Input::Handled(handled));
        Self {
            sensor: harness.build(ContextConfig::default()).unwrap(),
            harness,
            host,
            engine,
            name,
            rows: 0,
        }
    }

    /// The same, where a way handles what the sensor signals.
    fn with_a_way() -> Self {
        Self::new(HandledSignals::from_iter(ContextConfig::declares().signals))
    }

    /// The host adds a row.
    fn row(&mut self, more: &Value) {
        self.rows += 1;
        let now = self.harness.wall().duration_since(UNIX_EPOCH).unwrap();
        let now = jiff::Timestamp::from_second(i64::try_from(now.as_secs()).unwrap()).unwrap();
        let mut row = json!({
            "sessionId": ID, "timestamp": now.to_string(), "uuid": format!("row-{}", self.rows),
        });
        let fields = row.as_object_mut().unwrap();
        fields.extend(more.as_object().unwrap().clone());
        let below = format!("projects/-w/{ID}.jsonl");
        let path = self.harness.path(Root::Host, below);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        let mut file = OpenOptions::new()
            .create(true)
            .append(true)
            .open(path)
            .unwrap();
        writeln!(file, "{row}").unwrap();
    }

    /// A turn, of which the host says the number or not, with so many tokens in the end. It is
    /// not looked at.
    fn say(&mut self, turn: Option<u64>, tokens: u64) {
        let position = turn.map(|turn| json!({"promptIndex": turn - 1}));
        self.row(&json!({
            "type": "user", "turnPosition": position,
            "message": {"role": "user", "content": "go on"},
        }));
        let id = self.rows;
        self.row(&json!({
            "type": "assistant", "requestId": format!("req-{id}"),
            "message": {
                "id": format!("msg-{id}"), "model": "claude-opus-4-6", "content": [],
                "stop_reason": "end_turn", "usage": {"input_tokens": tokens},
            },
        }));
    }

    /// The host compacts, by itself.
    fn compact(&mut self, before: u64) {
        self.row(&json!({
            "type": "system", "subtype": "compact_boundary",
            "compactMetadata": {"trigger": "auto", "preTokens": before},
        }));
    }

    /// A look, and the lines of the seconds that follow.
    fn look(&mut self, seconds: u64) -> Vec<String> {
        let now = self.harness.now();
        let Ok(HostAnswer::State(state)) = self.host.answer(&HostRequest::State) else {
            panic!("the host says what it does");
        };
        self.engine.input(now, Input::Host(state));
        let polled = self.harness.poll(self.sensor.as_mut());
        assert!(polled.result().is_ok(), "{polled:?}");
        let report = polled.report().clone();
        self.engine
            .input(now, Input::Report(self.name.clone(), report));
        let mut lines = Vec::new();
        let (mut at, end) = (now.get(), now.get() + seconds);
        while at <= end {
            match self.engine.step(Tick::new(at)) {
                Step::Write(batch) => {
                    lines.extend(batch.lines().iter().map(ToString::to_string));
                    self.engine.ack(Tick::new(at), batch.id());
                }
                Step::Wait { until: Some(until) } => at = until.get().max(at + 1),
                _ => break,
            }
        }
        self.harness.advance(Duration::from_secs(seconds));
        lines
    }

    /// A turn of half an hour: the lines that it leads to.
    fn turn(&mut self, turn: u64, tokens: u64) -> Vec<String> {
        self.say(Some(turn), tokens);
        self.look(HALF_AN_HOUR)
    }

    /// Turns of 6,000 tokens each, from `first` on: each that led to lines, with these.
    fn grow(&mut self, first: u64, from: u64, to: u64) -> Vec<(u64, Vec<String>)> {
        let sizes = (from..=to).step_by(6_000);
        let turns = (first..)
            .zip(sizes)
            .map(|(turn, tokens)| (tokens, self.turn(turn, tokens)));
        turns.filter(|(_, lines)| !lines.is_empty()).collect()
    }
}

fn line(priority: &str, rest: &str) -> Vec<String> {
    vec![format!(
        "[attend sensor=context priority={priority}] {rest}"
    )]
}

#[test]
fn a_growing_transcript_leads_to_a_line_for_each_tier() {
    let mut desk = Desk::with_a_way();
    let told = desk.grow(1, 58_000, 184_000);
    let way = "Use `ways show attend/context-pressure` for reflection guidance.";
    let expected = [
        // These two would ride; where nothing leaves, each goes alone after ten minutes.
        (
            82_000,
            line("low", &format!("context at 41%. {way} (10m ago)")),
        ),
        (
            100_000,
            line("low", &format!("context at 50%. {way} (10m ago)")),
        ),
        (130_000, line("medium", &format!("context at 65%. {way}"))),
        (
            172_000,
            line(
                "medium",
                &format!(
                    "context at 86% — projected critical at turn 23 (3 turns remaining). {way}"
                ),
            ),
        ),
        (
            184_000,
            line(
                "high",
                "compaction in about 1 turn: context at 92%. Use `ways show \
                 attend/context-pressure --mode critical` for reflection guidance.",
            ),
        ),
    ];
    assert_eq!(told, expected);

    // A compaction arms all of them again.
    desk.compact(190_000);
    assert_eq!(desk.look(HALF_AN_HOUR), [""; 0]);
    let again = desk.grow(23, 28_000, 184_000);
    let sizes = again.iter().map(|(tokens, _)| *tokens);
    let tiers: Vec<u64> = sizes.map(|tokens| tokens / 2_000).collect();
    assert_eq!(tiers, [41, 50, 65, 86, 92], "{again:?}");
}

#[test]
fn without_the_number_of_a_turn_it_says_how_many_and_how_long() {
    let mut desk = Desk::with_a_way();
    for tokens in [160_000, 166_000] {
        desk.say(None, tokens);
        desk.look(120);
    }
    desk.say(None, 172_000);
    assert_eq!(
        desk.look(60),
        line(
            "medium",
            "context at 86% — projected critical in about 3 turns, about 6 minutes. Use `ways show \
             attend/context-pressure` for reflection guidance."
        )
    );
}

#[test]
fn it_says_at_once_where_it_attaches_late() {
    let mut desk = Desk::with_a_way();
    for (turn, tokens) in [(54, 166_000), (55, 172_000)] {
        desk.say(Some(turn), tokens);
        desk.harness.advance(Duration::from_secs(HALF_AN_HOUR));
    }
    assert_eq!(
        desk.look(2),
        line(
            "medium",
            "context at 86% — projected critical at turn 58 (3 turns remaining). Use `ways show \
             attend/context-pressure` for reflection guidance."
        )
    );
}

#[test]
fn a_signal_that_no_way_handles_names_no_command() {
    let mut desk = Desk::new(HandledSignals::new());
    desk.turn(54, 166_000);
    assert_eq!(desk.turn(55, 172_000), line("medium", "context at 86%"));
    desk.turn(56, 178_000);
    assert_eq!(
        desk.turn(57, 184_000),
        line("high", "compaction in about 1 turn: context at 92%")
    );
}
