//! The pictures of the guide: each is drawn by what the library offers, and lies beside the pages.
//!
//! With `UPDATE=1` in the environment they are drawn anew, to be looked at before they are
//! committed.

use std::fs;
use std::path::Path;

use attend_core::attention::{
    Attention, Change, Choice, Dial, Fate, Input, Local, Reason, Record, SensorProfile, Step,
    Stories, timeline,
};
use attend_core::dynamics::{Curve, Shape, Tick};
use attend_core::sensor::{Event, HostState, Report, SensorName};
use attend_core::ways::{FLOOR, Gate, Position, Standing, WayId, plot, read, rethink};

use crate::pages::{page, workspace};

/// Half past nine.
const START: u64 = 34_200;

/// What happens in the picture of the gates: after so many seconds, in which sensor, and how much
/// it matters. Without a sensor the host falls idle (0) or goes on (1).
const STORY: [(u64, &str, f64, &str); 16] = [
    (60, "git", 3.0, "branch changed: main → feat/x"),
    (70, "process", 3.5, "cargo test failed"),
    (110, "files", 0.6, "created a.rs"),
    (200, "files", 0.8, "created b.rs"),
    (230, "process", 3.5, "cargo test failed again"),
    (290, "files", 1.0, "created c.rs"),
    (380, "process", 3.5, "cargo test failed a third time"),
    (460, "process", 3.2, "cargo fmt failed"),
    (500, "process", 0.5, "a compiler runs"),
    (560, "git", 3.0, "2 new commits on feat/x"),
    (700, "", 0.0, "the turn ends"),
    (760, "git", 4.0, "branch changed: feat/x → main"),
    (960, "", 1.0, "the next turn begins"),
    (1_020, "files", 0.5, "created d.rs"),
    (1_080, "git", 1.0, "3 files newly dirty"),
    (1_200, "", 1.0, "the end"),
];

/// An engine that writes at once, and all that its journal said.
struct Session {
    engine: Attention,
    records: Vec<Record>,
    now: Tick,
}

impl Session {
    fn wait_until(&mut self, end: Tick) {
        while self.now < end {
            match self.engine.step(self.now) {
                Step::Wait { until } => self.now = until.map_or(end, |until| until.min(end)),
                Step::Write(batch) => self.engine.ack(self.now, batch.id()),
                other => panic!("{other:?}"),
            }
            self.records.extend(self.engine.drain_journal());
        }
    }

    fn happens(&mut self, (after, sensor, magnitude, text): (u64, &str, f64, &str)) {
        self.wait_until(Tick::new(START + after));
        let input = if sensor.is_empty() {
            Input::Host(if magnitude > 0.0 {
                HostState::Busy
            } else {
                HostState::Idle { since: self.now }
            })
        } else {
            let mut report = Report::new();
            report.event(Event::new(magnitude, text)).unwrap();
            Input::Report(SensorName::new(sensor).unwrap(), report)
        };
        self.engine.input(self.now, input);
    }
}

fn local(tick: Tick) -> Local {
    Local {
        day: "Nov 28".to_owned(),
        second: u32::try_from(tick.get() % 86_400).unwrap(),
    }
}

/// The story, as the journal tells it, and the engine as it stands then.
fn session() -> (Vec<Record>, Attention, Tick) {
    let (mut engine, now) = (Attention::builder().build(), Tick::new(START));
    let sensors = ["files", "git", "process"].map(|name| SensorName::new(name).unwrap());
    let profiles = sensors.map(SensorProfile::new).into();
    engine.input(now, Input::Sensors(profiles));
    let records = Vec::new();
    let mut session = Session {
        engine,
        records,
        now,
    };
    for moment in STORY {
        session.happens(moment);
    }
    let Session {
        mut engine,
        mut records,
        now,
    } = session;
    engine.note_rest(now);
    records.extend(engine.drain_journal());
    (records, engine, now)
}

/// The story, as `attend explain --plot` draws it.
fn gates() -> String {
    let (records, engine, now) = session();
    let stories = Stories::of(&records, &engine, now);
    let chosen = Choice::default().of(&stories);
    let dial = Dial::new(now, &local);
    timeline(&stories, &chosen, (Tick::new(START), now), &dial)
}

/// Where a way of this name stands that fades in this shape and was shown at these positions.
fn standing(name: &str, shape: Shape, fires: &[u64], now: u64) -> Standing {
    let (id, curve) = (WayId::new(name).unwrap(), Curve::new(shape).unwrap());
    let text = format!(
        "---\nname: {name}\ndescription: how it fades\ntrigger:\n  type: attend\n  \
         signals: [build-failed]\n---\nLook.\n"
    );
    let way = read(&id, Path::new("way.md"), &text).way.unwrap();
    let at = |tokens| Gate::new(Position::new(Some("epoch".to_owned()), tokens), FLOOR);
    let mut stamp = None;
    for fire in fires {
        stamp = Some(at(*fire).fire(stamp.as_ref(), &curve));
    }
    let fires = fires.iter().copied().map(Tick::new).collect();
    rethink(&at(now), &way, curve, stamp.as_ref(), fires)
}

/// The curves that fade, as `ways rethink --plot` draws them.
fn curves() -> String {
    let now = 150_000;
    let steps = vec![(0, 1.0), (20_000, 0.7), (50_000, 0.4), (90_000, 0.1)];
    let (flat, half) = (30_000, 30_000);
    let standings = [
        standing(
            "exponential",
            Shape::Exponential { half_life: half },
            &[10_000, 60_000, 135_000],
            now,
        ),
        standing(
            "flat",
            Shape::Flat { suppression: flat },
            &[10_000, 70_000],
            now,
        ),
        standing(
            "staircase",
            Shape::ProgressiveStaircase { steps },
            &[10_000, 32_000, 64_000, 105_000],
            now,
        ),
    ];
    plot(&standings, Tick::new(now), 200_000, FLOOR)
}

#[test]
#[expect(clippy::disallowed_methods, reason = "a person asks for new pictures")]
fn each_picture_is_the_one_that_is_drawn_now_and_is_shown() {
    let text = page("attention.md");
    for (name, picture) in [("gates.svg", gates()), ("curves.svg", curves())] {
        let path = workspace().join("docs/guide").join(name);
        if std::env::var_os("UPDATE").is_some() {
            fs::write(&path, &picture).unwrap();
        }
        let written = fs::read_to_string(&path).unwrap_or_default();
        assert!(
            written == picture,
            "docs/guide/{name} is not fresh; draw it anew: UPDATE=1 cargo test -p examples --test \
             guide pictures"
        );
        assert!(text.contains(&format!("]({name})")), "{name} is not shown");
    }
}

/// What the page says below the picture of the gates.
#[test]
fn the_story_of_the_gates_goes_as_it_is_told() {
    let (records, engine, now) = session();
    let stories = Stories::of(&records, &engine, now);
    let told: Vec<_> = stories
        .iter()
        .map(|story| {
            let held = stories
                .stages(story)
                .iter()
                .filter_map(|stage| match stage.record.change {
                    Change::Held { reason } => Some(gate(reason)?),
                    _ => None,
                });
            let held: Vec<&str> = held.collect();
            let fate = match story.fate {
                Fate::Shown { .. } => "shown",
                Fate::Footnoted { .. } => "in passing",
                Fate::Held => "held",
                _ => "gone",
            };
            (story.text, held, fate)
        })
        .collect();
    let expected: [(&str, &[&str], &str); 13] = [
        ("created a.rs", &["threshold", "priority"], "in passing"),
        ("created b.rs", &["threshold", "priority"], "in passing"),
        ("created c.rs", &["priority"], "in passing"),
        ("created d.rs", &["threshold"], "held"),
        ("branch changed: main → feat/x", &[], "shown"),
        ("2 new commits on feat/x", &[], "shown"),
        ("branch changed: feat/x → main", &["host"], "shown"),
        ("3 files newly dirty", &["threshold"], "held"),
        ("cargo test failed", &["governor"], "shown"),
        ("cargo test failed again", &[], "shown"),
        ("cargo test failed a third time", &[], "shown"),
        ("cargo fmt failed", &["refractory"], "shown"),
        ("a compiler runs", &["refractory"], "shown"),
    ];
    let expected = expected.map(|(text, held, fate)| (text, held.to_vec(), fate));
    assert_eq!(told, expected);
}

/// What the page calls a gate; none for the moment that looks of the same time are waited for.
fn gate(reason: Reason) -> Option<&'static str> {
    Some(match reason {
        Reason::Threshold => "threshold",
        Reason::Priority => "priority",
        Reason::Refractory { .. } => "refractory",
        Reason::Host => "host",
        Reason::Cooldown | Reason::Window => "governor",
        _ => return None,
    })
}
