//! `attend replay`: traces of an engine in virtual time.

use std::fs;

use attend_core::attention::{
    Attention, Claim, ClaimId, Claiming, Granted, Input, SensorProfile, Settings, Step, TraceLog,
    Waiting,
};
use attend_core::dynamics::Tick;
use attend_core::mail::{Letter, MessageId, Seq};
use attend_core::sensor::{Event, Report, SensorName};
use serde_json::Value;

use crate::home::{Home, stderr, stdout};

/// A loop that writes at once and has one message.
pub(crate) struct Loop {
    engine: Attention,
    pub(crate) log: TraceLog,
    now: Tick,
    written: Vec<String>,
}

impl Loop {
    pub(crate) fn new() -> Self {
        let (engine, now) = (Attention::builder().build(), Tick::new(1_000));
        let log = TraceLog::begin(now, &Settings::default(), None);
        let written = Vec::new();
        let mut new = Self {
            engine,
            log,
            now,
            written,
        };
        let sensors = ["git", "peers"].map(|name| SensorProfile::new(sensor(name)));
        new.tell(1_000, Input::Sensors(sensors.into()));
        new.tell(1_000, Input::Banner("attend watches web".to_owned()));
        new
    }

    fn tell(&mut self, at: u64, input: Input) {
        self.until(Tick::new(at));
        self.log.input(self.now, &input);
        self.engine.input(self.now, input);
    }

    pub(crate) fn report(&mut self, at: u64, name: &str, magnitude: f64, text: &str) {
        let mut report = Report::new();
        let event = Event::new(magnitude, text);
        report.event(event).expect("a sound event");
        self.tell(at, Input::Report(sensor(name), report));
    }

    pub(crate) fn until(&mut self, end: Tick) {
        while self.now < end {
            let step = self.engine.step(self.now);
            self.log.step(self.now, &step);
            match step {
                Step::Wait { until } => self.now = until.map_or(end, |until| until.min(end)),
                Step::Write(batch) => {
                    self.log.ack(self.now, batch.id());
                    self.engine.ack(self.now, batch.id());
                    self.written.push(batch.to_string());
                }
                Step::Claim(Claiming::Print(print)) => {
                    let granted = print.into_iter().map(|seq| Granted::new(seq, false));
                    let claimed = Input::Claimed(Claim::new(ClaimId::new(1), granted));
                    self.log.input(self.now, &claimed);
                    self.engine.input(self.now, claimed);
                }
                other => panic!("{other:?}"),
            }
        }
    }
}

fn sensor(name: &str) -> SensorName {
    SensorName::new(name).expect("a sensor's name")
}

/// Some minutes with three events, a small one, and a message.
pub(crate) fn minutes() -> Loop {
    let mut minutes = Loop::new();
    minutes.report(1_010, "git", 3.0, "branch changed: main → feat/x");
    minutes.report(1_025, "peers", 3.0, "Cleo-alpha is here");
    let letter = Letter::new(
        Seq::new(4),
        MessageId::new("7F3K2A"),
        "Tam-alpha",
        "you",
        "secret words",
    );
    minutes.tell(1_040, Input::MailWaiting(Waiting::Few(vec![letter])));
    minutes.tell(1_050, Input::MailWaiting(Waiting::Few(Vec::new())));
    minutes.report(1_400, "peers", 3.0, "Cleo-alpha left");
    minutes.report(1_500, "git", 0.5, "1 file newly dirty");
    minutes.until(Tick::new(1_520));
    minutes
}

/// A home with the trace in its project, and with `one.yaml` and `two.yaml`.
fn home(trace: &[u8], one: &str, two: &str) -> Home {
    let home = Home::new();
    for (name, bytes) in [
        ("day.trace", trace),
        ("one.yaml", one.as_bytes()),
        ("two.yaml", two.as_bytes()),
    ] {
        fs::write(home.project().join(name), bytes).expect("a file");
    }
    home
}

/// What `attend replay` with these arguments prints, where it must succeed.
fn replayed(home: &Home, args: &[&str]) -> (String, String) {
    let args: Vec<&str> = ["replay", "day.trace"]
        .iter()
        .chain(args)
        .copied()
        .collect();
    let output = home.output(&args);
    assert!(output.status.success(), "{}", stderr(&output));
    (stdout(&output), stderr(&output))
}

#[test]
fn a_trace_replays_to_what_was_written_with_messages_by_id_size_and_kind() {
    let mut minutes = minutes();
    let home = home(&minutes.log.take(), "", "");
    let (text, errors) = replayed(&home, &[]);
    let line = "[attend sensor=messages priority=high] 7F3K2A Tam-alpha → you: secret words";
    let known = "[attend sensor=messages priority=high] 7F3K2A (agent, 12 characters)";
    let written = minutes.written.join("\n");
    assert!(written.contains(line), "{written}");
    assert_eq!(text, written.replace(line, known));
    assert_eq!(errors, "");
}

#[test]
fn one_changed_value_shows_exactly_the_lines_that_differ() {
    let home = home(
        &minutes().log.take(),
        "governor:\n  cooldown: 60s\n",
        "sensors:\n  peers: {enabled: false}\n",
    );
    let slower = replayed(&home, &["--config", "one.yaml"]).0;
    insta::assert_snapshot!("replay-slower", slower);
    let without = replayed(&home, &["--config", "one.yaml", "--config", "two.yaml"]).0;
    insta::assert_snapshot!("replay-without", without);
    fs::write(home.project().join("one.yaml"), "").expect("a file");
    let same = replayed(&home, &["--config", "one.yaml"]).0;
    assert!(
        same.ends_with("\nBoth show the same lines at the same times.\n"),
        "{same}"
    );
}

#[test]
fn on_a_labelled_day_one_changed_value_shows_exactly_the_lines_that_differ() {
    let day = include_bytes!("../../../benches/traces/refactoring.trace");
    let home = home(day, "", "engagement:\n  absolute_refractory: 20s\n");
    let (told, errors) = replayed(&home, &["--config", "one.yaml", "--config", "two.yaml"]);
    assert_eq!(errors, "");
    insta::assert_snapshot!("replay-day", told);
    // Every line that is told to be shown by one alone is shown by that one, and not by the other.
    let (one, two) = (shown(&home, "one.yaml"), shown(&home, "two.yaml"));
    for (sign, here, there) in [("- ", &one, &two), ("+ ", &two, &one)] {
        let only = told.lines().filter_map(|line| line.strip_prefix(sign));
        for line in only.filter(|line| line.contains("[attend")) {
            let (_, text) = line.split_once("  ").expect("a time and a line");
            let count = |lines: &[String]| lines.iter().filter(|line| *line == text).count();
            assert!(count(here) > count(there), "{sign}{text}");
        }
    }
}

/// The lines that a day shows under a file.
fn shown(home: &Home, file: &str) -> Vec<String> {
    let (text, _) = replayed(home, &["--config", file, "--json"]);
    let document: Value = serde_json::from_str(&text).expect("one JSON document");
    let batches = document["runs"][1]["batches"].as_array().expect("batches");
    let lines = batches
        .iter()
        .flat_map(|batch| batch["lines"].as_array().expect("lines"));
    lines
        .map(|line| line["text"].as_str().expect("a text").to_owned())
        .collect()
}

#[test]
fn the_document_has_stable_names() {
    let home = home(&minutes().log.take(), "governor:\n  cooldown: 60s\n", "");
    let (text, _) = replayed(&home, &["--config", "one.yaml", "--json"]);
    let mut document: Value = serde_json::from_str(&text).expect("one JSON document");
    assert_eq!(document["version"], env!("CARGO_PKG_VERSION"));
    document["version"] = "VERSION".into();
    let documentation = include_str!("../../../docs/json.md");
    let parts = [&document, &document["runs"][0], &document["differences"][0]];
    let fields = parts
        .into_iter()
        .flat_map(|part| part.as_object().expect("an object").keys());
    for field in fields.chain(
        ["sensor", "magnitude", "lines", "voice", "at"]
            .map(str::to_owned)
            .iter(),
    ) {
        let named = [
            format!("`{field}`"),
            format!(".{field}`"),
            format!("`{field}[]`"),
            format!(".{field}[]`"),
        ];
        assert!(
            named.iter().any(|name| documentation.contains(name)),
            "`{field}` is not in docs/json.md"
        );
    }
    let pretty = serde_json::to_string_pretty(&document).expect("JSON");
    insta::assert_snapshot!("replay-json", pretty);
}

#[test]
fn what_cannot_be_replayed_says_what_is_wrong_where_and_what_to_do() {
    let whole = minutes().log.take();
    let text = String::from_utf8(whole.clone()).expect("JSON");
    for (trace, told) in [
        ("hello\n".to_owned(), "line 1: this is no trace"),
        ("hello\n".to_owned(), "attend run --record FILE"),
        (text.replace("\"trace\":1", "\"trace\":9"), "in form 9"),
        (text.replace("[1025,", "[1025"), "head -n"),
        (
            text.replace("\"units\":", "\"units\":1"),
            "this attend would write",
        ),
    ] {
        let home = home(trace.as_bytes(), "", "");
        let output = home.output(&["replay", "day.trace"]);
        assert_eq!(output.status.code(), Some(1), "{told}");
        let errors = stderr(&output);
        assert!(
            errors.contains("cannot replay day.trace: line "),
            "{errors}"
        );
        assert!(errors.contains(told), "{errors}");
        assert!(output.stdout.is_empty());
    }
    for endless in ["/dev/zero", "./large.trace"] {
        let home = home(&whole, "", "");
        let large = std::fs::File::create(home.project().join("large.trace"));
        large
            .and_then(|file| file.set_len(1 << 40))
            .expect("a file");
        let output = home.output(&["replay", endless]);
        assert_eq!(output.status.code(), Some(1), "{endless}");
        assert!(stderr(&output).contains("larger than 256 MiB"), "{endless}");
        let output = home.output(&["replay", "day.trace", "--config", endless]);
        assert!(stderr(&output).contains("larger than 1 MiB"), "{endless}");
    }
    let torn = whole.get(..whole.len() - 3).expect("a trace");
    let home = home(torn, "sensors: [", "");
    assert!(
        replayed(&home, &[])
            .1
            .contains("the last line of day.trace")
    );
    let wrong = replayed(&home, &["--config", "one.yaml"]).1;
    assert!(wrong.contains("one.yaml:2:1: this is not YAML"), "{wrong}");
    for (args, code, told) in [
        (
            &["replay", "no.trace"][..],
            1,
            "cannot read the trace no.trace",
        ),
        (
            &["replay", "day.trace", "--config", "no.yaml"],
            1,
            "cannot read the configuration no.yaml",
        ),
        (
            &[
                "replay",
                "day.trace",
                "--config",
                "a",
                "--config",
                "b",
                "--config",
                "c",
            ],
            2,
            "two files can be compared",
        ),
    ] {
        let output = home.output(args);
        assert_eq!(output.status.code(), Some(code), "{args:?}");
        assert!(stderr(&output).contains(told), "{}", stderr(&output));
    }
}
