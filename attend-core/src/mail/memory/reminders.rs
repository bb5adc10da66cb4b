//! Reminders: words that wait, and become a message to the seat that wrote them.

use std::time::SystemTime;

use super::book::{Book, Delivery, Key, Message, Moment, Owner, Stage, Tray, Via};
use crate::mail::around::Around;
use crate::mail::change::Changed;
use crate::mail::check::check_body;
use crate::mail::envelope::{MessageId, SenderKind, Seq};
use crate::mail::error::MailError;
use crate::mail::reminder::{MOST_DUE, MOST_REMINDERS, Reminder, SPACE};
use crate::mail::seat::SeatId;

impl Book {
    pub(super) fn remind(
        &mut self,
        seat: SeatId,
        due: SystemTime,
        text: &str,
        around: &dyn Around,
    ) -> Result<Changed, MailError> {
        self.seat(seat)?;
        check_body(text)?;
        if self.reminders_of(seat).len() >= MOST_REMINDERS {
            return Err(MailError::too_many_reminders());
        }
        let id = self.free_id(around);
        self.reminders
            .insert(id.clone(), (seat, due, text.to_owned()));
        Ok(Changed::Reminding(id))
    }

    pub(super) fn cancel(&mut self, seat: SeatId, id: &MessageId) -> Result<Changed, MailError> {
        self.seat(seat)?;
        let is_theirs = self.reminders.get(id).is_some_and(|(of, ..)| *of == seat);
        if is_theirs {
            self.reminders.remove(id);
        }
        Ok(Changed::Cancelled(is_theirs))
    }

    /// The reminders of a seat, the next one first.
    pub(super) fn reminders_of(&self, seat: SeatId) -> Vec<Reminder> {
        let theirs = self.reminders.iter().filter(|(_, (of, ..))| *of == seat);
        let mut reminders: Vec<Reminder> = theirs
            .map(|(id, (_, due, text))| Reminder::new(id.clone(), *due, text.clone()))
            .collect();
        reminders.sort_by(|a, b| (a.due, &a.id).cmp(&(b.due, &b.id)));
        reminders
    }

    pub(super) fn send_due(
        &mut self,
        seat: SeatId,
        around: &dyn Around,
    ) -> Result<Changed, MailError> {
        self.seat(seat)?;
        let now = around.wall();
        let mut due = self.reminders_of(seat);
        due.retain(|reminder| reminder.due <= now);
        due.truncate(MOST_DUE);
        for reminder in &due {
            self.reminders.remove(&reminder.id);
            self.become_message(seat, reminder, around);
        }
        Ok(Changed::Reminded(due.len() as u64))
    }

    fn become_message(&mut self, seat: SeatId, reminder: &Reminder, around: &dyn Around) {
        let from = &self.seats[&seat];
        let kind = match from.owner {
            Owner::Person => SenderKind::Person,
            Owner::Project { .. } => SenderKind::Agent,
        };
        let key = Key {
            space: SPACE.to_owned(),
            name: reminder.key(),
            asked: Vec::new(),
        };
        let seq = Seq::new(self.head().get() + 1);
        let message = Message {
            id: reminder.id.clone(),
            sent_at: around.wall(),
            sent: Moment::now(around),
            from: from.name.clone(),
            kind,
            seat: Some(seat),
            // No session's own: whoever sits there hears of it.
            session: None,
            to: vec![format!("@{}", from.name)],
            rooms: Vec::new(),
            re: None,
            key: Some(key),
            body: reminder.body(around.wall()),
        };
        self.messages.insert(seq, message);
        let mut row = Delivery::new(Via::Seat, Stage::New);
        row.named.insert(0);
        self.deliveries.insert((Tray::Seat(seat), seq), row);
    }
}
