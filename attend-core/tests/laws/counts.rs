//! Every event is accounted for after every call, and the journal tells the same story.

use attend_core::attention::{Attention, Change, Settings};
use proptest::prelude::*;

use crate::world::{World, history};

fn accounted(attention: &Attention) -> Result<(), TestCaseError> {
    for totals in attention.totals() {
        prop_assert_eq!(
            totals.tally.reported,
            totals.tally.gone() + totals.held,
            "{:?}",
            totals
        );
    }
    Ok(())
}

proptest! {
    #[test]
    fn counts_add_up_after_every_call(history in history(60)) {
        let mut world = World::new(Settings::default());
        for op in &history {
            world.wait(op.after);
            accounted(&world.attention)?;
            world.act(&op.what);
            accounted(&world.attention)?;
        }
    }

    #[test]
    fn the_journal_shows_what_was_shown(history in history(60)) {
        let mut world = World::new(Settings::default());
        let mut shown = 0;
        let mut footnoted = 0;
        for op in &history {
            world.live(op);
            world.settle();
            for record in world.attention.drain_journal() {
                match record.change {
                    Change::Shown { .. } => shown += record.events.len() as u64,
                    Change::Footnoted { .. } => footnoted += record.events.len() as u64,
                    _ => {}
                }
            }
        }
        let totals = world.attention.totals();
        prop_assert_eq!(shown, totals.iter().map(|t| t.tally.shown).sum::<u64>());
        prop_assert_eq!(footnoted, totals.iter().map(|t| t.tally.footnoted).sum::<u64>());
    }

    #[test]
    fn a_record_says_what_it_is_about(history in history(60)) {
        let mut world = World::new(Settings::default());
        for op in &history {
            world.live(op);
            world.settle();
            for record in world.attention.drain_journal() {
                let about = !record.events.is_empty();
                prop_assert!(!about || record.text.is_some(), "{record:?}");
                let gone = record.events.iter().any(|event| record.gone.iter().any(|gone| gone.event == *event));
                prop_assert!(!gone, "{record:?}");
            }
        }
    }

    #[test]
    fn the_journal_speaks_only_of_changes(history in history(40)) {
        let mut world = World::new(Settings::default());
        for op in &history {
            world.live(op);
            world.settle();
        }
        world.attention.drain_journal();
        world.settle();
        prop_assert!(world.attention.drain_journal().is_empty());
    }
}
