//! `attend explain`: why each thing was shown, held or dropped.

use std::fmt::Write as _;
use std::time::UNIX_EPOCH;

use attend_core::attention::{Change, Reason, Record};
use attend_core::runtime::system::SystemClock;
use attend_core::runtime::{Journal, JournalEntry};
use attend_core::sensor::Clock;

use crate::cli::ExplainArgs;
use crate::env::Env;
use crate::output::{Failure, print};
use crate::place;
use crate::span;

/// Prints the journal of the loop that watches the project.
pub(crate) fn explain(args: &ExplainArgs, env: &Env) -> Result<(), Failure> {
    let place::Loop { project, dir } = place::of_loop(args.project.as_deref(), env)?;
    let Some(dir) = dir else {
        return Err(place::nothing_yet(&project));
    };
    let entries = Journal::read(&dir).map_err(|error| Failure::refused(error.to_string()))?;
    let now = SystemClock
        .wall()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default()
        .as_secs();
    let since = now.saturating_sub(args.since.as_secs());
    let mut text = String::new();
    for entry in &entries {
        match entry {
            JournalEntry::Record(record) if is_asked(record, args, since) => {
                write(&mut text, record, args.json, now)?;
            }
            JournalEntry::Lost { lost } if !args.json => {
                let _ = writeln!(
                    text,
                    "{lost} records are missing here: they could not be written"
                );
            }
            _ => {}
        }
    }
    print(&text)
}

fn is_asked(record: &Record, args: &ExplainArgs, since: u64) -> bool {
    let of_sensor = args
        .sensor
        .as_deref()
        .is_none_or(|name| record.sensor.as_str() == name);
    of_sensor && record.tick.get() >= since
}

fn write(text: &mut String, record: &Record, json: bool, now: u64) -> Result<(), Failure> {
    if json {
        let document = serde_json::to_string(record);
        let document = document
            .map_err(|error| Failure::refused(format!("cannot print the journal: {error}")))?;
        let _ = writeln!(text, "{document}");
        return Ok(());
    }
    let what = match record.change {
        Change::Held {
            reason: Reason::Empty,
        } => "holds nothing any more".to_owned(),
        Change::Held { reason } => format!("held: {reason}"),
        Change::Admitted => "may leave".to_owned(),
        Change::Shown { batch } => format!("shown in batch {batch}"),
        Change::Footnoted { batch } => format!("named in passing in batch {batch}"),
        Change::Returned { batch } => format!("held again: batch {batch} could not be written"),
        Change::AgedOut => "dropped: below the threshold for too long".to_owned(),
        _ => "changed in a way that this attend does not know".to_owned(),
    };
    let age = span(now.saturating_sub(record.tick.get()));
    let _ = write!(text, "{age:>4} ago  {}: {what}", record.sensor);
    if let Some(until) = record.until {
        let wait = until.since(record.tick).get();
        if wait > 0 {
            let _ = write!(text, ", for {}", span(wait));
        }
    }
    let sum = record.sum as f64 / 1_000.0;
    let _ = write!(text, " (sum {sum:.1} of {:.1}", record.threshold.get());
    if let Some(multiplier) = record.multiplier.filter(|times| *times > 1.0) {
        let _ = write!(text, " × {multiplier:.2}");
    }
    text.push(')');
    if let (Some(told), Some(magnitude)) = (&record.text, record.magnitude) {
        let _ = write!(text, "\n            {magnitude}  {told}");
    }
    text.push('\n');
    Ok(())
}
