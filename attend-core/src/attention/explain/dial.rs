//! The dial: what a tick is on the clock on somebody's wall.

use std::fmt;

use crate::dynamics::Tick;

/// A moment on the clock on the wall.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Local {
    /// The day, for people: `Nov 30`.
    pub day: String,
    /// Seconds since the midnight before.
    pub second: u32,
}

/// Tells ticks as times of the day.
#[derive(Clone, Copy)]
pub struct Dial<'a> {
    read: &'a dyn Fn(Tick) -> Local,
    now: Tick,
}

impl Local {
    /// `14:03`
    pub fn minute(&self) -> String {
        format!("{:02}:{:02}", self.second / 3_600, self.second / 60 % 60)
    }

    /// `14:03:20`
    pub fn time(&self) -> String {
        format!("{}:{:02}", self.minute(), self.second % 60)
    }
}

impl<'a> Dial<'a> {
    /// Reads a clock by `read`; it is `now`.
    pub fn new(now: Tick, read: &'a dyn Fn(Tick) -> Local) -> Self {
        Self { read, now }
    }

    /// When it is now.
    pub fn now(&self) -> Tick {
        self.now
    }

    /// What the clock shows at `tick`.
    pub fn local(&self, tick: Tick) -> Local {
        (self.read)(tick)
    }

    /// `14:03:20`, or on another day than today `Nov 30 14:03:20`.
    pub fn tell(&self, tick: Tick) -> String {
        let local = self.local(tick);
        if local.day == self.local(self.now).day {
            local.time()
        } else {
            format!("{} {}", local.day, local.time())
        }
    }
}

impl fmt::Debug for Dial<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Dial").field("now", &self.now).finish()
    }
}
