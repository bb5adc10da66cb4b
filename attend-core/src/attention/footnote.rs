//! The footnote: one line that names what rides along, and counts what it cannot name.

use std::collections::BTreeMap;

use super::line::{Head, LINE_LIMIT, Line};
use super::text::{clean, units};
use super::wrap::cut;

/// How many events of one sensor a footnote names.
const NAMED_PER_SENSOR: usize = 8;

/// Units that one name takes at most, its age apart.
const NAME_UNITS: usize = 120;

/// Bytes beyond which a text is surely longer than a name: a UTF-16 unit is at most 3 bytes of
/// UTF-8.
const ENOUGH: usize = 3 * NAME_UNITS;

/// Units that the count of the rest may take: `; and 4096 more`.
const COUNT_UNITS: usize = 24;

/// One event of a footnote.
pub(super) struct Aside<'a> {
    /// The place of its sensor.
    pub(super) place: usize,
    /// What it says, from outside.
    pub(super) text: &'a str,
    /// How old it is, where that is worth saying.
    pub(super) age: String,
}

/// The line `[attend] also: HEAD moved (2 commits); build finished ok`, and of each event
/// whether it is named in it. Those that are not are counted.
pub(super) fn line(asides: &[Aside<'_>]) -> (Line, Vec<bool>) {
    let head = Head::also();
    let mut room = LINE_LIMIT - head.units() - COUNT_UNITS;
    let mut names: Vec<String> = Vec::new();
    let mut named_of_sensor: BTreeMap<usize, usize> = BTreeMap::new();
    let mut is_named = vec![false; asides.len()];
    for (at, aside) in asides.iter().enumerate() {
        let before = named_of_sensor.entry(aside.place).or_default();
        if *before == NAMED_PER_SENSOR {
            continue;
        }
        let name = name(aside.text) + &aside.age;
        let takes = units(&name) + "; ".len();
        if takes <= room {
            room -= takes;
            names.push(name);
            is_named[at] = true;
            *before += 1;
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
    let (text, whole) = clean(text, ENOUGH);
    if whole && units(&text) <= NAME_UNITS {
        return text.into_owned();
    }
    [cut(&text, NAME_UNITS - 1).0, "…"].concat()
}
