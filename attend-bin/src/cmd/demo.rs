//! `attend demo`: a scripted minute through the real engine.

use std::fmt::Write as _;

use attend_core::attention::{Change, Moment, Reason, Record, Shown, demo as minute};

use crate::output::{Failure, print};

/// Prints the minute as a monitor would show it, with the reason for each hold.
pub(crate) fn demo() -> Result<(), Failure> {
    let replay = minute();
    let mut text = String::new();
    for Moment { at, shown, .. } in &replay.moments {
        let clock = format!("{:02}:{:02}", at.get() / 60, at.get() % 60);
        match shown {
            Shown::Batch(batch) => {
                for line in batch.lines() {
                    let _ = writeln!(text, "{clock}  {line}");
                }
            }
            Shown::Record(record) => {
                if let Some(why) = hold(record) {
                    let _ = writeln!(text, "{clock}    · {why}");
                }
            }
            _ => {}
        }
    }
    let tally = |count: fn(&attend_core::attention::Tally) -> u64| -> u64 {
        replay
            .totals
            .iter()
            .map(|totals| count(&totals.tally))
            .sum()
    };
    let _ = writeln!(
        text,
        "\n{} events were reported: {} shown, {} named in passing, {} replaced, {} withdrawn; {} notifications.",
        tally(|t| t.reported),
        tally(|t| t.shown),
        tally(|t| t.footnoted),
        tally(|t| t.replaced),
        tally(|t| t.cleared),
        replay.batches().count(),
    );
    print(&text)
}

/// What a gate held, and why.
fn hold(record: &Record) -> Option<String> {
    let Change::Held { reason } = record.change else {
        return None;
    };
    let text = record.text.as_deref().filter(|_| reason != Reason::Empty)?;
    let until = record
        .until
        .map(|at| format!(", until {:02}:{:02}", at.get() / 60, at.get() % 60));
    Some(format!(
        "{} holds \"{text}\": {reason}{}",
        record.sensor,
        until.unwrap_or_default()
    ))
}
