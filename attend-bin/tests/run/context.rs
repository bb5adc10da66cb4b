//! A transcript that grows beside a running loop.

use std::time::Duration;

use crate::hosts_fake::{Beside, SILENCE};
use crate::live::eventually;
use crate::world::World;

const HOUR: Duration = Duration::from_hours(1);

#[test]
fn a_growing_transcript_is_told_of_as_it_grows() {
    let world = World::new();
    let mut beside = Beside::start(&world);
    beside.prompt("secret words");
    // Turns of 6,000 tokens, as a rule.
    for (hours, tokens) in (4..10).rev().zip((46_000..).step_by(6_000)) {
        beside.answer_ago(HOUR * hours, tokens);
    }
    beside.record("busy");
    let banner = beside.live.line();
    assert!(banner.contains(" watches project "), "{banner}");
    beside.answer_ago(HOUR * 3, 82_000);
    // Too little to interrupt anybody.
    eventually("the context is known", || {
        beside.holds("context", "context at 41%")
    });
    assert_eq!(beside.live.line_within(SILENCE), None);
    for (ago, tokens, told) in [
        (
            2,
            134_000,
            "priority=medium] context at 67%. Use `ways show attend/context-pressure` for reflection guidance.",
        ),
        // It rests after what was told, but not while a compaction is at hand.
        (
            1,
            186_000,
            "priority=high] compaction in about 1 turn: context at 93%. Use `ways show attend/context-pressure \
             --mode critical` for reflection guidance.",
        ),
    ] {
        beside.answer_ago(HOUR * ago, tokens);
        assert_eq!(beside.live.line(), format!("[attend sensor=context {told}"));
    }
}

#[test]
fn a_loop_that_begins_late_says_at_once_where_the_context_stands() {
    let world = World::new();
    let mut beside = Beside::start(&world);
    beside.prompt("secret words");
    beside.answer_ago(HOUR * 2, 166_000);
    beside.answer_ago(HOUR, 172_000);
    beside.record("busy");
    let banner = beside.live.line();
    assert!(banner.contains(" watches project "), "{banner}");
    assert_eq!(
        beside.live.line(),
        "[attend sensor=context priority=medium] context at 86% — projected critical in about 3 turns. Use `ways show attend/context-pressure` \
         for reflection guidance."
    );
}

#[test]
fn a_signal_that_no_way_handles_is_told_without_a_command() {
    let world = World::new();
    // It takes the place of the way that comes with the program, and handles something else.
    let text = "---\nname: n\ndescription: d\ntrigger: { type: Stop }\n---\nB\n";
    std::fs::create_dir_all(world.repo().join(".claude/ways")).expect("a directory");
    world.write(".claude/ways/context-pressure.md", text);
    let mut beside = Beside::start(&world);
    beside.prompt("secret words");
    beside.answer_ago(HOUR * 2, 166_000);
    beside.answer_ago(HOUR, 172_000);
    beside.record("busy");
    let banner = beside.live.line();
    assert!(banner.contains(" watches project "), "{banner}");
    assert_eq!(
        beside.live.line(),
        "[attend sensor=context priority=medium] context at 86%"
    );
}

/// A way in the place of the one that comes with the program, which handles something else.
const OTHER: &str = "---\nname: n\ndescription: d\ntrigger: { type: Stop }\n---\nB\n";

#[test]
fn ways_that_change_beside_a_running_loop_change_the_commands_that_it_names() {
    let world = World::new();
    let ways = world.repo().join(".claude/ways");
    let mut beside = Beside::start(&world);
    beside.prompt("secret words");
    for (hours, tokens) in (4..10).rev().zip((46_000..).step_by(6_000)) {
        beside.answer_ago(HOUR * hours, tokens);
    }
    beside.record("busy");
    let banner = beside.live.line();
    assert!(banner.contains(" watches project "), "{banner}");
    let mut broken = |place: &str| {
        let file = ways.join(place);
        std::fs::create_dir_all(file.parent().expect("a directory")).expect("a directory");
        std::fs::write(&file, "no way\n").expect("a file");
        // It was read, and so was whatever was there before.
        let error = beside.live.error();
        assert!(
            error.contains(place) && error.contains("no frontmatter"),
            "{error}"
        );
    };
    // Not even the directory was there.
    std::fs::create_dir_all(&ways).expect("a directory");
    std::fs::write(ways.join("context-pressure.md"), OTHER).expect("a way");
    broken("one.md");
    broken("deep/er/two.md");
    std::fs::remove_file(ways.join("context-pressure.md")).expect("it was there");
    broken("deep/er/three.md");
    std::fs::write(ways.join("context-pressure.md"), OTHER).expect("a way");
    broken("four.md");
    beside.answer_ago(HOUR * 2, 134_000);
    let told = beside.live.line();
    assert_eq!(
        told,
        "[attend sensor=context priority=medium] context at 67%"
    );
    std::fs::remove_file(ways.join("context-pressure.md")).expect("it was there");
    let file = ways.join("five.md");
    std::fs::write(&file, "no way\n").expect("a file");
    let error = beside.live.error();
    assert!(error.contains("five.md"), "{error}");
    beside.answer_ago(HOUR, 186_000);
    // What was said of the ways rides along.
    let mut told = beside.live.line();
    while told.starts_with("[attend] notice: ") {
        told = beside.live.line();
    }
    assert!(
        told.contains("Use `ways show attend/context-pressure"),
        "{told}"
    );
}
