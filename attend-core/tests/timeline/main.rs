//! The picture of a journal: no label lies over another, and all can be read.

mod drawn;
mod guide;
mod rendered;

use attend_core::attention::{
    Attention, Choice, Dial, Input, Local, Record, SensorProfile, Stories, timeline,
};
use attend_core::dynamics::{Tick, TickDelta};
use attend_core::sensor::{Event, Report, SensorName};

use drawn::{labels, overlapping};
use rendered::Rendered;

/// Half past nine.
const START: u64 = 34_200;

/// A loop that writes at once, and all that its journal said.
struct Loop {
    engine: Attention,
    records: Vec<Record>,
    now: Tick,
}

impl Loop {
    fn new(sensors: &[&str]) -> Self {
        let (engine, now) = (Attention::builder().build(), Tick::new(START));
        let records = Vec::new();
        let mut new = Self {
            engine,
            records,
            now,
        };
        let profiles = sensors.iter().map(|name| SensorProfile::new(sensor(name)));
        new.engine.input(now, Input::Sensors(profiles.collect()));
        new
    }

    fn report(&mut self, after: u64, name: &str, event: Event) {
        self.wait(after);
        let mut report = Report::new();
        report.event(event).expect("a sound event");
        self.engine
            .input(self.now, Input::Report(sensor(name), report));
    }

    fn wait(&mut self, ticks: u64) {
        use attend_core::attention::Step;
        let end = self.now.after(TickDelta::new(ticks));
        while self.now < end {
            match self.engine.step(self.now) {
                Step::Wait { until } => self.now = until.map_or(end, |until| until.min(end)),
                Step::Write(batch) => self.engine.ack(self.now, batch.id()),
                other => panic!("{other:?}"),
            }
            self.records.extend(self.engine.drain_journal());
        }
    }

    fn drawn(mut self) -> String {
        self.engine.note_rest(self.now);
        self.records.extend(self.engine.drain_journal());
        let stories = Stories::of(&self.records, &self.engine, self.now);
        let chosen = Choice::default().of(&stories);
        let dial = Dial::new(self.now, &local);
        timeline(&stories, &chosen, (Tick::new(START), self.now), &dial)
    }
}

fn local(tick: Tick) -> Local {
    Local {
        day: format!("Nov {}", 28 + tick.get() / 86_400),
        second: u32::try_from(tick.get() % 86_400).expect("a small number"),
    }
}

fn sensor(name: &str) -> SensorName {
    SensorName::new(name).expect("a sensor's name")
}

/// A morning in which little happens.
fn quiet() -> String {
    let mut day = Loop::new(&["git", "peers", "process"]);
    day.report(
        120,
        "git",
        Event::new(3.0, "branch changed: main → feat/x").key("branch"),
    );
    day.report(30, "peers", Event::new(3.0, "Cleo-alpha is here"));
    day.report(
        40,
        "git",
        Event::new(0.5, "1 file newly dirty").key("dirty"),
    );
    day.report(
        600,
        "git",
        Event::new(4.0, "2 new commits on feat/x <script>").key("head"),
    );
    day.report(
        5,
        "process",
        Event::new(5.0, "build failed: 3 errors & 2 warnings"),
    );
    day.report(
        400,
        "git",
        Event::new(0.6, "2 files newly dirty").key("dirty"),
    );
    day.report(900, "process", Event::new(0.4, "a compiler runs"));
    day.report(1_200, "peers", Event::new(3.0, "Cleo-alpha left"));
    day.wait(4_000);
    day.drawn()
}

/// Thousands of events over a day and a half.
fn busy() -> String {
    let sensors = [
        "git",
        "files",
        "process",
        "a-sensor-with-a-rather-long-name",
    ];
    let mut day = Loop::new(&sensors);
    let mut seed = 7_u64;
    for n in 0..6_000_u64 {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let pick = seed >> 33;
        let name = sensors[usize::try_from(pick % 4).expect("a small number")];
        let magnitude = [0.2, 0.4, 0.9, 3.0, 0.3, 0.1, 5.0, 0.7]
            [usize::try_from(pick / 4 % 8).expect("a small number")];
        let event = Event::new(magnitude, format!("something of some length happened, {n}"));
        let event = if pick.is_multiple_of(3) {
            event.key(format!("k{}", pick % 5))
        } else {
            event
        };
        day.report(if n % 500 == 0 { 3_600 } else { pick % 30 }, name, event);
    }
    day.drawn()
}

#[test]
fn no_label_lies_over_another_and_all_can_be_read_at_any_width() {
    for (name, picture) in [
        ("quiet", quiet()),
        ("busy", busy()),
        ("empty", Loop::new(&[]).drawn()),
    ] {
        let labels = labels(&picture);
        assert!(labels.len() > 15, "{name}: {} labels", labels.len());
        for width in [600.0, 1_280.0] {
            let scale = width / 720.0;
            assert_eq!(overlapping(&labels, scale), [], "{name} at {width}");
            for label in &labels {
                assert!(label.size * scale >= 10.0, "{name} at {width}: {label:?}");
                assert!(
                    label.left >= 0.0 && label.right <= 720.0,
                    "{name}: {label:?}"
                );
            }
        }
        assert!(
            !picture.contains("NaN") && !picture.contains("inf"),
            "{name}"
        );
    }
}

/// The picture as whoever prefers dark sees it. What draws here knows no lights: the rules of the
/// night are taken out for it.
fn by_night(picture: &str) -> String {
    let (before, rest) = picture
        .split_once("@media (prefers-color-scheme:dark){")
        .expect("both lights");
    let (rules, after) = rest.split_once("}}").expect("rules");
    format!("{before}{rules}}}{after}")
}

#[test]
fn what_is_drawn_can_be_read_as_pixels_by_day_and_by_night() {
    for (name, picture) in [("quiet", quiet()), ("busy", busy())] {
        let drawn = labels(&picture).len();
        let night = by_night(&picture);
        for width in [600, 1_280] {
            let (day, night) = (Rendered::new(&picture, width), Rendered::new(&night, width));
            day.keep(&format!("{name}-{width}"));
            night.keep(&format!("{name}-{width}-night"));
            assert!(day.darkness() < 0.3, "{name}: {}", day.darkness());
            assert!(night.darkness() > 0.7, "{name}: {}", night.darkness());
            for light in [day, night] {
                assert_eq!(light.labels().len(), drawn, "{name} at {width}");
                assert!(
                    light.touching().is_empty(),
                    "{name} at {width}: {:?}",
                    light.touching()
                );
                for label in light.labels() {
                    // Letters have edges, which are drawn in many shades.
                    assert!(light.colours(label) >= 4, "{name} at {width}: {label:?}");
                }
            }
        }
    }
}

#[test]
fn a_picture_ends_with_the_last_tick_there_is() {
    let mut day = Loop::new(&["git"]);
    day.report(1, "git", Event::new(3.0, "branch changed"));
    day.now = Tick::new(u64::MAX);
    assert!(labels(&day.drawn()).len() < 100);
}

#[test]
fn labels_that_touch_or_hide_are_found() {
    let drawn = |texts: &str| {
        let head = r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 60" font-size="12" font-family="sans-serif">"#;
        Rendered::new(
            &format!("{head}<rect width='100' height='60' fill='#fff'/>{texts}</svg>"),
            200,
        )
    };
    let apart = drawn("<text x='5' y='20'>above</text><text x='5' y='40'>below</text>");
    assert_eq!(apart.labels().len(), 2);
    assert!(apart.touching().is_empty());
    assert!(apart.labels().iter().all(|label| apart.colours(label) >= 4));
    let over = drawn("<text x='5' y='20'>above</text><text x='20' y='24'>below</text>");
    assert_eq!(over.touching(), [("above", "below")]);
    let hidden = drawn("<text x='5' y='20' fill='#fff'>above</text>");
    assert_eq!(hidden.colours(&hidden.labels()[0]), 1);
}

#[test]
fn both_lights_have_words_that_stand_out() {
    let picture = quiet();
    let (day, night) = picture
        .split_once("@media (prefers-color-scheme:dark)")
        .expect("both lights");
    for light in [day, night] {
        let ground = drawn::colour(light, ".ground{fill:");
        for class in [".ink{fill:", ".faint{fill:"] {
            let contrast = drawn::contrast(drawn::colour(light, class), ground);
            assert!(contrast >= 4.5, "{class}: {contrast}");
        }
    }
}

#[test]
fn the_picture_shows_what_happened_and_a_busy_day_is_no_larger_than_it_must() {
    let quiet = quiet();
    for part in [
        "branch changed: main →",
        "‹script›",
        "3 errors &amp;",
        "class=\"shown\"",
        "class=\"held\"",
        "class=\"dropped\"",
        "class=\"threshold\"",
        "class=\"raised\"",
        "held, too small",
        ">\n10:00\n<",
    ] {
        assert!(quiet.contains(part), "{part} is not in the picture");
    }
    assert!(!quiet.contains("<script"));
    let busy = busy();
    assert!(busy.len() < 1 << 20, "{} bytes", busy.len());
    assert!(
        busy.contains(" up to "),
        "events that lie close are one mark"
    );
}
