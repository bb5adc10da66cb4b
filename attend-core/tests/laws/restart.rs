//! A restart at any moment repeats no event, loses none that is held, and resets nothing.

use attend_core::attention::{Attention, Input, Mutes, Settings};
use attend_core::dynamics::Tick;
use proptest::prelude::*;

use crate::world::{World, history};

/// The same engine after its process ended and another went on from its file.
fn reborn(world: &World) -> Attention {
    let stored =
        serde_json::to_string(&world.attention.checkpoint()).expect("a checkpoint is JSON");
    let checkpoint = serde_json::from_str(&stored).expect("and can be read again");
    Attention::builder().restore(checkpoint, world.now).build()
}

proptest! {
    #[test]
    fn a_restarted_engine_goes_on_as_if_nothing_had_happened(before in history(30), after in history(30)) {
        let mut stays = World::new(Settings::default());
        for op in &before {
            stays.live(op);
        }
        stays.settle();
        let mut restarts = stays.clone();
        restarts.attention = reborn(&stays);
        // All that a driver tells a fresh engine before anybody else speaks.
        restarts.introduce();
        restarts.look();
        for op in &after {
            stays.live(op);
            restarts.live(op);
        }
        stays.wait(1_000);
        restarts.wait(1_000);
        prop_assert_eq!(stays.written, restarts.written);
        prop_assert_eq!(stays.attention.totals(), restarts.attention.totals());
    }

    #[test]
    fn a_checkpoint_survives_its_file(history in history(60)) {
        let mut world = World::new(Settings::default());
        for op in &history {
            world.live(op);
        }
        let stored = serde_json::to_string(&world.attention.checkpoint()).expect("a checkpoint is JSON");
        let read: attend_core::attention::Checkpoint = serde_json::from_str(&stored).expect("it can be read");
        prop_assert_eq!(read, world.attention.checkpoint());
    }

    #[test]
    fn an_axis_that_stepped_back_over_a_restart_holds_nothing_for_longer(history in history(40), back in 0..5_000_u64) {
        let mut world = World::new(Settings::default());
        for op in &history {
            world.live(op);
        }
        world.settle();
        let now = Tick::new(world.now.get().saturating_sub(back));
        let mut attention = Attention::builder().restore(world.attention.checkpoint(), now).build();
        // Until when somebody wants quiet is said anew by whoever keeps that.
        attention.input(now, Input::Mute(Mutes::default()));
        // At the latest a whole window, a refractory and a footnote's wait from now on.
        if let attend_core::attention::Step::Wait { until: Some(until) } = attention.step(now) {
            prop_assert!(until.since(now).get() <= 3_000, "waits until {until} from {now}");
        }
    }
}
