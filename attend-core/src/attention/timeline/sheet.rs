//! The whole picture.

use std::collections::BTreeMap;

use super::axis::{Span, axis};
use super::hue::{LEFT, RIGHT, SMALL, WIDTH, rules};
use super::legend::legend;
use super::row::{LEVELS, ROW, Row};
use crate::attention::explain::{Chain, Dial, Stories, Story};
use crate::dynamics::Tick;
use crate::picture::{sheet, style, text};
use crate::sensor::SensorName;

/// Room below the last row: times and days.
const BOTTOM: f64 = 52.0;

/// Draws `chosen` of `stories` from one tick to another as an SVG with a row for each sensor.
///
/// | in a row | is |
/// |---|---|
/// | a mark | an event, as high as its magnitude; or the largest of those that lie too close |
/// | the line | the sum of what the sensor held |
/// | dashes | its threshold; the area above: how far that was raised after it was shown |
/// | the band | which gate held it |
///
/// Colours follow the preference of whoever looks, for light or for dark. It is made to be shown
/// 600 to 1280 pixels wide, and no label lies over another.
pub fn timeline<'a>(
    stories: &Stories<'a>,
    chosen: &[Chain<'_, 'a>],
    (from, to): (Tick, Tick),
    dial: &Dial<'_>,
) -> String {
    let mut rows: BTreeMap<&SensorName, Vec<&Story<'a>>> = BTreeMap::new();
    for chain in chosen {
        let row = rows.entry(chain.newest.sensor).or_default();
        row.extend(chain.stories());
    }
    let span = Span::new(from, to, (LEFT, WIDTH - RIGHT));
    let (legend, end) = legend(80.0);
    let top = end + 14.0;
    let base = top + ROW * rows.len().max(1) as f64 - 8.0;
    let top_of = |n: usize| top + ROW * n as f64;
    let levels: Vec<(f64, f64)> = (0..rows.len())
        .map(|n| (top_of(n) + LEVELS.0, top_of(n) + LEVELS.1))
        .collect();
    let height = base + BOTTOM;
    let title = "What attend showed, held and dropped";
    let mut document = sheet(WIDTH, height, title, style(rules))
        .add(text(20.0, 32.0, "ink", 17, title))
        .add(text(20.0, 54.0, "faint", 13, &period(&span, dial)))
        .add(legend)
        .add(axis(&span, &levels, base, dial));
    if rows.is_empty() {
        let words = "nothing is known of this time";
        document = document.add(text(LEFT, top + ROW / 2.0, "faint", SMALL + 2, words));
    }
    for (n, (sensor, stories_of_it)) in rows.into_iter().enumerate() {
        let row = Row {
            sensor,
            stories: stories_of_it,
            stages: stories.all_stages(sensor),
            curve: &stories.state.settings().engagement,
        };
        document = document.add(row.draw(top_of(n), &span, dial));
    }
    format!("{document}\n")
}

/// From when to when.
fn period(span: &Span, dial: &Dial<'_>) -> String {
    let (from, to) = (dial.local(span.from), dial.local(span.to));
    if from.day == to.day {
        format!("{}, {} to {}", from.day, from.time(), to.time())
    } else {
        format!("{} {} to {} {}", from.day, from.time(), to.day, to.time())
    }
}
