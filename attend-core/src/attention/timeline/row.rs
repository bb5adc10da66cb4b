//! One sensor's row: its name, what was shown of it, its levels and marks, and what held it.

use svg::node::element::{Group, Rectangle};

use super::axis::Span;
use super::curves::{held, sum, sums, threshold};
use super::hue::{Hue, LEFT, RIGHT, SMALL, WIDTH};
use super::marks::{Bin, draw, gather};
use crate::attention::explain::{Dial, Stage, Story, amount, needed};
use crate::attention::text::sanitise;
use crate::dynamics::{Curve, Tick};
use crate::picture::{Frame, Places, Scale, cut, line, text, width};
use crate::sensor::{Magnitude, SensorName};

/// How high a row is, with the distance to the next.
pub(super) const ROW: f64 = 158.0;

/// Where in it the words of what was shown stand, one line above the other.
const WORDS: [f64; 2] = [38.0, 54.0];

/// Where the levels are drawn.
pub(super) const LEVELS: (f64, f64) = (62.0, 130.0);

/// How wide the words of what was shown are at most.
const MOST_WIDTH: f64 = 230.0;

/// What is drawn of one sensor.
pub(super) struct Row<'s, 'a> {
    pub(super) sensor: &'a SensorName,
    pub(super) stories: Vec<&'s Story<'a>>,
    pub(super) stages: &'s [Stage<'a>],
    pub(super) curve: &'s Curve,
}

impl Row<'_, '_> {
    /// Draws it below `top`.
    pub(super) fn draw(&self, top: f64, span: &Span, dial: &Dial<'_>) -> Group {
        let (head, base) = (top + LEVELS.0, top + LEVELS.1);
        let sums = sums(self.stages, &self.stories);
        let bins = gather(&self.stories, span);
        let high = self.high(&sums);
        let level = Scale::new((0.0, high), (base, head));
        let ground = Rectangle::new()
            .set("class", "row")
            .set("x", LEFT)
            .set("y", head)
            .set("width", WIDTH - LEFT - RIGHT)
            .set("height", base - head);
        let name = cut(self.sensor.as_str(), 14, MOST_WIDTH);
        let room = WIDTH - RIGHT - 20.0 - width(&name, 14) - 12.0;
        let counted = cut(&counted(&bins), SMALL, room);
        let mut group = Group::new()
            .add(ground)
            .add(text(20.0, top + 18.0, "ink", 14, &name))
            .add(
                text(WIDTH - RIGHT, top + 18.0, "faint", SMALL, &counted).set("text-anchor", "end"),
            )
            .add(threshold(self.stages, self.curve, span, &level));
        if let Some(path) = sum(&sums, span, &level) {
            group = group.add(path);
        }
        group = group
            .add(line("rule", (LEFT, base), (WIDTH - RIGHT, base)))
            .add(said(&bins, top, &level, span))
            .add(draw(&bins, &level, dial))
            .add(held(self.stages, span, base + 4.0, dial));
        self.heights(&level).into_iter().fold(group, Group::add)
    }

    /// The highest that is drawn: the largest event and the threshold wholly, and of a sum and a
    /// raised threshold what is not out of proportion to them.
    fn high(&self, sums: &[(Tick, u64)]) -> f64 {
        let events = self.stories.iter().filter_map(|story| story.magnitude);
        let largest = events.map(Magnitude::thousandths).max().unwrap_or(0);
        let thresholds = self.stages.iter().map(|stage| stage.record.threshold);
        let threshold = thresholds.max();
        let raised = self.stages.iter().map(|stage| {
            needed(
                stage.record.threshold,
                stage.record.multiplier.unwrap_or(1.0),
            )
        });
        let known = largest.max(threshold.map_or(0, Magnitude::thousandths));
        let summed = sums.iter().map(|(_, sum)| *sum).max().unwrap_or(0);
        let most = known.max(1_000).saturating_mul(3);
        let high = known.max(raised.chain([summed]).max().unwrap_or(0).min(most));
        high.max(1_000) as f64 * 1.08
    }

    /// The heights at the left: the threshold, and the top.
    fn heights(&self, level: &Scale) -> Vec<svg::node::element::Text> {
        let mut places = Places::default();
        let mut words = Vec::new();
        let threshold = self
            .stages
            .last()
            .map(|stage| stage.record.threshold.thousandths());
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a sum of magnitudes"
        )]
        let top = (level.high() / 1.08) as u64;
        for height in threshold.into_iter().chain([top, 0]) {
            let (y, said) = (level.at(height as f64) + 4.0, amount(height));
            let room = width(&said, SMALL);
            let x = LEFT - 5.0;
            if places.take(Frame::around(x - room, y, SMALL, room)) {
                words.push(text(x, y, "faint", SMALL, &said).set("text-anchor", "end"));
            }
        }
        words
    }
}

/// How many events became what.
fn counted(bins: &[Bin<'_, '_>]) -> String {
    let parts = Hue::ALL.map(|hue| {
        let of_it = bins.iter().filter(|bin| bin.hue == hue);
        (of_it.map(|bin| bin.count).sum::<usize>(), hue.words())
    });
    let total: usize = parts.iter().map(|(count, _)| count).sum();
    let parts = parts.iter().filter(|(count, _)| *count > 0);
    let parts: Vec<String> = parts
        .map(|(count, words)| format!("{count} {words}"))
        .collect();
    match total {
        0 => "no events".to_owned(),
        1 => format!("1 event: {}", parts.join(", ")),
        _ => format!("{total} events: {}", parts.join(", ")),
    }
}

/// The words of what was shown, the largest first, where there is room.
fn said(bins: &[Bin<'_, '_>], top: f64, level: &Scale, span: &Span) -> Group {
    let mut shown: Vec<&Bin<'_, '_>> = bins.iter().filter(|bin| bin.hue == Hue::Shown).collect();
    shown.sort_by_key(|bin| (std::cmp::Reverse(bin.largest.magnitude), bin.at));
    let mut places = Places::default();
    let (mut leads, mut texts) = (Group::new(), Group::new());
    let (left, right) = span.scale.places();
    for bin in shown {
        let more = match bin.count {
            1 => String::new(),
            count => format!(" +{}", count - 1),
        };
        let rest = MOST_WIDTH - width(&more, SMALL);
        let words = cut(&sanitise(bin.largest.text), SMALL, rest) + &more;
        let room = width(&words, SMALL);
        let x = (bin.x - 4.0).clamp(left, (right - room).max(left));
        let free = WORDS.into_iter().rev().map(|line| top + line);
        let mut free = free.filter(|y| places.take(Frame::around(x - 3.0, *y, SMALL, room + 6.0)));
        if let Some(y) = free.next() {
            let foot = level.places().1;
            leads = leads.add(line("lead", (bin.x, y + 3.0), (bin.x, foot)));
            texts = texts.add(text(x, y, "ink said", SMALL, &words));
        }
    }
    // A line goes behind the words that it passes.
    Group::new().add(leads).add(texts)
}
