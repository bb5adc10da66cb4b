//! Signal quality: how often the shipped settings interrupt on a labelled day, whether they tell what has to be told, and what it costs.

use std::fmt::{self, Write as _};

use attend_core::attention::{Conditions, Played, Settings, Trace, Voice};
use attend_core::dynamics::Tick;
use attend_core::sensor::HostState;

use crate::office::{Label, Need, Recording, says};
use crate::traces::DAYS;

mod variants;
pub use variants::{VARIANTS, Variant};

/// Notifications that events cause in 10 minutes, on average, at most.
const RATE: f64 = 1.0;

/// And in any 2 minutes, one critical beside them.
const WORST: usize = 3;

/// Seconds of the two minutes.
const WINDOW: u64 = 120;

/// A day, read.
#[derive(Clone, Debug)]
pub struct Sample {
    name: &'static str,
    recording: Recording,
    trace: Trace,
}

/// What came of a day under some settings.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Score {
    /// The day.
    pub day: &'static str,
    /// Its length in seconds.
    pub seconds: u64,
    /// Notifications that events caused: without those that mail caused.
    pub notifications: usize,
    /// The most of them in 2 minutes: those that took a common place, and critical ones.
    pub worst: (usize, usize),
    /// How many labels say that something must be told, and those that were told too late, with
    /// the seconds after which they were, where they were at all.
    pub must: usize,
    /// See [`must`](Self::must).
    pub late: Vec<(&'static str, Option<u64>)>,
    /// Notifications in which nothing stands but noise, each with its first line.
    pub noise: Vec<(Tick, String)>,
    /// Notifications that events caused while the host was idle.
    pub wakes: usize,
    /// All that was written, in tokens: characters / 4.
    pub tokens: usize,
}

/// All days, recorded anew.
///
/// # Panics
///
/// Where a sensor fails, or what was recorded cannot be read.
pub fn samples() -> Vec<Sample> {
    let sample = |day: &crate::traces::Day| {
        let recording = day.record();
        let trace = Trace::read(&recording.trace).expect("a trace");
        Sample {
            name: day.name,
            recording,
            trace,
        }
    };
    DAYS.iter().map(sample).collect()
}

impl Sample {
    /// The name of the day.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The trace, as a loop writes it.
    pub fn bytes(&self) -> &[u8] {
        &self.recording.trace
    }

    /// What is shown of the day under `conditions`, each line with its tick since the beginning.
    pub fn lines(&self, conditions: &Conditions) -> Vec<(u64, String)> {
        let playback = self.trace.under(conditions);
        let (begin, _) = self.recording.span;
        let lines = playback.lines();
        lines
            .map(|(at, line)| (at.since(begin).get(), line.text.clone()))
            .collect()
    }

    /// What comes of the day under `conditions`.
    pub fn score(&self, conditions: &Conditions) -> Score {
        let playback = self.trace.under(conditions);
        let caused: Vec<&Played> = playback
            .batches
            .iter()
            .filter(|batch| is_caused(batch))
            .collect();
        let (begin, end) = self.recording.span;
        let mut score = Score {
            day: self.name,
            seconds: end.since(begin).get(),
            notifications: caused.len(),
            worst: worst(&caused),
            must: 0,
            late: Vec::new(),
            noise: Vec::new(),
            wakes: caused.iter().filter(|batch| self.is_idle(batch.at)).count(),
            tokens: playback.units().div_ceil(4),
        };
        for batch in &caused {
            if let Some(first) = self.is_noise(batch) {
                score.noise.push((batch.at, first));
            }
        }
        for label in &self.recording.labels {
            let Label::MustTell { since, text, need } = label else {
                continue;
            };
            score.must += 1;
            let told = playback
                .lines()
                .find(|(at, line)| at >= since && says(&line.text, text));
            let took = told.map(|(at, _)| self.passed(*since, at, *need));
            let (Need::Always(within) | Need::Busy(within)) = *need;
            if took.is_none_or(|took| took > within) {
                score.late.push((text, took));
            }
        }
        score
    }

    /// The seconds between two ticks that count for `need`.
    fn passed(&self, from: Tick, until: Tick, need: Need) -> u64 {
        if matches!(need, Need::Always(_)) {
            return until.since(from).get();
        }
        let hosts = &self.recording.hosts;
        let ends = hosts.iter().skip(1).map(|(at, _)| *at);
        let ends = ends.chain([self.recording.span.1]);
        let busy = hosts
            .iter()
            .zip(ends)
            .filter(|((_, host), _)| !host.is_idle());
        busy.map(|((begin, _), end)| end.min(until).since((*begin).max(from)).get())
            .sum()
    }

    fn is_idle(&self, at: Tick) -> bool {
        let hosts = &self.recording.hosts;
        let last = hosts.iter().rev().find(|(since, _)| *since <= at);
        last.is_some_and(|(_, host): &(Tick, HostState)| host.is_idle())
    }

    /// Whether nothing stands in `batch` but noise: then its first line.
    fn is_noise(&self, batch: &Played) -> Option<String> {
        let all: Vec<&str> = batch
            .lines
            .iter()
            .flat_map(|line| parts(&line.text))
            .collect();
        let is_noise = |part: &&str| {
            self.recording.labels.iter().any(|label| match label {
                Label::Noise { since, until, text } => {
                    let counts = *since <= batch.at && until.is_none_or(|until| batch.at < until);
                    counts && says(part, text)
                }
                Label::MustTell { .. } => false,
            })
        };
        (!all.is_empty() && all.iter().all(is_noise)).then(|| all.concat())
    }
}

/// Whether events caused it.
fn is_caused(batch: &Played) -> bool {
    batch.charged && batch.lines.iter().all(|line| line.voice != Voice::Mail)
}

/// What a line tells: one event, or those that a footnote names.
fn parts(line: &str) -> Vec<&str> {
    if let Some(rest) = line.strip_prefix("[attend] also: ") {
        let counts = |part: &&str| !(part.starts_with("and ") && part.ends_with(" more"));
        return rest.split("; ").filter(counts).collect();
    }
    let event = line.strip_prefix("[attend sensor=");
    let text = event.and_then(|event| event.split_once("] "));
    text.map(|(_, text)| text).into_iter().collect()
}

/// The most that stand within the window: common ones, and critical ones beside them.
fn worst(batches: &[&Played]) -> (usize, usize) {
    let windows = batches.iter().enumerate().map(|(first, batch)| {
        let rest = batches.get(first..).unwrap_or_default().iter();
        let within = rest.take_while(|other| other.at.since(batch.at).get() < WINDOW);
        let (critical, common): (Vec<&Played>, Vec<&Played>) =
            within.copied().partition(|other| other.critical);
        (common.len(), critical.len())
    });
    windows
        .max_by_key(|(common, critical)| (common + critical, *common))
        .unwrap_or_default()
}

impl Score {
    /// Notifications that events caused, in 10 minutes.
    pub fn rate(&self) -> f64 {
        self.notifications as f64 * 600.0 / self.seconds.max(1) as f64
    }

    /// The rules that are broken, each in one phrase.
    pub fn broken(&self) -> Vec<String> {
        let mut broken = Vec::new();
        if self.rate() > RATE {
            broken.push(format!("{:.2} notifications in 10 minutes", self.rate()));
        }
        let (common, critical) = self.worst;
        if common > WORST || common + critical > WORST + 1 {
            broken.push(format!("{} in 2 minutes", common + critical));
        }
        for (text, took) in &self.late {
            let took = took.map_or("never".to_owned(), |took| format!("after {took} s"));
            broken.push(format!("`{text}` told {took}"));
        }
        if let Some((_, line)) = self.noise.first() {
            let noise = self.noise.len();
            broken.push(format!("noise woke {noise} times, first by `{line}`"));
        }
        broken
    }
}

/// A table of scores, in Markdown.
#[derive(Clone, PartialEq, Debug)]
pub struct Table(pub Vec<Score>);

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "| day | hours | notifications | in 10 min | worst 2 min | told in time | noise that woke | wakes of an idle host | tokens |"
        )?;
        writeln!(f, "|---|---|---|---|---|---|---|---|---|")?;
        for score in &self.0 {
            let (common, critical) = score.worst;
            let worst = match critical {
                0 => common.to_string(),
                critical => format!("{common} + {critical} critical"),
            };
            writeln!(
                f,
                "| {} | {} | {} | {:.2} | {worst} | {} of {} | {} | {} | {} |",
                score.day,
                score.seconds / 3_600,
                score.notifications,
                score.rate(),
                score.must - score.late.len(),
                score.must,
                score.noise.len(),
                score.wakes,
                score.tokens,
            )?;
        }
        Ok(())
    }
}

/// The conditions that are shipped.
pub fn shipped() -> Conditions {
    Conditions::new(Settings::default())
}

/// A table of what came of all days under each variant, in Markdown.
pub fn sweep(samples: &[Sample]) -> String {
    let mut text = String::from(
        "| settings | notifications | most in 10 min | worst 2 min | told in time | noise that woke | wakes of an idle host | tokens |\n|---|---|---|---|---|---|---|---|\n",
    );
    for variant in VARIANTS {
        let conditions = variant.conditions();
        let scores: Vec<Score> = samples.iter().map(|day| day.score(&conditions)).collect();
        let sum = |of: fn(&Score) -> usize| scores.iter().map(of).sum::<usize>();
        let rate = scores.iter().map(Score::rate).fold(0.0, f64::max);
        let worst = scores
            .iter()
            .map(|score| score.worst.0 + score.worst.1)
            .max();
        let (must, late) = (sum(|score| score.must), sum(|score| score.late.len()));
        let row = [
            variant.name.to_owned(),
            sum(|score| score.notifications).to_string(),
            format!("{rate:.2}"),
            worst.unwrap_or_default().to_string(),
            format!("{} of {must}", must - late),
            sum(|score| score.noise.len()).to_string(),
            sum(|score| score.wakes).to_string(),
            sum(|score| score.tokens).to_string(),
        ];
        let _ = writeln!(text, "| {} |", row.join(" | "));
    }
    text
}
