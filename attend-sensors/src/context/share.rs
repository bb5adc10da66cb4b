//! Shares of a window, in whole hundredths of a percent, so that they compare exactly.

use serde::{Deserialize, Serialize};

/// A share of a window, rounded down to a hundredth of a percent.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct Share(u64);

impl Share {
    /// So many percent.
    pub(super) const fn percent_of(percent: u64) -> Self {
        Self(percent * 100)
    }

    /// `tokens` out of `window`; none of a window into which nothing fits.
    pub(super) fn of(tokens: u64, window: u64) -> Option<Self> {
        let parts = (u128::from(tokens) * 10_000).checked_div(u128::from(window))?;
        Some(Self(u64::try_from(parts).unwrap_or(u64::MAX)))
    }

    /// The share that a configuration names; none where it is not above 0 and at most 1.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "checked to lie from 0 to 1"
    )]
    pub(super) fn of_config(share: f64) -> Option<Self> {
        (share > 0.0 && share <= 1.0).then(|| Self((share * 10_000.0).round() as u64))
    }

    /// The tokens that it makes of `window`, rounded down.
    pub(super) fn tokens(self, window: u64) -> u64 {
        let tokens = u128::from(self.0) * u128::from(window) / 10_000;
        u64::try_from(tokens).unwrap_or(u64::MAX)
    }

    /// Whole percents, rounded down.
    pub(super) const fn percent(self) -> u64 {
        self.0 / 100
    }

    /// Whole percents, to the nearest.
    pub(super) const fn about(self) -> u64 {
        (self.0 + 50) / 100
    }

    /// This much more.
    pub(super) const fn plus(self, more: Self) -> Self {
        Self(self.0.saturating_add(more.0))
    }

    /// This much in one minute, when it came in so many seconds.
    pub(super) fn a_minute(self, seconds: u64) -> Self {
        Self(self.0.saturating_mul(60) / seconds.max(1))
    }

    /// How many minutes it takes at so much a minute, begun ones counted; none where it takes
    /// forever.
    pub(super) fn minutes(self, a_minute: Self) -> Option<u64> {
        (a_minute.0 > 0).then(|| self.0.div_ceil(a_minute.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_rounded_down_and_configured_ones_to_the_nearest() {
        assert_eq!(Share::of(849_999, 1_000_000), Share::of_config(0.8499));
        assert_eq!(Share::of(1, 0), None);
        for percent in 1..=100_u32 {
            let share = Share::of_config(f64::from(percent) / 100.0);
            assert_eq!(share, Some(Share::percent_of(percent.into())));
        }
        assert_eq!(
            Share::of_config(0.85).map(|share| share.tokens(200_000)),
            Some(170_000)
        );
        assert_eq!(Share::of(u64::MAX, 1), Some(Share(u64::MAX)));
    }

    #[test]
    fn a_pace_is_a_share_of_a_minute() {
        let three = Share::percent_of(6).a_minute(120);
        assert_eq!(three, Share::percent_of(3));
        assert_eq!(Share::percent_of(10).minutes(three), Some(4));
        assert_eq!(Share::percent_of(10).minutes(Share::default()), None);
        assert_eq!(
            (Share(249).about(), Share(250).about(), Share(299).percent()),
            (2, 3, 2)
        );
    }
}
