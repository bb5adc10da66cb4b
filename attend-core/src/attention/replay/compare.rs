//! What two replays of one trace showed otherwise.

use std::collections::{BTreeMap, VecDeque};

use super::playback::Playback;
use crate::dynamics::Tick;

/// A line that one of two replays showed and the other did not, or at another time.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Difference {
    /// The line.
    pub text: String,
    /// When the first showed it; none where it did not.
    pub first: Option<Tick>,
    /// When the second showed it; none where it did not.
    pub second: Option<Tick>,
}

impl Playback {
    /// What `other` showed otherwise, by time. The first line of a text here is held against the
    /// first of that text there, the second against the second, and so on.
    pub fn differences(&self, other: &Self) -> Vec<Difference> {
        let mut there: BTreeMap<&str, VecDeque<Tick>> = BTreeMap::new();
        for (at, line) in other.lines() {
            there.entry(&line.text).or_default().push_back(at);
        }
        let mut all = Vec::new();
        for (at, line) in self.lines() {
            let second = there
                .get_mut(line.text.as_str())
                .and_then(VecDeque::pop_front);
            if second != Some(at) {
                all.push(Difference {
                    text: line.text.clone(),
                    first: Some(at),
                    second,
                });
            }
        }
        for (text, ticks) in there {
            all.extend(ticks.into_iter().map(|at| Difference {
                text: text.to_owned(),
                first: None,
                second: Some(at),
            }));
        }
        all.sort_by_key(|difference| {
            [difference.first, difference.second]
                .into_iter()
                .flatten()
                .min()
        });
        all
    }
}
