//! Mail as it stands in a trace: ids, sizes, kinds and counts, and never a word of it.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::attention::outline::Outline;
use crate::mail::{
    Claim, ClaimId, Counts, Granted, Letter, MessageId, Origin, SenderKind, Seq, Waiting,
};

/// The reader as an addressee.
const YOU: &str = "you";

/// One message that waits.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(in crate::attention) struct StoredLetter {
    pub(in crate::attention) seq: Seq,
    pub(in crate::attention) id: MessageId,
    pub(in crate::attention) kind: SenderKind,
    /// Whether it is addressed to the reader by name.
    pub(in crate::attention) directed: bool,
    /// The characters of its text.
    pub(in crate::attention) size: usize,
    pub(in crate::attention) outline: Outline,
}

impl StoredLetter {
    fn of(letter: &Letter) -> Self {
        Self {
            seq: letter.seq,
            id: letter.id.clone(),
            kind: letter.kind,
            directed: letter.to.split(", ").any(|to| to == YOU),
            size: letter.body.chars().count(),
            outline: Outline::of(letter),
        }
    }

    /// The same without its outline, as the engine takes it.
    pub(in crate::attention) fn letter(&self) -> Letter {
        let to = if self.directed { YOU } else { "#" };
        Letter::new(self.seq, self.id.clone(), "", to, "").sent_by(self.kind)
    }
}

/// What waits.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(in crate::attention) enum StoredWaiting {
    Few(Vec<StoredLetter>),
    Many {
        counts: StoredCounts,
        upto: Seq,
        directed: Vec<StoredLetter>,
    },
}

impl StoredWaiting {
    pub(in crate::attention) fn of(waiting: &Waiting) -> Self {
        let letters = |letters: &[Letter]| letters.iter().map(StoredLetter::of).collect();
        match waiting {
            Waiting::Few(few) => Self::Few(letters(few)),
            Waiting::Many {
                counts,
                upto,
                directed,
            } => Self::Many {
                counts: StoredCounts::of(counts),
                upto: *upto,
                directed: letters(directed),
            },
        }
    }

    /// The messages that it names.
    pub(in crate::attention) fn letters(&self) -> &[StoredLetter] {
        match self {
            Self::Few(letters) => letters,
            Self::Many { directed, .. } => directed,
        }
    }

    pub(in crate::attention) fn waiting(&self) -> Waiting {
        let letters = self.letters().iter().map(StoredLetter::letter).collect();
        match self {
            Self::Few(_) => Waiting::Few(letters),
            Self::Many { counts, upto, .. } => Waiting::Many {
                counts: counts.counts(),
                upto: *upto,
                directed: letters,
            },
        }
    }
}

/// Counts of messages: by room, where none is the reader; and their ages in seconds.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(in crate::attention) struct StoredCounts {
    origins: Vec<(Option<String>, u32)>,
    newest: u64,
    span: u64,
}

impl StoredCounts {
    fn of(counts: &Counts) -> Self {
        let origin = |(origin, count): &(Origin, u64)| {
            let room = match origin {
                Origin::Room(room) => Some(room.clone()),
                Origin::You => None,
            };
            (room, u32::try_from(*count).unwrap_or(u32::MAX))
        };
        let (newest, span) = counts.ages();
        Self {
            origins: counts.origins().iter().map(origin).collect(),
            newest: newest.as_secs(),
            span: span.as_secs(),
        }
    }

    pub(in crate::attention) fn counts(&self) -> Counts {
        let origins = self.origins.iter().map(|(room, count)| {
            let origin = room.clone().map_or(Origin::You, Origin::Room);
            (origin, u64::from(*count))
        });
        let (newest, span) = (self.newest, self.span);
        Counts::new(origins).aged(Duration::from_secs(newest), Duration::from_secs(span))
    }
}

/// What a claim got.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(in crate::attention) struct StoredClaim {
    id: ClaimId,
    granted: Vec<(Seq, bool)>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    counts: Option<StoredCounts>,
}

impl StoredClaim {
    pub(in crate::attention) fn of(claim: &Claim) -> Self {
        let granted = claim.granted.iter();
        Self {
            id: claim.id,
            granted: granted.map(|one| (one.seq, one.again)).collect(),
            counts: claim.counts.as_ref().map(StoredCounts::of),
        }
    }

    pub(in crate::attention) fn claim(&self) -> Claim {
        let granted = self.granted.iter();
        let granted = granted.map(|(seq, again)| Granted::new(*seq, *again));
        let claim = Claim::new(self.id, granted);
        match &self.counts {
            Some(counts) => claim.counting(counts.counts()),
            None => claim,
        }
    }
}
