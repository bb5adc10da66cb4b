//! The report: stories as text for people.

use std::fmt::Write as _;

use super::choice::Chain;
use super::dial::Dial;
use super::stories::Stories;
use super::story::{Fate, Story};
use super::words::{amount, fate, stage};
use crate::attention::gate::Verdict;
use crate::attention::journal::{Change, Totals};
use crate::attention::text::sanitise;
use crate::dynamics::Tick;
use crate::sensor::Magnitude;

/// How many lines of one story are told; the middle of a longer one is left out.
const MOST_LINES: usize = 14;

/// So many of them are its beginning.
const BEGINNING: usize = 6;

/// Tells chosen stories.
#[derive(Clone, Copy, Debug)]
pub struct Teller<'s, 'a> {
    stories: &'s Stories<'a>,
    dial: Dial<'s>,
    whole: bool,
}

/// One line of a story, and when that was.
type TimedLine = (Tick, String);

impl<'s, 'a> Teller<'s, 'a> {
    /// Tells of `stories` with times by `dial`.
    pub fn new(stories: &'s Stories<'a>, dial: Dial<'s>) -> Self {
        Self {
            stories,
            dial,
            whole: false,
        }
    }

    /// Leaves nothing out of long stories.
    #[must_use]
    pub fn whole(mut self) -> Self {
        self.whole = true;
        self
    }

    /// What became of an event and of those whose place it took, each line with its end.
    pub fn tell(&self, chain: &Chain<'_, 'a>) -> String {
        let newest = chain.newest;
        let text = match sanitise(newest.text) {
            text if text.is_empty() => "(its text is no longer known)".to_owned(),
            text => text,
        };
        let mut out = format!("{}  {text}\n", newest.sensor);
        let key = newest
            .key
            .map(|key| format!("key {}", sanitise(key.as_str())));
        let signal = newest
            .signal
            .map(|signal| format!("signal {}", sanitise(signal.as_str())));
        let marks: Vec<String> = key.into_iter().chain(signal).collect();
        if !marks.is_empty() {
            let _ = writeln!(out, "          {}", marks.join(", "));
        }
        let lines = self.lines(chain);
        let left_out = lines.len().saturating_sub(MOST_LINES);
        let gap = if self.whole || left_out < 2 {
            0..0
        } else {
            BEGINNING..BEGINNING + left_out
        };
        for (at, (tick, line)) in lines.iter().enumerate() {
            if at == gap.start && !gap.is_empty() {
                let (count, event) = (gap.len(), newest.event);
                let _ = writeln!(
                    out,
                    "          … {count} more lines: attend explain --event {event}"
                );
            }
            if !gap.contains(&at) {
                let _ = writeln!(out, "{:>8}  {line}", self.dial.tell(*tick));
            }
        }
        out
    }

    fn lines(&self, chain: &Chain<'_, 'a>) -> Vec<TimedLine> {
        let mut lines = Vec::new();
        // Up to which stage of the sensor was told.
        let mut told = 0;
        for story in chain.stories() {
            let first = chain.older.is_empty() || Some(&story) == chain.older.first();
            self.begin(story, chain, first, &mut told, &mut lines);
            let (_, end) = story.stages;
            let at = end - self.stages_from(story, told).len();
            for (n, one) in self.stages_from(story, told).iter().enumerate() {
                let settings = self.stories.state.settings();
                let record = one.record;
                let words = stage(one, record.tick, record.sum, settings, &self.dial);
                if lines.last().is_none_or(|(_, last)| !last.ends_with(&words)) {
                    lines.push((record.tick, words));
                }
                told = told.max(at + n + 1);
            }
            if story.fate == Fate::Held {
                lines.push((self.dial.now(), self.now(story)));
            } else if story.heir().is_none() || story.event == chain.newest.event {
                let event = story.event;
                let words = format!("#{event} {}", fate(story, self.stories));
                lines.push((story.fate_at, words));
            }
        }
        lines
    }

    /// How a story begins: what came, and where its sensor stood.
    fn begin(
        &self,
        story: &Story<'a>,
        chain: &Chain<'_, 'a>,
        first: bool,
        told: &mut usize,
        lines: &mut Vec<TimedLine>,
    ) {
        let Some(came) = story.came else { return };
        let magnitude = story.magnitude.map_or(0, Magnitude::thousandths);
        let took = if first { "came" } else { "took its place" };
        let text = if story.text == chain.newest.text {
            String::new()
        } else {
            format!(": {}", sanitise(story.text))
        };
        let mut line = format!("#{} {took}, {}{text}", story.event, amount(magnitude));
        let (from, to) = story.stages;
        if let Some(one) = self.stories.stages(story).first()
            && *told <= from
            && to > from
            && one.record.tick <= came
            && is_worth_telling(one.record.change)
        {
            let sum = story.sum.unwrap_or(one.record.sum);
            let settings = self.stories.state.settings();
            let words = stage(one, came, sum, settings, &self.dial);
            let _ = write!(line, "; {words}");
            *told = from + 1;
        }
        lines.push((came, line));
    }

    /// Its stages of which nothing was told yet.
    fn stages_from(&self, story: &Story<'a>, told: usize) -> &'s [super::story::Stage<'a>] {
        let stages = self.stories.stages(story);
        let skip = told.saturating_sub(story.stages.0).min(stages.len());
        stages.split_at(skip).1
    }

    /// Where an event stands that is held.
    fn now(&self, story: &Story<'a>) -> String {
        let (event, state) = (story.event, self.stories.state);
        let until = match state.verdict(story.sensor, self.dial.now()) {
            Some(Verdict::Hold { until, .. }) => until,
            _ => None,
        };
        let held = state
            .sensors()
            .iter()
            .find(|held| held.name() == story.sensor);
        let dropped = held.and_then(|held| {
            let entry = held.entries().iter().find(|entry| entry.id() == event)?;
            held.expires(entry)
        });
        match (dropped, until) {
            (Some(at), _) => format!(
                "#{event} held still; dropped at {} unless more comes",
                self.dial.tell(at)
            ),
            (None, Some(at)) => {
                format!(
                    "#{event} held still; leaves at {} at the earliest",
                    self.dial.tell(at)
                )
            }
            (None, None) => format!("#{event} held still, until something changes"),
        }
    }
}

/// Whether a stage says something of an event that comes while it lasts.
fn is_worth_telling(change: Change) -> bool {
    !matches!(
        change,
        Change::Held {
            reason: crate::attention::gate::Reason::Empty
        }
    )
}

/// What became of all events of each sensor, and of all of them together; each line with its
/// end.
pub fn account(totals: &[Totals]) -> String {
    let width = totals
        .iter()
        .map(|one| one.sensor.as_str().len())
        .max()
        .unwrap_or_default()
        .max("all".len());
    let mut out = String::new();
    for one in totals {
        let name = one.sensor.as_str();
        let _ = writeln!(out, "  {name:width$}  {}", one.equation());
    }
    if let [first, others @ ..] = totals
        && !others.is_empty()
    {
        let mut all = first.clone();
        for one in others {
            all.add(one);
        }
        let _ = writeln!(out, "  {:width$}  {}", "all", all.equation());
    }
    out
}
