//! The footnote: one line that names what rides along, and counts what it cannot name.

use super::line::{Head, LINE_LIMIT, Line};
use super::text::{sanitise, units};
use super::wrap::cut;

/// How many events of one sensor a footnote names.
const NAMED_PER_SENSOR: usize = 8;

/// Units that one name takes at most, its age apart.
const NAME_UNITS: usize = 120;

/// Units that the count of the rest may take: `; and 4096 more`.
const COUNT_UNITS: usize = 24;

/// One event of a footnote.
pub(super) struct Aside {
    /// The place of its sensor.
    pub(super) place: usize,
    /// What it says, from outside.
    pub(super) text: String,
    /// How old it is, where that is worth saying.
    pub(super) age: String,
}

/// The line `[attend] also: HEAD moved (2 commits); build finished ok`, and of each event
/// whether it is named in it. Those that are not are counted.
pub(super) fn line(asides: &[Aside]) -> (Line, Vec<bool>) {
    let head = Head::also();
    let mut room = LINE_LIMIT - head.units() - COUNT_UNITS;
    let mut names: Vec<String> = Vec::new();
    let mut is_named = vec![false; asides.len()];
    for (at, aside) in asides.iter().enumerate() {
        let before = asides
            .iter()
            .zip(&is_named)
            .filter(|(other, is_named)| **is_named && other.place == aside.place);
        if before.count() == NAMED_PER_SENSOR {
            continue;
        }
        let name = [&name(&aside.text), aside.age.as_str()].concat();
        let takes = units(&name) + "; ".len();
        if takes <= room {
            room -= takes;
            names.push(name);
            is_named[at] = true;
        }
    }
    match asides.len() - names.len() {
        0 => {}
        rest if names.is_empty() => names.push([&rest.to_string(), " smaller events"].concat()),
        rest => names.push(["and ", &rest.to_string(), " more"].concat()),
    }
    (head.clean_line(&names.join("; ")), is_named)
}

/// What a footnote calls an event: its text, cut between words or graphemes.
fn name(text: &str) -> String {
    let text = sanitise(text);
    if units(&text) <= NAME_UNITS {
        return text;
    }
    [cut(&text, NAME_UNITS - 1).0, "…"].concat()
}
