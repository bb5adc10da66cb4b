//! Persistence: from the engine to a checkpoint and back.

use crate::dynamics::Tick;

use super::checkpoint::{Checkpoint, SavedSensor, counted};
use super::engine::Attention;
use super::held::{Held, Ids};
use super::input::Input;

impl Attention {
    /// What to remember now. While a batch is being written this is already the state after
    /// [`ack`](Self::ack) at the batch's tick.
    pub fn checkpoint(&self) -> Checkpoint {
        match &self.flight {
            None => self.save(),
            Some(batch) => {
                let (tick, id) = (batch.tick(), batch.id());
                let mut after = self.clone();
                after.ack(tick, id);
                after.save()
            }
        }
    }

    fn save(&self) -> Checkpoint {
        let stages = self.events.stages.iter();
        let sensors = self.events.sensors.iter().zip(stages);
        Checkpoint {
            sensors: sensors
                .map(|(held, stage)| SavedSensor::of(held, *stage))
                .collect(),
            host: self.events.host,
            mutes: self.events.mutes.clone(),
            handled: self.handled.clone(),
            governor: self.events.governor.clone(),
            mail_governor: self.mail.governor.clone(),
            reply_hint: self.mail.hinted,
            events: self.events.ids.0,
            batches: self.batches,
            notices: self.notices.iter().cloned().collect(),
        }
    }

    /// Goes on from `checkpoint`. What lies after `now`, on an axis that stepped back over the
    /// restart, counts as `now`.
    pub(super) fn restore(&mut self, checkpoint: Checkpoint, now: Tick) {
        self.events.governor = checkpoint.governor;
        self.events.governor.set_limits(&self.settings);
        self.events.governor.settle_future(now);
        let limits = self.mail.governor.limits();
        self.mail.governor = checkpoint.mail_governor;
        self.mail.governor.set_limits(limits);
        self.mail.governor.settle_future(now);
        self.mail.hinted = checkpoint.reply_hint;
        self.batches = counted(checkpoint.batches);
        self.events.host = checkpoint.host.settled(now);
        self.events.mute(now, checkpoint.mutes);
        self.handled = checkpoint.handled;
        for saved in checkpoint.sensors {
            if self.events.place(&saved.name).is_none() {
                self.events.stages.push(saved.stage);
                self.events.sensors.push(saved.restored(now));
            }
        }
        // What is reported from now on has an id of its own.
        let held = self.events.sensors.iter().flat_map(Held::entries);
        let latest = held.map(|entry| entry.id().get()).max();
        self.events.ids = Ids(counted(checkpoint.events).max(latest.unwrap_or_default()));
        self.refresh_all(now);
        for notice in checkpoint.notices {
            self.input(now, Input::Notice(notice));
        }
    }
}
