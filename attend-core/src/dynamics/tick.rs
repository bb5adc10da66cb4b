//! Positions and distances on a monotonic progression axis.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A position on a monotonic axis that the caller supplies.
///
/// A tick has no unit of its own and converts to nothing: what one step means is the
/// business of whoever feeds the axis.
///
/// ```
/// use attend_core::dynamics::{Tick, TickDelta};
///
/// let fired = Tick::new(100);
/// assert_eq!(Tick::new(160).since(fired), TickDelta::new(60));
/// // Distances saturate: an axis that stepped back is at distance zero.
/// assert_eq!(Tick::new(40).since(fired), TickDelta::new(0));
/// assert_eq!(fired.after(TickDelta::new(20)), Tick::new(120));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Tick(u64);

impl Tick {
    /// The tick at position `position`.
    pub const fn new(position: u64) -> Self {
        Self(position)
    }

    /// The position as a number.
    pub const fn get(self) -> u64 {
        self.0
    }

    /// The distance from `earlier` to this tick; zero where `earlier` is not earlier.
    pub const fn since(self, earlier: Self) -> TickDelta {
        TickDelta(self.0.saturating_sub(earlier.0))
    }

    /// The tick `by` further on; the last tick there is where that is beyond the axis.
    #[must_use]
    pub const fn after(self, by: TickDelta) -> Self {
        Self(self.0.saturating_add(by.0))
    }
}

impl fmt::Display for Tick {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A distance between two [`Tick`]s.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TickDelta(u64);

impl TickDelta {
    /// No distance.
    pub const ZERO: Self = Self(0);

    /// A distance of `ticks` ticks.
    pub const fn new(ticks: u64) -> Self {
        Self(ticks)
    }

    /// The distance as a number of ticks.
    pub const fn get(self) -> u64 {
        self.0
    }
}

impl fmt::Display for TickDelta {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The first tick at or after `from` at which `holds` is true, if there is one.
///
/// `holds` must be monotone from `from` on: once true, true for ever. The search asks the
/// predicate at whole ticks only, about twice the logarithm of the distance, so what it finds
/// agrees exactly with what the predicate says later; an inverse formula would be off by
/// rounding.
///
/// ```
/// use attend_core::dynamics::{Tick, first_tick};
///
/// assert_eq!(first_tick(Tick::new(5), |t| t.get() * t.get() >= 1_000), Some(Tick::new(32)));
/// assert_eq!(first_tick(Tick::new(5), |_| false), None);
/// ```
pub fn first_tick(from: Tick, holds: impl Fn(Tick) -> bool) -> Option<Tick> {
    if holds(from) {
        return Some(from);
    }
    // Gallop until the predicate holds: it is false at `low` and true at `high`.
    let mut low = from;
    let mut step = 1_u64;
    let mut high = loop {
        let probe = low.after(TickDelta(step));
        if holds(probe) {
            break probe;
        }
        if probe == Tick(u64::MAX) {
            return None;
        }
        low = probe;
        step = step.saturating_mul(2);
    };
    while high.0 - low.0 > 1 {
        let middle = Tick(low.0 + (high.0 - low.0) / 2);
        if holds(middle) {
            high = middle;
        } else {
            low = middle;
        }
    }
    Some(high)
}
