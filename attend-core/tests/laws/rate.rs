//! Events never cause more notifications than the governor allows.

use attend_core::attention::{Batch, Settings};
use attend_core::dynamics::TickDelta;
use proptest::prelude::*;

use crate::world::{World, history};

/// Whether a batch was caused by events: charged, and not a ride behind mail.
fn caused(batch: &Batch) -> bool {
    batch.is_charged() && batch.mail().is_none()
}

proptest! {
    #[test]
    fn at_most_three_and_one_critical_in_any_window(history in history(120)) {
        let mut world = World::new(Settings::default());
        for op in &history {
            world.live(op);
        }
        world.wait(2_000);
        let ticks: Vec<_> = world.written.iter().filter(|batch| caused(batch)).map(Batch::tick).collect();
        for first in &ticks {
            let within = ticks.iter().filter(|tick| *tick >= first && tick.since(*first) < TickDelta::new(120));
            prop_assert!(within.count() <= 4);
        }
    }

    #[test]
    fn without_critical_events_three_in_a_window_and_twenty_apart(history in history(120)) {
        let mut world = World::new(Settings::default());
        for op in &history {
            let mut op = op.clone();
            if let crate::world::What::Look(_, found) = &mut op.what {
                for item in found {
                    if let crate::world::Found::Event { critical, .. } = item {
                        *critical = false;
                    }
                }
            }
            world.live(&op);
        }
        world.wait(2_000);
        let ticks: Vec<_> = world.written.iter().filter(|batch| caused(batch)).map(Batch::tick).collect();
        for first in &ticks {
            let within = ticks.iter().filter(|tick| *tick >= first && tick.since(*first) < TickDelta::new(120));
            prop_assert!(within.count() <= 3);
        }
        for pair in ticks.windows(2) {
            prop_assert!(pair[1].since(pair[0]) >= TickDelta::new(20));
        }
    }
}
