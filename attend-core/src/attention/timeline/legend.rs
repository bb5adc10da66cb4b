//! The legend: what each mark and colour says.

use svg::node::element::{Group, Rectangle};

use super::hue::{Gate, Hue, LEFT, RIGHT, SMALL, WIDTH};
use super::marks::mark;
use crate::picture::{line, round, text, width};

/// The distance between two lines of it.
const LINE: f64 = 18.0;

/// What stands before the words of an item.
enum Sample {
    Mark(Hue),
    Band(Gate),
    Line(&'static str),
}

/// The legend below `top`, and where it ends.
pub(super) fn legend(top: f64) -> (Group, f64) {
    let lines = [("sum", "sum held"), ("threshold", "threshold")];
    let lines = lines.map(|(class, words)| (Sample::Line(class), words));
    let marks = Hue::ALL.map(|hue| (Sample::Mark(hue), hue.words()));
    let bands = Gate::ALL.map(|gate| (Sample::Band(gate), gate.words()));
    let raised = (Sample::Line("raised"), "raised after it was shown");
    let mut group = Group::new();
    let mut y = top;
    let groups = [
        ("event", marks.into_iter().collect::<Vec<_>>()),
        ("level", lines.into_iter().chain([raised]).collect()),
        ("held by", bands.into_iter().collect()),
    ];
    for (name, items) in groups {
        group = group.add(text(20.0, y, "faint", SMALL, name));
        let start = LEFT + 26.0;
        let mut x = start;
        for (sample, words) in items {
            let room = 20.0 + width(words, SMALL);
            if x > start && x + room > WIDTH - RIGHT {
                (x, y) = (start, y + LINE);
            }
            group = add(group, &sample, x, y);
            group = group.add(text(x + 16.0, y, "ink", SMALL, words));
            x += room + 8.0;
        }
        y += LINE;
    }
    (group, y - LINE)
}

fn add(group: Group, sample: &Sample, x: f64, y: f64) -> Group {
    match sample {
        Sample::Mark(hue) => group.add(mark(*hue, x + 5.0, y - 4.0)),
        Sample::Band(gate) => group.add(band(gate.class(), x, y - 8.0, 11.0)),
        Sample::Line(class @ "raised") => group.add(band(class, x, y - 8.0, 11.0)),
        Sample::Line(class) => group.add(line(class, (x, y - 4.0), (x + 12.0, y - 4.0))),
    }
}

/// A piece of a band, eight units high.
pub(super) fn band(class: &str, x: f64, y: f64, width: f64) -> Rectangle {
    Rectangle::new()
        .set("class", class)
        .set("x", round(x))
        .set("y", round(y))
        .set("width", round(width))
        .set("height", 8)
}
