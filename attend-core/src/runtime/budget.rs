//! The line budget: stricter than what Monitor allows, so that attend never trips it.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::attention::BATCH_LIMIT;

/// Writes that may follow each other at once.
const BURST: u64 = 8;

/// Milliseconds after which one more is allowed.
const REFILL: u64 = 2_500;

/// Milliseconds within which what is written may become one notification: the host's 200, and
/// what it may read late.
const TOGETHER: u64 = 300;

/// The most UTF-16 units of one notification, beyond which the host cuts it.
const NOTIFICATION: usize = 3_000;

/// A token bucket over what is written: 8 at once, refilled by one per 2.5 s.
///
/// Monitor makes one notification of what is written within 200 ms, cuts it at 3,000 UTF-16
/// units, and allows 10 refilled by one per 2 s. So what follows a write at once must fit into
/// the same notification, however long it is; else it waits for 300 ms. The axis is monotonic
/// milliseconds, apart from the engine's ticks.
///
/// ```
/// use attend_core::attention::BATCH_LIMIT;
/// use attend_core::runtime::LineBudget;
///
/// let mut budget = LineBudget::new(0);
/// assert!(budget.take(0, 60));
/// assert!(budget.take(10, BATCH_LIMIT));
/// assert_eq!(budget.ready_at(20), 310);
/// assert!(!budget.take(309, 60));
/// assert!((0..6).all(|n| budget.take(310 + n, 20)));
/// assert_eq!(budget.ready_at(400), 2_500);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LineBudget {
    /// What is left, as the milliseconds that it took to fill.
    credit: u64,
    at: u64,
    /// UTF-16 units of what may become one notification with the next write.
    units: usize,
    /// When the next write is surely a notification of its own.
    apart: u64,
}

impl LineBudget {
    /// A full budget at `now` milliseconds.
    pub fn new(now: u64) -> Self {
        Self {
            credit: BURST * REFILL,
            at: now,
            units: 0,
            apart: now,
        }
    }

    /// Takes leave for one write of so many UTF-16 units at `now` milliseconds; false where
    /// there is none, also for a short one where the longest batch would not fit.
    pub fn take(&mut self, now: u64, units: usize) -> bool {
        self.fill(now);
        let granted = self.ready_at(now) <= self.at;
        if granted {
            self.credit -= REFILL;
            self.units += units;
            self.apart = self.at + TOGETHER;
        }
        granted
    }

    /// The first millisecond, not before `now`, at which [`take`](Self::take) grants.
    pub fn ready_at(&self, now: u64) -> u64 {
        let mut filled = *self;
        filled.fill(now);
        let ready = filled.at + REFILL.saturating_sub(filled.credit);
        if filled.units + BATCH_LIMIT <= NOTIFICATION {
            ready
        } else {
            ready.max(filled.apart)
        }
    }

    /// What is left at `now` milliseconds.
    pub fn left(&self, now: u64) -> BudgetLeft {
        let mut filled = *self;
        filled.fill(now);
        BudgetLeft {
            credit: filled.credit,
        }
    }

    fn fill(&mut self, now: u64) {
        let passed = now.saturating_sub(self.at);
        self.credit = self.credit.saturating_add(passed).min(BURST * REFILL);
        self.at = self.at.max(now);
        if self.at >= self.apart {
            self.units = 0;
        }
    }
}

/// What was left of a [`LineBudget`] at one moment, in a form fit for a file.
///
/// ```
/// use std::time::Duration;
/// use attend_core::runtime::{BudgetLeft, LineBudget};
///
/// let mut budget = LineBudget::new(0);
/// budget.take(0, 60);
/// let left = budget.left(500);
/// assert_eq!(left.writes_after(Duration::ZERO), 7);
/// assert_eq!(left.full_after(Duration::ZERO), Duration::from_secs(2));
/// assert_eq!(left.writes_after(Duration::from_secs(2)), BudgetLeft::MOST);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct BudgetLeft {
    /// As the milliseconds that it took to fill.
    credit: u64,
}

impl BudgetLeft {
    /// So many writes may follow each other at once where the budget is full.
    pub const MOST: u64 = BURST;

    /// How many writes may follow each other at once when so much time has `passed`.
    pub fn writes_after(self, passed: Duration) -> u64 {
        self.credit_after(passed) / REFILL
    }

    /// How long it then takes until the budget is full, where nothing is written.
    pub fn full_after(self, passed: Duration) -> Duration {
        Duration::from_millis(BURST * REFILL - self.credit_after(passed))
    }

    fn credit_after(self, passed: Duration) -> u64 {
        let passed = u64::try_from(passed.as_millis()).unwrap_or(u64::MAX);
        self.credit.saturating_add(passed).min(BURST * REFILL)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn grants_exactly_when_it_said(waits in prop::collection::vec((0_u64..4_000, 0_usize..BATCH_LIMIT), 1..200)) {
            let mut budget = LineBudget::new(5);
            let mut now = 5;
            for (wait, units) in waits {
                now += wait;
                let ready = budget.ready_at(now);
                prop_assert!(ready >= now);
                if ready > now {
                    prop_assert!(!budget.clone().take(ready - 1, units));
                }
                prop_assert!(budget.clone().take(ready, units));
                budget.take(now, units);
            }
        }
    }

    #[test]
    fn a_clock_that_stands_still_or_steps_back_grants_no_more_than_the_burst() {
        let mut budget = LineBudget::new(1_000_000);
        let granted = (0..100)
            .filter(|n| budget.take(1_000_000 - n * 1_000, 20))
            .count();
        assert_eq!(granted, 8);
        assert_eq!(budget.ready_at(0), 1_002_500);
    }
}
