//! Time as it is given to whoever needs it.

use std::time::{Duration, SystemTime};

/// Two clocks: one that people set, and one that only ever runs forward.
///
/// The system's clock stands in `runtime`, a clock that jumps on command in `testkit`.
pub trait Clock: Send + Sync {
    /// The time of day, which may step in either direction.
    fn wall(&self) -> SystemTime;

    /// Time since the machine started, suspend included. It never steps.
    fn boot(&self) -> Duration;
}
