//! Longer histories, of everything at once, by chance.

use proptest::prelude::*;

use super::scope::{Budget, Fault, Kind, Scope, Way};
use super::world::World;
use crate::mail::evidence::MOST_MISSED;

fn everything(tracked: bool, fault: Fault) -> Scope {
    let ways = vec![Way::New, Way::Digest, Way::Unread, Way::Show];
    Scope {
        kinds: vec![
            Kind::Named,
            Kind::Room,
            Kind::NamedAndRoom,
            Kind::Project,
            Kind::ProjectAndRoom,
            Kind::OwnRoom,
            Kind::Note,
        ],
        readers: [0, 0, 1, 1].map(|chair| (chair, ways.clone())).to_vec(),
        budget: Budget {
            sends: 12,
            lapses: 8,
            deaths: 8,
            ends: 6,
            sits: 6,
            clears: 4,
            moves: 6,
            mutes: 6,
            ..Budget::default()
        },
        tracked,
        missed: 0,
        fault,
    }
}

/// The same with evidence, of what is sent to a seat or a room: what the project is sent moves.
fn evidence() -> Scope {
    let mut scope = everything(true, Fault::None);
    scope.kinds = vec![Kind::Named, Kind::Room, Kind::NamedAndRoom];
    scope.budget = Budget {
        misses: 20,
        sees: 6,
        clears: 0,
        moves: 0,
        ..scope.budget
    };
    scope
}

/// Takes one of the actions that are possible, for each number, and checks where it ends.
fn run(scope: &Scope, choices: &[u16]) -> Result<(), String> {
    let mut world = World::new(scope);
    let mut done = Vec::new();
    for choice in choices {
        let actions = world.actions(scope);
        let Some(action) = actions.get(usize::from(*choice) % actions.len().max(1)) else {
            break;
        };
        done.push(*action);
        let told = |broken| format!("{broken}\nafter: {done:?}");
        world.act(scope, *action).map_err(told)?;
        world.stopped().drain(scope).map_err(told)?;
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn whatever_happens_nothing_is_lost(
        choices in prop::collection::vec(any::<u16>(), 0..80),
        tracked: bool,
    ) {
        let ran = run(&everything(tracked, Fault::None), &choices);
        prop_assert!(ran.is_ok(), "{}", ran.unwrap_err());
    }

    #[test]
    fn whatever_is_missed_is_shown_again_or_left_to_be_asked_for(
        choices in prop::collection::vec(any::<u16>(), 0..80),
        missed in 0..MOST_MISSED,
    ) {
        let scope = Scope { missed, ..evidence() };
        let ran = run(&scope, &choices);
        prop_assert!(ran.is_ok(), "{}", ran.unwrap_err());
    }
}
