//! How full a session's context window is, and how fast it fills.

use crate::dynamics::Tick;

/// How full the context window of a session is. What is not known is none, never zero.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct ContextUsage {
    /// Tokens that were put before the model last. None where nothing was yet, after a
    /// compaction until the next answer, or where it stands too far back to be read.
    pub tokens: Option<u64>,
    /// How many tokens fit.
    pub window: u64,
    /// How the window is known.
    pub basis: WindowBasis,
    /// The model that answered last.
    pub model: Option<String>,
    /// Names the span in which the count only grows: the last compaction, else the session.
    ///
    /// A fall of the count begins another span, too, which has no name. None where the last
    /// compaction stands too far back to be found.
    pub epoch: Option<String>,
    /// The prompts of a person so far, the present one included; none where the host does not
    /// count them.
    pub turn: Option<u64>,
    /// How much a turn adds.
    pub growth: Option<Growth>,
    /// The last counts of this epoch with their times, oldest first, at most 32.
    pub samples: Vec<Sample>,
    /// The last compaction that was seen.
    pub compaction: Option<Compaction>,
}

impl ContextUsage {
    /// A window of `window` tokens of which nothing else is known.
    pub fn new(window: u64, basis: WindowBasis) -> Self {
        Self {
            tokens: None,
            window,
            basis,
            model: None,
            epoch: None,
            turn: None,
            growth: None,
            samples: Vec::new(),
            compaction: None,
        }
    }

    /// The share of the window that is used, in percent rounded down; none where it is unknown.
    pub fn percent(&self) -> Option<u64> {
        let hundredfold = u128::from(self.tokens?) * 100;
        let percent = hundredfold.checked_div(u128::from(self.window))?;
        Some(u64::try_from(percent).unwrap_or(u64::MAX))
    }
}

/// How the size of a window is known, best first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum WindowBasis {
    /// The host said it.
    Exact,
    /// A person set it.
    Configured,
    /// It is what this model has.
    Model,
    /// More tokens were counted than the model was thought to have room for.
    Observed,
    /// The model is not known; this is the smallest window that is common.
    Assumed,
}

/// The median growth of the last turns.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct Growth {
    /// Tokens that a turn adds.
    pub per_turn: u64,
    /// Out of how many turns, at most 5.
    pub turns: u32,
}

impl Growth {
    /// The median of `turns`, the growths of the last turns; none of no turn.
    pub fn of(turns: &[u64]) -> Option<Self> {
        let mut sorted = turns.to_vec();
        sorted.sort_unstable();
        let middle = sorted.len() / 2;
        let per_turn = if sorted.len() % 2 == 1 {
            *sorted.get(middle)?
        } else {
            sorted
                .get(middle.checked_sub(1)?)?
                .midpoint(*sorted.get(middle)?)
        };
        Some(Self {
            per_turn,
            turns: u32::try_from(turns.len()).unwrap_or(u32::MAX),
        })
    }
}

/// A count at a time.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct Sample {
    /// When the model answered.
    pub at: Tick,
    /// The tokens before it.
    pub tokens: u64,
}

impl Sample {
    /// `tokens` at `at`.
    pub fn new(at: Tick, tokens: u64) -> Self {
        Self { at, tokens }
    }
}

/// A compaction of the context.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct Compaction {
    /// Whether the host began it by itself, for want of room.
    pub automatic: bool,
    /// The tokens before it.
    pub before: Option<u64>,
}

impl Compaction {
    /// A compaction of `before` tokens.
    pub fn new(automatic: bool, before: Option<u64>) -> Self {
        Self { automatic, before }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_of_turns() {
        let median = |turns: &[u64]| Growth::of(turns).map(|growth| growth.per_turn);
        assert_eq!(median(&[]), None);
        assert_eq!(median(&[7]), Some(7));
        assert_eq!(median(&[9, 1, 2]), Some(2));
        assert_eq!(median(&[4, 1, 9, 2]), Some(3));
        assert_eq!(median(&[u64::MAX, u64::MAX]), Some(u64::MAX));
    }

    #[test]
    fn an_unknown_share_is_none() {
        let mut usage = ContextUsage::new(200_000, WindowBasis::Model);
        assert_eq!(usage.percent(), None);
        usage.tokens = Some(u64::MAX);
        assert_eq!(usage.percent(), Some(u64::MAX / 2_000));
        usage.window = 0;
        assert_eq!(usage.percent(), None);
    }
}
