//! `attend explain`: what became of every event, and why.

use std::fmt::Write as _;
use std::fs;

use attend_core::attention::{
    Chain, Choice, Dial, Local, Record, Stories, Teller, Totals, account, timeline,
};
use attend_core::dynamics::Tick;
use attend_core::runtime::JournalEntry;
use attend_core::sensor::SensorName;

use crate::cli::ExplainArgs;
use crate::env::{self, Env};
use crate::moment;
use crate::output::{Failure, print};

mod json;
mod source;

use source::Source;

/// Seconds that are told of where nobody says otherwise.
const SINCE: u64 = 3_600;

/// Explains the journal of a loop, or of a recording.
pub(crate) fn explain(args: &ExplainArgs, env: &Env) -> Result<(), Failure> {
    let source = match &args.from {
        Some(_) => return of_trace(args),
        None => Source::of_loop(&args.of, env)?,
    };
    told(args, &source)
}

/// Explains a recording, for which nothing of the environment is needed.
pub(crate) fn of_trace(args: &ExplainArgs) -> Result<(), Failure> {
    let Some(path) = &args.from else {
        return Err(Failure::usage("name what was recorded: --from TRACE"));
    };
    told(args, &Source::of_trace(path)?)
}

fn told(args: &ExplainArgs, source: &Source) -> Result<(), Failure> {
    let choice = choice(args, source)?;
    // Without a stored engine nobody knows what is held.
    let as_of = source.as_of.unwrap_or(Tick::new(u64::MAX));
    let stories = Stories::of(source.records(), &source.state, as_of);
    let chosen = choice.of(&stories);
    let zone = env::time_zone();
    let read = |tick: Tick| -> Local { moment::local(tick, &zone) };
    let dial = Dial::new(source.now, &read);
    if let Some(path) = &args.plot {
        let picture = timeline(&stories, &chosen, period(&choice, &chosen, source), &dial);
        fs::write(path, picture).map_err(|error| {
            Failure::refused(format!("cannot write {}: {error}", path.display()))
        })?;
    }
    let mut totals = source.state.totals();
    if let Some(name) = &choice.sensor {
        totals.retain(|one| one.sensor == *name);
    }
    if args.json {
        let all = args.event.is_none() && args.signal.is_none() && args.last.is_none();
        let takes = |record: &Record| {
            let of_sensor = choice
                .sensor
                .as_ref()
                .is_none_or(|name| record.sensor == *name);
            let told = all || json::is_chosen(&chosen, record);
            of_sensor && record.tick >= choice.since && told
        };
        return print(&json::lines(source, &totals, takes)?);
    }
    let mut teller = Teller::new(&stories, dial);
    if args.event.is_some() {
        teller = teller.whole();
    }
    print(&text(source, &chosen, &teller, &totals, &dial))
}

fn choice(args: &ExplainArgs, source: &Source) -> Result<Choice, Failure> {
    let mut choice = Choice::default();
    choice.event = args.event;
    choice.signal.clone_from(&args.signal);
    choice.last = args.last.unwrap_or(usize::MAX);
    let is_whole = args.event.is_some() || args.last.is_some() || args.from.is_some();
    let since = args.since.map(|since| since.as_secs());
    if let Some(since) = since.or(Some(SINCE).filter(|_| !is_whole)) {
        choice.since = Tick::new(source.now.get().saturating_sub(since));
    }
    if let Some(name) = &args.sensor {
        let known = SensorName::new(name);
        let known = known.ok().filter(|_| source.sensors.contains(name));
        if known.is_none() {
            let known: Vec<&str> = source.sensors.iter().map(String::as_str).collect();
            let known = known.join(", ");
            return Err(Failure::refused(format!(
                "there is no sensor `{name}`; known are: {known}"
            )));
        }
        choice.sensor = known;
    }
    Ok(choice)
}

/// What is drawn: from the first that is known, but not more than was asked for.
fn period(choice: &Choice, chosen: &[Chain<'_, '_>], source: &Source) -> (Tick, Tick) {
    let narrowed = choice.event.is_some() || choice.last < usize::MAX;
    let stories = chosen.iter().flat_map(Chain::stories);
    let came = stories.map(|story| story.came.unwrap_or(story.fate_at));
    let noted = source.records().map(|record| record.tick);
    let first = if narrowed {
        came.min()
    } else {
        came.chain(noted).min()
    };
    let from = first.unwrap_or(choice.since).max(choice.since);
    (from.min(source.now), source.now)
}

fn text(
    source: &Source,
    chosen: &[Chain<'_, '_>],
    teller: &Teller<'_, '_>,
    totals: &[Totals],
    dial: &Dial<'_>,
) -> String {
    let mut text = String::new();
    for chain in chosen {
        text += &teller.tell(chain);
        text.push('\n');
    }
    if chosen.is_empty() {
        text.push_str("no such event is known\n\n");
    }
    for entry in &source.entries {
        if let JournalEntry::Lost { lost } = entry {
            let _ = writeln!(
                text,
                "{lost} records are missing here: they could not be written\n"
            );
        }
    }
    match source.as_of {
        Some(as_of) => {
            let as_of = dial.tell(as_of);
            let _ = writeln!(
                text,
                "all events since the loop first began, as of {as_of}:"
            );
            text += &account(totals);
        }
        None => text.push_str("how many events there were is not known: nothing is stored\n"),
    }
    text
}
