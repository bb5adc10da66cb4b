//! What may happen next, and doing it.

use super::scope::{Action, Kind, Scope, Way};
use super::setting::process;
use super::truth::Chair;
use super::world::{Phase, World, place, room};
use crate::mail::address::Address;
use crate::mail::envelope::{Draft, Seq};
use crate::mail::name::Name;
use crate::mail::request::Submission;
use crate::mail::seat::Sender;

impl World {
    /// Everything that may happen next.
    pub(super) fn actions(&self, scope: &Scope) -> Vec<Action> {
        let mut actions = Vec::new();
        let left = self.left;
        if left.sends > 0 {
            let own = |kind: &Kind| matches!(kind, Kind::OwnRoom | Kind::Note);
            let kinds = scope.kinds.iter();
            let kinds = kinds.filter(|kind| !own(kind) || self.is_there(0));
            actions.extend(kinds.map(|kind| Action::Send(*kind)));
        }
        for (slot, phase) in self.readers.iter().enumerate() {
            self.reading(scope, slot, phase, &mut actions);
        }
        if left.lapses > 0 && !self.book.claims.is_empty() {
            actions.push(Action::Lapse);
        }
        self.looking(&mut actions);
        for chair in 0..self.chairs.len() {
            if self.is_there(chair) {
                let may = [
                    (left.ends > 0, Action::End(chair)),
                    (left.clears > 0, Action::Clear(chair)),
                ];
                actions.extend(
                    may.iter()
                        .filter(|(may, _)| *may)
                        .map(|(_, action)| *action),
                );
                if left.moves > 0 {
                    let is_member = self.truth.members.contains(&chair);
                    actions.push(if is_member {
                        Action::Leave(chair)
                    } else {
                        Action::Join(chair)
                    });
                }
                if self.is_muted(chair) {
                    actions.push(Action::Unmute(chair));
                } else if left.mutes > 0 && self.truth.members.contains(&chair) {
                    actions.push(Action::Mute(chair));
                }
            } else if left.sits > 0 {
                actions.push(Action::Resume(chair));
                if !actions.contains(&Action::Sit) {
                    actions.push(Action::Sit);
                }
            }
        }
        actions
    }

    fn reading(&self, scope: &Scope, slot: usize, phase: &Phase, actions: &mut Vec<Action>) {
        match phase {
            Phase::Idle => {
                let (chair, ways) = &scope.readers[slot];
                let ways = ways.iter().filter(|way| self.finds(*chair, **way));
                actions.extend(ways.map(|way| Action::Look(slot, *way)));
                return;
            }
            Phase::Looked(..) => actions.push(Action::Claim(slot)),
            Phase::Claimed {
                granted, counted, ..
            } => {
                let lines: &[bool] = if counted.is_some() {
                    &[false, true]
                } else {
                    &[false]
                };
                for line in lines {
                    let most = if *line || counted.is_none() {
                        granted.len()
                    } else {
                        0
                    };
                    let counts = (0..=most).map(|count| Action::Write {
                        slot,
                        line: *line,
                        count,
                    });
                    actions.extend(counts);
                }
            }
            Phase::Written { .. } => actions.push(Action::Settle(slot)),
        }
        // Dying with nothing in hand but a look is as good as not having looked.
        if self.left.deaths > 0 && !matches!(phase, Phase::Looked(..)) {
            actions.push(Action::Die(slot));
        }
    }

    fn finds(&self, chair: Chair, way: Way) -> bool {
        let seat = self.chairs[chair].seat;
        let new = || self.book.news(seat, &self.setting).all().len();
        self.is_there(chair)
            && match way {
                Way::New => new() > 0,
                Way::Digest => new() > 1,
                Way::Unread => !self.book.unread(seat).is_empty(),
                Way::Show => self.book.state(seat, Seq::new(1)).is_some(),
            }
    }

    /// Does `action`; an error where something happened that must not.
    pub(super) fn act(&mut self, scope: &Scope, action: Action) -> Result<(), String> {
        let others: Vec<Chair> = match action {
            Action::Look(slot, _) | Action::Claim(slot) | Action::Settle(slot) => {
                let chairs = 0..self.chairs.len();
                chairs
                    .filter(|chair| *chair != scope.readers[slot].0)
                    .collect()
            }
            Action::Miss(at, _) | Action::See(at, _) => {
                let chairs = 0..self.chairs.len();
                chairs.filter(|chair| *chair != at).collect()
            }
            _ => Vec::new(),
        };
        let before: Vec<_> = others.iter().map(|chair| self.about(*chair)).collect();
        self.happen(scope, action)?;
        let after: Vec<_> = others.iter().map(|chair| self.about(*chair)).collect();
        if before != after {
            return Err(format!("{action:?} changed something at another's seat"));
        }
        self.normalise();
        Ok(())
    }

    fn happen(&mut self, scope: &Scope, action: Action) -> Result<(), String> {
        let left = &mut self.left;
        match action {
            Action::Send(kind) => {
                left.sends -= 1;
                self.send(kind);
            }
            Action::Look(slot, way) => return self.look(scope, slot, way),
            Action::Claim(slot) => return self.claim(scope, slot),
            Action::Write { slot, line, count } => return self.write(slot, line, count),
            Action::Settle(slot) => self.settle(scope, slot),
            Action::Die(slot) => {
                left.deaths -= 1;
                self.die(slot);
            }
            Action::Lapse => {
                left.lapses -= 1;
                self.lapse();
            }
            Action::End(chair) => {
                left.ends -= 1;
                self.setting.dead.insert(self.chairs[chair].pid);
            }
            Action::Sit => {
                left.sits -= 1;
                self.sit(None);
            }
            Action::Resume(chair) => {
                left.sits -= 1;
                self.sit(Some(chair));
            }
            Action::Clear(chair) => {
                left.clears -= 1;
                self.clear(chair);
            }
            Action::Leave(chair) => {
                left.moves -= 1;
                self.leave(chair);
            }
            Action::Join(chair) => {
                left.moves -= 1;
                self.join(chair);
            }
            Action::Mute(chair) => {
                left.mutes -= 1;
                self.mute(chair);
            }
            Action::Unmute(chair) => self.unmute(chair),
            Action::Scan(chair) => self.scan(chair),
            Action::Miss(chair, seq) => {
                left.misses -= 1;
                return self.miss(scope, chair, seq);
            }
            Action::See(chair, seq) => {
                left.sees -= 1;
                return self.see(chair, seq);
            }
        }
        Ok(())
    }

    /// The process dies with what it claimed; the next in its place starts with nothing.
    pub(super) fn die(&mut self, slot: usize) {
        let pid = Self::pid_of_slot(slot);
        self.readers[slot] = Phase::Idle;
        self.setting.dead.insert(pid);
        self.normalise_claims();
        self.setting.dead.remove(&pid);
        let dead = process(pid);
        assert!(
            self.book
                .claims
                .values()
                .all(|claim| claim.reader.process != dead),
            "a claim of a dead process holds"
        );
    }

    fn send(&mut self, kind: Kind) {
        let first = self.chairs[0].clone();
        let name = self.book.seats[&first.seat].name.clone();
        let name: Address = Name::parse(&name).unwrap().into();
        let sender = match kind {
            Kind::OwnRoom | Kind::Note => Sender::Seat {
                seat: first.seat,
                session: Some(first.session.clone()),
            },
            _ => Sender::Program,
        };
        let draft = Draft::new("hi");
        let draft = match kind {
            Kind::Named | Kind::Note => draft.to(name),
            Kind::Room | Kind::OwnRoom => draft.to(room()),
            Kind::NamedAndRoom => draft.to(name).to(room()),
            Kind::Project => draft.to(place()),
            Kind::ProjectAndRoom => draft.to(place()).to(room()),
        };
        self.setting.draw += 1;
        let submission = Submission::new(sender, draft);
        let receipt = self.book.send(&submission, &self.setting).unwrap();
        let seq = receipt.seq;
        let there = self.there();
        let members = self.truth.members.clone();
        match kind {
            Kind::Note => _ = self.truth.notes.insert((0, seq, first.session)),
            Kind::Named | Kind::NamedAndRoom => self.truth.owe(0, seq, true),
            Kind::Project | Kind::ProjectAndRoom => self.truth.owe_project(&there, seq),
            Kind::Room | Kind::OwnRoom => {}
        }
        if matches!(
            kind,
            Kind::Room | Kind::OwnRoom | Kind::NamedAndRoom | Kind::ProjectAndRoom
        ) {
            let is_own = |chair: Chair| kind == Kind::OwnRoom && chair == 0;
            for chair in members.into_iter().filter(|chair| !is_own(*chair)) {
                self.truth.owe(chair, seq, false);
            }
        }
    }
}
