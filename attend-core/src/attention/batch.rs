//! Batches: the lines that leave together, and what they carry.

use std::fmt;

use crate::dynamics::Tick;
use crate::mail::{ClaimId, Seq};
use crate::sensor::SensorName;

use super::id::{BatchId, EventId};
use super::line::Line;

/// How many UTF-16 units a batch takes at most, line ends included: the host cuts a notification
/// at 3,000.
pub const BATCH_LIMIT: usize = 2_800;

/// How many events get a line of their own in one batch; the rest are named in its footnote, or
/// wait for the next.
pub const MAX_EVENTS: usize = 8;

/// What the line that names the rest may take: a line and its end.
pub(super) const FOOTNOTE_UNITS: usize = super::line::LINE_LIMIT + 1;

/// Lines that leave together: one notification.
///
/// Displayed, it is what goes to stdout: each line with its end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Batch {
    pub(super) id: BatchId,
    pub(super) tick: Tick,
    pub(super) lines: Vec<Line>,
    pub(super) mail: Option<Mailing>,
    pub(super) cargo: Cargo,
}

/// The messages in a batch, which are settled once it was written.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Mailing {
    /// The claim under which they were taken.
    pub claim: ClaimId,
    /// The messages that stand in the batch in full.
    pub printed: Vec<Seq>,
    /// Everything up to here was counted in a digest.
    pub counted: Option<Seq>,
    /// How many lines of the batch have to be written for each of `printed` to stand there in
    /// full, and before them for the digest.
    pub(super) ends: Ends,
}

/// Where in a batch its messages end, in lines from its beginning.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Ends {
    pub(super) digest: usize,
    pub(super) printed: Vec<usize>,
}

impl Ends {
    /// The same behind `lines` more.
    pub(super) fn moved(mut self, lines: usize) -> Self {
        self.digest += lines;
        self.printed.iter_mut().for_each(|end| *end += lines);
        self
    }
}

/// What must happen once a batch was written, or was not.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Cargo {
    /// Sensors with events in the batch, and whether that is a fire. They go by name: the list
    /// of sensors may change while the batch is being written.
    pub(super) sensors: Vec<(SensorName, bool)>,
    /// Events that passed every gate and found no room, in the order of ids: they go first next
    /// time.
    pub(super) waiting: Vec<EventId>,
    pub(super) charge: Option<Charge>,
    /// Notices that are said in it.
    pub(super) notices: Vec<String>,
    /// The banner that is said in it.
    pub(super) banner: Option<String>,
    pub(super) reply_hint: bool,
}

/// What a batch takes from the governor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Charge {
    pub(super) critical: bool,
}

impl Batch {
    /// Its id, for `ack` or `nack`.
    pub fn id(&self) -> BatchId {
        self.id
    }

    /// The tick at which it was made.
    pub fn tick(&self) -> Tick {
        self.tick
    }

    /// Its lines, in order.
    pub fn lines(&self) -> &[Line] {
        &self.lines
    }

    /// The messages it carries.
    pub fn mail(&self) -> Option<&Mailing> {
        self.mail.as_ref()
    }

    /// What of its mail stands within the first `bytes` bytes of the batch as it is displayed:
    /// the messages that are there in full, and whether the digest is.
    pub fn mail_within(&self, bytes: usize) -> (Vec<Seq>, bool) {
        let Some(mail) = &self.mail else {
            return (Vec::new(), false);
        };
        let mut written = 0;
        let whole = self.lines.iter().take_while(|line| {
            written += line.as_str().len() + 1;
            written <= bytes
        });
        let whole = whole.count();
        let ends = mail.printed.iter().zip(&mail.ends.printed);
        let printed = ends.filter(|(_, end)| **end <= whole);
        let counted = mail.counted.is_some() && mail.ends.digest <= whole;
        (printed.map(|(seq, _)| *seq).collect(), counted)
    }

    /// Where its messages end, in lines from its beginning.
    pub(super) fn mail_ends(&self) -> &[usize] {
        self.mail.as_ref().map_or(&[], |mail| &mail.ends.printed)
    }

    /// Whether it is a notification that events caused: it took a place under the governor.
    pub fn is_charged(&self) -> bool {
        self.cargo.charge.is_some()
    }

    /// Whether a critical event is among those that caused it.
    pub fn is_critical(&self) -> bool {
        self.cargo.charge.is_some_and(|charge| charge.critical)
    }

    /// Whether it carries mail and nothing else.
    #[cfg(feature = "runtime")]
    pub(crate) fn is_mail_only(&self) -> bool {
        let cargo = &self.cargo;
        let others = cargo.sensors.len() + cargo.notices.len();
        self.mail.is_some() && others == 0 && cargo.banner.is_none()
    }

    /// UTF-16 units, line ends included.
    pub fn units(&self) -> usize {
        self.lines.iter().map(|line| line.units() + 1).sum()
    }
}

impl fmt::Display for Batch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.lines.iter().try_for_each(|line| writeln!(f, "{line}"))
    }
}

/// A batch in the making: lines, as long as they fit.
#[derive(Clone, Debug)]
pub(super) struct Page {
    pub(super) lines: Vec<Line>,
    used: usize,
    limit: usize,
}

impl Page {
    pub(super) fn new() -> Self {
        Self {
            lines: Vec::new(),
            used: 0,
            limit: BATCH_LIMIT,
        }
    }

    /// Keeps `units` free for what comes last, where so much is left, and says whether.
    pub(super) fn reserve(&mut self, units: usize) -> bool {
        let fits = self.used + units <= BATCH_LIMIT;
        if fits {
            self.limit = BATCH_LIMIT - units;
        }
        fits
    }

    /// Gives back what was kept free.
    pub(super) fn release(&mut self) {
        self.limit = BATCH_LIMIT;
    }

    /// Puts `lines` before everything else if they fit, and says whether they did.
    pub(super) fn lead(&mut self, lines: Vec<Line>) -> bool {
        let fits = self.fits(&lines);
        if fits {
            self.used += size(&lines);
            self.lines.splice(0..0, lines);
        }
        fits
    }

    /// Whether `lines` fit behind what is there.
    fn fits(&self, lines: &[Line]) -> bool {
        self.used + size(lines) <= self.limit
    }

    /// Adds `lines` if all of them fit, and says whether they did.
    pub(super) fn push(&mut self, lines: Vec<Line>) -> bool {
        let fits = self.fits(&lines);
        if fits {
            self.used += size(&lines);
            self.lines.extend(lines);
        }
        fits
    }
}

/// UTF-16 units of lines with their ends.
pub(super) fn size(lines: &[Line]) -> usize {
    lines.iter().map(|line| line.units() + 1).sum()
}
