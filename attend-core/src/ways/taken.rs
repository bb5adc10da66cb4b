//! Taken: which occasions of a session were taken already, so that none counts twice.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::corpus::Corpus;
use super::trigger::{Occasion, Trigger};

/// Which occasions of a session were taken, and which still wait to be.
///
/// A compaction is told by two events of the host, in either order, or by one of them alone;
/// neither need carry text. What is due because of it waits until it was given, and so does what
/// is due because the context filled up.
///
/// ```
/// use attend_core::ways::{CompactionSign, Corpus, Taken};
///
/// let mut taken = Taken::default();
/// assert!(taken.compacted(CompactionSign::PostCompact, &Corpus::default()));
/// assert!(!taken.compacted(CompactionSign::SessionStart, &Corpus::default()), "the same one");
/// assert!(taken.compacted(CompactionSign::PostCompact, &Corpus::default()));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Taken {
    /// The epoch that `crossed` is about.
    epoch: Option<String>,
    /// The ways above whose share the context is, and which were given for it.
    crossed: BTreeSet<String>,
    /// What told the last compaction, where the other event may still come.
    sign: Option<CompactionSign>,
    /// The ways that are still to be given for it.
    owed: BTreeSet<String>,
    compactions: u64,
    /// The turn at whose end something was given.
    stopped: Option<String>,
}

/// An event of the host that tells of a compaction.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub enum CompactionSign {
    /// `PostCompact`.
    PostCompact,
    /// `SessionStart` from a compaction.
    SessionStart,
}

impl Taken {
    /// A compaction is told by `sign`; what `corpus` has for it is owed from now on. Gives
    /// whether it is another one than that told last.
    pub fn compacted(&mut self, sign: CompactionSign, corpus: &Corpus) -> bool {
        if self.sign.is_some_and(|first| first != sign) {
            self.sign = None;
            return false;
        }
        self.sign = Some(sign);
        self.compactions += 1;
        let ways = corpus.ways().map(|loaded| &loaded.way);
        let due = ways.filter(|way| way.trigger.fires_on(&Occasion::Compacted));
        self.owed = due.map(|way| way.id.to_string()).collect();
        true
    }

    /// How many compactions were told.
    pub fn compactions(&self) -> u64 {
        self.compactions
    }

    /// The context holds `share` of its window, in `epoch`: what was given for a share that is no
    /// longer reached may be given again.
    ///
    /// What fell in between is seen by the epoch.
    pub fn reached(&mut self, epoch: Option<&str>, share: f64, corpus: &Corpus) {
        if epoch.is_some() && self.epoch.as_deref() != epoch {
            if self.epoch.is_some() {
                self.crossed.clear();
            }
            self.epoch = epoch.map(str::to_owned);
        }
        let is_above = |id: &String| {
            let trigger = corpus.get(id).map(|loaded| &loaded.way.trigger);
            matches!(trigger, Some(Trigger::ContextThreshold { above }) if share >= *above)
        };
        self.crossed.retain(is_above);
    }

    /// Whether the way `id`, whose trigger is `trigger`, is due for what happened before: a
    /// compaction that was told, or a context that now holds `share` of its window.
    pub fn is_due(&self, id: &str, trigger: &Trigger, share: Option<f64>) -> bool {
        let is_new = !self.crossed.contains(id);
        let rose = |now| is_new && trigger.fires_on(&Occasion::Share { before: 0.0, now });
        match trigger {
            Trigger::PostCompact => self.owed.contains(id),
            Trigger::ContextThreshold { .. } => share.is_some_and(rose),
            _ => false,
        }
    }

    /// Whether the end of the turn `turn` is still to be taken; of a turn without a name nobody
    /// knows, and the gate alone decides.
    pub fn is_open(&self, turn: Option<&str>) -> bool {
        turn.is_none() || self.stopped.as_deref() != turn
    }

    /// The way `id` was given for its occasion, or still stands before the model; `turn` is the
    /// turn in which that was.
    pub fn take(&mut self, id: &str, trigger: &Trigger, turn: Option<&str>) {
        match trigger {
            Trigger::PostCompact => {
                self.owed.remove(id);
            }
            Trigger::ContextThreshold { .. } => {
                self.crossed.insert(id.to_owned());
            }
            Trigger::Stop => self.stopped = turn.map(str::to_owned),
            _ => {}
        }
    }
}
