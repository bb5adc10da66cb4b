//! Who spoke in a session, and when: times and counts only.

use crate::dynamics::Tick;

/// The turns of a session since its last compaction, its subagents' left out.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Turns {
    /// The last turns in the order in which they began, at most 256. What is long past may be
    /// missing, and so may be what has no time.
    pub began: Vec<Turn>,
    /// When a turn was last seen to go on; none where that was never, or nobody knows.
    pub last: Option<Tick>,
    /// The tokens that stood before the model when it answered first; none before it did, or
    /// where that stands too far back to be read.
    pub first: Option<u64>,
}

/// The beginning of a turn.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct Turn {
    /// When.
    pub at: Tick,
    /// What began it.
    pub cause: Cause,
}

impl Turn {
    /// A turn that `cause` began at `at`.
    pub fn new(at: Tick, cause: Cause) -> Self {
        Self { at, cause }
    }
}

/// What began a turn.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Cause {
    /// Somebody spoke: a person, or another session by a message.
    Words,
    /// What a monitor printed, and no message in it. attend's own events are such.
    Notice,
    /// Something of the session's own came due or to its end: a task in the background, a plan.
    Work,
}
