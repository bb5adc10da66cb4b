//! The explorations, and that each rule which is broken on purpose is found.

use super::explore::explore;
use super::scope::{Budget, Fault, Kind, Scope, Way};
use crate::mail::evidence::MOST_MISSED;

/// Two readers of one seat, which claim side by side and lapse: two messages, by name and in the
/// room.
fn readers() -> Scope {
    Scope {
        kinds: vec![Kind::Named, Kind::Room],
        readers: vec![(0, vec![Way::New]), (0, vec![Way::Unread])],
        budget: Budget {
            sends: 2,
            lapses: 1,
            ..Budget::default()
        },
        tracked: false,
        missed: 0,
        fault: Fault::None,
    }
}

/// The same with one message, which is also shown by its id, and readers that die anywhere.
fn dying() -> Scope {
    Scope {
        kinds: vec![Kind::Named, Kind::NamedAndRoom],
        readers: vec![(0, vec![Way::New]), (0, vec![Way::New, Way::Show])],
        budget: Budget {
            sends: 1,
            lapses: 1,
            deaths: 2,
            ..Budget::default()
        },
        ..readers()
    }
}

/// A reader that prints beside one that writes digests: two messages on the room, of which one
/// may be by name too.
fn counting() -> Scope {
    Scope {
        kinds: vec![Kind::Room, Kind::NamedAndRoom],
        readers: vec![(0, vec![Way::New]), (0, vec![Way::Digest])],
        ..readers()
    }
}

/// Two sessions end, come back or are followed by others, twice: one message, to a name, the
/// project, or oneself.
fn sitting() -> Scope {
    Scope {
        kinds: vec![Kind::Named, Kind::Project, Kind::Note],
        readers: vec![(0, vec![Way::New])],
        budget: Budget {
            sends: 1,
            ends: 2,
            sits: 2,
            ..Budget::default()
        },
        ..readers()
    }
}

/// The same once, with readers on both seats, `/clear`, and the room.
fn clearing() -> Scope {
    Scope {
        kinds: vec![Kind::ProjectAndRoom],
        readers: vec![(0, vec![Way::New]), (1, vec![Way::New])],
        budget: Budget {
            sends: 1,
            ends: 1,
            sits: 1,
            clears: 1,
            ..Budget::default()
        },
        ..readers()
    }
}

/// Leaving and joining the room while a reader reads, counts and dies: two messages on it, by
/// others or by oneself.
fn moving() -> Scope {
    Scope {
        kinds: vec![Kind::Room, Kind::OwnRoom],
        readers: vec![(0, vec![Way::New, Way::Digest])],
        budget: Budget {
            sends: 2,
            moves: 2,
            deaths: 1,
            ..Budget::default()
        },
        ..readers()
    }
}

/// Muting the room, and leaving it, while a reader reads and counts: two messages, on it, or by
/// name too.
fn muting() -> Scope {
    Scope {
        kinds: vec![Kind::Room, Kind::NamedAndRoom],
        readers: vec![(0, vec![Way::New, Way::Digest])],
        budget: Budget {
            sends: 2,
            mutes: 1,
            moves: 1,
            ..Budget::default()
        },
        ..readers()
    }
}

/// What is printed is missed and seen, beside a reader that is asked for what is unread: one message,
/// by name or in the room, and readers that die and lapse.
fn missing() -> Scope {
    Scope {
        kinds: vec![Kind::Named, Kind::Room],
        readers: vec![(0, vec![Way::New]), (0, vec![Way::Unread])],
        budget: Budget {
            sends: 1,
            lapses: 1,
            deaths: 1,
            misses: 4,
            sees: 1,
            ..Budget::default()
        },
        tracked: true,
        ..readers()
    }
}

/// The same while sessions end, come back or are followed by others, twice.
fn missing_sessions() -> Scope {
    Scope {
        kinds: vec![Kind::Named],
        readers: vec![(0, vec![Way::New])],
        budget: Budget {
            sends: 1,
            ends: 2,
            sits: 2,
            misses: 3,
            sees: 1,
            ..Budget::default()
        },
        ..missing()
    }
}

/// The same where the second miss in a row ends the looking: two messages, beside digests.
fn missing_all() -> Scope {
    Scope {
        kinds: vec![Kind::Named, Kind::Room],
        readers: vec![(0, vec![Way::New, Way::Digest])],
        budget: Budget {
            sends: 2,
            misses: 3,
            sees: 1,
            ..Budget::default()
        },
        missed: MOST_MISSED - 2,
        ..missing()
    }
}

/// Everything holds in every state, of which there are at least so many.
fn holds(scope: &Scope, states: usize) {
    let found = explore(scope).unwrap_or_else(|broken| panic!("{broken}"));
    println!("{} states, {} steps", found.states, found.steps);
    assert!(found.states >= states, "only {} states", found.states);
}

#[test]
fn readers_side_by_side() {
    holds(&readers(), 20_000);
}

#[test]
fn readers_that_die() {
    holds(&dying(), 3_000);
}

#[test]
fn digests_beside_readers() {
    holds(&counting(), 10_000);
}

#[test]
fn sessions_that_come_and_go() {
    holds(&sitting(), 3_000);
}

#[test]
fn sessions_that_are_cleared() {
    holds(&clearing(), 5_000);
}

#[test]
fn rooms_that_are_left() {
    holds(&moving(), 5_000);
}

#[test]
fn rooms_that_are_muted() {
    holds(&muting(), 2_000);
}

#[test]
fn showings_that_are_missed() {
    holds(&missing(), 20_000);
}

#[test]
fn showings_that_are_missed_by_several_sessions() {
    holds(&missing_sessions(), 15_000);
}

#[test]
fn showings_of_which_too_many_are_missed() {
    holds(&missing_all(), 10_000);
}

#[test]
#[ignore = "takes minutes; to be run by name, or with --ignored"]
fn wider_bounds() {
    let mut scope = readers();
    scope.budget.deaths = 1;
    holds(&scope, 40_000);
    let mut scope = counting();
    scope.budget.sends = 3;
    holds(&scope, 40_000);
    let mut scope = sitting();
    scope.readers.push((1, vec![Way::New]));
    scope.budget.clears = 1;
    holds(&scope, 40_000);
    let mut scope = clearing();
    scope.kinds.extend([Kind::Project, Kind::Note]);
    holds(&scope, 30_000);
    let mut scope = muting();
    scope.readers[0].1.push(Way::Unread);
    (scope.budget.mutes, scope.budget.deaths) = (2, 1);
    holds(&scope, 5_000);
}

fn is_found(fault: Fault, scope: Scope, words: &str) {
    let broken = explore(&Scope { fault, ..scope }).expect_err("nobody noticed");
    assert!(broken.contains(words), "{broken}");
}

#[test]
fn a_mark_that_is_set_when_settled_is_found() {
    is_found(
        Fault::MarkAtSettle,
        readers(),
        "was claimed at 0 before, and has no mark",
    );
}

#[test]
fn a_settlement_of_what_was_not_written_is_found() {
    is_found(Fault::SettleAll, readers(), "is lost");
}

#[test]
fn a_settlement_by_an_orphan_is_found() {
    is_found(Fault::SettleUnfenced, sitting(), "is lost");
}

#[test]
fn a_digest_that_counts_before_it_is_written_is_found() {
    is_found(Fault::ToldAtClaim, counting(), "is lost");
}

#[test]
fn a_miss_of_an_earlier_showing_is_found() {
    let words = "by a miss of another showing";
    is_found(Fault::MissUnguarded, missing(), words);
}

#[test]
fn a_miss_that_takes_the_mark_away_is_found() {
    is_found(Fault::MissUnmarked, missing(), "and has no mark");
}

#[test]
fn a_miss_that_shows_it_for_ever_is_found() {
    is_found(Fault::MissForEver, missing(), "often enough");
}

#[test]
fn a_miss_that_is_forgotten_is_found() {
    is_found(Fault::MissForgotten, missing(), "is lost");
}
