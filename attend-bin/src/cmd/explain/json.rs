//! The journal as JSON lines.

use attend_core::attention::{Chain, EventId, Record, Totals};
use attend_core::dynamics::Tick;
use attend_core::runtime::JournalEntry;
use serde::Serialize;

use super::source::Source;
use crate::output::{Failure, json_line};

/// A record, as it is printed.
#[derive(Serialize, Debug)]
struct Line<'a> {
    #[serde(flatten)]
    record: &'a Record,
    /// The ids in `gone`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    absorbed: Vec<EventId>,
}

/// The last line.
#[derive(Serialize, Debug)]
struct Counts<'a> {
    /// What became of all events; none where that is not known.
    counts: Option<&'a [Totals]>,
    as_of: Option<Tick>,
}

/// The records that `takes` names, what is missing, and the counts.
pub(super) fn lines(
    source: &Source,
    totals: &[Totals],
    takes: impl Fn(&Record) -> bool,
) -> Result<String, Failure> {
    let mut text = String::new();
    for entry in &source.entries {
        match entry {
            JournalEntry::Record(record) if takes(record) => {
                let absorbed = record.gone.iter().map(|gone| gone.event).collect();
                text += &json_line(&Line { record, absorbed })?;
            }
            JournalEntry::Lost { .. } => text += &json_line(entry)?,
            _ => {}
        }
    }
    let counts = Counts {
        counts: source.as_of.map(|_| totals),
        as_of: source.as_of,
    };
    Ok(text + &json_line(&counts)?)
}

/// Whether one of the chosen stories is told by `record`.
pub(super) fn is_chosen(chosen: &[Chain<'_, '_>], record: &Record) -> bool {
    chosen.iter().any(|chain| chain.is_told_by(record))
}
