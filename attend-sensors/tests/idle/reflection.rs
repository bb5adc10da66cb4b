//! How long nobody reflected.

use std::time::Duration;

use attend_core::sensor::Cause;
use attend_core::testkit::Polled;

use super::world::{World, turns};

/// A session at work, of which nothing but reflection is told.
fn working() -> World {
    let mut world = World::done();
    world.begin(Cause::Words);
    world
}

/// So many tokens, and a look.
fn at(world: &mut World, tokens: u64) -> Polled {
    world.harness.advance(Duration::from_mins(1));
    world.usage.tokens = Some(tokens);
    world.look()
}

#[test]
fn a_quarter_of_the_window_after_the_first_answer_it_is_overdue_once() {
    let mut world = working();
    at(&mut world, 69_999).assert_quiet();
    let polled = at(&mut world, 70_000);
    let event = polled.only_event();
    assert_eq!(event.text(), "no reflection for 25% of the context window");
    assert_eq!(polled.magnitudes(), [3.0]);
    assert!(event.is_standing());
    assert_eq!(event.key().unwrap().as_str(), "reflection");
    assert_eq!(event.signal().unwrap().as_str(), "reflection-overdue");
    for tokens in [70_000, 90_000, 150_000] {
        at(&mut world, tokens).assert_quiet();
    }
    world.restart();
    at(&mut world, 150_000).assert_quiet();
}

#[test]
fn forty_turns_after_it_it_is_overdue() {
    let mut world = working();
    world.turns.began = turns(world.harness.now(), 39);
    world.look().assert_quiet();
    world.begin(Cause::Notice);
    world.look().assert_texts(&["no reflection for 40 turns"]);
    world.begin(Cause::Words);
    world.look().assert_quiet();
}

#[test]
fn guidance_that_was_shown_in_full_is_a_mark() {
    let mut world = working();
    world.shown("build-failed", "build-failed");
    assert_eq!(at(&mut world, 80_000).texts().len(), 1);
    for (way, signal) in [
        ("context-pressure", "context-pressure"),
        ("mine/think", "reflection-overdue"),
    ] {
        world.shown(way, signal);
        let polled = world.look();
        assert_eq!(
            (polled.texts().len(), polled.cleared()),
            (0, vec!["reflection"])
        );
        world.look().assert_quiet();
        let tokens = world.usage.tokens.unwrap();
        at(&mut world, tokens + 49_999).assert_quiet();
        world.shown("build-failed", "build-failed");
        at(&mut world, tokens + 50_000)
            .assert_texts(&["no reflection for 25% of the context window"]);
    }
}

#[test]
fn a_mark_beyond_what_the_context_holds_by_now_is_none() {
    let mut world = working();
    world.usage.tokens = Some(150_000);
    world.shown("context-pressure", "context-pressure");
    at(&mut world, 150_000).assert_quiet();
    at(&mut world, 90_000).assert_texts(&["no reflection for 35% of the context window"]);
}

#[test]
fn turns_are_counted_from_the_mark_on() {
    let mut world = working();
    world.turns.began = turns(world.harness.now(), 100);
    world.shown("context-pressure", "context-pressure");
    world.harness.advance(Duration::from_secs(2));
    world.look().assert_quiet();
    for turn in 1..=40 {
        world.harness.advance(Duration::from_mins(1));
        world.begin(Cause::Words);
        let said = world.look().texts().len();
        assert_eq!(said, usize::from(turn == 40), "{turn}");
    }
}

#[test]
fn a_compaction_is_a_mark() {
    let mut world = working();
    assert_eq!(at(&mut world, 150_000).texts().len(), 1);
    world.shown("build-failed", "build-failed");
    world.usage.tokens = None;
    world.usage.epoch = Some("boundary".to_owned());
    (world.turns.first, world.turns.began) = (None, Vec::new());
    assert_eq!(world.look().cleared(), ["reflection"]);
    world.look().assert_quiet();
    world.turns.first = Some(30_000);
    at(&mut world, 30_000).assert_quiet();
    at(&mut world, 79_999).assert_quiet();
    assert_eq!(at(&mut world, 80_000).texts().len(), 1);
    // A showing before a compaction is gone with it.
    world.usage.epoch = Some("own".to_owned());
    world.usage.tokens = Some(75_000);
    world.shown("context-pressure", "context-pressure");
    world.usage.epoch = Some("boundary".to_owned());
    at(&mut world, 80_000).assert_quiet();
}

#[test]
fn a_session_that_was_cleared_begins_anew() {
    let mut world = working();
    assert_eq!(at(&mut world, 150_000).texts().len(), 1);
    world.usage.epoch = Some("next".to_owned());
    world.turns.first = Some(20_000);
    let polled = at(&mut world, 20_000);
    assert_eq!(
        (polled.texts().len(), polled.cleared()),
        (0, vec!["reflection"])
    );
}

#[test]
fn what_is_not_known_changes_nothing() {
    let mut world = working();
    assert_eq!(at(&mut world, 150_000).texts().len(), 1);
    let tokens = world.usage.tokens.take();
    world.look().assert_quiet();
    world.usage.tokens = tokens;
    world.look().assert_quiet();
    // How it began stands too far back: it is counted from nothing.
    let mut world = working();
    world.turns.first = None;
    assert_eq!(at(&mut world, 50_000).texts().len(), 1);
}
