//! Evidence, reminders and looks, asked of one of two mailboxes.

use std::time::Duration;

use futures::executor::block_on;

use super::op::Op;
use super::side::{BODIES, Side, pick, told};
use crate::mail::{
    Change, ClaimRequest, Clock as _, Evidence, MailboxExt as _, Reader, SeatId, Seq, Settled,
    Waiting, Wanted,
};

impl Side {
    /// Does what has to do with time.
    pub(super) fn later(&mut self, op: &Op) -> String {
        match op {
            Op::Seen(sat) => self.with_reader(*sat, None, |side, reader| {
                let seqs = (0..=side.ids.len() as u64).map(Seq::new);
                side.change(&Change::Evidence(Evidence::new(reader, None).seen(seqs)))
            }),
            Op::Missed {
                sat,
                seen,
                late,
                read,
            } => {
                let sat = self.awaiting(*sat);
                self.with_reader(sat, None, |side, reader| {
                    side.missed(&reader, (*seen, *late), *read)
                })
            }
            Op::Lost { sat, times } => self.with_reader(*sat, None, |side, reader| {
                (0..*times).map(|_| side.lost(&reader)).collect()
            }),
            Op::Remind { sat, seconds, body } => self.with_reader(*sat, None, |side, reader| {
                side.remind(reader.seat, *seconds, *body)
            }),
            Op::Cancel { sat, id } => self.with_reader(*sat, None, |side, reader| {
                let Some(id) = pick(&side.ids, *id) else {
                    return String::new();
                };
                let seat = reader.seat;
                side.change(&Change::Cancel { seat, id })
            }),
            Op::Due(sat) => self.with_reader(*sat, None, |side, reader| {
                side.change(&Change::Due(reader.seat))
            }),
            Op::Looked(sat) => self.with_reader(*sat, None, |side, reader| {
                side.change(&Change::Looked(reader.seat))
            }),
            Op::Sweep { .. } => self.sweep(op),
            other => panic!("{other:?} has nothing to do with time"),
        }
    }

    /// The next from `first` on with whom something is awaited; else the first.
    fn awaiting(&self, first: usize) -> usize {
        let is_awaited = |index: &usize| {
            let sat = pick(&self.sats, *index);
            let reader = sat.map(|sat| sat.seated.reader(sat.session, sat.process));
            let awaiting = reader.map(|reader| block_on(self.mailbox.awaited(&reader)));
            matches!(awaiting, Some(Ok(awaiting)) if !awaiting.messages.is_empty())
        };
        let mut all = first..first + self.sats.len();
        all.find(is_awaited).unwrap_or(first)
    }

    /// All that is new is shown, and then missed.
    fn lost(&self, reader: &Reader) -> String {
        let seqs = match self.look(reader, 1_000) {
            Ok(Waiting::Few(letters)) => letters.iter().map(|letter| letter.seq).collect(),
            other => return told(other),
        };
        let request = ClaimRequest::new(reader.clone(), Wanted::Print(seqs));
        let claim = match block_on(self.mailbox.claim(&request)) {
            Ok(claim) => claim,
            refused => return told(refused),
        };
        let printed = claim.granted.iter().map(|granted| granted.seq);
        let settled = Settled::printed(reader.clone(), printed).tracked(true);
        let done = told(block_on(self.mailbox.settle(claim.id, &settled)));
        format!("{claim:?} {done} {}", self.missed(reader, (0, 0), None))
    }

    fn missed(&self, reader: &Reader, (seen, late): (usize, u32), read: Option<u64>) -> String {
        let awaiting = match block_on(self.mailbox.awaited(reader)) {
            Ok(awaiting) => awaiting,
            refused => return told(refused),
        };
        let messages = awaiting.messages.iter();
        let missing = messages.clone().skip(seen);
        let missing = missing.map(|awaited| (awaited.seq, awaited.shown.saturating_sub(late)));
        let found = Evidence::new(reader.clone(), read)
            .seen(messages.take(seen).map(|awaited| awaited.seq))
            .missing(missing);
        self.change(&Change::Evidence(found))
    }

    /// No two are due in the same moment: their order would be by ids, which may differ.
    fn remind(&mut self, seat: SeatId, seconds: i64, body: usize) -> String {
        let by = Duration::from_secs(seconds.unsigned_abs());
        let now = self.around.wall() + Duration::from_nanos(self.ids.len() as u64);
        let due = if seconds < 0 { now - by } else { now + by };
        let text = BODIES.get(body).copied().unwrap_or_default();
        let done = block_on(self.mailbox.remind(seat, due, text.to_owned()));
        if let Ok(id) = &done {
            self.ids.push(id.clone());
        }
        told(done)
    }
}
