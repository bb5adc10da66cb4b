//! What changed and is not told yet: a change waits until nothing more comes to it.

use std::collections::BTreeMap;

use attend_core::dynamics::Tick;

use super::sight::Stamp;
use crate::name::Name;

/// A file at which nothing happened for so many ticks has settled: editors are done with it,
/// and the host wrote down whether it was the session.
pub(super) const SETTLED: u64 = 2;

/// No change waits for longer.
pub(super) const LONGEST: u64 = 10;

/// What became of a file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum What {
    Created,
    Changed,
    Removed,
}

/// One file that is other than it is known.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Change {
    pub(super) what: What,
    /// What is there now; nothing, where it is gone.
    pub(super) stamp: Option<Stamp>,
    pub(super) rule: usize,
    /// It was not so yet.
    pub(super) since: Tick,
    /// When it was found.
    pub(super) found: Tick,
    /// When it came about.
    pub(super) at: Moment,
}

/// When something came about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Moment {
    /// As the file system says.
    Known(Tick),
    /// At the latest.
    By(Tick),
}

impl Moment {
    fn tick(self) -> Tick {
        match self {
            Self::Known(tick) | Self::By(tick) => tick,
        }
    }
}

/// The changes that wait.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Waiting(BTreeMap<Name, Change>);

impl Waiting {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &Name> {
        self.0.keys()
    }

    pub(super) fn get(&self, name: &Name) -> Option<&Change> {
        self.0.get(name)
    }

    /// Takes note of `change`; what was found before of the same file goes on to wait.
    pub(super) fn note(&mut self, name: Name, change: Change) {
        let before = self.0.get(&name);
        let change = Change {
            since: before.map_or(change.since, |before| before.since),
            found: before.map_or(change.found, |before| before.found),
            ..change
        };
        self.0.insert(name, change);
    }

    /// The file is as it is known: nothing happened.
    pub(super) fn forget(&mut self, name: &Name) {
        self.0.remove(name);
    }

    /// What is to be told now: all at once when all of it settled, and after the longest wait
    /// what has settled or waited that long itself.
    pub(super) fn ripe(&self, now: Tick) -> Vec<Name> {
        let settled = |change: &Change| now.since(change.at.tick()).get() >= SETTLED;
        let waited = |change: &Change| now.since(change.found).get() >= LONGEST;
        let (all, any) = (self.0.values().all(settled), self.0.values().any(waited));
        if !all && !any {
            return Vec::new();
        }
        let ripe = self.0.iter();
        let ripe = ripe.filter(|(_, change)| settled(change) || waited(change));
        ripe.map(|(name, _)| name.clone()).collect()
    }

    /// When the first of what waits was found.
    pub(super) fn first(&self) -> Option<Tick> {
        self.0.values().map(|change| change.found).min()
    }

    pub(super) fn take(&mut self, name: &Name) -> Option<Change> {
        self.0.remove(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(at: u64) -> Change {
        let at = Tick::new(at);
        Change {
            what: What::Changed,
            stamp: Some(Stamp::from((0, 0, at.get()))),
            rule: 0,
            since: at,
            found: at,
            at: Moment::By(at),
        }
    }

    fn ripe(waiting: &Waiting, at: u64) -> Vec<String> {
        let ripe = waiting.ripe(Tick::new(at)).into_iter();
        ripe.map(|name| name.shown()).collect()
    }

    #[test]
    fn it_waits_until_all_of_it_settled_and_not_for_ever() {
        let name = |name: &str| Name::new(name.as_bytes());
        let mut waiting = Waiting::default();
        assert!(ripe(&waiting, 100).is_empty());
        waiting.note(name("a"), change(100));
        waiting.note(name("b"), change(101));
        assert!(ripe(&waiting, 102).is_empty());
        assert_eq!(ripe(&waiting, 103), ["a", "b"]);
        for at in 102..110 {
            waiting.note(name("b"), change(at));
            assert!(ripe(&waiting, at).is_empty(), "{at}");
        }
        waiting.note(name("b"), change(110));
        assert_eq!(ripe(&waiting, 110), ["a"], "one more second for b");
        assert_eq!(ripe(&waiting, 111), ["a", "b"]);
        assert_eq!(waiting.first(), Some(Tick::new(100)));
        waiting.forget(&name("a"));
        assert_eq!(waiting.take(&name("b")).unwrap().since, Tick::new(101));
        assert!(waiting.is_empty());
    }
}
