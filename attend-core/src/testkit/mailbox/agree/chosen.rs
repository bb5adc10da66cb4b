//! Numbers and ids that a mailbox chooses by itself, made comparable.

use std::collections::HashMap;

/// What a mailbox chooses by itself, as it is written out.
const CHOSEN: [&str; 5] = ["SeatId(", "ProjectId(", "ClaimId(", "MessageId(", "Epoch("];

/// What was chosen so far, and when.
#[derive(Default)]
pub(super) struct Chosen {
    names: HashMap<String, usize>,
}

impl Chosen {
    /// The text with each chosen number or id replaced by when it was first seen. An epoch only
    /// has to be there.
    pub(super) fn canonical(&mut self, text: &str) -> String {
        let mut canonical = String::new();
        let mut rest = text;
        loop {
            let found = CHOSEN
                .iter()
                .filter_map(|kind| Some((rest.find(kind)?, *kind)));
            let Some((at, kind)) = found.min() else {
                canonical.push_str(rest);
                return canonical;
            };
            let (before, chosen) = rest.split_at(at + kind.len());
            let (chosen, after) = chosen.split_once(')').unwrap_or((chosen, ""));
            canonical.push_str(before);
            if kind != "Epoch(" {
                let next = self.names.len();
                let number = *self.names.entry(format!("{kind}{chosen}")).or_insert(next);
                canonical.push_str(&number.to_string());
            }
            canonical.push(')');
            rest = after;
        }
    }
}
