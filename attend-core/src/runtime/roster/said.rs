//! What was said already: an error is told once, not at each look.

use std::collections::VecDeque;

/// How many texts are remembered.
const MOST: usize = 16;

/// Failures in a row from which on one that may pass is told.
const PATIENCE: u32 = 2;

/// Decides which errors and warnings of one sensor are told.
///
/// An error is told once until the sensor recovers and fails with another text. What may pass
/// is told when it failed twice in a row. A warning is told once; so that texts which are never
/// the same do not chatter, 16 different ones are told; those of the last look that counts
/// stand in [`SensorHealth`](crate::runtime::SensorHealth).
#[derive(Debug, Default)]
pub(super) struct Said {
    failures: u32,
    failing: bool,
    impatient: bool,
    errors: VecDeque<String>,
    warnings: Vec<String>,
}

impl Said {
    /// What may pass is told at once.
    pub(super) fn grow_impatient(&mut self) {
        self.impatient = true;
    }

    /// The sensor works.
    pub(super) fn recovered(&mut self) {
        (self.failures, self.failing) = (0, false);
    }

    /// Whether to tell that it failed with `text`, which may pass or not.
    pub(super) fn failed(&mut self, text: &str, may_pass: bool) -> bool {
        self.failures = self.failures.saturating_add(1);
        let early = may_pass && self.failures < PATIENCE && !self.impatient;
        if early || self.failing || self.errors.iter().any(|said| said == text) {
            return false;
        }
        self.failing = true;
        if self.errors.len() == MOST {
            self.errors.pop_front();
        }
        self.errors.push_back(text.to_owned());
        true
    }

    /// Whether to tell the warning `text`.
    pub(super) fn warned(&mut self, text: &str) -> bool {
        let new = self.warnings.len() < MOST && !self.warnings.iter().any(|said| said == text);
        if new {
            self.warnings.push(text.to_owned());
        }
        new
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_is_told_once_until_it_is_another_one() {
        let mut said = Said::default();
        assert!(said.failed("a", false));
        assert!(!said.failed("a", false));
        assert!(!said.failed("b", false), "no recovery lies between");
        said.recovered();
        assert!(!said.failed("a", false));
        said.recovered();
        assert!(said.failed("b", false));
    }

    #[test]
    fn what_may_pass_has_two_chances() {
        let mut said = Said::default();
        assert!(!said.failed("a", true));
        said.recovered();
        assert!(!said.failed("a", true));
        assert!(said.failed("a", true));
        assert!(!said.failed("a", true));
    }

    #[test]
    fn warnings_are_told_once_and_bounded() {
        let mut said = Said::default();
        let told = (0..100).filter(|n| said.warned(&format!("line {}", n / 2)));
        assert_eq!(told.count(), 16);
    }
}
