//! `attend explain`: why each thing was shown, held or dropped.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::time::UNIX_EPOCH;

use attend_core::attention::{Change, Reason, Record};
use attend_core::runtime::system::SystemClock;
use attend_core::runtime::{Journal, JournalDamage, JournalEntry, Saved, StateDir};
use attend_core::sensor::Clock;

use crate::cli::ExplainArgs;
use crate::env::Env;
use crate::output::{Failure, complain, json_line, print};
use crate::place;
use crate::span;

/// Prints the journal of the loop that watches the project.
pub(crate) fn explain(args: &ExplainArgs, env: &Env) -> Result<(), Failure> {
    let place::Loop { project, dir } = place::of_loop(&args.of, env)?;
    let Some(dir) = dir else {
        return Err(place::nothing_yet(&project));
    };
    let survey = Journal::survey(&dir).map_err(|error| Failure::refused(error.to_string()))?;
    survey
        .damage
        .iter()
        .for_each(|damage| complain(&told(damage)));
    let entries = survey.entries;
    if entries.is_empty() && !survey.damage.is_empty() {
        return Err(Failure::refused(format!(
            "nothing of the journal of {} can be read",
            project.display()
        )));
    }
    let now = SystemClock
        .wall()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default()
        .as_secs();
    let since = now.saturating_sub(args.since.as_secs());
    if let Some(name) = &args.sensor {
        let known = sensors(&dir, &entries);
        if !known.contains(name) {
            let known: Vec<&str> = known.iter().map(String::as_str).collect();
            let known = known.join(", ");
            return Err(Failure::refused(format!(
                "there is no sensor `{name}`; known are: {known}"
            )));
        }
    }
    let mut text = String::new();
    for entry in &entries {
        match entry {
            JournalEntry::Record(record) if is_asked(record, args, since) => {
                if args.json {
                    text.push_str(&json_line(record)?);
                } else {
                    write(&mut text, record, now);
                }
            }
            JournalEntry::Lost { .. } if args.json => text.push_str(&json_line(entry)?),
            JournalEntry::Lost { lost } => {
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

/// What of the journal cannot be read, and what becomes of it.
fn told(damage: &JournalDamage) -> String {
    let file = damage.file.display();
    match damage.lines {
        None => format!(
            "{file} is no file of attend's and is left out; the next `attend run` sets it aside"
        ),
        Some(_) if damage.set_aside => format!(
            "{file} does not begin as a journal: what can be read of it is shown; the next \
             `attend run` sets it aside and begins afresh"
        ),
        Some(1) => format!("1 line of {file} cannot be read and is left out; the rest is shown"),
        Some(lines) => {
            format!("{lines} lines of {file} cannot be read and are left out; the rest is shown")
        }
    }
}

/// The sensors of which the loop knows, or knew.
fn sensors(dir: &StateDir, entries: &[JournalEntry]) -> BTreeSet<String> {
    let mut known = BTreeSet::new();
    for entry in entries {
        match entry {
            JournalEntry::Record(record) => _ = known.insert(record.sensor.to_string()),
            JournalEntry::Segment { totals, .. } => {
                known.extend(totals.iter().map(|totals| totals.sensor.to_string()));
            }
            _ => {}
        }
    }
    // One that never reported stands in no journal.
    if let Ok(Some(saved)) = Saved::peek(dir) {
        let health = saved.health.iter();
        known.extend(health.map(|sensor| sensor.name.to_string()));
    }
    known
}

fn is_asked(record: &Record, args: &ExplainArgs, since: u64) -> bool {
    let of_sensor = args
        .sensor
        .as_deref()
        .is_none_or(|name| record.sensor.as_str() == name);
    of_sensor && record.tick.get() >= since
}

fn write(text: &mut String, record: &Record, now: u64) {
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
}
