//! Events: a mark for each, or for all of one column that became the same.

use std::collections::BTreeMap;

use svg::node::element::{Group, Path, Title};

use super::axis::Span;
use super::hue::Hue;
use crate::attention::explain::{Dial, Story, amount};
use crate::attention::text::sanitise;
use crate::dynamics::Tick;
use crate::picture::{Scale, circle, line};
use crate::sensor::Magnitude;

/// How wide a column is.
const COLUMN: f64 = 5.0;

/// How many marks of a row are so many that each must be small.
const MANY: usize = 80;

/// The events of one column with one fate.
#[derive(Debug)]
pub(super) struct Bin<'s, 'a> {
    pub(super) hue: Hue,
    pub(super) count: usize,
    pub(super) largest: &'s Story<'a>,
    pub(super) at: Tick,
    pub(super) x: f64,
    from: Tick,
    to: Tick,
}

/// Where an event is drawn: when it came, or what was shown, when it was.
fn moment(story: &Story<'_>) -> Tick {
    match Hue::of(story.fate) {
        Hue::Shown | Hue::Footnoted => story.fate_at,
        _ => story.came.unwrap_or(story.fate_at),
    }
}

fn magnitude(story: &Story<'_>) -> u64 {
    story.magnitude.map_or(0, Magnitude::thousandths)
}

/// Gathers events into columns, what matters less first.
pub(super) fn gather<'s, 'a>(stories: &[&'s Story<'a>], span: &Span) -> Vec<Bin<'s, 'a>> {
    let mut bins: BTreeMap<(Hue, u64), Bin<'s, 'a>> = BTreeMap::new();
    for &story in stories {
        let at = moment(story);
        if !span.contains(at) {
            continue;
        }
        let (hue, x) = (Hue::of(story.fate), span.x(at));
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a place on the picture"
        )]
        let column = (x / COLUMN) as u64;
        let new = || Bin {
            hue,
            count: 0,
            largest: story,
            at,
            x,
            from: at,
            to: at,
        };
        let bin = bins.entry((hue, column)).or_insert_with(new);
        bin.count += 1;
        bin.from = bin.from.min(at);
        bin.to = bin.to.max(at);
        if magnitude(story) > magnitude(bin.largest) {
            (bin.largest, bin.at, bin.x) = (story, at, x);
        }
    }
    bins.into_values().collect()
}

/// Draws the events of one row.
pub(super) fn draw(bins: &[Bin<'_, '_>], level: &Scale, dial: &Dial<'_>) -> Group {
    let base = level.places().0;
    let head = if bins.len() > MANY { dot } else { mark };
    let mut group = Group::new();
    for bin in bins {
        let y = level.at(magnitude(bin.largest) as f64);
        let stem = line(bin.hue.class(), (bin.x, base), (bin.x, y));
        let stem = stem.set("stroke-width", if bin.count > 1 { 3 } else { 1 });
        let told = Title::new(bin.told(dial));
        group = group.add(
            Group::new()
                .add(told)
                .add(stem)
                .add(head(bin.hue, bin.x, y)),
        );
    }
    group
}

impl Bin<'_, '_> {
    /// The largest of them, how many there were, and when.
    fn told(&self, dial: &Dial<'_>) -> String {
        let (text, hue) = (sanitise(self.largest.text), self.hue.words());
        let largest = amount(magnitude(self.largest));
        if self.count == 1 {
            return format!("{}: {hue}, {largest}: {text}", dial.tell(self.at));
        }
        let (from, to) = (dial.tell(self.from), dial.tell(self.to));
        format!(
            "{from} to {to}: {} {hue}, up to {largest}: {text}",
            self.count
        )
    }
}

/// A small mark, where there are many.
fn dot(hue: Hue, x: f64, y: f64) -> Group {
    Group::new().add(circle(hue.class(), x, y, 1.6))
}

/// One mark.
pub(super) fn mark(hue: Hue, x: f64, y: f64) -> Group {
    let class = hue.class();
    let group = Group::new();
    match hue {
        Hue::Shown => group.add(circle(class, x, y, 4.5)),
        Hue::Footnoted | Hue::Held => group.add(circle(class, x, y, 3.5)),
        Hue::Replaced => group.add(circle(class, x, y, 2.0)),
        Hue::Dropped => {
            let (left, right, top, bottom) = (x - 3.5, x + 3.5, y - 3.5, y + 3.5);
            let cross = format!(
                "M{left:.1},{top:.1}L{right:.1},{bottom:.1}M{left:.1},{bottom:.1}L{right:.1},{top:.1}"
            );
            group.add(Path::new().set("class", class).set("d", cross))
        }
    }
}
