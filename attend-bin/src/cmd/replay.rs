//! `attend replay`: what a loop recorded, as it was or under other settings.

use std::fmt::Write as _;
use std::fs;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use attend_core::attention::{
    Conditions, Difference, Playback, Played, PlayedLine, Trace, TraceError, TraceErrorKind, Voice,
    sanitise,
};
use attend_core::dynamics::Tick;
use attend_core::runtime::config::{File, Layer, resolve};
use attend_sensors::built_in;
use serde::Serialize;

use crate::cli::ReplayArgs;
use crate::output::{Failure, complain, print, print_json};

/// A trace that is larger was not recorded by attend, and such a configuration is none, in bytes.
const MOST_TRACE: u64 = 256 << 20;
const MOST_CONFIG: u64 = 1 << 20;

/// Replays the trace, and prints what was shown or what would have been.
pub(crate) fn replay(args: &ReplayArgs) -> Result<(), Failure> {
    if args.config.len() > 2 {
        return Err(Failure::usage("two files can be compared, not more"));
    }
    let trace = read(&args.trace)?;
    let failed = |error: TraceError| unreplayed(&args.trace, &error);
    let runs = match args.config.as_slice() {
        [] => vec![Run::new(
            "recorded".to_owned(),
            trace.replay().map_err(failed)?,
        )],
        [file] => vec![
            Run::new("recorded".to_owned(), trace.under_its_own()),
            Run::new(name(file), trace.under(&conditions(file)?)),
        ],
        files => {
            let run = |file: &PathBuf| Ok(Run::new(name(file), trace.under(&conditions(file)?)));
            let runs = files.iter().map(run);
            runs.collect::<Result<_, Failure>>()?
        }
    };
    let differences = match runs.as_slice() {
        [first, second] => first.playback.differences(&second.playback),
        _ => Vec::new(),
    };
    if args.json {
        return print_json(&Document::of(&trace, &runs, &differences));
    }
    match runs.as_slice() {
        [first, second] => print(&compared(&trace, [first, second], &differences)),
        runs => runs
            .iter()
            .try_for_each(|run| print(&run.playback.to_string())),
    }
}

/// One of the sides.
struct Run {
    name: String,
    playback: Playback,
}

impl Run {
    fn new(name: String, playback: Playback) -> Self {
        Self { name, playback }
    }

    fn shown(&self) -> usize {
        self.playback.lines().count()
    }

    /// A character is a UTF-16 unit, as everywhere where a size is limited.
    fn characters(&self) -> usize {
        self.playback.units()
    }

    fn tokens(&self) -> usize {
        self.characters().div_ceil(4)
    }
}

fn name(file: &Path) -> String {
    sanitise(&file.display().to_string())
}

/// The bytes of a file, or of a pipe that somebody fills: at most `most`.
fn bounded(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut file = fs::File::open(path)?;
    // What is larger is not read to see that it is.
    let is_larger = file.metadata()?.len() > most;
    if !is_larger {
        file.by_ref().take(most + 1).read_to_end(&mut bytes)?;
    }
    if is_larger || bytes.len() as u64 > most {
        let most = most >> 20;
        return Err(io::Error::other(format!("it is larger than {most} MiB")));
    }
    Ok(bytes)
}

/// Reads a trace, with a word on what is left out of it.
pub(super) fn read(path: &Path) -> Result<Trace, Failure> {
    let told = name(path);
    let bytes = bounded(path, MOST_TRACE)
        .map_err(|error| Failure::refused(format!("cannot read the trace {told}: {error}")))?;
    let trace = Trace::read(&bytes).map_err(|error| unreplayed(path, &error))?;
    if trace.is_cut_short() {
        complain(&format!(
            "the last line of {told} was not written to its end and is left out"
        ));
    }
    Ok(trace)
}

/// Why a trace is not replayed, and what to do.
pub(super) fn unreplayed(path: &Path, error: &TraceError) -> Failure {
    let told = name(path);
    let before = error.line() - 1;
    let advice = match error.kind() {
        TraceErrorKind::Foreign => "; one is made by: attend run --record FILE".to_owned(),
        TraceErrorKind::Newer => "; replay it with that version".to_owned(),
        TraceErrorKind::Damaged if before > 0 => {
            format!(
                "; what stands before it can be replayed: head -n {before} '{told}' > whole.trace"
            )
        }
        TraceErrorKind::Diverged => {
            "; what it would show itself is told with --config FILE".to_owned()
        }
        _ => String::new(),
    };
    Failure::refused(format!("cannot replay {told}: {error}{advice}"))
}

/// What `file` alone says, over the defaults.
fn conditions(file: &Path) -> Result<Conditions, Failure> {
    let told = name(file);
    let bytes = bounded(file, MOST_CONFIG).map_err(|error| {
        Failure::refused(format!("cannot read the configuration {told}: {error}"))
    })?;
    let file = File {
        layer: Layer::User,
        path: file.to_owned(),
        bytes,
    };
    let config = resolve(&[file], &built_in());
    for finding in &config.findings {
        complain(&finding.to_string());
    }
    let mut conditions = Conditions::new(config.settings);
    for sensor in config.sensors {
        conditions = if sensor.enabled {
            conditions.threshold(sensor.name, sensor.profile.threshold)
        } else {
            conditions.without(sensor.name)
        };
    }
    Ok(conditions)
}

/// One number of a side.
type Figure = fn(&Run) -> usize;

/// Both sides, and below them what differs.
fn compared(trace: &Trace, runs: [&Run; 2], differences: &[Difference]) -> String {
    let figures: [(&str, Figure); 5] = [
        ("lines shown", Run::shown),
        ("notifications", |run| run.playback.batches.len()),
        ("events held at the end", |run| run.playback.held.len()),
        ("events dropped", |run| {
            usize::try_from(run.playback.dropped).unwrap_or(usize::MAX)
        }),
        ("tokens (characters / 4)", Run::tokens),
    ];
    let [first, second] = runs.map(|run| run.name.as_str());
    let [left, right] = runs.map(|run| run.name.chars().count().max(8));
    let mut text = format!("{:24}{first:>left$}  {second:>right$}\n", "");
    for (what, figure) in figures {
        let [a, b] = runs.map(figure);
        let _ = writeln!(text, "{what:24}{a:>left$}  {b:>right$}");
    }
    if differences.is_empty() {
        text.push_str("\nBoth show the same lines at the same times.\n");
        return text;
    }
    let at = |tick: Option<Tick>| tick.map(|tick| since(trace, tick)).unwrap_or_default();
    let _ = writeln!(
        text,
        "\n- only {first}, + only {second}, ~ in both, not at the same time:"
    );
    for difference in differences {
        let (sign, when) = match (difference.first, difference.second) {
            (Some(_), Some(_)) => (
                '~',
                format!("{} → {}", at(difference.first), at(difference.second)),
            ),
            (Some(_), None) => ('-', at(difference.first)),
            (None, _) => ('+', at(difference.second)),
        };
        let _ = writeln!(text, "{sign} {when}  {}", difference.text);
    }
    text
}

/// Hours, minutes and seconds since the trace began.
fn since(trace: &Trace, tick: Tick) -> String {
    let seconds = tick.since(trace.start()).get();
    let (hours, minutes) = (seconds / 3_600, seconds / 60 % 60);
    format!("{hours}:{minutes:02}:{:02}", seconds % 60)
}

/// A replay, as it is printed.
#[derive(Serialize, Debug)]
struct Document<'a> {
    version: &'a str,
    start: Tick,
    entries: usize,
    cut_short: bool,
    runs: Vec<ShownRun<'a>>,
    differences: Vec<ShownDifference<'a>>,
}

#[derive(Serialize, Debug)]
struct ShownRun<'a> {
    settings: &'a str,
    shown: usize,
    notifications: usize,
    charged: usize,
    dropped: u64,
    characters: usize,
    tokens: usize,
    held: Vec<ShownEvent<'a>>,
    batches: Vec<ShownBatch<'a>>,
}

#[derive(Serialize, Debug)]
struct ShownEvent<'a> {
    sensor: &'a str,
    magnitude: f64,
    text: String,
}

#[derive(Serialize, Debug)]
struct ShownBatch<'a> {
    at: Tick,
    lines: Vec<ShownLine<'a>>,
}

#[derive(Serialize, Debug)]
struct ShownLine<'a> {
    voice: &'static str,
    text: &'a str,
    characters: usize,
}

#[derive(Serialize, Debug)]
struct ShownDifference<'a> {
    text: &'a str,
    first: Option<Tick>,
    second: Option<Tick>,
}

impl<'a> Document<'a> {
    fn of(trace: &'a Trace, runs: &'a [Run], differences: &'a [Difference]) -> Self {
        let difference = |one: &'a Difference| ShownDifference {
            text: &one.text,
            first: one.first,
            second: one.second,
        };
        Self {
            version: trace.version(),
            start: trace.start(),
            entries: trace.len(),
            cut_short: trace.is_cut_short(),
            runs: runs.iter().map(ShownRun::of).collect(),
            differences: differences.iter().map(difference).collect(),
        }
    }
}

impl<'a> ShownRun<'a> {
    fn of(run: &'a Run) -> Self {
        let batches = &run.playback.batches;
        let batch = |batch: &'a Played| ShownBatch {
            at: batch.at,
            lines: batch.lines.iter().map(ShownLine::of).collect(),
        };
        let held = run.playback.held.iter();
        Self {
            settings: &run.name,
            shown: run.shown(),
            notifications: batches.len(),
            charged: batches.iter().filter(|batch| batch.charged).count(),
            dropped: run.playback.dropped,
            characters: run.characters(),
            tokens: run.tokens(),
            held: held
                .map(|(sensor, magnitude, text)| ShownEvent {
                    sensor: sensor.as_str(),
                    magnitude: magnitude.get(),
                    text: sanitise(text),
                })
                .collect(),
            batches: batches.iter().map(batch).collect(),
        }
    }
}

impl<'a> ShownLine<'a> {
    fn of(line: &'a PlayedLine) -> Self {
        Self {
            voice: match line.voice {
                Voice::Event => "event",
                Voice::Mail => "message",
                _ => "attend",
            },
            text: &line.text,
            characters: line.units,
        }
    }
}
