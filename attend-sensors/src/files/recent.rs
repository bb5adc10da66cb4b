//! What was told a moment ago: what comes next adds up with it, in one event for each rule.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use attend_core::dynamics::Tick;

use super::waiting::What;
use crate::name::Name;

/// What came about within so many ticks is one event.
const BURST: u64 = 120;

/// How many files one event counts.
const MAX_FILES: usize = 20_000;

/// How many names of a kind an event lists.
const LISTED: usize = 3;

/// The files that the last event of one rule told of.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Recent(BTreeMap<Name, (What, Tick)>);

impl Recent {
    /// Adds what is told at `now`, and forgets what is told no more.
    pub(super) fn add(&mut self, told: impl IntoIterator<Item = (Name, What)>, now: Tick) {
        self.0.retain(|_, (_, at)| now.since(*at).get() < BURST);
        for (name, what) in told {
            let before = self.0.get(&name).map(|(what, _)| *what);
            if before.is_none() && self.0.len() >= MAX_FILES {
                continue;
            }
            let what = match (before, what) {
                // Written to a moment after it was made: it is as new as it was.
                (Some(What::Created), What::Changed) => What::Created,
                _ => what,
            };
            self.0.insert(name, (what, now));
        }
    }

    /// `changed a`, `12 files created: a, b, c and 9 more`,
    /// `3 files: 1 created (a), 2 removed (b, c)`.
    pub(super) fn text(&self, shown: impl Fn(&Name) -> String) -> String {
        let mut kinds: BTreeMap<What, Vec<&Name>> = BTreeMap::new();
        for (name, (what, _)) in &self.0 {
            kinds.entry(*what).or_default().push(name);
        }
        let list = |names: &[&Name]| {
            let listed: Vec<String> = names.iter().take(LISTED).map(|name| shown(name)).collect();
            let mut list = listed.join(", ");
            if let Some(more @ 1..) = names.len().checked_sub(LISTED) {
                let _ = write!(list, " and {more} more");
            }
            list
        };
        let mut kinds = kinds.iter();
        match (self.0.len(), kinds.len()) {
            (count, 1) => {
                let one = kinds.next().map(|(what, names)| match count {
                    1 => format!("{} {}", what.word(), list(names)),
                    _ => format!("{count} files {}: {}", what.word(), list(names)),
                });
                one.unwrap_or_default()
            }
            (count, _) => {
                let kinds = kinds.map(|(what, names)| {
                    format!("{} {} ({})", names.len(), what.word(), list(names))
                });
                let kinds: Vec<String> = kinds.collect();
                format!("{count} files: {}", kinds.join(", "))
            }
        }
    }
}

impl What {
    fn word(self) -> &'static str {
        match self {
            Self::Created => "created",
            Self::Changed => "changed",
            Self::Removed => "removed",
        }
    }
}

#[cfg(test)]
mod tests {
    use What::{Changed, Created, Removed};

    use super::*;

    fn told(recent: &mut Recent, at: u64, told: &[(&str, What)]) -> String {
        let told = told
            .iter()
            .map(|(name, what)| (Name::new(name.as_bytes()), *what));
        recent.add(told, Tick::new(at));
        recent.text(Name::shown)
    }

    #[test]
    fn what_comes_within_two_minutes_adds_up() {
        let mut recent = Recent::default();
        assert_eq!(told(&mut recent, 0, &[("a", Created)]), "created a");
        assert_eq!(told(&mut recent, 60, &[("a", Changed)]), "created a");
        let text = told(&mut recent, 100, &[("b", Created)]);
        assert_eq!(text, "2 files created: a, b");
        let text = told(
            &mut recent,
            101,
            &[("b", Removed), ("c", Changed), ("d", Changed)],
        );
        assert_eq!(
            text,
            "4 files: 1 created (a), 2 changed (c, d), 1 removed (b)"
        );
        assert_eq!(told(&mut recent, 221, &[("e", Changed)]), "changed e");
    }

    #[test]
    fn many_are_counted() {
        let mut recent = Recent::default();
        let names: Vec<String> = (0..10_000).map(|n| format!("f{n:04}")).collect();
        let all: Vec<(&str, What)> = names.iter().map(|name| (name.as_str(), Created)).collect();
        let text = "10000 files created: f0000, f0001, f0002 and 9997 more";
        assert_eq!(told(&mut recent, 0, &all), text);
    }
}
