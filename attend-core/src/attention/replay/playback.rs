//! What a replayed trace showed, with messages by id, size and kind.

use std::collections::BTreeMap;
use std::fmt;

use super::super::batch::Batch;
use super::super::engine::Attention;
use super::super::journal::Totals;
use super::super::line::{Head, Line};
use super::super::trace::StoredLetter;
use crate::dynamics::Tick;
use crate::mail::{SenderKind, Seq};
use crate::sensor::{Magnitude, SensorName};

/// What was shown when a trace was replayed, and what was not.
///
/// Displayed, it is what was written: each line with its end, and an empty line between batches.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Playback {
    /// What was written, in order.
    pub batches: Vec<Played>,
    /// What was still held at the end: sensor, magnitude and text.
    pub held: Vec<(SensorName, Magnitude, String)>,
    /// Events that were dropped: for their age, or for want of room.
    pub dropped: u64,
}

/// One batch: one notification.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Played {
    /// When.
    pub at: Tick,
    /// Whether it took a place under the governor of events.
    pub charged: bool,
    /// Whether that may have been the place that only critical events have.
    pub critical: bool,
    /// Its lines.
    pub lines: Vec<PlayedLine>,
}

/// One line of a batch, or all lines of one message.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct PlayedLine {
    /// Who speaks.
    pub voice: Voice,
    /// The line; of a message, its id, kind and size.
    pub text: String,
    /// UTF-16 units that were written for it, line ends included.
    pub units: usize,
}

/// Who speaks on a line.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum Voice {
    /// A sensor.
    Event,
    /// Whoever wrote a message.
    Mail,
    /// Attend itself.
    Own,
}

impl Playback {
    /// All lines with the tick at which each was shown.
    pub fn lines(&self) -> impl Iterator<Item = (Tick, &PlayedLine)> {
        self.batches
            .iter()
            .flat_map(|batch| batch.lines.iter().map(|line| (batch.at, line)))
    }

    /// UTF-16 units that were written, line ends included.
    pub fn units(&self) -> usize {
        self.lines().map(|(_, line)| line.units).sum()
    }
}

impl fmt::Display for Playback {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, batch) in self.batches.iter().enumerate() {
            if at > 0 {
                writeln!(f)?;
            }
            batch
                .lines
                .iter()
                .try_for_each(|line| writeln!(f, "{}", line.text))?;
        }
        Ok(())
    }
}

/// What is known of letters beside their words.
#[derive(Clone, Debug, Default)]
pub(super) struct Letters(BTreeMap<Seq, String>);

impl Letters {
    pub(super) fn note(&mut self, letter: &StoredLetter) {
        let kind = match letter.kind {
            SenderKind::Agent => "agent",
            SenderKind::Person => "person",
            SenderKind::Program => "program",
        };
        let id = letter
            .id
            .as_str()
            .chars()
            .filter(char::is_ascii_alphanumeric);
        let id: String = id.take(16).collect();
        let unit = if letter.size == 1 {
            "character"
        } else {
            "characters"
        };
        let told = format!("{}{id} ({kind}, {} {unit})", Head::digest(), letter.size);
        self.0.insert(letter.seq, told);
    }

    /// The batch as it is told.
    pub(super) fn played(&self, batch: &Batch) -> Played {
        let mut printed = batch.mail().map_or(&[][..], |mail| &mail.printed).iter();
        let mut lines: Vec<PlayedLine> = Vec::new();
        let mut former: Option<&Line> = None;
        let ends = batch.mail_ends();
        for (at, line) in batch.lines().iter().enumerate() {
            let begins = former.is_none_or(|line| !line.is_blank()) || ends.contains(&at);
            former = Some(line);
            match lines.last_mut() {
                Some(letter) if line.is_blank() && !begins => letter.units += line.units() + 1,
                _ => lines.push(self.line(line, &mut printed)),
            }
        }
        Played {
            at: batch.tick(),
            charged: batch.is_charged(),
            critical: batch.is_critical(),
            lines,
        }
    }

    fn line<'a>(&self, line: &Line, printed: &mut impl Iterator<Item = &'a Seq>) -> PlayedLine {
        let units = line.units() + 1;
        if line.is_blank() {
            let known = printed.next().and_then(|seq| self.0.get(seq)).cloned();
            let text = known.unwrap_or_else(|| format!("{}a message", Head::digest()));
            let voice = Voice::Mail;
            return PlayedLine { voice, text, units };
        }
        let text = line.as_str().to_owned();
        let voice = if text.starts_with(&Head::digest().to_string()) {
            Voice::Mail
        } else if text.starts_with("[attend sensor=") {
            Voice::Event
        } else {
            Voice::Own
        };
        PlayedLine { voice, text, units }
    }
}

/// What an engine dropped so far.
pub(super) fn dropped(engine: &Attention) -> u64 {
    let dropped = |totals: &Totals| totals.tally.aged_out + totals.tally.over_cap;
    engine.totals().iter().map(dropped).sum()
}

/// What an engine holds.
pub(super) fn held(engine: &Attention) -> Vec<(SensorName, Magnitude, String)> {
    let mut all = Vec::new();
    for held in engine.sensors() {
        for entry in held.entries() {
            let event = entry.event();
            all.push((
                held.name().clone(),
                event.magnitude(),
                event.text().to_owned(),
            ));
        }
    }
    all
}
