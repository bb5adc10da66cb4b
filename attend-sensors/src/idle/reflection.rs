//! How long nobody reflected, in tokens and in turns.

use attend_core::dynamics::Tick;
use attend_core::sensor::{ContextUsage, Turns};
use serde::{Deserialize, Serialize};

use super::config::IdleConfig;
use super::marks::Mark;

/// From where on it is counted: a compaction or the beginning, and a mark after it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Start {
    epoch: Option<String>,
    /// When the mark was, in seconds since 1970.
    mark: Option<u64>,
}

impl Start {
    /// Whether it lies in the span of `usage`.
    pub(super) fn is_of(&self, usage: &ContextUsage) -> bool {
        self.epoch == usage.epoch
    }
}

/// How far it is since then.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Distance {
    pub(super) start: Start,
    tokens: u64,
    window: u64,
    turns: usize,
}

impl Distance {
    /// How far it is from `mark`, if that lies in this span, to what `usage` and `turns` say;
    /// `marked` places a mark on the axis of ticks. None while nobody knows how full the context
    /// is.
    pub(super) fn of(
        usage: &ContextUsage,
        turns: &Turns,
        mark: Option<&Mark>,
        marked: impl Fn(&Mark) -> Tick,
    ) -> Option<Self> {
        let tokens = usage.tokens?;
        let fits = |mark: &&Mark| {
            let same = mark.epoch.is_none() || usage.epoch.is_none() || mark.epoch == usage.epoch;
            same && mark.tokens <= tokens
        };
        let mark = mark.filter(fits);
        let from = mark.map_or(turns.first.unwrap_or(0), |mark| mark.tokens);
        let marked = mark.map(marked);
        let since = turns.began.iter();
        let since = since.filter(|turn| marked.is_none_or(|marked| turn.at > marked));
        Some(Self {
            start: Start {
                epoch: usage.epoch.clone(),
                mark: mark.map(|mark| mark.at),
            },
            tokens: tokens.saturating_sub(from),
            window: usage.window,
            turns: since.count(),
        })
    }

    /// What is said of it where it is too far.
    pub(super) fn overdue(&self, config: &IdleConfig) -> Option<String> {
        #[expect(clippy::cast_precision_loss, reason = "a share, not a count")]
        let share = self.tokens as f64 / self.window.max(1) as f64;
        let turns = usize::try_from(config.reflection_turns).unwrap_or(usize::MAX);
        if share >= config.reflection_share {
            let percent = u128::from(self.tokens) * 100 / u128::from(self.window.max(1));
            return Some(format!(
                "no reflection for {percent}% of the context window"
            ));
        }
        (self.turns >= turns).then(|| format!("no reflection for {} turns", self.turns))
    }
}
