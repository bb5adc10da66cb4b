//! Holds back what is news until the host had time to write down what the session did itself.

use attend_core::dynamics::Tick;
use attend_core::sensor::{HostAnswer, HostRequest, PollContext};

use super::news::News;

/// A transcript is written late by less than so many ticks.
const LATE: u64 = 2;

/// Nothing is held back for longer, whatever goes on.
const LONGEST: u64 = 60;

/// What was found and not yet told.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Held {
    news: Vec<News>,
    /// Since when it is just this.
    since: Tick,
    /// Since when anything is held.
    first: Tick,
}

impl Held {
    /// `news` held at `now`, after what was held before; none where it may be told.
    pub(super) fn next(before: Option<&Self>, news: Vec<News>, now: Tick) -> Option<Self> {
        let same = before.filter(|before| before.news == news);
        let held = Self {
            news,
            since: same.map_or(now, |same| same.since),
            first: before.map_or(now, |before| before.first),
        };
        let ripe = now.since(held.since).get() >= LATE || now.since(held.first).get() >= LONGEST;
        (!ripe).then_some(held)
    }
}

/// Whether the host has written down all that it did: nothing is going on.
pub(super) async fn is_settled(cx: &PollContext) -> bool {
    match cx.host().ask(&HostRequest::State).await {
        Ok(HostAnswer::State(state)) => state.is_idle(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_held_for_two_ticks_since_it_last_changed_and_sixty_at_most() {
        let news = |key| vec![News::Clear(key)];
        let next = |before: Option<&Held>, key, at| Held::next(before, news(key), Tick::new(at));
        let held = next(None, "a", 100);
        assert!(held.is_some());
        assert_eq!(next(held.as_ref(), "a", 101), held);
        assert_eq!(next(held.as_ref(), "a", 102), None);
        let mut held = held;
        for at in 101..160 {
            held = next(held.as_ref(), if at % 2 == 0 { "a" } else { "b" }, at);
            assert!(held.is_some(), "{at}");
        }
        assert_eq!(next(held.as_ref(), "c", 160), None);
    }
}
