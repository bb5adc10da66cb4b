//! Claiming and settling: what keeps a message from being lost, and from being shown twice
//! without a mark.

use std::collections::BTreeSet;

use super::book::{Book, Claimed, Delivery, Moment, Stage, Tray, Via};
use super::news::Fresh;
use crate::mail::around::Around;
use crate::mail::claim::{Claim, ClaimId, ClaimRequest, Granted, Settled, Wanted};
use crate::mail::envelope::{Seq, State};
use crate::mail::error::MailError;
use crate::mail::mute::Voice;
use crate::mail::seat::SeatId;

impl Book {
    pub(super) fn claim(
        &mut self,
        request: &ClaimRequest,
        around: &dyn Around,
    ) -> Result<Claim, MailError> {
        let reader = &request.reader;
        let seat = reader.seat;
        self.fence(reader, around)?;
        // Whoever claimed something before the machine started anew has ended with it.
        let boot = around.boot_id();
        self.claims
            .retain(|_, claimed| claimed.reader.seat != seat || claimed.boot == boot);
        let id = ClaimId::new(self.last_claim + 1);
        self.last_claim += 1;
        let mut upto = None;
        let mut counts = None;
        let wanted: Vec<Seq> = match &request.what {
            Wanted::Print(seqs) => self.still_new(seat, seqs, around),
            Wanted::Digest { print, upto: to } => {
                // Nothing that is yet to come can have been counted.
                let to = self.head().min(*to);
                let mut news = self.news(seat, around);
                for (_, posts) in &mut news.rooms {
                    posts.retain(|seq| *seq <= to);
                }
                news.rooms.retain(|(_, posts)| !posts.is_empty());
                (upto, counts) = (Some(to), Some(self.counts(&news, around)));
                let printed = self.still_new(seat, print, around);
                self.hold(seat, &news, id);
                printed
            }
            Wanted::Unread { most } => self.unread(seat).into_iter().take(*most).collect(),
            Wanted::Show(message) => {
                let Some((seq, _)) = self.by_id(message) else {
                    return Err(MailError::no_message(message));
                };
                self.state(seat, seq).into_iter().map(|_| seq).collect()
            }
        };
        let granted: Vec<Granted> = wanted
            .into_iter()
            .map(|seq| Granted::new(seq, self.attempt(seat, seq, id)))
            .collect();
        self.pass_rows(seat);
        let claimed = Claimed {
            reader: reader.clone(),
            boot: around.boot_id(),
            at: around.boot(),
            upto,
            muted: self.muted_rooms(seat, around.wall()),
        };
        self.claims.insert(id, claimed);
        let mut claim = Claim::new(id, granted);
        claim.counts = counts.filter(|counts| counts.total() > 0);
        Ok(claim)
    }

    /// Those of `seqs` that are new and that nobody holds, in order.
    fn still_new(&self, seat: SeatId, seqs: &[Seq], around: &dyn Around) -> Vec<Seq> {
        let is_new = |seq: &Seq| {
            let is_held = self
                .row(seat, *seq)
                .is_some_and(|row| self.is_live(row.claim, around));
            let is_muted = self.voice(seat, *seq, around.wall()) == Voice::Muted;
            self.state(seat, *seq) == Some(State::New) && !is_held && !is_muted
        };
        let mut seqs: Vec<Seq> = seqs.iter().copied().filter(is_new).collect();
        seqs.sort_unstable();
        seqs.dedup();
        seqs
    }

    /// Holds what is counted and has a row, so that exactly this is counted in the end. It is not
    /// marked: counting is no showing.
    fn hold(&mut self, seat: SeatId, news: &Fresh, claim: ClaimId) {
        for seq in news.rooms.iter().flat_map(|(_, posts)| posts) {
            if let Some(row) = self.deliveries.get_mut(&(Tray::Seat(seat), *seq)) {
                row.claim = Some(claim);
            }
        }
    }

    /// Marks a message as one that may have been shown, and gives whether it was before.
    fn attempt(&mut self, seat: SeatId, seq: Seq, claim: ClaimId) -> bool {
        let stage = match self.state(seat, seq) {
            Some(State::Counted) => Stage::Counted,
            _ => Stage::New,
        };
        let row = self
            .deliveries
            .entry((Tray::Seat(seat), seq))
            .or_insert_with(|| Delivery::new(Via::Room, stage));
        row.claim = Some(claim);
        std::mem::replace(&mut row.attempted, true)
    }

    /// Moves the marks of a seat's rooms over whatever has a row by now.
    fn pass_rows(&mut self, seat: SeatId) {
        for (room, member) in self.rooms_of(seat) {
            let passed = |from: Seq| {
                let rows = self.posts(&room, from);
                let rows = rows.take_while(|seq| self.row(seat, *seq).is_some());
                rows.last().unwrap_or(from)
            };
            let (read, told) = (passed(member.read), passed(member.told));
            if let Some(member) = self.members.get_mut(&(seat, room)) {
                (member.read, member.told) = (read, told.max(read));
            }
        }
    }

    pub(super) fn settle(
        &mut self,
        id: ClaimId,
        settled: &Settled,
        around: &dyn Around,
    ) -> Result<(), MailError> {
        let reader = &settled.reader;
        self.fence(reader, around)?;
        let claimed = self.claims.get(&id);
        let claimed = claimed.filter(|claimed| claimed.reader.seat == reader.seat);
        let (upto, muted) = match claimed.cloned() {
            Some(claimed) => (claimed.upto.filter(|_| settled.counted), claimed.muted),
            None => (None, BTreeSet::new()),
        };
        let tracked = settled.tracked && self.is_tracked(&reader.session);
        let moment = Moment::now(around);
        let mut shown = Vec::new();
        for (seq, row) in self.rows_mut(Tray::Seat(reader.seat)) {
            if row.claim != Some(id) {
                continue;
            }
            row.claim = None;
            if !settled.printed.contains(&seq) {
                let counts = upto.is_some_and(|upto| seq <= upto) && !row.is_directed();
                if counts && row.state == Stage::New {
                    row.state = Stage::Counted;
                }
                continue;
            }
            shown.push(seq);
            if row.session.as_ref() != Some(&reader.session) {
                row.sessions += 1;
                row.session = Some(reader.session.clone());
                row.shown = 0;
            }
            row.shown += 1;
            row.shown_at = Some(moment.clone());
            if row.state != Stage::Seen {
                row.state = Stage::Printed { tracked };
            }
        }
        if !shown.is_empty() {
            self.seat_mut(reader.seat)?.last = shown;
        }
        let (head, now) = (self.head(), around.wall());
        for ((seat, room), member) in &mut self.members {
            if *seat == reader.seat
                && !muted.contains(room)
                && let Some(upto) = upto
            {
                member.told = member.told.max(upto);
                member.hush = member.hush.told(member.told, head, now);
            }
        }
        self.claims
            .retain(|of, claimed| *of != id || claimed.reader.seat != reader.seat);
        Ok(())
    }
}
