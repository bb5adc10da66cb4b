//! A mailbox for replays: what waits, and what a claim gets.

use std::time::Duration;

use crate::dynamics::Tick;
use crate::mail::{Claim, ClaimId, Counts, Granted, Letter, Origin, Seq, Waiting};

use super::super::batch::Mailing;
use super::super::lane::Claiming;

/// How many of the directed letters a digest shows in full.
const DIRECTED: usize = 8;

/// Letters that wait for one reader. A letter is gone once a batch with it was written.
#[derive(Clone, Debug)]
pub(super) struct Post {
    waiting: Vec<Item>,
    digest_above: usize,
    claims: u64,
}

/// A letter, when it arrived, and whether it may have been shown before.
#[derive(Clone, Debug)]
struct Item {
    letter: Letter,
    at: Tick,
    attempted: bool,
}

impl Item {
    fn is_directed(&self) -> bool {
        !self.letter.to.starts_with('#')
    }
}

impl Post {
    /// A mailbox whose looks count letters once there are more than `digest_above`.
    pub(super) fn new(digest_above: usize) -> Self {
        Self {
            waiting: Vec::new(),
            digest_above,
            claims: 0,
        }
    }

    /// A letter arrives at `at`; `attempted` if it may have been shown before.
    pub(super) fn arrive(&mut self, letter: Letter, at: Tick, attempted: bool) {
        self.waiting.push(Item {
            letter,
            at,
            attempted,
        });
    }

    /// What a look at `now` finds.
    pub(super) fn look(&self, now: Tick) -> Waiting {
        let letters = || self.waiting.iter().map(|item| item.letter.clone());
        if self.waiting.len() <= self.digest_above {
            return Waiting::Few(letters().collect());
        }
        let upto = letters()
            .map(|letter| letter.seq)
            .max()
            .unwrap_or(Seq::new(0));
        let directed = self
            .waiting
            .iter()
            .filter(|item| item.is_directed())
            .take(DIRECTED);
        let directed = directed.map(|item| item.letter.clone()).collect();
        Waiting::Many {
            counts: self.count(now, upto),
            upto,
            directed,
        }
    }

    /// Grants what is asked for. What is granted in full counts as attempted from now on.
    pub(super) fn claim(&mut self, now: Tick, claiming: &Claiming) -> Claim {
        self.claims += 1;
        let (print, upto) = match claiming {
            Claiming::Print(print) => (print, None),
            Claiming::Digest { print, upto } => (print, Some(*upto)),
        };
        let counts = upto.map(|upto| self.count(now, upto));
        let mut granted = Vec::new();
        for item in self
            .waiting
            .iter_mut()
            .filter(|item| print.contains(&item.letter.seq))
        {
            let again = std::mem::replace(&mut item.attempted, true);
            granted.push(Granted::new(item.letter.seq, again));
        }
        let claim = Claim::new(ClaimId::new(self.claims), granted);
        match counts {
            Some(counts) => claim.counting(counts),
            None => claim,
        }
    }

    /// A batch with these messages was written.
    pub(super) fn settle(&mut self, mailing: &Mailing) {
        self.waiting.retain(|item| {
            let seq = item.letter.seq;
            let counted = mailing
                .counted
                .is_some_and(|upto| seq <= upto && !item.is_directed());
            !counted && !mailing.printed.contains(&seq)
        });
    }

    fn count(&self, now: Tick, upto: Seq) -> Counts {
        let counted: Vec<&Item> = self
            .waiting
            .iter()
            .filter(|item| item.letter.seq <= upto)
            .collect();
        let mut origins: Vec<(Origin, u64)> = vec![(Origin::You, 0)];
        for item in &counted {
            let origin = if item.is_directed() {
                Origin::You
            } else {
                Origin::Room(item.letter.to.clone())
            };
            match origins.iter_mut().find(|(known, _)| *known == origin) {
                Some((_, count)) => *count += 1,
                None => origins.push((origin, 1)),
            }
        }
        let ticks = || counted.iter().map(|item| item.at);
        let (oldest, newest) = (ticks().min().unwrap_or(now), ticks().max().unwrap_or(now));
        let span = |from: Tick, to: Tick| Duration::from_secs(to.since(from).get());
        Counts::new(origins).aged(span(newest, now), span(oldest, newest))
    }
}
