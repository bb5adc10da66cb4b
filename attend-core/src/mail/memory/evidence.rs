//! Seen, not only printed: what is awaited, what is missed, and when nobody looks any more.

use super::book::{Book, Delivery, Stage, Tray};
use crate::mail::around::Around;
use crate::mail::change::Changed;
use crate::mail::error::MailError;
use crate::mail::evidence::{
    Awaited, Awaiting, Evidence, MOST_MISSED, MOST_SHOWN, Tracking, is_shortly_before,
};
use crate::mail::seat::{Reader, SeatId};

impl Delivery {
    /// Another session is there: what its predecessor may not have seen is new once more, unless
    /// two have had it. What was never seen is offered anew only where `unseen` is, too.
    pub(super) fn hand_over(&mut self, unseen: bool) {
        self.state = match self.state {
            Stage::Printed { tracked: true } if self.sessions < 2 => Stage::New,
            Stage::Unseen if unseen && self.sessions < 2 => Stage::New,
            Stage::Printed { tracked: true } => Stage::Unseen,
            Stage::New if self.sessions >= 2 => Stage::Unseen,
            other => other,
        };
    }

    /// Whether it was shown to `session` and may still turn out to be seen.
    fn awaits(&self, session: &str) -> bool {
        let is_theirs = self.session.as_deref() == Some(session);
        is_theirs && matches!(self.state, Stage::New | Stage::Printed { tracked: true })
    }
}

impl Book {
    pub(super) fn is_tracked(&self, session: &str) -> bool {
        self.tracks.get(session).is_none_or(|track| !track.is_off)
    }

    /// Whether a hook looked here a short while ago.
    pub(super) fn was_looked_at(&self, seat: SeatId, around: &dyn Around) -> bool {
        let looked = self.looks.get(&seat);
        looked.is_some_and(|looked| is_shortly_before(*looked, around.wall()))
    }

    pub(super) fn awaited(
        &self,
        reader: &Reader,
        around: &dyn Around,
    ) -> Result<Awaiting, MailError> {
        self.seat(reader.seat)?;
        let rows = self.rows(Tray::Seat(reader.seat));
        let awaited = rows.filter(|(_, row)| row.awaits(&reader.session));
        let messages = awaited.map(|(seq, row)| {
            let age = row.shown_at.as_ref().and_then(|at| at.age(around));
            let mut awaited = Awaited::new(self.messages[&seq].id.clone(), seq, row.shown, age);
            awaited.is_open = row.state != Stage::New;
            awaited
        });
        let track = self.tracks.get(&reader.session).copied();
        let track = track.unwrap_or_default();
        Ok(Awaiting::new(messages.collect(), track.read, !track.is_off))
    }

    pub(super) fn evidence(
        &mut self,
        evidence: &Evidence,
        around: &dyn Around,
    ) -> Result<Changed, MailError> {
        let reader = &evidence.reader;
        self.seat(reader.seat)?;
        if !evidence.missing.is_empty() {
            self.fence(reader, around)?;
        }
        let tray = Tray::Seat(reader.seat);
        let mut track = self
            .tracks
            .get(&reader.session)
            .copied()
            .unwrap_or_default();
        let was_off = track.is_off;
        track.read = evidence.read.or(track.read);
        let mut last_seen = None;
        for seq in &evidence.seen {
            if let Some(row) = self.deliveries.get_mut(&(tray, *seq))
                && row.session.as_ref() == Some(&reader.session)
                && !matches!(row.state, Stage::Seen | Stage::Own)
            {
                row.state = Stage::Seen;
                track.missed = 0;
                last_seen = last_seen.max(Some(*seq));
            }
        }
        for (seq, shown) in &evidence.missing {
            if let Some(row) = self.deliveries.get_mut(&(tray, *seq))
                && row.session.as_ref() == Some(&reader.session)
                && row.state == (Stage::Printed { tracked: true })
                && row.shown == *shown
            {
                // What came before something that was seen is not in a row with what comes.
                if last_seen < Some(*seq) {
                    track.missed = track.missed.saturating_add(1);
                }
                row.state = if row.shown < MOST_SHOWN {
                    Stage::New
                } else {
                    Stage::Unseen
                };
            }
        }
        track.is_off |= track.missed >= MOST_MISSED;
        if track.is_off && !was_off {
            self.settle_for_printed(tray, &reader.session);
        }
        let session = reader.session.clone();
        self.sessions.entry(session.clone()).or_insert(reader.seat);
        self.tracks.insert(session, track);
        Ok(Changed::Tracked(match (was_off, track.is_off) {
            (_, false) => Tracking::On,
            (false, true) => Tracking::Ended,
            (true, true) => Tracking::Off,
        }))
    }

    /// From now on nobody looks for evidence: what was shown is done, also where somebody is
    /// about to show it again.
    fn settle_for_printed(&mut self, tray: Tray, session: &str) {
        for (_, row) in self.rows_mut(tray) {
            if row.awaits(session) {
                row.state = Stage::Printed { tracked: false };
            }
        }
    }
}
