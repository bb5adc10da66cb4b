//! What lies ahead: when the context will be compacted, and the words for it.

use attend_core::sensor::{Compaction, ContextUsage, Stakes};

use super::share::Share;

/// Where a host compacts, as long as nobody knows better.
const USUAL: Share = Share::percent_of(95);

/// A compaction that lies this far behind was not the point.
const REFUTED: Share = Share::percent_of(5);

/// From here on the stakes are told,
const AHEAD: Share = Share::percent_of(85);

/// and so many turns before the compaction.
const AHEAD_TURNS: u64 = 3;

/// From here on they are at hand,
const AT_HAND: Share = Share::percent_of(92);

/// and so many turns before it.
const AT_HAND_TURNS: u64 = 1;

/// How much of which window is used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Reading {
    pub(super) tokens: u64,
    pub(super) window: u64,
    pub(super) share: Share,
}

impl Reading {
    /// None where nothing fits into the window.
    pub(super) fn new(tokens: u64, window: u64) -> Option<Self> {
        Some(Self {
            tokens,
            window,
            share: Share::of(tokens, window)?,
        })
    }
}

/// The share at which an automatic compaction came.
pub(super) fn observed(compaction: Option<Compaction>, window: u64) -> Option<Share> {
    let before = compaction
        .filter(|compaction| compaction.automatic)?
        .before?;
    let share = Share::of(before, window)?;
    (share > Share::default()).then(|| share.min(Share::percent_of(100)))
}

/// The share at which the host will compact.
pub(super) fn point(configured: Option<f64>, observed: Option<Share>, at: Share) -> Share {
    let observed = observed.filter(|observed| at <= observed.plus(REFUTED));
    let configured = configured.and_then(Share::of_config);
    configured.or(observed).unwrap_or(USUAL)
}

/// How far it is to a compaction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Outlook {
    share: Share,
    point: Share,
    is_due: bool,
    /// Turns, begun ones counted.
    turns: Option<u64>,
    minutes: Option<u64>,
    /// The number of the present turn.
    turn: Option<u64>,
}

impl Outlook {
    /// The way from `reading` to `point`, at the growth that `usage` tells, and at `pace` a
    /// minute.
    pub(super) fn new(
        reading: Reading,
        point: Share,
        usage: &ContextUsage,
        pace: Option<Share>,
    ) -> Self {
        let end = point.tokens(reading.window);
        let left = end.saturating_sub(reading.tokens);
        let per_turn = usage
            .growth
            .map(|growth| growth.per_turn)
            .filter(|growth| *growth > 0);
        Self {
            share: reading.share,
            point,
            is_due: left == 0,
            turns: per_turn.map(|growth| left.div_ceil(growth)),
            minutes: pace.and_then(|pace| Share::of(left, reading.window)?.minutes(pace)),
            turn: usage.turn,
        }
    }

    /// What is at stake; none while it is far away.
    pub(super) fn stakes(&self) -> Option<Stakes> {
        let within = |turns| self.turns.is_some_and(|left| left <= turns);
        if self.is_due || self.share >= AT_HAND || within(AT_HAND_TURNS) {
            Some(Stakes::at_hand(self.at_hand()))
        } else if self.share >= AHEAD || within(AHEAD_TURNS) {
            Some(Stakes::ahead(self.ahead()))
        } else {
            None
        }
    }

    fn at_hand(&self) -> String {
        match (self.turns, self.minutes) {
            _ if self.is_due => "compaction is due".to_owned(),
            (Some(turns), _) => format!("compaction in about {}", counted(turns, "turn")),
            (None, Some(minutes)) => {
                format!("compaction in about {}", counted(minutes.max(1), "minute"))
            }
            (None, None) => self.somewhere(),
        }
    }

    fn ahead(&self) -> String {
        let minutes = self
            .minutes
            .map(|minutes| counted(minutes.max(1), "minute"));
        match (self.turns, self.turn, minutes) {
            (Some(turns), Some(turn), _) => format!(
                "projected critical at turn {} ({} remaining)",
                turn.saturating_add(turns),
                counted(turns, "turn")
            ),
            (Some(turns), None, None) => {
                format!("projected critical in about {}", counted(turns, "turn"))
            }
            (Some(turns), None, Some(minutes)) => format!(
                "projected critical in about {}, about {minutes}",
                counted(turns, "turn")
            ),
            (None, _, Some(minutes)) => format!("projected critical in about {minutes}"),
            (None, _, None) => self.somewhere(),
        }
    }

    /// Nobody knows how fast it grows.
    fn somewhere(&self) -> String {
        format!("compaction at about {}%", self.point.about())
    }
}

/// `1 turn`, `2 turns`.
fn counted(count: u64, one: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {one}{plural}")
}

#[cfg(test)]
mod tests;
