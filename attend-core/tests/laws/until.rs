//! A promise of the engine is exact: nothing leaves before it, something leaves at it.

use attend_core::attention::{Input, Settings, Step, Verdict};
use attend_core::dynamics::{Tick, TickDelta};
use proptest::prelude::*;

use crate::world::{SENSORS, World, history, name};

proptest! {
    #[test]
    fn jumping_from_promise_to_promise_is_asking_at_every_tick(history in history(40)) {
        let mut jumps = World::new(Settings::default());
        let mut crawls = World::new(Settings::default());
        for op in &history {
            jumps.live(op);
            crawls.crawl(op.after);
            crawls.act(&op.what);
        }
        jumps.wait(700);
        crawls.crawl(700);
        prop_assert_eq!(jumps.written, crawls.written);
    }

    #[test]
    fn something_leaves_at_the_promised_tick_and_nothing_before(history in history(40)) {
        let mut world = World::new(Settings::default());
        for op in &history {
            world.live(op);
            let Some(until) = world.settle() else { continue };
            prop_assert!(until > world.now);
            let before = Tick::new(until.get() - 1);
            if before > world.now {
                // Asked afresh, not from memory: any input makes the engine look again.
                let mut early = world.attention.clone();
                early.input(before, Input::ClaimFailed);
                let waits = matches!(early.step(before), Step::Wait { until: Some(at) } if at == until);
                prop_assert!(waits);
            }
            let mut due = world.attention.clone();
            let waits = matches!(due.step(until), Step::Wait { .. });
            prop_assert!(!waits);
        }
    }

    #[test]
    fn a_sensor_is_not_admitted_before_its_own_promise(history in history(40), ahead in 0..5_000_u64) {
        let mut world = World::new(Settings::default());
        for op in &history {
            world.live(op);
            world.settle();
            for sensor in 0..SENSORS {
                let verdict = world.attention.verdict(&name(sensor), world.now);
                let Some(Verdict::Hold { until, .. }) = verdict else { continue };
                let later = world.now.after(TickDelta::new(ahead));
                let then = world.attention.verdict(&name(sensor), later);
                match until {
                    None => prop_assert!(then != Some(Verdict::Admit), "promised nothing, admitted at {later}"),
                    Some(until) if later < until => prop_assert!(then != Some(Verdict::Admit)),
                    Some(until) => {
                        let exactly = world.attention.verdict(&name(sensor), until);
                        prop_assert_eq!(exactly, Some(Verdict::Admit));
                    }
                }
            }
        }
    }
}
