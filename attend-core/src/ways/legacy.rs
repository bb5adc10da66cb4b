//! Keys of earlier forms of ways, and what to do about each.

use super::fields::{Fields, Findings};
use super::finding::Problem;

/// Their names.
pub(super) const KEYS: [&str; 4] = [LEGACY[0].0, LEGACY[1].0, LEGACY[2].0, LEGACY[3].0];

/// Each with why it is gone, and what to write instead.
const LEGACY: [(&str, &str, &str); 4] = [
    (
        "redisclose",
        "ways no longer share one distance",
        "write `refire: 0.25` (a share of the window), or a `curve`",
    ),
    (
        "subscriptions",
        "a way does not subscribe to events",
        "list the signals that it handles: `trigger: { type: attend, signals: [build-failed] }`",
    ),
    (
        "debounce_turns",
        "what was just shown is held back by the way's own curve",
        "write `curve: { type: Flat, suppression: 20000 }` (in tokens)",
    ),
    (
        "salience_floor",
        "the floor is the same for all ways",
        "give the way a shorter or longer `curve`; `--mode critical` raises the floor",
    ),
];

/// Finds them among `fields`.
pub(super) fn find(fields: Fields<'_>, found: &mut Findings<'_>) {
    for (key, text, instead) in LEGACY {
        if fields.has(key) {
            fields.refuse(key, Problem::Legacy, text, instead, found);
        }
    }
}
