//! The axis of time: marks at round times of the day.

use svg::node::element::Group;

use super::hue::SMALL;
use crate::attention::explain::{Dial, Local};
use crate::dynamics::{Tick, TickDelta};
use crate::picture::{Frame, Places, Scale, line, text, width};

/// Seconds that may lie between two marks.
const STEPS: [u64; 20] = [
    1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 10_800, 14_400, 21_600,
    43_200, 86_400, 172_800,
];

/// How far marks lie apart at least.
const APART: f64 = 84.0;

/// The span of time that is drawn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    pub(super) from: Tick,
    pub(super) to: Tick,
    pub(super) scale: Scale,
}

impl Span {
    pub(super) fn new(from: Tick, to: Tick, places: (f64, f64)) -> Self {
        let to = to.max(from.after(TickDelta::new(1)));
        let scale = Scale::new((from.get() as f64, to.get() as f64), places);
        Self { from, to, scale }
    }

    pub(super) fn x(&self, tick: Tick) -> f64 {
        self.scale.at(tick.get() as f64)
    }

    /// What time it is at a place.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a place within the span"
    )]
    pub(super) fn tick(&self, x: f64) -> Tick {
        let (left, right) = self.scale.places();
        let seconds = self.to.since(self.from).get() as f64;
        let after = seconds * ((x - left) / (right - left)).clamp(0.0, 1.0);
        self.from.after(TickDelta::new(after as u64))
    }

    pub(super) fn contains(&self, tick: Tick) -> bool {
        (self.from..=self.to).contains(&tick)
    }

    /// Seconds between marks.
    fn step(&self) -> u64 {
        let (left, right) = self.scale.places();
        let seconds = self.to.since(self.from).get() as f64;
        let fits = |step: &u64| *step as f64 / seconds * (right - left) >= APART;
        let days = self.to.since(self.from).get() / 5;
        STEPS
            .into_iter()
            .find(fits)
            .unwrap_or((days / 86_400 + 1) * 86_400)
    }
}

/// Lines through the levels of all `rows`, the times below them at `base`, and the day where it
/// is another than before.
pub(super) fn axis(span: &Span, rows: &[(f64, f64)], base: f64, dial: &Dial<'_>) -> Group {
    let (left, right) = span.scale.places();
    let mut group = Group::new().add(line("rule", (left, base), (right, base)));
    let step = span.step();
    let mut places = Places::default();
    let mut day = String::new();
    let second = u64::from(dial.local(span.from).second);
    let mut at = span.from.after(TickDelta::new(
        second.next_multiple_of(step.min(86_400)) - second,
    ));
    while at <= span.to {
        let x = span.x(at);
        let local = dial.local(at);
        let words = time(&local, step);
        let room = width(&words, SMALL);
        group = group.add(line("rule", (x, base), (x, base + 5.0)));
        for (top, base) in rows {
            group = group.add(line("rule", (x, *top), (x, *base)));
        }
        // A label at an end stays within the picture.
        let start = (x - room / 2.0).clamp(4.0, super::hue::WIDTH - 4.0 - room);
        if places.take(Frame::around(start - 4.0, base + 20.0, SMALL, room + 8.0)) {
            group = group.add(text(start, base + 20.0, "faint", SMALL, &words));
        }
        if local.day != day {
            let room = width(&local.day, SMALL);
            let start = (x - room / 2.0).clamp(4.0, super::hue::WIDTH - 4.0 - room);
            if places.take(Frame::around(start - 4.0, base + 37.0, SMALL, room + 8.0)) {
                group = group.add(text(start, base + 37.0, "faint", SMALL, &local.day));
                day = local.day;
            }
        }
        let next = at.after(TickDelta::new(step));
        if next == at {
            // There is no later tick.
            break;
        }
        at = next;
    }
    group
}

fn time(local: &Local, step: u64) -> String {
    if step < 60 {
        local.time()
    } else {
        local.minute()
    }
}
