//! How large the context is, out of the rows of a transcript.

use std::collections::VecDeque;

use attend_core::sensor::{Cause, Compaction, Growth};

use super::raw::Id;
use super::row::{Boundary, Kind, Row, Turn, Usage};
use super::stamp::Millis;

/// How many answers are remembered, so that their further rows are known again.
const ANSWERS: usize = 64;

/// Out of how many turns the growth is told.
const TURNS: usize = 5;

/// How many turns are kept with their times.
const BEGUN: usize = 256;

/// How many counts are kept with their times.
const SAMPLES: usize = 32;

/// What is known of the context.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Meter {
    /// Whether the rows were seen from the first one on.
    pub(super) complete: bool,
    /// What stood before the model last; none after a compaction until the next answer.
    pub(super) tokens: Option<u64>,
    pub(super) model: Option<String>,
    /// The last compaction, and what it is called.
    pub(super) compaction: Option<(Option<String>, Compaction)>,
    /// The prompts of a person so far.
    pub(super) turn: Option<u64>,
    /// When a turn was last seen to go on.
    pub(super) active: Option<Millis>,
    /// Whether a turn was seen whose time is not known.
    pub(super) timeless: bool,
    pub(super) samples: VecDeque<(Millis, u64)>,
    /// The beginnings of turns, and the first count, since the last compaction.
    pub(super) begun: VecDeque<(Millis, Cause)>,
    pub(super) first: Option<u64>,
    answers: VecDeque<Id>,
    growths: VecDeque<u64>,
    /// The count when the turn before ended.
    before: Option<u64>,
    /// The last count of this turn.
    now: Option<u64>,
}

impl Meter {
    pub(super) fn new(complete: bool) -> Self {
        Self {
            complete,
            ..Self::default()
        }
    }

    pub(super) fn row(&mut self, row: &Row) {
        if row.side {
            return;
        }
        match &row.kind {
            Kind::Answer {
                usage: Some(usage), ..
            } => self.answered(row.at, usage),
            Kind::Turn(turn) => self.began(row.at, *turn),
            Kind::Compacted(boundary) => self.compacted(boundary),
            _ => {}
        }
    }

    /// The median growth of the last turns.
    pub(super) fn growth(&self) -> Option<Growth> {
        let turns: Vec<u64> = self.growths.iter().copied().collect();
        Growth::of(&turns)
    }

    fn answered(&mut self, at: Option<Millis>, usage: &Usage) {
        if let Some(answer) = usage.answer {
            if self.answers.contains(&answer) {
                // It counts where it was first met. A later answer, or a compaction, stands.
                if self.answers.back() == Some(&answer) && self.tokens.is_some() {
                    self.tokens = Some(usage.tokens);
                }
                return;
            }
            push(&mut self.answers, answer, ANSWERS);
        }
        self.is_active(at);
        self.tokens = Some(usage.tokens);
        self.model.clone_from(&usage.model);
        self.now = Some(usage.tokens);
        self.first = self.first.or(Some(usage.tokens));
        if let Some(at) = at {
            push(&mut self.samples, (at, usage.tokens), SAMPLES);
        }
        if usage.ends_turn {
            self.end_turn();
        }
    }

    fn began(&mut self, at: Option<Millis>, turn: Turn) {
        self.end_turn();
        self.is_active(at);
        if let Some(at) = at {
            push(&mut self.begun, (at, turn.cause), BEGUN);
        }
        match turn.index {
            Some(index) => self.turn = Some(index.saturating_add(1)),
            None if turn.by_person => self.turn = self.turn.map(|turn| turn.saturating_add(1)),
            None => {}
        }
    }

    fn compacted(&mut self, boundary: &Boundary) {
        let compaction = Compaction::new(boundary.automatic, boundary.before);
        self.compaction = Some((boundary.name.clone(), compaction));
        self.tokens = None;
        self.samples.clear();
        self.begun.clear();
        self.first = None;
        self.before = None;
        self.now = None;
    }

    fn end_turn(&mut self) {
        let Some(now) = self.now.take() else { return };
        if let Some(before) = self.before {
            push(&mut self.growths, now.saturating_sub(before), TURNS);
        }
        self.before = Some(now);
    }

    fn is_active(&mut self, at: Option<Millis>) {
        self.timeless |= at.is_none();
        self.active = self.active.max(at);
    }
}

fn push<T>(queue: &mut VecDeque<T>, item: T, most: usize) {
    if queue.len() == most {
        queue.pop_front();
    }
    queue.push_back(item);
}
