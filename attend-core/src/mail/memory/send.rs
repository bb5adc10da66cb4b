//! Sending: addresses become trays, and a message is kept once with a row for each.

use std::collections::{BTreeMap, BTreeSet};

use super::book::{Book, Delivery, Key, Member, Message, Moment, Owner, Seat, Stage, Tray, Via};
use super::names::Target;
use crate::mail::around::{Around, Life};
use crate::mail::envelope::{Draft, MessageId, Seq};
use crate::mail::error::MailError;
use crate::mail::name::RoomName;
use crate::mail::request::{Receipt, Recipient, Submission};
use crate::mail::seat::{Presence, SeatId, Sender};
use crate::mail::speaker::Speaker;

impl Book {
    pub(super) fn send(
        &mut self,
        submission: &Submission,
        around: &dyn Around,
    ) -> Result<Receipt, MailError> {
        let draft = &submission.draft;
        draft.check()?;
        let from = self.sender(&submission.sender)?;
        let key = draft.key.as_ref().map(|key| Key {
            space: from.space.clone(),
            name: key.clone(),
            asked: asked(draft),
        });
        if let Some(key) = &key
            && let Some(receipt) = self.sent_before(key, draft, around)?
        {
            return Ok(receipt);
        }
        if let Some(re) = &draft.re
            && self.by_id(re).is_none()
        {
            return Err(MailError::no_message(re));
        }
        let targets = self.resolve(&draft.to)?;
        let head = self.head();
        let seq = Seq::new(head.get() + 1);
        let to = targets.iter().map(|target| self.told(target)).collect();
        let rooms: Vec<RoomName> = targets
            .iter()
            .filter_map(|target| match target {
                Target::Room(room) => Some(room.clone()),
                _ => None,
            })
            .collect();
        let message = Message {
            id: self.free_id(around),
            sent_at: around.wall(),
            sent: Moment::now(around),
            from: from.name,
            kind: from.kind,
            seat: from.seat,
            session: from.session,
            to,
            rooms: rooms.clone(),
            re: draft.re.clone(),
            key,
            body: draft.body.clone(),
        };
        for (index, target) in targets.iter().enumerate() {
            self.deliver(target, index, seq, from.seat, around);
        }
        let id = message.id.clone();
        self.messages.insert(seq, message);
        for room in &rooms {
            self.end_quiet(room, head, around.wall());
            self.post(room, seq, from.seat);
        }
        Ok(Receipt::new(id, seq, self.recipients(seq, around)))
    }

    /// Who speaks, as the mailbox knows them.
    fn sender(&mut self, sender: &Sender) -> Result<Speaker, MailError> {
        Ok(match sender {
            Sender::Seat { seat, session } => {
                let found = self.seat(*seat)?;
                let (name, session) = (found.name.clone(), session.clone());
                match found.owner {
                    Owner::Person => Speaker::person(name, *seat, session),
                    Owner::Project { .. } => Speaker::seated(name, *seat, session),
                }
            }
            Sender::Session { session, place } => {
                let project = self.project(place);
                Speaker::session(self.projects[&project].persona.clone(), session)
            }
            Sender::Program => Speaker::program(),
        })
    }

    fn sent_before(
        &self,
        key: &Key,
        draft: &Draft,
        around: &dyn Around,
    ) -> Result<Option<Receipt>, MailError> {
        let same = |message: &Message| {
            let known = message.key.as_ref();
            known.is_some_and(|known| known.space == key.space && known.name == key.name)
        };
        let Some((seq, sent)) = self.messages.iter().find(|(_, message)| same(message)) else {
            return Ok(None);
        };
        let asked = sent.key.as_ref().map(|key| &key.asked);
        if sent.body != draft.body || asked != Some(&key.asked) {
            return Err(MailError::key_reused(&key.name, &sent.id));
        }
        let receipt = Receipt::new(sent.id.clone(), *seq, self.recipients(*seq, around));
        Ok(Some(receipt.repeated()))
    }

    pub(super) fn free_id(&self, around: &dyn Around) -> MessageId {
        let mut length = MessageId::SHORTEST;
        loop {
            for _ in 0..4 {
                let id = MessageId::from_bits(around.random(), length);
                if self.by_id(&id).is_none() && !self.reminders.contains_key(&id) {
                    return id;
                }
            }
            length = (length + 1).min(MessageId::LONGEST);
        }
    }

    /// Writes the rows of one target, the sender's own seat left out of a project.
    fn deliver(
        &mut self,
        target: &Target,
        index: usize,
        seq: Seq,
        from: Option<SeatId>,
        around: &dyn Around,
    ) {
        let (trays, via) = match target {
            Target::Room(_) => return,
            Target::Seat(seat) => (vec![Tray::Seat(*seat)], Via::Seat),
            Target::Project(project, root) => {
                let seats = self.seats.iter().filter(|(id, seat)| {
                    let Owner::Project {
                        project: of,
                        root: at,
                        ..
                    } = &seat.owner
                    else {
                        return false;
                    };
                    of == project
                        && root.as_ref().is_none_or(|root| root == at)
                        && Some(**id) != from
                        && seat.is_occupied(around)
                });
                let mut trays: Vec<Tray> = seats.map(|(id, _)| Tray::Seat(*id)).collect();
                if trays.is_empty() {
                    trays.push(Tray::Project(*project));
                }
                (trays, Via::Project(root.clone()))
            }
        };
        for tray in trays {
            let is_own = matches!(tray, Tray::Seat(seat) if Some(seat) == from);
            let stage = if is_own { Stage::Own } else { Stage::New };
            let row = self
                .deliveries
                .entry((tray, seq))
                .or_insert_with(|| Delivery::new(via.clone(), stage));
            row.via = row.via.wider(&via);
            row.named.insert(index);
        }
    }

    /// Posts a message in a room. For its sender it is read: by moving the marks where nothing
    /// waits before it, else by a row.
    fn post(&mut self, room: &RoomName, seq: Seq, from: Option<SeatId>) {
        let Some(from) = from else {
            self.rooms.entry(room.clone()).or_default().insert(seq);
            return;
        };
        let before: BTreeSet<Seq> = self.rooms.entry(room.clone()).or_default().clone();
        self.rooms.entry(room.clone()).or_default().insert(seq);
        let Some(member) = self.members.get_mut(&(from, room.clone())) else {
            return;
        };
        let waits = before.last().is_some_and(|last| *last > member.told);
        if member.read == member.told && !waits {
            *member = Member {
                read: seq,
                told: seq,
                ..*member
            };
        } else {
            let row = Delivery::new(Via::Room, Stage::Own);
            self.deliveries
                .entry((Tray::Seat(from), seq))
                .or_insert(row);
        }
    }

    /// Whom the message at `seq` reached.
    fn recipients(&self, seq: Seq, around: &dyn Around) -> Vec<Recipient> {
        let message = &self.messages[&seq];
        let mut recipients: BTreeMap<usize, Vec<Recipient>> = BTreeMap::new();
        for ((tray, _), row) in self.deliveries.iter().filter(|((_, of), _)| *of == seq) {
            for index in &row.named {
                let (seat, presence) = match tray {
                    Tray::Seat(seat) => {
                        let presence = self.presence(*seat, around);
                        (Some(self.seats[seat].name.clone()), presence)
                    }
                    Tray::Project(_) => (None, Presence::Waiting),
                };
                let address = message.to[*index].clone();
                recipients.entry(*index).or_default().push(Recipient::Tray {
                    address,
                    seat,
                    presence,
                });
            }
        }
        for room in &message.rooms {
            let index = message.to.iter().position(|to| *to == room.to_string());
            let members = self
                .members
                .keys()
                .filter(|(seat, of)| of == room && Some(*seat) != message.seat);
            recipients
                .entry(index.unwrap_or(0))
                .or_default()
                .push(Recipient::Room {
                    room: room.clone(),
                    members: members.count() as u64,
                });
        }
        recipients.into_values().flatten().collect()
    }

    /// How soon a seat notices.
    pub(super) fn presence(&self, seat: SeatId, around: &dyn Around) -> Presence {
        match &self.seats[&seat] {
            Seat {
                owner: Owner::Person,
                ..
            } => Presence::Waiting,
            occupied if occupied.is_occupied(around) => {
                if self.has_loop(seat, around) || self.was_looked_at(seat, around) {
                    Presence::Listening
                } else {
                    Presence::NoReader
                }
            }
            _ => Presence::Waiting,
        }
    }

    /// Whether a loop is registered at a seat, and lives.
    pub(super) fn has_loop(&self, seat: SeatId, around: &dyn Around) -> bool {
        match &self.seats[&seat].owner {
            Owner::Project { run: Some(run), .. } => around.life(run) != Life::Dead,
            _ => false,
        }
    }
}

/// The addresses as they were asked for, which is what a key stands for.
fn asked(draft: &Draft) -> Vec<String> {
    draft.to.iter().map(ToString::to_string).collect()
}
