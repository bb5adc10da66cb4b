//! Settlement: what becomes of a batch once it was written, or was not.

use crate::dynamics::Tick;

use super::batch::Batch;
use super::engine::Attention;
use super::held::{Entry, Held, Landing};
use super::id::{BatchId, EventId};
use super::journal::Change;

impl Attention {
    /// The lines of `batch` were written: its events are told, its sensors fired at the batch's
    /// tick, and the governor is charged. An id that is not being written changes nothing.
    pub fn ack(&mut self, now: Tick, batch: BatchId) {
        let Some(batch) = self.take_flight(batch) else {
            return;
        };
        for (name, fires) in &batch.cargo.sensors {
            let Some(place) = self.events.place(name) else {
                continue;
            };
            self.tell(now, &batch, place);
            let held = &mut self.events.sensors[place];
            held.land(batch.id, batch.tick, *fires);
            held.waited = false;
            self.events.stages[place] = None;
        }
        for name in &batch.cargo.waiting {
            if let Some(place) = self.events.place(name) {
                self.events.sensors[place].waited = true;
            }
        }
        if let Some(charge) = batch.cargo.charge {
            self.events.governor.record(batch.tick, charge.critical);
        }
        if batch.mail.is_some() {
            self.mail.governor.record(batch.tick);
        }
        self.mail.hinted |= batch.cargo.reply_hint;
        self.notices
            .drain(..batch.cargo.notices.min(self.notices.len()));
        if batch.cargo.banner {
            self.banner = None;
        }
        self.refresh_all(now);
    }

    /// The lines of `batch` were not written: its events are held as before. An id that is not
    /// being written changes nothing.
    pub fn nack(&mut self, now: Tick, batch: BatchId) {
        let Some(batch) = self.take_flight(batch) else {
            return;
        };
        for (name, _) in &batch.cargo.sensors {
            let Some(place) = self.events.place(name) else {
                continue;
            };
            let held = &mut self.events.sensors[place];
            held.return_from(batch.id);
            self.events.stages[place] = None;
            let change = Change::Returned { batch: batch.id };
            self.journal.record(now, held, change, None, &[]);
        }
        self.refresh_all(now);
    }

    fn take_flight(&mut self, id: BatchId) -> Option<Batch> {
        self.changed();
        self.flight.take_if(|batch| batch.id == id)
    }

    /// Writes down which events of the sensor at `place` the batch told.
    fn tell(&mut self, now: Tick, batch: &Batch, place: usize) {
        let held = &mut self.events.sensors[place];
        let id = batch.id;
        for event in boarded(held, id, Landing::Shown) {
            self.journal
                .record(now, held, Change::Shown { batch: id }, None, &[event]);
        }
        let footnoted = boarded(held, id, Landing::Footnoted);
        if !footnoted.is_empty() {
            self.journal
                .record(now, held, Change::Footnoted { batch: id }, None, &footnoted);
        }
    }
}

/// The events of a sensor that a batch carries in one way.
fn boarded(held: &Held, batch: BatchId, landing: Landing) -> Vec<EventId> {
    let carried = held.entries().iter().filter(|entry| {
        entry
            .flight
            .is_some_and(|flight| flight.batch == batch && flight.landing == landing)
    });
    carried.map(Entry::id).collect()
}
