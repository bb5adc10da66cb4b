//! The message lane: deliver once, the digest, and a permissive cooldown; nothing can drop a message.

use std::collections::BTreeMap;
use std::num::NonZeroU32;

use crate::dynamics::{Governor, Limits, Tick};
use crate::mail::{Claim, Counts, Letter, Seq, Waiting};

use super::super::batch::{Ends, Mailing, Page};
use super::super::line::{Head, Line, split};
use super::super::outline::{self, Outline};
use super::super::settings::Settings;

/// What is to be claimed before it is written.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Claiming {
    /// Exactly these, in full.
    Print(Vec<Seq>),
    /// These in full, and everything up to a sequence as counted.
    Digest {
        /// In full.
        print: Vec<Seq>,
        /// Counted up to here.
        upto: Seq,
    },
}

/// The rendered messages of a batch.
#[derive(Clone, Debug)]
pub(in crate::attention) struct MailPage {
    pub(in crate::attention) mailing: Mailing,
    pub(in crate::attention) page: Page,
    /// It explains how to answer.
    pub(in crate::attention) hint: bool,
}

/// The lane's state between two looks at the mailbox.
#[derive(Clone, PartialEq, Debug)]
pub(in crate::attention) struct MessageLane {
    stage: Stage,
    pub(in crate::attention) governor: Governor,
    /// This session was told how to answer.
    pub(in crate::attention) hinted: bool,
    /// Letters whose words are not known: of a trace.
    pub(in crate::attention) outlines: BTreeMap<Seq, Outline>,
}

#[derive(Clone, PartialEq, Debug)]
enum Stage {
    /// Nothing waits, as far as is known.
    Idle,
    /// Something waits.
    Waiting(Waiting),
    /// The claim on some of it is out.
    Claiming {
        letters: Vec<Letter>,
        upto: Option<Seq>,
    },
    /// The claim was answered; what it got is to be written next.
    Granted {
        letters: Vec<Letter>,
        upto: Option<Seq>,
        claim: Claim,
    },
}

impl MessageLane {
    pub(in crate::attention) fn new(settings: &Settings) -> Self {
        Self {
            stage: Stage::Idle,
            governor: Governor::new(limits(settings)),
            hinted: false,
            outlines: BTreeMap::new(),
        }
    }

    /// Takes the limits of other settings and keeps what was admitted.
    pub(in crate::attention) fn set_limits(&mut self, settings: &Settings) {
        self.governor.set_limits(limits(settings));
    }

    /// Takes note of what waits. While a claim is out the claim's answer decides.
    pub(in crate::attention) fn wait(&mut self, waiting: Waiting) {
        if self.is_claiming() || self.is_granted() {
            return;
        }
        let nothing = matches!(&waiting, Waiting::Few(letters) if letters.is_empty());
        self.stage = if nothing {
            Stage::Idle
        } else {
            Stage::Waiting(waiting)
        };
    }

    /// Takes the answer of the claim that is out. What was not asked for is not taken, and what
    /// is left decides: nothing means that nothing waits.
    pub(in crate::attention) fn claimed(&mut self, mut claim: Claim) {
        self.stage = match std::mem::replace(&mut self.stage, Stage::Idle) {
            Stage::Claiming { letters, upto } => {
                let asked = |seq: Seq| letters.iter().any(|letter| letter.seq == seq);
                claim.granted.retain(|granted| asked(granted.seq));
                claim.counts = claim
                    .counts
                    .filter(|counts| upto.is_some() && counts.total() > 0);
                if claim.is_empty() {
                    Stage::Idle
                } else {
                    Stage::Granted {
                        letters,
                        upto,
                        claim,
                    }
                }
            }
            other => other,
        };
    }

    /// The claim that is out failed: what waits is learned at the next look.
    pub(in crate::attention) fn claim_failed(&mut self) {
        if self.is_claiming() {
            self.stage = Stage::Idle;
        }
    }

    /// Whether something waits that is not claimed yet.
    #[cfg(feature = "runtime")]
    pub(in crate::attention) fn is_waiting(&self) -> bool {
        matches!(self.stage, Stage::Waiting(_))
    }

    /// Whether a claim is out.
    pub(in crate::attention) fn is_claiming(&self) -> bool {
        matches!(self.stage, Stage::Claiming { .. })
    }

    /// Whether something was claimed that is not written yet.
    pub(in crate::attention) fn is_granted(&self) -> bool {
        matches!(self.stage, Stage::Granted { .. })
    }

    /// When what waits may be claimed; none where nothing waits.
    pub(in crate::attention) fn due(&self, now: Tick) -> Option<Tick> {
        let waits = matches!(self.stage, Stage::Waiting(_));
        waits.then(|| self.governor.ready_at().map_or(now, |at| at.max(now)))
    }

    /// Names exactly what fits into a batch, to be claimed.
    pub(in crate::attention) fn claim(&mut self) -> Option<Claiming> {
        let Stage::Waiting(waiting) = std::mem::replace(&mut self.stage, Stage::Idle) else {
            return None;
        };
        let (letters, counts, upto) = match waiting {
            Waiting::Few(letters) => (letters, None, None),
            Waiting::Many {
                counts,
                upto,
                directed,
            } => (directed, Some(counts), Some(upto)),
        };
        // The marks that the claim may add are part of what must fit.
        let fitting = self
            .render(&letters, |_| true, counts.as_ref())
            .1
            .printed
            .len();
        let letters: Vec<Letter> = letters.into_iter().take(fitting).collect();
        let print: Vec<Seq> = letters.iter().map(|letter| letter.seq).collect();
        self.stage = Stage::Claiming { letters, upto };
        Some(match upto {
            Some(upto) => Claiming::Digest { print, upto },
            None => Claiming::Print(print),
        })
    }

    /// Renders what was granted.
    pub(in crate::attention) fn take(&mut self) -> Option<MailPage> {
        if !self.is_granted() {
            return None;
        }
        let Stage::Granted {
            mut letters,
            upto,
            claim,
        } = std::mem::replace(&mut self.stage, Stage::Idle)
        else {
            return None;
        };
        let grant = |seq: Seq| claim.granted.iter().find(|granted| granted.seq == seq);
        letters.retain(|letter| grant(letter.seq).is_some());
        let again = |letter: &Letter| grant(letter.seq).is_some_and(|granted| granted.again);
        let (page, ends) = self.render(&letters, again, claim.counts.as_ref());
        let printed: Vec<Seq> = letters
            .iter()
            .take(ends.printed.len())
            .map(|letter| letter.seq)
            .collect();
        let counted = upto.filter(|_| claim.counts.is_some());
        let hint = !self.hinted && !printed.is_empty();
        Some(MailPage {
            mailing: Mailing {
                claim: claim.id,
                printed,
                counted,
                ends,
            },
            page,
            hint,
        })
    }

    /// Lays out as many of `letters`, oldest first, as fit, and says where each of them ends.
    ///
    /// Where all of them do not fit in full, those longer than a line are cut to their first.
    fn render(
        &self,
        letters: &[Letter],
        again: impl Fn(&Letter) -> bool,
        counts: Option<&Counts>,
    ) -> (Page, Ends) {
        let known = |letter: &Letter| self.outlines.get(&letter.seq);
        let whole = |letter: &Letter| outline::whole(letter, again(letter), known(letter));
        let cut = |letter: &Letter| vec![outline::cut(letter, again(letter), known(letter))];
        let digest = |below: usize| {
            let line = |counts: &Counts| {
                split(
                    &Head::digest(),
                    &counts.line(below as u64),
                    "attend inbox --unread",
                )
            };
            counts.map(line).unwrap_or_default()
        };
        let lay = |render: &dyn Fn(&Letter) -> Vec<Line>, most: usize| {
            let mut page = Page::new();
            page.push(digest(most));
            let mut ends = Ends {
                digest: page.lines.len(),
                printed: Vec::new(),
            };
            for letter in letters.iter().take(most) {
                let mut lines = render(letter);
                if ends.printed.is_empty() && !self.hinted {
                    lines.extend(reply_hint(letter));
                }
                if !page.push(lines) {
                    break;
                }
                ends.printed.push(page.lines.len());
            }
            (page, ends)
        };
        let (page, ends) = lay(&whole, letters.len());
        if ends.printed.len() == letters.len() {
            return (page, ends);
        }
        let (page, ends) = lay(&cut, letters.len());
        if ends.printed.len() == letters.len() {
            return (page, ends);
        }
        // The digest says how many follow, so it is laid out again for those that do.
        lay(&cut, ends.printed.len())
    }
}

/// Any number of batches, a cooldown apart.
fn limits(settings: &Settings) -> Limits {
    Limits {
        cooldown: settings.mail_cooldown,
        max_per_window: NonZeroU32::MIN,
        window: settings.mail_cooldown,
    }
}

/// A line of attend's own below the first message of a session: how to answer it.
pub fn reply_hint(letter: &Letter) -> Vec<Line> {
    let text = format!(
        "to answer: attend reply --re {} \"your words\" (silence is a valid reply)",
        letter.id
    );
    split(&Head::own(), &text, "attend reply --help")
}
