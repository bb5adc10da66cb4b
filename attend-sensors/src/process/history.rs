//! How long builds of one name ran of late, so that an unusual one is known.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::config::{KEPT, ProcessConfig};

/// How many names are kept: those that ran last.
const NAMES: usize = 64;

/// Runs that ended well, by name, the one that ran last at the end.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct History(Vec<(String, Vec<u64>)>);

impl History {
    /// One of the name ran for `took`.
    pub(super) fn add(&mut self, name: &str, took: Duration) {
        let known = self.0.iter().position(|(known, _)| known == name);
        let (_, mut runs) =
            known.map_or_else(|| (String::new(), Vec::new()), |at| self.0.remove(at));
        if runs.len() >= KEPT {
            runs.remove(0);
        }
        runs.push(took.as_secs());
        if self.0.len() >= NAMES {
            self.0.remove(0);
        }
        self.0.push((name.to_owned(), runs));
    }

    /// Whether one of the name that ended well is what everybody expects.
    pub(super) fn is_usual(&self, name: &str, rule: &ProcessConfig) -> bool {
        let known = self.0.iter().find(|(known, _)| known == name);
        known.is_some_and(|(_, runs)| runs.len() >= rule.long_known)
    }

    /// The longest run of late, where one that has run for `so_far` is unusual after it.
    pub(super) fn exceeded(
        &self,
        name: &str,
        so_far: Duration,
        rule: &ProcessConfig,
    ) -> Option<Duration> {
        let (_, runs) = self.0.iter().find(|(known, _)| known == name)?;
        let longest = runs.iter().copied().max()?;
        let is_known = runs.len() >= rule.long_known && rule.long_factor > 0.0;
        let is_long = so_far.as_secs() >= rule.long_after
            && so_far.as_secs_f64() > rule.long_factor * longest as f64;
        (is_known && is_long).then(|| Duration::from_secs(longest))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exceeded(history: &History, so_far: u64) -> Option<u64> {
        let rule = ProcessConfig::default();
        let longest = history.exceeded("make", Duration::from_secs(so_far), &rule);
        longest.map(|longest| longest.as_secs())
    }

    #[test]
    fn one_is_unusual_beside_its_own_runs_once_enough_are_known() {
        let mut history = History::default();
        for took in [50, 40] {
            history.add("make", Duration::from_secs(took));
        }
        assert_eq!(exceeded(&history, 10_000), None);
        let rule = ProcessConfig::default();
        assert!(!history.is_usual("make", &rule));
        history.add("make", Duration::from_secs(45));
        assert!(history.is_usual("make", &rule) && !history.is_usual("cargo", &rule));
        assert_eq!(exceeded(&history, 100), None);
        assert_eq!(exceeded(&history, 101), Some(50));
        // One slow run is forgotten after enough others.
        history.add("make", Duration::from_secs(5_000));
        assert_eq!(exceeded(&history, 101), None);
        for _ in 0..KEPT {
            history.add("make", Duration::from_secs(1));
        }
        assert_eq!(exceeded(&history, 59), None);
        assert_eq!(exceeded(&history, 60), Some(1));
    }

    #[test]
    fn its_memory_is_bounded() {
        let mut history = History::default();
        for number in 0..1_000 {
            for _ in 0..20 {
                history.add(&format!("make {number}"), Duration::from_secs(1));
            }
        }
        assert_eq!(history.0.len(), NAMES);
        assert!(history.0.iter().all(|(_, runs)| runs.len() <= KEPT));
        assert_eq!(history.0.last().unwrap().0, "make 999");
    }
}
