//! The mail of a trace, for a replay that reads it at moments of its own.

use std::collections::{BTreeMap, BTreeSet};

use super::super::batch::Mailing;
use super::super::lane::Claiming;
use super::super::trace::{StoredClaim, StoredWaiting};
use super::post::Post;
use crate::dynamics::Tick;
use crate::mail::{Claim, Letter, MessageId, Origin, Seq, Waiting};

/// The most messages that one look counts and does not name for which others stand in.
const MOST_UNNAMED: u64 = 1_000;

/// What arrived so far, whoever read it then.
#[derive(Clone, Debug)]
pub(super) struct Tray {
    post: Post,
    /// What the recorded loop had not read yet, and whether it was directed.
    recorded: BTreeMap<Seq, bool>,
    /// All that ever arrived.
    arrived: BTreeSet<Seq>,
}

impl Tray {
    pub(super) fn new(digest_above: usize) -> Self {
        Self {
            post: Post::new(digest_above),
            recorded: BTreeMap::new(),
            arrived: BTreeSet::new(),
        }
    }

    /// The recorded loop saw this waiting. What it did not see before arrives now. For messages
    /// that were only counted, others of no known size stand in.
    pub(super) fn see(&mut self, now: Tick, waiting: &StoredWaiting) {
        for letter in waiting.letters() {
            self.recorded.insert(letter.seq, letter.directed);
            self.arrive(now, letter.letter());
        }
        let StoredWaiting::Many { counts, upto, .. } = waiting else {
            return;
        };
        let counts = counts.counts();
        let known = self.recorded.range(..=*upto).count() as u64;
        let missing = counts.total().saturating_sub(known).min(MOST_UNNAMED);
        let mut rooms = counts
            .origins()
            .iter()
            .filter_map(|(origin, _)| match origin {
                Origin::Room(room) => Some(room.clone()),
                Origin::You => None,
            });
        let room = rooms.next_back().unwrap_or_else(|| "#".to_owned());
        let mut seq = upto.get();
        for _ in 0..missing {
            while seq > 0 && self.arrived.contains(&Seq::new(seq)) {
                seq -= 1;
            }
            let stand_in = Letter::new(Seq::new(seq), MessageId::new(""), "", room.as_str(), "");
            self.recorded.insert(stand_in.seq, false);
            self.arrive(now, stand_in);
        }
    }

    /// The recorded loop read this.
    pub(super) fn read(&mut self, claim: &StoredClaim) {
        let claim = claim.claim();
        for granted in &claim.granted {
            self.recorded.remove(&granted.seq);
        }
        if claim.counts.is_some() {
            self.recorded.retain(|_, directed| *directed);
        }
    }

    pub(super) fn look(&self, now: Tick) -> Waiting {
        self.post.look(now)
    }

    pub(super) fn claim(&mut self, now: Tick, claiming: &Claiming) -> Claim {
        self.post.claim(now, claiming)
    }

    pub(super) fn settle(&mut self, mailing: &Mailing) {
        self.post.settle(mailing);
    }

    fn arrive(&mut self, now: Tick, letter: Letter) {
        if self.arrived.insert(letter.seq) {
            self.post.arrive(letter, now, false);
        }
    }
}
