//! Settlement: what becomes of a batch once it was written, or was not.

use crate::dynamics::Tick;
use crate::sensor::SensorName;

use super::batch::Batch;
use super::engine::Attention;
use super::held::{Entry, Held, Landing};
use super::id::{BatchId, EventId};
use super::journal::Change;

impl Attention {
    /// The lines of `batch` were written: its events are told, its sensors fired at the batch's
    /// tick, and the governor is charged.
    ///
    /// An id that is not being written changes nothing.
    pub fn ack(&mut self, now: Tick, batch: BatchId) {
        let Some(batch) = self.take_flight(batch) else {
            return;
        };
        for (name, fires) in &batch.cargo.sensors {
            let Some(place) = self.events.place(name) else {
                continue;
            };
            self.tell(now, &batch, place);
            let fires = fires.then_some(batch.tick);
            self.events.sensors[place].land(now, batch.id, fires);
            self.events.stages[place] = None;
        }
        self.keep_waiting(now, batch.tick, &batch.cargo.waiting);
        for (name, _) in &batch.cargo.sensors {
            self.refresh(name, now);
        }
        if let Some(charge) = batch.cargo.charge {
            self.events.governor.record(batch.tick, charge.critical);
        }
        if batch.mail.is_some() {
            self.mail.governor.record(batch.tick);
        }
        self.mail.hinted |= batch.cargo.reply_hint;
        self.note_all(now);
    }

    /// The lines of `batch` were not written: its events are held as before, and what attend has to
    /// say of itself is still to be said.
    ///
    /// An id that is not being written changes nothing.
    pub fn nack(&mut self, now: Tick, batch: BatchId) {
        let Some(batch) = self.take_flight(batch) else {
            return;
        };
        self.unsay(batch.cargo.notices, batch.cargo.banner);
        for (name, _) in &batch.cargo.sensors {
            let Some(place) = self.events.place(name) else {
                continue;
            };
            let held = &mut self.events.sensors[place];
            held.return_from(now, batch.id);
            self.events.stages[place] = None;
            let change = Change::Returned { batch: batch.id };
            self.journal.record(now, held, change, None, &[]);
            self.refresh(name, now);
        }
        self.note_all(now);
    }

    fn take_flight(&mut self, id: BatchId) -> Option<Batch> {
        self.changed();
        self.flight.take_if(|batch| batch.id == id)
    }

    /// Remembers since when events, named in the order of ids, wait for room.
    fn keep_waiting(&mut self, now: Tick, since: Tick, waiting: &[EventId]) {
        if waiting.is_empty() {
            return;
        }
        for place in 0..self.events.sensors.len() {
            for entry in &mut self.events.sensors[place].entries {
                if waiting.binary_search(&entry.id).is_ok() {
                    entry.waited_since.get_or_insert(since);
                }
            }
            self.events.refresh(place, now, &self.settings);
        }
    }

    fn refresh(&mut self, name: &SensorName, now: Tick) {
        if let Some(place) = self.events.place(name) {
            self.events.refresh(place, now, &self.settings);
        }
    }

    /// Writes down which events of the sensor at `place` the batch told.
    fn tell(&mut self, now: Tick, batch: &Batch, place: usize) {
        let held = &mut self.events.sensors[place];
        let id = batch.id;
        for event in boarded(held, id, |landing| landing == Landing::Shown) {
            let change = Change::Shown { batch: id };
            self.journal.record(now, held, change, None, &[event]);
        }
        let footnoted = boarded(held, id, |landing| landing != Landing::Shown);
        if !footnoted.is_empty() {
            let change = Change::Footnoted { batch: id };
            self.journal.record(now, held, change, None, &footnoted);
        }
    }
}

/// The events of a sensor that a batch carries in such a way.
fn boarded(held: &Held, batch: BatchId, way: impl Fn(Landing) -> bool) -> Vec<EventId> {
    let carried = held.entries().iter().filter(|entry| {
        entry
            .flight
            .is_some_and(|flight| flight.batch == batch && way(flight.landing))
    });
    carried.map(Entry::id).collect()
}
