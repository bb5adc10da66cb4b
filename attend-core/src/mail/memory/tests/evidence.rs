//! Looking for evidence: what is awaited, what is missed, and what is seen.

use super::scope::{Action, Fault, Scope};
use super::truth::Chair;
use super::world::{Hand, World};
use crate::mail::change::Changed;
use crate::mail::envelope::{Seq, State};
use crate::mail::evidence::{Evidence, Tracking};
use crate::mail::memory::book::{Delivery, Stage, Tray};
use crate::mail::seat::Epoch;

impl World {
    pub(super) fn looking(&self, actions: &mut Vec<Action>) {
        if self.left.misses > 0 {
            for chair in self.there() {
                let hand = self.awaited(chair);
                if !hand.messages.is_empty() && self.hands.get(&chair) != Some(&hand) {
                    actions.push(Action::Scan(chair));
                }
            }
            for (chair, hand) in &self.hands {
                let messages = hand.messages.iter();
                actions.extend(messages.map(|(seq, _)| Action::Miss(*chair, *seq)));
            }
        }
        if self.left.sees > 0 {
            let shown = self.truth.showings.keys();
            let unseen = shown.filter(|pair| !self.truth.seen.contains(pair));
            actions.extend(unseen.map(|(chair, seq)| Action::See(*chair, *seq)));
        }
    }

    fn awaited(&self, chair: Chair) -> Hand {
        let reader = self.reader(chair, self.chairs[chair].pid);
        let awaiting = self.book.awaited(&reader, &self.setting).unwrap();
        let open = awaiting.messages.iter().filter(|awaited| awaited.is_open);
        let messages = open.map(|awaited| (awaited.seq, awaited.shown)).collect();
        Hand { reader, messages }
    }

    pub(super) fn scan(&mut self, chair: Chair) {
        let hand = self.awaited(chair);
        self.hands.insert(chair, hand);
    }

    /// What is in hand is said to be missing: it counts if it means the last showing, to the
    /// session that sits there, and changes nothing if it does not.
    pub(super) fn miss(&mut self, scope: &Scope, chair: Chair, seq: Seq) -> Result<(), String> {
        let Hand { reader, messages } = self.hands[&chair].clone();
        let found = messages.iter().find(|(of, _)| *of == seq);
        let times = found.expect("what is in hand").1;
        let counts =
            self.is_current(&reader) && self.truth.is_missed((chair, seq), &reader.session, times);
        let before = self.book.row(reader.seat, seq).cloned();
        let missing = match (scope.fault, &before) {
            (Fault::MissUnguarded, Some(row)) => row.shown,
            _ => times,
        };
        let session = reader.session.clone();
        let seat = reader.seat;
        let evidence = Evidence::new(reader, None).missing([(seq, missing)]);
        let done = self.book.evidence(&evidence, &self.setting);
        if self.book.row(seat, seq) != before.as_ref() {
            if !counts {
                return Err(format!(
                    "{seq:?} changed at {chair} by a miss of another showing"
                ));
            }
            if let Some(row) = self.book.deliveries.get_mut(&(Tray::Seat(seat), seq)) {
                spoil(row, scope.fault);
            }
        }
        if !counts {
            return Ok(());
        }
        self.truth.miss(chair, seq);
        match done {
            Ok(Changed::Tracked(Tracking::Ended)) => self.truth.stop_looking(&session),
            Ok(Changed::Tracked(_)) => {}
            other => return Err(format!("a miss gave {other:?}")),
        }
        Ok(())
    }

    /// The session that it was shown to last has seen it, whoever sits there by now.
    pub(super) fn see(&mut self, chair: Chair, seq: Seq) -> Result<(), String> {
        let seat = self.chairs[chair].seat;
        let session = self.truth.showings[&(chair, seq)].session.clone();
        let mut reader = self.reader(chair, self.chairs[chair].pid);
        (reader.session, reader.epoch) = (session, Epoch::new(0));
        let evidence = Evidence::new(reader, None).seen([seq]);
        let done = self.book.evidence(&evidence, &self.setting);
        if done.is_err() || self.book.state(seat, seq) != Some(State::Seen) {
            return Err(format!(
                "{seq:?} was seen at {chair}, and is not known to be"
            ));
        }
        self.truth.see(chair, seq);
        Ok(())
    }

    /// Misses all that is awaited; whether there was anything.
    pub(super) fn miss_all(&mut self, scope: &Scope, chair: Chair) -> Result<bool, String> {
        self.scan(chair);
        let messages = self.hands[&chair].messages.clone();
        for (seq, _) in &messages {
            self.miss(scope, chair, *seq)?;
        }
        Ok(!messages.is_empty())
    }

    /// Nothing at a chair is on its way any more.
    pub(super) fn is_over(&self, chair: Chair) -> Result<(), String> {
        let seat = self.chairs[chair].seat;
        let is_open =
            |row: &Delivery| matches!(row.state, Stage::New | Stage::Printed { tracked: true });
        match self
            .book
            .rows(Tray::Seat(seat))
            .find(|(_, row)| is_open(row))
        {
            Some((seq, row)) => Err(format!("{seq:?} stays {:?} at {chair}", row.state)),
            None => Ok(()),
        }
    }
}

/// Breaks a rule on purpose in what was just missed.
fn spoil(row: &mut Delivery, fault: Fault) {
    match fault {
        Fault::MissUnmarked => row.attempted = false,
        Fault::MissForEver => row.state = Stage::New,
        Fault::MissForgotten => row.state = Stage::Printed { tracked: false },
        _ => {}
    }
}
