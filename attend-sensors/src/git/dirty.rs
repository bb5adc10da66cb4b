//! The dirty files of a work tree: which, since when, and how many became dirty a moment ago.

use std::collections::{BTreeMap, BTreeSet};

use attend_core::dynamics::Tick;
use serde::{Deserialize, Serialize};

use super::name::Name;

/// How many names are remembered.
const MAX_NAMES: usize = 2_000;

/// What became dirty within so many ticks counts as one burst.
pub(super) const BURST: u64 = 120;

/// So many files at once are many.
const MANY: usize = 20;

/// Many files within so many ticks of the last many are churn.
const CALM: u64 = 1_800;

/// How many names an event lists.
const LISTED: usize = 3;

/// The dirty files of a work tree.
///
/// Up to 2,000 are remembered by name. Of more only the number is exact: then a burst is the
/// growth of the number, and has no names.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(from = "Remembered", into = "Remembered")]
pub(super) struct Dirty {
    total: usize,
    /// Names, with the tick at which each became dirty; none where it was so from the start.
    since: BTreeMap<Name, Option<Tick>>,
}

/// How it is written down: names that are not text cannot be keys.
#[derive(Clone, Serialize, Deserialize)]
struct Remembered {
    total: usize,
    names: Vec<(Name, Option<Tick>)>,
}

impl From<Dirty> for Remembered {
    fn from(dirty: Dirty) -> Self {
        Self {
            total: dirty.total,
            names: dirty.since.into_iter().collect(),
        }
    }
}

impl From<Remembered> for Dirty {
    fn from(remembered: Remembered) -> Self {
        let since: BTreeMap<_, _> = remembered.names.into_iter().take(MAX_NAMES).collect();
        Self {
            total: remembered.total.max(since.len()),
            since,
        }
    }
}

/// Files that became dirty a moment ago, and are so still.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Burst {
    /// How many.
    pub(super) count: usize,
    /// Since when the first of them.
    pub(super) from: Option<Tick>,
    text: String,
}

impl Burst {
    /// `12 files newly dirty: a.rs, b.rs, c.rs and 9 more (34 dirty in all)`.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Since when many files become dirty again and again, and when they did last, after what
    /// was known before.
    pub(super) fn churn(&self, before: Option<(Tick, Tick)>, now: Tick) -> Option<(Tick, Tick)> {
        let goes_on = before.filter(|(_, last)| now.since(*last).get() < CALM);
        match goes_on {
            _ if self.count < MANY => goes_on,
            Some((since, _)) => Some((since, now)),
            None => Some((now, now)),
        }
    }

    /// How much it matters: that many files become dirty is news where it begins.
    pub(super) fn magnitude(&self, churn: Option<(Tick, Tick)>) -> f64 {
        let is_known = |(since, last): (Tick, Tick)| last.since(since).get() >= BURST;
        match self.count {
            0..5 => 1.5,
            5..MANY => 2.0,
            _ if churn.is_some_and(is_known) => 1.5,
            _ => 3.0,
        }
    }
}

impl Dirty {
    /// What is dirty at the first look: nobody knows since when.
    pub(super) fn baseline<'a>(names: impl IntoIterator<Item = &'a Name>) -> Self {
        Self::of(names.into_iter().map(|name| (name, None)))
    }

    fn of<'a>(names: impl Iterator<Item = (&'a Name, Option<Tick>)>) -> Self {
        let mut dirty = Self::default();
        for (name, since) in names {
            // One name stands twice where the index lost a file that the work tree still has.
            if dirty.since.contains_key(name) {
                continue;
            }
            dirty.total += 1;
            if dirty.since.len() < MAX_NAMES {
                dirty.since.insert(name.clone(), since);
            }
        }
        dirty
    }

    /// How many there are.
    pub(super) fn total(&self) -> usize {
        self.total
    }

    /// Whether some of them became dirty at `tick` or later, as far as is known.
    pub(super) fn any_since(&self, tick: Tick) -> bool {
        !self.complete() || self.since.values().flatten().any(|since| *since >= tick)
    }

    /// Whether all of them are remembered by name.
    pub(super) fn complete(&self) -> bool {
        self.total == self.since.len()
    }

    /// Those that are remembered by name.
    pub(super) fn names(&self) -> impl Iterator<Item = &Name> {
        self.since.keys()
    }

    /// Whether `name` is one of these.
    pub(super) fn holds(&self, name: &Name) -> bool {
        self.since.contains_key(name)
    }

    /// What is dirty now, given that this was dirty before, and the burst that it tells of.
    /// `quiet` says which names are told of by another event.
    pub(super) fn next<'a>(
        &self,
        names: impl IntoIterator<Item = &'a Name> + Clone,
        now: Tick,
        quiet: impl Fn(&Name) -> bool,
    ) -> (Self, Option<Burst>) {
        let next = Self::of(names.clone().into_iter().map(|name| {
            let since = match self.since.get(name) {
                Some(since) => since.map(|since| since.min(now)),
                None if self.complete() && !quiet(name) => Some(now),
                None => None,
            };
            (name, since)
        }));
        let burst = if self.complete() {
            let fresh = names
                .into_iter()
                .filter(|name| !self.since.contains_key(*name) && !quiet(name));
            self.burst(&next, fresh.cloned().collect(), now)
        } else {
            let count = next.total.saturating_sub(self.total);
            (count > 0).then(|| Burst::new(count, &[], next.total, None))
        };
        (next, burst)
    }

    /// The burst that ends with the names `fresh`, which are dirty only now.
    fn burst(&self, next: &Self, mut fresh: BTreeSet<Name>, now: Tick) -> Option<Burst> {
        if fresh.is_empty() {
            return None;
        }
        let earlier = next.since.iter().filter_map(|(name, since)| {
            let since = (*since).filter(|since| now.since(*since).get() < BURST)?;
            self.since.contains_key(name).then_some((name, since))
        });
        let from = earlier.clone().map(|(_, since)| since).min().unwrap_or(now);
        fresh.extend(earlier.map(|(name, _)| name.clone()));
        let fresh: Vec<Name> = fresh.into_iter().collect();
        Some(Burst::new(
            fresh.len(),
            &fresh,
            next.total,
            Some(from.min(now)),
        ))
    }
}

impl Burst {
    fn new(count: usize, names: &[Name], total: usize, from: Option<Tick>) -> Self {
        let files = if count == 1 { "file" } else { "files" };
        let listed = if names.is_empty() {
            String::new()
        } else {
            format!(": {}", list(names, count))
        };
        Self {
            count,
            from,
            text: format!("{count} {files} newly dirty{listed} ({total} dirty in all)"),
        }
    }
}

/// `a.rs, b.rs, c.rs and 9 more`.
pub(super) fn list(names: &[Name], count: usize) -> String {
    let shown: Vec<String> = names.iter().take(LISTED).map(Name::shown).collect();
    let more = count.saturating_sub(shown.len());
    let shown = shown.join(", ");
    if more == 0 {
        shown
    } else {
        format!("{shown} and {more} more")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use attend_core::sensor::Snapshot;

    fn names(of: &[&str]) -> Vec<Name> {
        of.iter().map(|name| Name::new(name.as_bytes())).collect()
    }

    fn many(count: usize) -> Vec<Name> {
        (0..count)
            .map(|n| Name::new(format!("f{n:05}").as_bytes()))
            .collect()
    }

    fn look(dirty: &Dirty, names: &[Name], at: u64) -> (Dirty, Option<(f64, String)>) {
        let (next, burst) = dirty.next(names, Tick::new(at), |_| false);
        (
            next,
            burst.map(|burst| (burst.magnitude(None), burst.text().to_owned())),
        )
    }

    #[test]
    fn what_was_dirty_at_first_is_no_news() {
        let dirty = Dirty::baseline(&names(&["a", "b"]));
        assert_eq!(look(&dirty, &names(&["a", "b"]), 5).1, None);
        let (dirty, burst) = look(&dirty, &names(&["a", "b", "c"]), 5);
        assert_eq!(
            burst,
            Some((1.5, "1 file newly dirty: c (3 dirty in all)".to_owned()))
        );
        assert_eq!(look(&dirty, &names(&["c"]), 6).1, None);
    }

    #[test]
    fn a_burst_over_two_looks_adds_up_and_slow_editing_does_not() {
        let (dirty, _) = look(&Dirty::default(), &many(3), 100);
        let (later, burst) = look(&dirty, &many(5), 219);
        let text = "5 files newly dirty: f00000, f00001, f00002 and 2 more (5 dirty in all)";
        assert_eq!(burst, Some((2.0, text.to_owned())));
        let (_, burst) = look(&dirty, &many(5), 220);
        let text = "2 files newly dirty: f00003, f00004 (5 dirty in all)";
        assert_eq!(burst, Some((1.5, text.to_owned())));
        assert!(later.any_since(Tick::new(100)) && !later.any_since(Tick::new(220)));
    }

    #[test]
    fn the_number_decides_how_much_it_matters() {
        for (count, magnitude) in [
            (1, 1.5),
            (4, 1.5),
            (5, 2.0),
            (19, 2.0),
            (20, 3.0),
            (200, 3.0),
        ] {
            let burst = look(&Dirty::default(), &many(count), 0).1;
            assert_eq!(burst.map(|burst| burst.0), Some(magnitude), "{count} files");
        }
    }

    #[test]
    fn many_files_again_and_again_are_news_where_that_begins() {
        let burst = |count| Burst::new(count, &[], count, None);
        let mut churn = None;
        let mut look = |count, at| {
            let burst = burst(count);
            churn = burst.churn(churn, Tick::new(at));
            Some(burst.magnitude(churn))
        };
        // The same burst, which grows, and was perhaps not told yet.
        let weights = [look(20, 100), look(40, 219), look(30, 220), look(6, 400)];
        assert_eq!(weights, [Some(3.0), Some(3.0), Some(1.5), Some(2.0)]);
        assert_eq!((look(20, 2_019), look(20, 3_818)), (Some(1.5), Some(1.5)));
        let calm = look(20, 3_818 + CALM);
        assert_eq!(calm, Some(3.0), "it was calm in between");
    }

    #[test]
    fn beyond_the_bound_only_numbers_are_known() {
        let (dirty, burst) = look(&Dirty::default(), &many(2_500), 0);
        assert_eq!(burst.map(|burst| burst.0), Some(3.0));
        let (dirty, burst) = look(&dirty, &many(2_501), 1);
        let text = "1 file newly dirty (2501 dirty in all)";
        assert_eq!(burst, Some((1.5, text.to_owned())));
        let (dirty, burst) = look(&dirty, &many(10), 200);
        assert_eq!((dirty.total(), burst), (10, None));
        assert_eq!(
            look(&dirty, &many(11), 201).1.map(|burst| burst.0),
            Some(1.5)
        );
    }

    #[test]
    fn names_told_of_elsewhere_do_not_count() {
        let told = |name: &Name| name.as_bytes() == b"a";
        let (dirty, burst) = Dirty::default().next(&names(&["a"]), Tick::new(1), told);
        assert_eq!((dirty.total(), burst), (1, None));
    }

    #[test]
    fn a_name_that_stands_twice_is_one_file() {
        let (dirty, burst) = look(&Dirty::default(), &names(&["a", "b", "a"]), 1);
        assert_eq!(dirty.total(), 2);
        assert_eq!(
            burst.unwrap().1,
            "2 files newly dirty: a, b (2 dirty in all)"
        );
        assert_eq!(look(&dirty, &names(&["a", "b"]), 2).1, None);
    }

    #[test]
    fn it_is_remembered() {
        let odd = [Name::new(b"a\xff"), Name::new(b"b")];
        let (dirty, _) = Dirty::default().next(&odd, Tick::new(7), |_| false);
        let back: Dirty = Snapshot::of(&dirty).unwrap().read().unwrap();
        assert_eq!(back, dirty);
    }
}
