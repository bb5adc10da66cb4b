//! A mailbox for replays: what waits, and what a claim gets.

use std::time::Duration;

use crate::dynamics::Tick;
use crate::mail::{Counts, Letter, Origin, Seq};

use super::super::id::ClaimId;
use super::super::lane::{Claim, Claiming, Granted, Waiting};

/// How many messages one by one are fewer than a digest.
const FEW: usize = 8;

/// Letters that wait for one reader.
#[derive(Clone, Debug, Default)]
pub(super) struct Post {
    waiting: Vec<(Letter, Tick, bool)>,
    claims: u64,
}

impl Post {
    /// A letter arrives at `at`; `again` if it may have been shown before.
    pub(super) fn arrive(&mut self, letter: Letter, at: Tick, again: bool) {
        self.waiting.push((letter, at, again));
    }

    /// What a look at `now` finds.
    pub(super) fn look(&self, now: Tick) -> Waiting {
        let letters = || self.waiting.iter().map(|(letter, ..)| letter.clone());
        if self.waiting.len() <= FEW {
            return Waiting::Few(letters().collect());
        }
        let upto = letters()
            .map(|letter| letter.seq)
            .max()
            .unwrap_or(Seq::new(0));
        let directed = letters().filter(is_directed).take(FEW).collect();
        Waiting::Many {
            counts: self.count(now, upto),
            upto,
            directed,
        }
    }

    /// Gives away what is claimed: printed letters leave, and so does what is only counted.
    pub(super) fn claim(&mut self, now: Tick, claiming: &Claiming) -> Claim {
        self.claims += 1;
        let (print, upto) = match claiming {
            Claiming::Print(print) => (print, None),
            Claiming::Digest { print, upto } => (print, Some(*upto)),
        };
        let granted = self
            .waiting
            .iter()
            .filter(|(letter, ..)| print.contains(&letter.seq));
        let mut claim = Claim::new(
            ClaimId::new(self.claims),
            granted.map(|(letter, _, again)| Granted::new(letter.seq, *again)),
        );
        if let Some(upto) = upto {
            claim = claim.counting(self.count(now, upto));
        }
        self.waiting.retain(|(letter, ..)| {
            let counted = upto.is_some_and(|upto| letter.seq <= upto && !is_directed(letter));
            !counted && !print.contains(&letter.seq)
        });
        claim
    }

    fn count(&self, now: Tick, upto: Seq) -> Counts {
        let counted: Vec<&(Letter, Tick, bool)> = self
            .waiting
            .iter()
            .filter(|(letter, ..)| letter.seq <= upto)
            .collect();
        let mut origins: Vec<(Origin, u64)> = vec![(Origin::You, 0)];
        for (letter, ..) in &counted {
            let origin = if is_directed(letter) {
                Origin::You
            } else {
                Origin::Room(letter.to.clone())
            };
            match origins.iter_mut().find(|(known, _)| *known == origin) {
                Some((_, count)) => *count += 1,
                None => origins.push((origin, 1)),
            }
        }
        let ticks = || counted.iter().map(|(_, at, _)| *at);
        let (oldest, newest) = (ticks().min().unwrap_or(now), ticks().max().unwrap_or(now));
        let span = |from: Tick, to: Tick| Duration::from_secs(to.since(from).get());
        Counts::new(origins).aged(span(newest, now), span(oldest, newest))
    }
}

fn is_directed(letter: &Letter) -> bool {
    !letter.to.starts_with('#')
}
