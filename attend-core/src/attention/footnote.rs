//! The footnote: one line that names what rides along, and counts what it cannot name.

use std::collections::BTreeMap;

use super::line::{Head, LINE_LIMIT, Line, split};
use super::text::{clean, units};

/// How many events of one sensor a footnote names.
const NAMED_PER_SENSOR: usize = 8;

/// Units that one name takes at most.
const NAME_UNITS: usize = 120;

/// Bytes beyond which a text is surely longer than a name: a UTF-16 unit is at most 3 bytes of
/// UTF-8.
const ENOUGH: usize = 3 * NAME_UNITS;

/// Units that the line's head and the count of the rest may take.
const FRAME_UNITS: usize = 48;

/// One event of a footnote.
pub(super) struct Aside<'a> {
    /// The place of its sensor.
    pub(super) place: usize,
    /// What it says, from outside.
    pub(super) text: &'a str,
    /// How old it is, where that is worth saying.
    pub(super) age: String,
}

/// The line `[attend] also: HEAD moved (2 commits); build finished ok`, which always fits.
pub(super) fn line(asides: &[Aside<'_>]) -> Vec<Line> {
    let mut text = String::new();
    let mut named = 0;
    let mut of_sensor: BTreeMap<usize, usize> = BTreeMap::new();
    let mut room = LINE_LIMIT - FRAME_UNITS;
    for aside in asides {
        let before = of_sensor.entry(aside.place).or_default();
        *before += 1;
        if *before > NAMED_PER_SENSOR {
            continue;
        }
        let name = cut(aside.text) + &aside.age;
        let takes = units(&name) + 2;
        if takes > room {
            continue;
        }
        room -= takes;
        if named > 0 {
            text.push_str("; ");
        }
        text.push_str(&name);
        named += 1;
    }
    match asides.len() - named {
        0 => {}
        rest if named == 0 => text.push_str(&[&rest.to_string(), " smaller events"].concat()),
        rest => text.push_str(&["; and ", &rest.to_string(), " more"].concat()),
    }
    split(&Head::also(), &text, "attend status")
}

/// The first [`NAME_UNITS`] of `text`, made harmless.
fn cut(text: &str) -> String {
    let (text, whole) = clean(text, ENOUGH);
    if whole && units(&text) <= NAME_UNITS {
        return text.into_owned();
    }
    let mut room = NAME_UNITS - 1;
    let fits = |c: &char| {
        let fits = c.len_utf16() <= room;
        room = room.saturating_sub(c.len_utf16());
        fits
    };
    let mut cut: String = text.chars().take_while(fits).collect();
    cut.push('…');
    cut
}
