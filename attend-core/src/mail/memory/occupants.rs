//! Who occupies a seat, and which loop reads there.

use super::book::{Book, Owner, Seat};
use crate::mail::around::{Around, Life, Process};
use crate::mail::error::{MailError, MailErrorKind};
use crate::mail::seat::{Arrival, Reader, SeatId, Seated};

impl Book {
    /// Remembers the namespace of the process that sits there, where it was not known: seen from
    /// a sandbox first, its life could not be told.
    pub(super) fn place(&mut self, seat: SeatId, process: &Process) {
        if let Ok(Seat {
            owner:
                Owner::Project {
                    occupant: Some(occupant),
                    ..
                },
            ..
        }) = self.seat_mut(seat)
            && occupant.namespace == 0
        {
            occupant.namespace = process.namespace;
        }
    }

    pub(super) fn register(
        &mut self,
        reader: &Reader,
        around: &dyn Around,
    ) -> Result<(), MailError> {
        let Owner::Project { run, .. } = &mut self.seat_mut(reader.seat)?.owner else {
            let text = "a person's seat has no loop";
            return Err(MailError::new(MailErrorKind::Invalid, text));
        };
        match run {
            Some(other) if !other.is(&reader.process) && around.life(other) != Life::Dead => {
                Err(MailError::taken(other.pid))
            }
            _ => {
                *run = Some(reader.process.clone());
                Ok(())
            }
        }
    }

    /// A seat, as whoever sits there knows it.
    pub(super) fn seated(&self, id: SeatId, arrival: Option<Arrival>) -> Seated {
        let seat = &self.seats[&id];
        let mut seated = Seated::new(id, seat.name.clone(), seat.epoch);
        if let Owner::Project { project, root, .. } = &seat.owner {
            seated.persona = Some(self.projects[project].persona.clone());
            seated.project = Some(*project);
            seated.root = Some(root.clone());
        }
        seated.arrival = arrival;
        seated
    }
}
