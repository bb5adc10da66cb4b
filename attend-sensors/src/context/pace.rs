//! How fast the context grows: counts over time, and whether that is fast.

use std::collections::VecDeque;

use attend_core::dynamics::Tick;
use attend_core::sensor::Sample;

use super::share::Share;

/// A pace is measured over the last rise of at least this much.
const RISE: Share = Share::percent_of(5);

/// And over at least so many seconds, so that one large answer makes no pace.
const LEAST: u64 = 60;

/// Above this much a minute it is fast,
const FAST: Share = Share::percent_of(2);

/// until it falls below this.
const SLOW: Share = Share::percent_of(1);

/// As long as [`RISE`] takes at the pace that is slow.
const PATIENCE: u64 = 300;

/// Two hundred of these are a window: counts that lie closer say nothing more.
const STEPS: u64 = 200;

/// How many counts are kept: a rise of 32 %.
const KEPT: usize = 64;

/// Counts of one span, oldest first.
#[derive(Debug, Default)]
pub(super) struct Pace {
    samples: VecDeque<Sample>,
}

/// How fast the context grew.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Rate {
    a_minute: Share,
    /// Whether it is measured over a rise that is large enough.
    measured: bool,
    seconds: u64,
}

impl Pace {
    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.samples.clear();
    }

    /// Takes in what is not known yet. A fall begins anew.
    pub(super) fn take(&mut self, samples: impl IntoIterator<Item = Sample>, window: u64) {
        for sample in samples {
            let Some(last) = self.samples.back().copied() else {
                self.samples.push_back(sample);
                continue;
            };
            if sample.at < last.at {
                continue;
            }
            if last.tokens.saturating_sub(sample.tokens) >= RISE.tokens(window) {
                self.samples.clear();
            }
            // The newest one stands in for what lies close to the one before it.
            let before = self.samples.iter().rev().nth(1).map(|before| before.tokens);
            let close = before.is_some_and(|before| {
                sample.tokens < before.saturating_add(window / STEPS) && sample.at > last.at
            });
            if close || sample.at == last.at {
                self.samples.pop_back();
            }
            self.samples.push_back(sample);
            if self.samples.len() > KEPT {
                self.samples.pop_front();
            }
        }
    }

    /// The pace a minute while it is fast; none while it is not. `was` says that it was fast at
    /// the look before: then it is until it is known to be slow.
    pub(super) fn fast(&self, was: bool, now: Tick, window: u64) -> Option<Share> {
        let rate = self.rate(now, window);
        let is_fast = |rate: &Rate| {
            let slow = rate.a_minute < SLOW && (rate.measured || rate.seconds >= PATIENCE);
            if was {
                !slow
            } else {
                rate.measured && rate.a_minute > FAST
            }
        };
        match rate {
            Some(rate) => is_fast(&rate).then_some(rate.a_minute),
            None => was.then_some(SLOW),
        }
    }

    /// The pace a minute at the last count; none where there is none, or that was long ago.
    pub(super) fn current(&self, now: Tick, window: u64) -> Option<Share> {
        let last = self.samples.back()?.at;
        let fresh = now.since(last).get() < PATIENCE;
        let rate = self.rate(last, window)?;
        (fresh && rate.measured).then_some(rate.a_minute)
    }

    /// The rate up to `end`: over the shortest time in which it rose enough, else over all.
    fn rate(&self, end: Tick, window: u64) -> Option<Rate> {
        let last = self.samples.back()?;
        let rise = |from: &Sample| Share::of(last.tokens.saturating_sub(from.tokens), window);
        let enough = |from: &&Sample| rise(from).is_some_and(|rise| rise >= RISE);
        let measured = self.samples.iter().rev().find(enough);
        let from = measured.or(self.samples.front())?;
        let seconds = end.since(from.at).get();
        Some(Rate {
            a_minute: rise(from)?.a_minute(seconds.max(LEAST)),
            measured: measured.is_some(),
            seconds,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WINDOW: u64 = 1_000;

    /// A pace out of `(second, permille)`.
    fn pace(samples: &[(u64, u64)]) -> Pace {
        let mut pace = Pace::default();
        pace.take(
            samples
                .iter()
                .map(|(at, tokens)| Sample::new(Tick::new(*at), *tokens)),
            WINDOW,
        );
        pace
    }

    fn fast(samples: &[(u64, u64)], was: bool, now: u64) -> Option<u64> {
        pace(samples)
            .fast(was, Tick::new(now), WINDOW)
            .map(Share::about)
    }

    #[test]
    fn it_is_fast_above_two_percent_a_minute_over_a_rise_of_five() {
        assert_eq!(
            fast(&[(0, 100), (60, 130), (120, 160)], false, 120),
            Some(3)
        );
        assert_eq!(
            fast(&[(0, 100), (60, 120), (120, 149)], false, 120),
            None,
            "4.9 %"
        );
        assert_eq!(
            fast(&[(0, 100), (60, 120), (180, 160)], false, 180),
            None,
            "2 %/min"
        );
        assert_eq!(
            fast(&[(0, 100), (60, 120), (180, 161)], false, 180),
            Some(2)
        );
        assert_eq!(fast(&[], false, 0), None);
        assert_eq!(fast(&[(0, 900)], false, 0), None, "one count is no growth");
    }

    #[test]
    fn a_jump_is_measured_over_a_minute() {
        assert_eq!(fast(&[(0, 100), (3, 160)], false, 3), Some(6));
        assert_eq!(fast(&[(0, 100), (3, 160)], false, 178), Some(2));
        assert_eq!(fast(&[(0, 100), (3, 160)], false, 180), None);
    }

    #[test]
    fn it_stays_fast_until_it_is_known_to_be_slow() {
        let rose = [(0, 100), (60, 130), (120, 160)];
        assert_eq!(fast(&rose, true, 359), Some(1));
        assert_eq!(fast(&rose, true, 361), None);
        // Too little is known: a restart just now.
        assert_eq!(fast(&[], true, 400), Some(1));
        assert_eq!(fast(&[(390, 160)], true, 400), Some(0));
        assert_eq!(fast(&[(390, 160)], true, 690), None);
    }

    #[test]
    fn many_small_counts_are_thinned_and_a_fall_begins_anew() {
        let small: Vec<(u64, u64)> = (0..2_000).map(|n| (n, 100 + n / 10)).collect();
        let mut thin = pace(&small);
        assert!(thin.samples.len() <= KEPT, "{}", thin.samples.len());
        assert_eq!(
            thin.fast(false, Tick::new(2_000), WINDOW).map(Share::about),
            None
        );
        let quick: Vec<(u64, u64)> = (0..500).map(|n| (n, 100 + n / 2)).collect();
        assert_eq!(fast(&quick, false, 500), Some(3));

        thin.take([Sample::new(Tick::new(3_000), 240)], WINDOW);
        assert_eq!(thin.samples.len(), 1);
        // What was known before, and what is older, changes nothing.
        thin.take(
            [
                Sample::new(Tick::new(10), 900),
                Sample::new(Tick::new(3_000), 240),
            ],
            WINDOW,
        );
        assert_eq!(thin.samples.len(), 1);
    }

    #[test]
    fn the_current_pace_does_not_change_while_nothing_grows() {
        let rose = pace(&[(0, 100), (60, 130), (120, 160)]);
        let current = |now| rose.current(Tick::new(now), WINDOW).map(Share::about);
        assert_eq!(
            (current(120), current(419), current(420)),
            (Some(3), Some(3), None)
        );
        assert_eq!(
            pace(&[(0, 100), (60, 120)]).current(Tick::new(60), WINDOW),
            None
        );
    }
}
