//! Messages in are messages out, once each and in order, whatever else happens.

use attend_core::attention::Settings;
use attend_core::dynamics::TickDelta;
use attend_core::mail::Seq;
use proptest::prelude::*;

use crate::world::{World, history};

/// Settings as they come, strict ones, and ones that let no event through.
fn settings() -> impl Strategy<Value = Settings> {
    (0..200_u64, 1..5_u32, 0..2_000_u64).prop_map(|(cooldown, most, window)| {
        let mut settings = Settings::default();
        settings.governor.cooldown = TickDelta::new(cooldown);
        settings.governor.max_per_window = std::num::NonZeroU32::new(most).expect("at least one");
        settings.governor.window = TickDelta::new(window);
        settings
    })
}

proptest! {
    #[test]
    fn each_message_is_delivered_once_and_in_order(history in history(80), settings in settings()) {
        let mut world = World::new(settings);
        for op in &history {
            world.live(op);
        }
        world.look();
        world.wait(100 + 3 * world.sent);
        let mut delivered = world.printed.clone();
        delivered.extend(&world.counted);
        delivered.sort();
        let all: Vec<Seq> = (1..=world.sent).map(Seq::new).collect();
        prop_assert_eq!(delivered, all);
        prop_assert!(world.printed.is_sorted());
        prop_assert!(world.waiting.is_empty());
    }

    #[test]
    fn mail_waits_for_its_cooldown_and_for_nothing_else(history in history(60)) {
        let mut world = World::new(Settings::default());
        for op in &history {
            world.live(op);
            world.settle();
            // Whatever waits now left its last batch less than a cooldown ago, or failed to.
            if let (false, Some(last)) = (world.waiting.is_empty(), world.written.iter().rev().find(|batch| batch.mail().is_some())) {
                prop_assert!(world.now.since(last.tick()) < TickDelta::new(3));
            }
        }
    }
}
