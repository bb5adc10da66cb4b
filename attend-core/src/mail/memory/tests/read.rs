//! What readers do, what is really shown by it, and the rules that are broken on purpose.

use std::collections::BTreeSet;

use super::scope::{Budget, Fault, Scope, Way};
use super::world::{Look, Phase, World};
use crate::mail::claim::{Claim, ClaimId, ClaimRequest, Granted, Settled, Waiting, Wanted};
use crate::mail::envelope::{Letter, MessageId, Seq};
use crate::mail::memory::book::{Stage, Tray};
use crate::mail::seat::{Reader, SeatId};

/// More than there will ever be.
const ALL: usize = 1_000;

fn seqs(letters: &[Letter]) -> Vec<Seq> {
    letters.iter().map(|letter| letter.seq).collect()
}

impl World {
    pub(super) fn look(&mut self, scope: &Scope, slot: usize, way: Way) -> Result<(), String> {
        let reader = self.slot(scope, slot);
        let look = |above| {
            let news = self.book.look(&reader, above, &self.setting);
            news.map(|news| news.waiting)
        };
        let found = match way {
            Way::New => match look(ALL) {
                Ok(Waiting::Few(letters)) => Look::New(seqs(&letters)),
                // The end of a mute is told by counts.
                Ok(Waiting::Many { upto, directed, .. }) => Look::Digest(seqs(&directed), upto),
                other => return Err(format!("a look gave {other:?}")),
            },
            Way::Digest => match look(1) {
                Ok(Waiting::Many { upto, directed, .. }) => Look::Digest(seqs(&directed), upto),
                other => return Err(format!("a look at many gave {other:?}")),
            },
            Way::Unread => return self.take(scope, slot, reader, Wanted::Unread { most: ALL }),
            Way::Show => {
                let id: MessageId = self.book.messages[&Seq::new(1)].id.clone();
                return self.take(scope, slot, reader, Wanted::Show(id));
            }
        };
        self.readers[slot] = Phase::Looked(reader, found);
        Ok(())
    }

    pub(super) fn claim(&mut self, scope: &Scope, slot: usize) -> Result<(), String> {
        match std::mem::replace(&mut self.readers[slot], Phase::Idle) {
            Phase::Looked(reader, look) => self.take(scope, slot, reader, look.wanted()),
            other => panic!("a claim after {other:?}"),
        }
    }

    fn take(
        &mut self,
        scope: &Scope,
        slot: usize,
        reader: Reader,
        wanted: Wanted,
    ) -> Result<(), String> {
        let counted = self.counted(reader.seat, &wanted);
        let is_asked = matches!(wanted, Wanted::Unread { .. } | Wanted::Show(_));
        let Some(claim) = self.claim_as(&reader, wanted, scope.fault) else {
            return Ok(());
        };
        let granted = claim.granted.clone();
        if !granted.is_sorted_by(|a, b| a.seq < b.seq) {
            return Err(format!("granted out of order: {granted:?}"));
        }
        let chair = self.chair_of(reader.seat);
        for one in &granted {
            self.truth.claim(chair, one.seq, one.again)?;
            if !is_asked {
                self.truth.repeat(chair, one.seq, &reader.session)?;
            }
        }
        if !claim.is_empty() {
            self.readers[slot] = Phase::Claimed {
                reader,
                id: claim.id,
                granted,
                counted: counted.filter(|_| claim.counts.is_some()),
            };
        }
        Ok(())
    }

    /// What a claim counts; none where it is no digest.
    fn counted(&self, seat: SeatId, wanted: &Wanted) -> Option<BTreeSet<Seq>> {
        let Wanted::Digest { upto, .. } = wanted else {
            return None;
        };
        let news = self.book.news(seat, &self.setting);
        let posts = news.rooms.into_iter().flat_map(|(_, posts)| posts);
        Some(posts.filter(|seq| seq <= upto).collect())
    }

    pub(super) fn write(&mut self, slot: usize, line: bool, count: usize) -> Result<(), String> {
        let phase = std::mem::replace(&mut self.readers[slot], Phase::Idle);
        let Phase::Claimed {
            reader,
            id,
            granted,
            counted,
        } = phase
        else {
            panic!("writing after {phase:?}");
        };
        // What an orphan writes is read by nobody.
        if self.is_current(&reader) {
            let chair = self.chair_of(reader.seat);
            for one in &granted[..count] {
                self.truth.show(chair, one.seq, one.again)?;
            }
            if line {
                let counted = counted.into_iter().flatten().map(|seq| (chair, seq));
                self.truth.counted.extend(counted);
            }
        }
        self.readers[slot] = Phase::Written {
            reader,
            id,
            granted,
            wrote: count,
            line,
        };
        Ok(())
    }

    pub(super) fn settle(&mut self, scope: &Scope, slot: usize) {
        let phase = std::mem::replace(&mut self.readers[slot], Phase::Idle);
        let Phase::Written {
            reader,
            id,
            granted,
            wrote,
            line,
        } = phase
        else {
            panic!("settling after {phase:?}");
        };
        self.settle_as(reader, id, (&granted, wrote, line), scope);
    }

    fn claim_as(&mut self, reader: &Reader, wanted: Wanted, fault: Fault) -> Option<Claim> {
        let request = ClaimRequest::new(reader.clone(), wanted);
        let claim = self.book.claim(&request, &self.setting).ok()?;
        let tray = Tray::Seat(reader.seat);
        if fault == Fault::MarkAtSettle {
            for one in claim.granted.iter().filter(|one| !one.again) {
                let row = self.book.deliveries.get_mut(&(tray, one.seq));
                row.expect("what is granted has a row").attempted = false;
            }
        }
        if let (Fault::ToldAtClaim, Some(upto)) = (fault, self.book.claims[&claim.id].upto) {
            for ((seat, _), member) in &mut self.book.members {
                if *seat == reader.seat {
                    member.told = member.told.max(upto);
                }
            }
        }
        Some(claim)
    }

    fn settle_as(
        &mut self,
        mut reader: Reader,
        id: ClaimId,
        (granted, wrote, line): (&[Granted], usize, bool),
        scope: &Scope,
    ) {
        let tray = Tray::Seat(reader.seat);
        let wrote = match scope.fault {
            Fault::SettleAll => granted.len(),
            _ => wrote,
        };
        if scope.fault == Fault::SettleUnfenced {
            reader.epoch = self.book.seats[&reader.seat].epoch;
        }
        let printed = granted[..wrote].iter().map(|one| one.seq);
        if scope.fault == Fault::MarkAtSettle {
            for seq in printed.clone() {
                let row = self.book.deliveries.get_mut(&(tray, seq));
                row.expect("what is granted has a row").attempted = true;
            }
        }
        let is_held = |seq: &Seq| {
            let row = self.book.deliveries.get(&(tray, *seq));
            row.is_some_and(|row| row.claim == Some(id))
        };
        let held: Vec<Seq> = printed.clone().filter(is_held).collect();
        let (chair, session) = (self.chair_of(reader.seat), reader.session.clone());
        let settled = Settled::printed(reader, printed)
            .counted(line)
            .tracked(scope.tracked);
        // Whoever is displaced settles nothing.
        if self.book.settle(id, &settled, &self.setting).is_ok() {
            for seq in held {
                self.truth.settle(chair, seq, &session);
            }
        }
    }

    /// The same where every reader is dead, and nothing may happen any more.
    pub(super) fn stopped(&self) -> Self {
        let mut stopped = self.clone();
        for slot in 0..stopped.readers.len() {
            stopped.die(slot);
        }
        stopped.left = Budget::default();
        stopped.hands.clear();
        stopped
    }

    /// Once every reader has [`stopped`](Self::stopped), whoever sits there reads: an error where
    /// something is left that was not shown.
    pub(super) fn drain(mut self, scope: &Scope) -> Result<(), String> {
        for _ in 0..self.chairs.len() {
            if self.there().len() < self.chairs.len() {
                self.sit(None);
            }
        }
        for chair in 0..self.chairs.len() {
            self.drain_chair(scope, chair)?;
        }
        match self.truth.pool.first() {
            Some(seq) => Err(format!("{seq:?} waits for a project where somebody sits")),
            None => Ok(()),
        }
    }

    fn drain_chair(&mut self, scope: &Scope, chair: usize) -> Result<(), String> {
        let pid = self.chairs[chair].pid;
        let reader = self.reader(chair, pid);
        self.unmute(chair);
        self.read_new(scope, &reader)?;
        while self.truth.follows && self.miss_all(scope, chair)? {
            self.read_new(scope, &reader)?;
        }
        let owed = self.truth.owed.difference(&self.truth.counted);
        let owed = owed.filter(|pair| !self.truth.unseen.contains(pair));
        if let Some((_, seq)) = owed.clone().find(|(of, _)| *of == chair) {
            return Err(format!(
                "{seq:?} is lost: nothing at {chair} ever tells of it"
            ));
        }
        if self.truth.follows {
            self.is_over(chair)?;
        }
        self.read_all(scope, &reader, Wanted::Unread { most: ALL })?;
        if let Some((_, seq)) = self.truth.owed.iter().find(|(of, _)| *of == chair) {
            return Err(format!(
                "{seq:?} is lost: it was counted or missed at {chair} and is not unread"
            ));
        }
        match self.book.unread(reader.seat).first() {
            Some(seq) => Err(format!("{seq:?} was read at {chair} and stays unread")),
            None => Ok(()),
        }
    }

    /// Reads until nothing is new.
    fn read_new(&mut self, scope: &Scope, reader: &Reader) -> Result<(), String> {
        let chair = self.chair_of(reader.seat);
        for round in 0.. {
            let news = self.book.look(reader, ALL, &self.setting);
            let wanted = match news.map(|news| news.waiting) {
                Ok(Waiting::Few(letters)) if letters.is_empty() => break,
                Ok(Waiting::Few(letters)) => Wanted::Print(seqs(&letters)),
                Ok(Waiting::Many { upto, directed, .. }) => Wanted::Digest {
                    print: seqs(&directed),
                    upto,
                },
                other => return Err(format!("a look gave {other:?}")),
            };
            if round > 2 * self.book.messages.len() {
                return Err(format!("{wanted:?} stay new at {chair} for ever"));
            }
            self.read_all(scope, reader, wanted)?;
        }
        Ok(())
    }

    fn read_all(&mut self, scope: &Scope, reader: &Reader, wanted: Wanted) -> Result<(), String> {
        let chair = self.chair_of(reader.seat);
        let counted = self.counted(reader.seat, &wanted);
        let is_asked = matches!(wanted, Wanted::Unread { .. });
        let Some(claim) = self.claim_as(reader, wanted, scope.fault) else {
            return Err(format!("whoever sits at {chair} was refused"));
        };
        for one in &claim.granted {
            self.truth.claim(chair, one.seq, one.again)?;
            if !is_asked {
                self.truth.repeat(chair, one.seq, &reader.session)?;
            }
            self.truth.show(chair, one.seq, one.again)?;
            let row = self.book.row(reader.seat, one.seq);
            if row.is_none_or(|row| row.state == Stage::Own) {
                return Err(format!(
                    "{:?} was granted at {chair}, who wrote it",
                    one.seq
                ));
            }
        }
        let counted = counted.into_iter().flatten().map(|seq| (chair, seq));
        self.truth.counted.extend(counted);
        let all = (
            &claim.granted[..],
            claim.granted.len(),
            claim.counts.is_some(),
        );
        self.settle_as(reader.clone(), claim.id, all, scope);
        Ok(())
    }
}
