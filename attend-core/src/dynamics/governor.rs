//! The governor: a rate limit over everything that is shown.

use std::collections::VecDeque;
use std::num::NonZeroU32;

use serde::{Deserialize, Serialize};

use super::tick::{Tick, TickDelta};

/// How much a [`Governor`] lets through.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Limits {
    /// Ticks that must lie between one admission and the next.
    pub cooldown: TickDelta,
    /// How many admissions any window holds at most.
    pub max_per_window: NonZeroU32,
    /// The length of the window in ticks.
    pub window: TickDelta,
}

impl Limits {
    /// So many admissions in any `window` ticks, and `cooldown` ticks between two.
    pub const fn new(cooldown: TickDelta, max_per_window: NonZeroU32, window: TickDelta) -> Self {
        Self {
            cooldown,
            max_per_window,
            window,
        }
    }
}

/// A rate limit: at most so many in any window, and a cooldown after each.
///
/// A refusal says when to come back. The answer depends on what was recorded and on nothing
/// else; asking changes nothing.
///
/// ```
/// use std::num::NonZeroU32;
/// use attend_core::dynamics::{Governor, Limits, Tick, TickDelta};
///
/// let most = NonZeroU32::new(3).unwrap();
/// let limits = Limits::new(TickDelta::new(20), most, TickDelta::new(120));
/// let mut governor = Governor::new(limits);
/// for at in [0, 20, 40] {
///     assert!(governor.admits(Tick::new(at)));
///     governor.record(Tick::new(at));
/// }
/// assert_eq!(governor.taken_at(Tick::new(119)), 3);
/// // A fourth is admitted a window after the first.
/// assert_eq!(governor.ready_at(), Some(Tick::new(120)));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(from = "Stored")]
pub struct Governor {
    limits: Limits,
    /// The latest admissions, oldest first; never more than one window may hold.
    admitted: VecDeque<Tick>,
    cooled_from: Option<Tick>,
}

/// A [`Governor`] as it was stored, which nobody has checked.
#[derive(Deserialize)]
struct Stored {
    limits: Limits,
    admitted: VecDeque<Tick>,
    cooled_from: Option<Tick>,
}

impl Governor {
    /// A governor that admitted nothing yet.
    pub fn new(limits: Limits) -> Self {
        Self {
            limits,
            admitted: VecDeque::new(),
            cooled_from: None,
        }
    }

    /// The limits.
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// Takes other limits and keeps what was admitted.
    pub fn set_limits(&mut self, limits: Limits) {
        self.limits = limits;
        self.forget();
    }

    /// The first tick at which another is admitted; none where that is so at any tick.
    pub fn ready_at(&self) -> Option<Tick> {
        let cooled = self.cooled_from.map(|at| at.after(self.limits.cooldown));
        cooled.max(self.slot_at())
    }

    /// The first tick at which the window holds room, the cooldown apart.
    pub fn slot_at(&self) -> Option<Tick> {
        let full = self.admitted.len() >= self.limits.max_per_window.get() as usize;
        self.admitted
            .front()
            .filter(|_| full)
            .map(|oldest| oldest.after(self.limits.window))
    }

    /// Whether another is admitted at `tick`.
    pub fn admits(&self, tick: Tick) -> bool {
        self.ready_at().is_none_or(|ready| ready <= tick)
    }

    /// How many admissions the window that ends at `tick` holds.
    pub fn taken_at(&self, tick: Tick) -> usize {
        let admitted = self.admitted.iter();
        let lasts = |at: &&Tick| at.after(self.limits.window) > tick;
        admitted.filter(lasts).count()
    }

    /// Records an admission at `tick`, whether or not it was asked for.
    pub fn record(&mut self, tick: Tick) {
        self.admitted.push_back(tick);
        self.cooled_from = Some(tick);
        self.forget();
    }

    /// Starts the cooldown at `tick` without taking a place in the window.
    pub fn cool(&mut self, tick: Tick) {
        self.cooled_from = self.cooled_from.max(Some(tick));
    }

    /// Sets every tick that lies after `now` to `now`: for a history whose axis stepped back.
    pub fn settle_future(&mut self, now: Tick) {
        for at in self.admitted.iter_mut().chain(&mut self.cooled_from) {
            *at = (*at).min(now);
        }
    }

    fn forget(&mut self) {
        let excess = self
            .admitted
            .len()
            .saturating_sub(self.limits.max_per_window.get() as usize);
        self.admitted.drain(..excess);
    }
}

impl From<Stored> for Governor {
    fn from(mut stored: Stored) -> Self {
        stored.admitted.make_contiguous().sort_unstable();
        let mut governor = Self::new(stored.limits);
        governor.admitted = stored.admitted;
        governor.cooled_from = stored.cooled_from;
        governor.forget();
        governor
    }
}
