//! The line budget: stricter than what Monitor allows, so that attend never trips it.

/// Writes that may follow each other at once.
const BURST: u64 = 8;

/// Milliseconds after which one more is allowed.
const REFILL: u64 = 2_500;

/// A token bucket over what is written: 8 at once, refilled by one per 2.5 s.
///
/// Monitor makes one notification of what is written within 200 ms, and allows 10 refilled by
/// one per 2 s. The axis is monotonic milliseconds, apart from the engine's ticks.
///
/// ```
/// use attend_core::runtime::LineBudget;
///
/// let mut budget = LineBudget::new(0);
/// assert!((0..8).all(|_| budget.take(0)));
/// assert!(!budget.take(2_499));
/// assert_eq!(budget.ready_at(2_499), 2_500);
/// assert!(budget.take(2_500));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LineBudget {
    /// What is left, as the milliseconds that it took to fill.
    credit: u64,
    at: u64,
}

impl LineBudget {
    /// A full budget at `now` milliseconds.
    pub fn new(now: u64) -> Self {
        Self {
            credit: BURST * REFILL,
            at: now,
        }
    }

    /// Takes leave for one write at `now` milliseconds; false where there is none.
    pub fn take(&mut self, now: u64) -> bool {
        self.fill(now);
        let granted = self.credit >= REFILL;
        if granted {
            self.credit -= REFILL;
        }
        granted
    }

    /// The first millisecond, not before `now`, at which [`take`](Self::take) grants.
    pub fn ready_at(&self, now: u64) -> u64 {
        let mut filled = *self;
        filled.fill(now);
        filled.at + REFILL.saturating_sub(filled.credit)
    }

    fn fill(&mut self, now: u64) {
        let passed = now.saturating_sub(self.at);
        self.credit = self.credit.saturating_add(passed).min(BURST * REFILL);
        self.at = self.at.max(now);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Monitor's own bucket: 10, refilled by one per 2 s.
    struct Monitor {
        tokens: f64,
        at: u64,
    }

    impl Monitor {
        fn notify(&mut self, now: u64) -> bool {
            self.tokens = (self.tokens + (now - self.at) as f64 / 2_000.0).min(10.0);
            self.at = now;
            self.tokens -= 1.0;
            self.tokens >= 0.0
        }
    }

    proptest! {
        #[test]
        fn never_trips_monitor(waits in prop::collection::vec(0_u64..6_000, 1..500), late in 0_u64..500) {
            let mut budget = LineBudget::new(0);
            let mut monitor = Monitor { tokens: 10.0, at: 0 };
            let mut now = 0;
            for (n, wait) in waits.into_iter().enumerate() {
                now += wait;
                if budget.take(now) {
                    // What Monitor sees arrives a little later, and not always equally late.
                    let seen = now + if n % 2 == 0 { late } else { 0 };
                    prop_assert!(monitor.notify(seen.max(monitor.at)));
                }
            }
        }

        #[test]
        fn grants_exactly_when_it_said(waits in prop::collection::vec(0_u64..4_000, 1..200)) {
            let mut budget = LineBudget::new(5);
            let mut now = 5;
            for wait in waits {
                now += wait;
                let ready = budget.ready_at(now);
                prop_assert!(ready >= now);
                if ready > now {
                    prop_assert!(!budget.clone().take(ready - 1));
                }
                prop_assert!(budget.clone().take(ready));
                budget.take(now);
            }
        }
    }

    #[test]
    fn a_clock_that_stands_still_or_steps_back_grants_no_more_than_the_burst() {
        let mut budget = LineBudget::new(1_000_000);
        let granted = (0..100)
            .filter(|n| budget.take(1_000_000 - n * 1_000))
            .count();
        assert_eq!(granted, 8);
        assert_eq!(budget.ready_at(0), 1_002_500);
    }
}
